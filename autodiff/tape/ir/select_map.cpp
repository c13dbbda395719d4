#include <array>
#include <cstddef>

#include "autodiff/ops/scalar.h"
#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad {
namespace {

using SelectCodes = std::array<MapCode, 3>;

const SelectCodes& select_codes() {  // as in Compare
#define FERMIAC_CODE(Name, ...) find_map(ops::Is##Name::kSelect),
  static const SelectCodes kCodes = {FERMIAC_COMPARES(FERMIAC_CODE)};
#undef FERMIAC_CODE
  return kCodes;
}

}  // namespace

MapCode select_map(Compare compare) {
  return select_codes()[static_cast<std::size_t>(compare)];
}

bool is_select(MapCode code) {
  const SelectCodes& codes = select_codes();
  return code == codes[0] || code == codes[1] || code == codes[2];
}

}  // namespace fermiac::ad
