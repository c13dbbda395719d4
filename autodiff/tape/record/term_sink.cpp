#include "autodiff/tape/record/term_sink.h"

namespace fermiac::ad {

void TermSink::restart(bool with_gradient) {
  terms_.clear();
  DirectSink::restart(with_gradient);
}

void TermSink::target(Ref r, std::uint32_t n) {
  for (std::uint32_t i = 0; i < n; ++i) terms_.push_back(weighed(r + i, r_.weight_now()));
  DirectSink::target(r, n);
}

double TermSink::add(Ref term) {
  target(term, 1);
  return r_.weight_now() * r_.value(term);
}

double TermSink::sink(Op op) {
  op.kind = OpKind::VectorReduce;
  return add(reduce(op));
}

double TermSink::sink_scalars(MapCode code, const double* x, const Ref* refs, std::uint8_t ad, Keep keep) {
  Op op{.kind = OpKind::VectorReduce, .ad_mask = ad, .map = code, .keep = keep};
  op.keep.ad &= ad;
  for (int j = 0; j < map_arity(code); ++j) op.x[j] = ad >> j & 1u ? refs[j] : constant(x[j]);
  return add(reduce(op));
}

double TermSink::call_sink(std::uint32_t index) {
  call(index);
  return add(r_.trace.calls[index].out_place);
}

}  // namespace fermiac::ad
