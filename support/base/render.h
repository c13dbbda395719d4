// Reports as the user reads them: headline with the place, source box with a caret, chain of includes, filled text.
#pragma once

#include <string>
#include <string_view>

#include "support/base/diagnostics.h"
#include "support/base/source.h"

namespace fermiac {

struct RenderOptions {
  bool color = false;
};

/// `'f.stan', line 3, column 2 to column 9`, followed by the chain of includes if the place lies in one.
std::string location_text(const SourceMap& sources, Span span);

/// The lines around a place, framed, with a caret below it.
std::string source_box(const SourceMap& sources, Pos pos);

/// Words of `text` filled into lines of at most `width` columns (the margin of the reference is the column after them),
/// each behind `indent` blanks. Newlines in `text` stay.
std::string fill(std::string_view text, std::size_t indent, std::size_t width = 77);

/// One report, ending with a newline.
std::string render(const SourceMap& sources, const Report& report, const RenderOptions& options = {});

/// Every error (if there is one: nothing else).
std::string render_errors(const SourceMap& sources, const Diagnostics& diagnostics, const RenderOptions& options = {});

/// The warnings of one group in order, followed by a newline; empty if there are none.
std::string render_warnings(const SourceMap& sources, const Diagnostics& diagnostics, WarningGroup group,
                            const RenderOptions& options = {});

}  // namespace fermiac
