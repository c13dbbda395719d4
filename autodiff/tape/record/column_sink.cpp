#include "autodiff/tape/record/column_sink.h"

#include <utility>


namespace fermiac::ad {

// ---- loops

/// Loops within columns are unrolled, and evaluations have none.
LoopNest::Id ColumnSink::begin_loop(Site site, std::int64_t rounds) {
  return at_hand_ == &otherwise_ ? nest_.begin(site, rounds) : 0;
}

void ColumnSink::next_round(LoopNest::Id loop) {
  nest_.next_round(loop);
  if (loop_ && nest_.by_columns() != loop) leave(false);  // of an inner loop that an error ended
  if (!loop_ && nest_.wants_columns(loop, r_.trace.ops.size())) start(loop);
  if (loop_) loop_->next_round();
}

void ColumnSink::end_loop(LoopNest::Id loop) {
  if (loop_ && nest_.by_columns() == loop) leave(true);
  nest_.end(loop);
}

void ColumnSink::start(LoopNest::Id loop) {
  if (passing_ == Ref::none()) {
    passing_ = Ref::const_scalar(r_.trace.const_scalars.size());
    r_.trace.const_scalars.resize(passing_.index() + kPassing);
  }
  loop_ = std::make_unique<LoopRecording>(r_.trace, nest_.start_columns(loop), sum_readers_);
  at_hand_ = this;
}

void ColumnSink::leave(bool fits) {
  at_hand_ = &otherwise_;
  nest_.stop_columns(loop_->rounds(), fits);
  emit_columns(std::exchange(loop_, nullptr)->collect(), r_, otherwise_);
}

// ---- ops

Ref ColumnSink::operand(double value) {
  const Ref at = passing_ + next_passing_++ % kPassing;
  r_.trace.const_scalars[at.index()] = value;
  return at;
}

/// Passing constants stay, for an op of the trace.
void ColumnSink::keep_constants(Op& op) {
  for (int j = 0; op.map != kNoMap && j < map_arity(op.map); ++j)
    if (is_passing(op.x[j])) op.x[j] = constant(r_.value(op.x[j]));
}

/// Whether the op became part of the columns; if not, the loop is left.
bool ColumnSink::joins(Op& op) {
  if (loop_->add(op, r_.site)) return true;
  leave(loop_->learned());
  keep_constants(op);
  return false;
}

Ref ColumnSink::map(Op& op, const double* x) {
  const double value = value_of(op, x);
  if (!joins(op)) return keep(op, value);
  result(op.d) = value;
  return op.d;
}

double ColumnSink::sink(Op op) {
  if (op.kind != OpKind::MapSink) return TraceSink::sink(op);
  const double value = weighed_sum_of(op);
  if (!joins(op)) r_.append(op);
  return value;
}

void ColumnSink::target(Ref r, std::uint32_t n) {
  if (n != 1) return TraceSink::target(r, n);
  Op op{.kind = OpKind::Target, .ad_mask = 1, .d = Ref::weight(r_.weight), .x = {r}};
  if (!joins(op)) r_.append(op);
}

void ColumnSink::push(const Op& op) {
  leave(false);
  Op kept = op;
  keep_constants(kept);
  r_.append(kept);
}

std::vector<Ref> ColumnSink::terms() {
  leave(false);
  return otherwise_.terms();
}

}  // namespace fermiac::ad
