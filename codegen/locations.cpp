#include "codegen/locations.h"

#include "support/base/render.h"

namespace fermiac::codegen {

std::size_t Locations::number(Span span) {
  const auto [at, fresh] = numbers_.try_emplace(span, table_.size());
  if (fresh) table_.push_back(" (in " + location_text(sources_, span) + ")");
  return at->second;
}

}  // namespace fermiac::codegen
