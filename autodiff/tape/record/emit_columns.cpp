// Columns of a loop become operations of vectors (loop.h).
#include <algorithm>

#include "autodiff/kernels/known_kernels.h"
#include "autodiff/tape/ir/hot_ops.h"
#include "autodiff/tape/ir/operands.h"
#include "autodiff/tape/record/column_sink.h"

namespace fermiac::ad {
namespace {

using Collected = LoopRecording::Collected;

class ColumnEmitter {
 public:
  ColumnEmitter(Recording& recording, TraceSink& to) : r_(recording), to_(to) {}

  void emit(const Collected& c);
  void emit(const LoopRecording::Sum& sum);

 private:
  Ref block(const RefColumn& x, std::uint32_t n);
  Ref column(const Collected& c, std::size_t j, bool as_vector);
  static bool varies(const Collected& c, std::size_t j);
  static std::uint8_t vectors(const Collected& c);

  Recording& r_;
  TraceSink& to_;
};

/// The n numbers of a column, side by side.
Ref ColumnEmitter::block(const RefColumn& x, std::uint32_t n) {
  if (x.form == RefColumn::Form::List) return to_.gather(x.list);
  if (x.form == RefColumn::Form::Run && !x.first.is_constant()) return x.first;
  std::vector<Ref> refs(n);
  for (std::uint32_t i = 0; i < n; ++i) refs[i] = x.at(i);
  return to_.gather(refs);
}

/// Operand j.
Ref ColumnEmitter::column(const Collected& c, std::size_t j, bool as_vector) {
  if (c.op.ad_mask >> j & 1u) return as_vector ? block(c.refs[j], c.n) : c.refs[j].first;
  const NumberColumn& x = c.numbers[j];
  if (!x.list.empty()) return to_.constant_block(x.list.data(), c.n);
  return as_vector ? to_.constant_block(std::vector<double>(c.n, x.first).data(), c.n) : to_.constant(x.first);
}

bool ColumnEmitter::varies(const Collected& c, std::size_t j) {
  return c.op.ad_mask >> j & 1u ? c.refs[j].form != RefColumn::Form::Uniform : !c.numbers[j].list.empty();
}

/// Which operands are vectors: one of them at least if there is more than one round.
std::uint8_t ColumnEmitter::vectors(const Collected& c) {
  if (c.n == 1) return 0;
  unsigned mask = 0;
  for (std::size_t j = 0; j < static_cast<std::size_t>(place_operands(c.op)); ++j)
    if (varies(c, j)) mask |= 1u << j;
  return static_cast<std::uint8_t>(mask == 0 ? 1 : mask);  // 0: all rounds alike
}

void ColumnEmitter::emit(const Collected& c) {
  r_.site = c.site;
  Op op = c.op;
  op.n = c.n;
  op.vector_mask = vectors(c);
  for (std::size_t j = 0; j < static_cast<std::size_t>(place_operands(op)); ++j)
    op.x[j] = column(c, j, op.vector_mask >> j & 1u);
  if (op.kind == OpKind::Target) op.vector_mask = 0;
  else if (c.n > 1) op.kind = op.kind == OpKind::Map ? OpKind::Vector : OpKind::VectorSink;
  to_.push(op);
}

void ColumnEmitter::emit(const LoopRecording::Sum& sum) {
  r_.site = sum.site;
  if (sum.n == 1)
    return to_.push({.kind = OpKind::Map, .ad_mask = static_cast<std::uint8_t>(sum.terms.first.is_constant() ? 1 : 3),
                     .map = map_of(Hot::Add), .d = sum.d, .x = {sum.first, sum.terms.first}});
  const Kernel& kernel = *known_kernels().running_sum;
  const KernelOperand operands[] = {{.shape = Shape::scalar(), .ref = sum.first, .autodiff = true},
                                    {.shape = Shape::vector(sum.n), .ref = block(sum.terms, sum.n), .autodiff = true}};
  const std::uint32_t index = r_.build.add_call(kernel, kernel.name, operands, false, {}, sum.d);
  to_.push(op_of_call(r_.trace, OpKind::Call, index));
}

/// Room for the constants: as rows of a nest follow each other, half as much again, or each would move those before.
void reserve_constants(const std::vector<LoopRecording::Level>& levels, std::vector<double>& all) {
  std::size_t numbers = all.size();
  for (const auto& level : levels)
    for (const auto& c : level.columns)
      for (const NumberColumn& x : c.numbers) numbers += padded(x.list.size());
  const std::size_t room = all.capacity();
  if (numbers > room) all.reserve(std::max(numbers, room + room / 2));
}

}  // namespace

void emit_columns(std::vector<LoopRecording::Level> levels, Recording& recording, TraceSink& to) {
  reserve_constants(levels, recording.trace.const_vectors);
  ColumnEmitter emitter(recording, to);
  const Site site = recording.site;
  for (auto& level : levels) {
    for (auto& c : level.columns) {
      emitter.emit(c);
      c = {};  // its numbers are in the trace by now
    }
    for (const auto& sum : level.sums) emitter.emit(sum);
  }
  recording.site = site;
}

}  // namespace fermiac::ad
