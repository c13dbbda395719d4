#include "autodiff/tape/levels.h"

#include <algorithm>

#include "autodiff/tape/passes.h"

namespace fermiac::ad {

std::vector<std::uint32_t> depths(const Trace& t) {
  std::vector<std::uint32_t> of_slot(t.values.size(), 0);
  std::vector<std::uint32_t> depth(t.ops.size());
  for (std::size_t i = 0; i < t.ops.size(); ++i) {
    std::uint32_t d = 0;
    for_each_operand(t, t.ops[i], [&](Ref r, std::uint32_t n) {
      if (is_constant(r)) return;
      for (std::uint32_t k = 0; k < n; ++k) d = std::max(d, of_slot[r + k]);
    });
    depth[i] = d + 1;
    if (has_result(t.ops[i].kind)) std::fill_n(of_slot.begin() + t.ops[i].d, t.ops[i].n_results(), d + 1);
  }
  return depth;
}

std::vector<std::uint32_t> heights(const Trace& t) {
  std::vector<std::uint32_t> of_slot(t.values.size(), 0);
  std::vector<std::uint32_t> height(t.ops.size());
  for (std::size_t i = t.ops.size(); i-- > 0;) {
    std::uint32_t h = 0;
    if (has_result(t.ops[i].kind))
      for (std::uint32_t k = 0; k < t.ops[i].n_results(); ++k) h = std::max(h, of_slot[t.ops[i].d + k]);
    height[i] = h;
    for_each_operand(t, t.ops[i], [&](Ref r, std::uint32_t n) {
      if (is_constant(r)) return;
      for (std::uint32_t k = 0; k < n; ++k) of_slot[r + k] = std::max(of_slot[r + k], h + 1);
    });
  }
  return height;
}

}  // namespace fermiac::ad
