#include "autodiff/tape/record/sink.h"

#include <algorithm>

#include "autodiff/tape/ir/hot_ops.h"
#include "autodiff/tape/ir/operands.h"

namespace fermiac::ad {

MapArgs Sink::bind(const Op& op) const {
  return bind_map(op, [&](int j) { return Address{numbers_at(r_.trace, op.x[j])}; });
}

double Sink::sum_of(const Op& op) const {
  double sum = 0;
  const MapArgs m = bind(op);
  if (!map_op(op.map).reduce(m, &sum)) [[unlikely]] explain_domain(map_op(op.map), m);
  return sum;
}

Ref Sink::weighed(Ref term, double weight) {
  if (weight == 1) return term;
  Op op{.kind = OpKind::Map, .ad_mask = 0b10, .map = map_of(Hot::Multiply), .keep = {.ad = 0b10}, .x = {constant(weight), term}};
  const double x[kMaxMapArity] = {weight, r_.value(term)};
  return map(op, x);
}

Ref Sink::map_vector(Op op) {
  op.d = r_.build.allocate_block(op.n);
  MapArgs m = bind(op);
  m.out = &result(op.d);
  if (!map_op(op.map).map(m)) [[unlikely]] explain_domain(map_op(op.map), m);
  push(op);
  return op.d;
}

Ref Sink::reduce(Op op) {
  const double sum = sum_of(op);
  op.d = r_.build.allocate(1);
  result(op.d) = sum;
  push(op);
  return op.d;
}

/// Blocks of constants have no adjoints, so their elements become constant scalars.
Ref Sink::gather(std::span<const Ref> elements) {
  if (const auto view = TraceBuilder::view(elements)) return *view;
  if (!std::ranges::any_of(elements, &Ref::is_const_vector)) return copy(elements);
  std::vector<Ref> scalars(elements.begin(), elements.end());
  for (Ref& r : scalars)
    if (r.is_const_vector()) r = constant(r_.value(r));
  return copy(scalars);
}

}  // namespace fermiac::ad
