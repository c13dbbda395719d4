#include "autodiff/tape/replay/replay.h"

#include <iterator>

#include "autodiff/kernels/isa.h"
#include "autodiff/kernels/map_op.h"
#include "autodiff/tape/ir/hot_ops.h"
#include "support/base/check.h"

namespace fermiac::ad {
namespace {

Sweeps choose() {
  for (std::size_t i = 0; i < std::size(kHotNames); ++i)
    FERMIAC_CHECK(map_op(static_cast<MapCode>(i)).name == kHotNames[i], "the arithmetic family starts with the hot ops");
  return {FERMIAC_FOR_ACTIVE_ISA(forward), FERMIAC_FOR_ACTIVE_ISA(reverse), &FERMIAC_FOR_ACTIVE_ISA(scalar_helpers)};
}

}  // namespace

const Sweeps& active_sweeps() {
  static const Sweeps sweeps = choose();
  return sweeps;
}

}  // namespace fermiac::ad
