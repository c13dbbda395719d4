// Places in programs: as C sees them, and as JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bindings/c/fermiac.h"
#include "support/base/source.h"

namespace fermiac::capi {

struct Place {
  std::string file;
  int line = 0, column = 0, end_line = 0, end_column = 0;
};

/// The place of a span; nothing for an empty span.
std::optional<Place> place_of(const SourceMap& sources, Span span);
/// The place in a message that ends with ` (in LOCATION)`, as messages of failed evaluations do (location_text in support/base/render.h).
/// For an included file, the place within that file, without the chain of includes.
std::optional<Place> place_in(std::string_view message);

/// The result points to the strings of `place`.
fermiac_place c_place(const Place& place);
void append_json(const Place& place, std::string& out);

}  // namespace fermiac::capi
