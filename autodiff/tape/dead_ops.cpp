// Backward liveness over slots. A call is live when any of its results is.
#include <algorithm>
#include <vector>

#include "autodiff/tape/passes.h"

namespace fermiac::ad {

void keep_ops(Trace& t, const std::vector<bool>& keep) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < t.ops.size(); ++i) {
    if (!keep[i]) continue;
    t.ops[out] = t.ops[i];
    t.sites[out++] = t.sites[i];
  }
  t.ops.resize(out);
  t.sites.resize(out);
}

void remove_dead_ops(Trace& t) {
  std::vector<bool> live(t.values.size(), false);
  std::vector<bool> keep(t.ops.size(), false);
  for (std::size_t i = t.ops.size(); i-- > 0;) {
    const Op& op = t.ops[i];
    bool needed = !has_result(op.kind);
    for (std::uint32_t k = 0; !needed && k < op.n_results(); ++k) needed = live[op.d + k];
    if (!needed) continue;
    keep[i] = true;
    for_each_operand(t, op, [&](Ref r, std::uint32_t n) {
      if (!is_constant(r)) std::fill_n(live.begin() + r, n, true);
    });
  }
  keep_ops(t, keep);
}

}  // namespace fermiac::ad
