// Storage that rewriting left behind: slots, constants, indexes and calls that no operation refers to any more. A
// replay clears every adjoint and a workspace copies every constant, so what nobody needs costs time and memory.
//
// Numbers move in lines of eight, which keeps the alignment of blocks and the order within them.
#include <algorithm>
#include <vector>

#include "autodiff/tape/rewrite/passes.h"

namespace fermiac::ad {
namespace {

constexpr std::uint32_t kLine = 8;

/// Which lines of an array of numbers stay, and where they go.
class Lines {
 public:
  explicit Lines(std::size_t numbers) : used_((numbers + kLine - 1) / kLine, false) {}

  void mark(std::uint32_t first, std::uint32_t n) {
    if (n == 0) return;
    const std::uint32_t last = std::min<std::size_t>((first + n - 1) / kLine + 1, used_.size());
    std::fill(used_.begin() + first / kLine, used_.begin() + last, true);
  }
  void settle() {
    place_.resize(used_.size());
    for (std::size_t line = 0; line < used_.size(); ++line) {
      place_[line] = count_;
      if (used_[line]) ++count_;
    }
  }
  std::uint32_t moved(std::uint32_t i) const {
    return i / kLine < place_.size() ? place_[i / kLine] * kLine + i % kLine : i;
  }
  template <class T>
  void move(std::vector<T>& numbers) const {
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (used_[i / kLine]) numbers[moved(static_cast<std::uint32_t>(i))] = numbers[i];
    numbers.resize(std::min<std::size_t>(numbers.size(), std::size_t{count_} * kLine));
    numbers.shrink_to_fit();
  }

 private:
  std::vector<bool> used_;
  std::vector<std::uint32_t> place_;
  std::uint32_t count_ = 0;
};

class Compaction {
 public:
  explicit Compaction(Trace& t)
      : t_(t), slots_(t.values.size()), vectors_(t.const_vectors.size()), scalars_(t.const_scalars.size()) {}

  void run() {
    slots_.mark(0, t_.parameters + kLine);
    for (const Op& op : t_.ops) mark(op);
    for (const Op& op : t_.tiled) for_each_outer_operand(op, [&](Ref r, std::uint32_t n) { mark(r, n); });
    slots_.settle();
    vectors_.settle();
    scalars_.settle();
    rebuild_tables();
    for (Op& op : t_.ops) move(op);
    for (Op& op : t_.tiled)
      for (int j = 0; j < place_operands(op); ++j)
        if (!is_local(op, j)) move(op.x[j]);
    slots_.move(t_.values);
    vectors_.move(t_.const_vectors);
    scalars_.move(t_.const_scalars);
  }

 private:
  Lines& lines(Ref r) { return !r.is_constant() ? slots_ : r.is_const_vector() ? vectors_ : scalars_; }
  void mark(Ref r, std::uint32_t n) { lines(r).mark(r.index(), n); }
  void mark(const Op& op) {
    for_each_operand(t_, op, [&](Ref r, std::uint32_t n) { mark(r, n); });
    if (is_call(op.kind)) {
      const CallInfo& call = t_.calls[op.table()];
      slots_.mark(call.out_place.index(), std::max(call.out.size(), 1u));
    } else if (has_result(op.kind)) {
      slots_.mark(op.d.index(), op.n_results());
    }
  }
  void move(Ref& r) { r += lines(r).moved(r.index()) - r.index(); }

  /// Indexes and calls of the operations that are left, in their order.
  void rebuild_tables() {
    std::vector<Ref> index;
    std::vector<CallInfo> calls;
    std::vector<CallOperand> operands;
    std::vector<std::int32_t> ints;
    for (Op& op : t_.ops) {
      if (op.kind == OpKind::Gather) {
        const auto first = t_.index.begin() + op.table();
        op.set_table(static_cast<std::uint32_t>(index.size()));
        index.insert(index.end(), first, first + op.n);
      } else if (is_call(op.kind)) {
        calls.push_back(t_.calls[op.table()]);
        op.set_table(static_cast<std::uint32_t>(calls.size() - 1));
        copy_operands(calls.back(), operands, ints);
      }
    }
    t_.index = std::move(index);
    t_.calls = std::move(calls);
    t_.call_operands = std::move(operands);
    t_.ints = std::move(ints);
    for (Ref& r : t_.index) move(r);
    for (CallOperand& o : t_.call_operands)
      if (!o.ints) move(o.place);
    for (CallInfo& c : t_.calls) move(c.out_place);
  }
  void copy_operands(CallInfo& call, std::vector<CallOperand>& operands, std::vector<std::int32_t>& ints) const {
    const auto first = static_cast<std::uint32_t>(operands.size());
    for (std::uint32_t j = 0; j < call.count; ++j) {
      CallOperand o = t_.call_operands[call.first + j];
      if (o.ints) {
        const auto from = t_.ints.begin() + o.int_offset;
        o.int_offset = static_cast<std::uint32_t>(ints.size());
        ints.insert(ints.end(), from, from + o.shape.size());
      }
      operands.push_back(o);
    }
    call.first = first;
  }
  void move(Op& op) {
    for (int j = 0; j < place_operands(op); ++j) move(op.x[j]);
    if (has_result(op.kind) || op.kind == OpKind::CallSink) move(op.d);
  }

  Trace& t_;
  Lines slots_, vectors_, scalars_;
};

}  // namespace

Change drop_unused_storage(Trace& t, TraceGraph&) {
  Compaction(t).run();
  return Change::Edited;
}

}  // namespace fermiac::ad
