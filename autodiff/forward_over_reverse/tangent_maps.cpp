#include "autodiff/forward_over_reverse/tangent_maps.h"

#include <span>
#include <vector>

#include "autodiff/kernels/families.h"
#include "support/base/check.h"

namespace fermiac::ad {

namespace isa_tangents {
#define FERMIAC_DECLARE(family)                  \
  extern const TangentMap family##_tangents[];   \
  extern const std::size_t family##_tangents_size;
FERMIAC_MAP_FAMILIES(FERMIAC_DECLARE)
#undef FERMIAC_DECLARE
}  // namespace isa_tangents

namespace {

/// By code.
std::vector<TangentMap> by_code() {
  std::vector<TangentMap> all(all_maps().size());
#define FERMIAC_ADD(family) \
  for (const TangentMap& m : std::span(isa_tangents::family##_tangents, isa_tangents::family##_tangents_size)) all[index_of(find_map(m.name))] = m;
  FERMIAC_MAP_FAMILIES(FERMIAC_ADD)
#undef FERMIAC_ADD
  return all;
}

}  // namespace

const TangentMap* tangent_map(MapCode code) {
  static const std::vector<TangentMap> all = by_code();
  const TangentMap& found = all[index_of(code)];
  return found.adjoints ? &found : nullptr;
}

}  // namespace fermiac::ad
