// Machine code for the values of scalar ops and for guards: what runs of tapes and functions with tangents have in common. Include only
// from .cpp files that make machine code.
#pragma once

#include <cstdint>

#include "autodiff/tape/ir/trace.h"
#include "autodiff/tape/replay/replay.h"
#include "autodiff/tape/replay/sweep.h"
#include "jit/straight.h"

namespace fermiac::ad {

/// Straight code whose first array are the values. Each value goes to its register and to its place.
class ScalarValues : public jit::Straight {
 public:
  ScalarValues(Assembler& assembler, const Array& values, const Array& others) : Straight(assembler, values, others) {}

 protected:
  static Number value_of(std::uint32_t slot) { return {0, slot}; }
  Real value(std::uint32_t slot) { return read(value_of(slot)); }

  /// The number d of a written-out op with operands x.
  void op_value(OpKind kind, std::uint32_t d, const std::uint32_t* x) {
    compute(kind, d, x);
    store(place(value_of(d)), value(d));
  }
  /// Jumps to `fails` unless the comparison has the recorded outcome.
  void guard(GuardTest test, std::uint32_t left, std::uint32_t right, const Label& fails) {
    constexpr jit::Condition kConditions[] = {jit::Condition::Less, jit::Condition::LessOrEqual, jit::Condition::Equal};
    jump_unless(kConditions[static_cast<int>(test.compare())], value_of(left), value_of(right), test.outcome(), fails);
  }
  /// The number d that the function returns for the arguments it has.
  template <class F>
  void called_value(F* function, std::uint32_t d) {
    call(function);
    move_called(d);
    store(place(value_of(d)), value(d));
  }

 private:
  void compute(OpKind kind, std::uint32_t d, const std::uint32_t* operands) {
    if (kind == OpKind::Exp) return call_for_value(helpers_.exp, d, operands[0]);
    if (kind == OpKind::Log) return call_for_value(helpers_.log, d, operands[0]);
    const Real to = write(value_of(d)), x = value(operands[0]);
    const auto operand = [&](int k) { return value(operands[k]); };
    switch (kind) {
      case OpKind::Add: return add(to, x, operand(1));
      case OpKind::Subtract: return subtract(to, x, operand(1));
      case OpKind::Multiply: return multiply(to, x, operand(1));
      case OpKind::Divide: return divide(to, x, operand(1));
      case OpKind::Minus: return negate(to, x);
      case OpKind::Sqrt: return sqrt(to, x);
      case OpKind::Square: return multiply(to, x, x);
      case OpKind::Fma: return copy(to, operand(2)), add_product(to, x, operand(1));
      default: return set(to, 1), divide(to, to, x);  // Inv
    }
  }
  void call_for_value(double (*function)(double), std::uint32_t d, std::uint32_t x) {
    copy(real(), value(x));
    call(function);
    move_called(d);
  }
  void move_called(std::uint32_t d) { copy(write(value_of(d)), real()); }

 protected:
  const ScalarHelpers& helpers_ = *active_sweeps().scalars;
};

}  // namespace fermiac::ad
