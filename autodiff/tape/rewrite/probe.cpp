// What an op of a trace gives elsewhere than where it was recorded.
#include <vector>

#include "autodiff/tape/ir/operands.h"
#include "autodiff/tape/ir/storage.h"
#include "autodiff/tape/rewrite/passes.h"

namespace fermiac::ad {

std::optional<double> sum_at(const Trace& t, const Op& op, Keep keep, std::optional<double> x) {
  const std::vector<double> fixed(x ? padded(op.n) + kPad : 0, x.value_or(0));
  MapArgs m = bind_map(op, [&](int j) { return Address{x && (op.ad_mask >> j & 1u) ? fixed.data() : numbers_at(t, op.x[j])}; });
  m.keep = keep;
  double sum = 0;
  if (!map_op(op.map).reduce(m, &sum)) return std::nullopt;
  return sum;
}

}  // namespace fermiac::ad
