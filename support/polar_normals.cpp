#include "support/polar_normals.h"

#include "support/isa.h"

namespace fermiac {

#define FERMIAC_DECLARE(name, unused)                      \
  namespace isa_##name {                                   \
  void polar_normals(DiscPoints& points, std::size_t n);   \
  }
FERMIAC_FOR_ISAS(FERMIAC_DECLARE, 0)
#undef FERMIAC_DECLARE

std::span<const PolarNormals> all_polar_normals() {
#define FERMIAC_ADDRESS(name, unused) isa_##name::polar_normals,
  static constexpr PolarNormals kAll[] = {FERMIAC_FOR_ISAS(FERMIAC_ADDRESS, 0)};
#undef FERMIAC_ADDRESS
  return kAll;
}

PolarNormals polar_normals() {
  static const PolarNormals best = all_polar_normals()[active_isa_place()];
  return best;
}

}  // namespace fermiac
