#include "autodiff/tape/replay.h"

#include <iterator>

#include "autodiff/kernels/map_op.h"
#include "autodiff/tape/hot_ops.h"
#include "support/check.h"

namespace fermiac::ad {
namespace {

Sweeps choose() {
  for (std::size_t i = 0; i < std::size(kHotNames); ++i)
    FERMIAC_CHECK(map_op(static_cast<MapCode>(i)).name == kHotNames[i], "the arithmetic family starts with the hot ops");
  switch (active_isa()) {
#if defined(FERMIAC_HAVE_ISA_avx512)
    case Isa::Avx512: return {isa_avx512::forward, isa_avx512::reverse};
    case Isa::Avx2: return {isa_avx2::forward, isa_avx2::reverse};
#endif
    default: return {isa_sse2::forward, isa_sse2::reverse};
  }
}

}  // namespace

const Sweeps& active_sweeps() {
  static const Sweeps sweeps = choose();
  return sweeps;
}

}  // namespace fermiac::ad
