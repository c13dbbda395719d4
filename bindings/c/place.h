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

/// None of a span that is nothing in particular.
std::optional<Place> place_of(const SourceMap& sources, Span span);
/// Of a message that ends with ` (in LOCATION)`, as evaluations say where they failed (location_text in support/base/render.h). Of a
/// place in an included file the first: the chain behind it is left out.
std::optional<Place> place_in(std::string_view message);

/// Texts are those of `place`.
fermiac_place c_place(const Place& place);
void append_json(const Place& place, std::string& out);

}  // namespace fermiac::capi
