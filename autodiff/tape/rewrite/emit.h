// Builds a new trace from an old one: keeps the map from old to new slots, lays operands out as consecutive blocks and
// inserts gathers where they are not. Used by rewriting passes that move results.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "autodiff/tape/ir/storage.h"
#include "autodiff/tape/ir/trace.h"
#include "autodiff/tape/ir/trace_builder.h"

namespace fermiac::ad {

class Emitter {
 public:
  explicit Emitter(const Trace& old);
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;

  /// The new place of an old number (constants stay).
  Ref mapped(Ref old) const { return old.is_constant() ? old : new_slot_[old.index()]; }
  /// The same for readers that write adjoints of scalars: elements of constant vectors become scalars.
  Ref scalar(Ref old) { return old.is_const_vector() ? constant(*numbers_at(old_, old)) : mapped(old); }
  /// The old number is now found at `now`, with the value it had.
  void map_slot(Ref old, Ref now) {
    new_slot_[old.index()] = now;
    if (!now.is_constant()) set_value(now, old_.values[old.index()]);
  }
  void set_value(Ref now, double value) { new_.values[now.index()] = value; }
  /// A consecutive block holding these old numbers: a view where possible, a block of constants, or a gather. Blocks of
  /// constants have no adjoints.
  Ref block(std::span<const Ref> old);
  /// The same for new numbers.
  Ref gathered(std::vector<Ref> now);
  /// New numbers as a vector, an operand of a call.
  KernelOperand vector(const std::vector<Ref>& now);
  /// The same for n consecutive old numbers.
  Ref block(Ref old, std::uint32_t n);
  /// The same, but never a block of constants: for readers that add to adjoints whatever stands there.
  Ref block_with_adjoints(std::span<const Ref> old);
  Ref block_with_adjoints(Ref old, std::uint32_t n);
  /// Room for n results.
  Ref allocate(std::uint32_t n) { return build_.allocate(n); }
  Ref constant(double value) { return build_.constant(value); }
  /// A new scalar map of new numbers; returns its result.
  Ref push_map(MapCode code, std::initializer_list<Ref> operands, Site site);
  /// The same of a whole op, whose operands are new numbers.
  Ref push_result(Op op, Site site);
  /// Copies op i with the kind, map and masks of `op`; returns its (scalar) result if it has one.
  Ref copy_as(std::uint32_t i, const Op& op);
  void add_to_target(Weight weight, double constant) { add_constant(new_, weight, constant); }
  Ref constant_block(std::span<const double> values);
  /// Operands that have become constants lose their mark in ad_mask.
  void push(Op op, Site site);
  /// A new call; returns where its result is, whose numbers are still to be set (map_slot).
  Ref push_call(const Kernel& kernel, std::string_view name, std::span<const KernelOperand> operands, Site site);
  /// A new call whose scalar result goes straight into target.
  void push_call_sink(const Kernel& kernel, std::string_view name, std::span<const KernelOperand> operands, Site site, Weight weight);
  /// Copies an op of the old trace as it is, operands and results moved.
  void copy(std::uint32_t op);
  Trace finish() &&;

 private:
  void copy_op(Op op, Site site);
  Ref gathered_with_adjoints(std::vector<Ref> refs);
  Ref call_operand(const CallOperand& operand);
  void copy_call(const Op& op, Site site);

  const Trace& old_;
  Trace new_;
  std::vector<Ref> new_slot_;
  double value(Ref now) const;
  std::uint32_t add_call(const Kernel& kernel, std::string_view name, std::span<const KernelOperand> operands);

  TraceBuilder build_{new_};
  Site site_ = kNoSite;
};

}  // namespace fermiac::ad
