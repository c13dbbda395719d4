// Machine code for the values of scalar ops and for guards: what forward sweeps of all kinds have in common. Include only from
// .cpp files that make machine code.
#pragma once

#include <cstdint>

#include "autodiff/tape/ir/trace.h"
#include "autodiff/tape/replay/scalar_registers.h"
#include "autodiff/tape/replay/sweep.h"

namespace fermiac::ad {

/// Writes numbers to registers and to their places. Everything that it calls leaves the registers forgotten.
class ScalarValues {
 public:
  ScalarValues(ScalarMachine& machine, ScalarRegisters& registers, const ScalarHelpers& helpers) : do_(machine), at_(registers), helpers_(helpers) {}

  /// The number d of a written-out op with operands x; its register has it, too.
  void value(OpKind kind, std::uint32_t d, const std::uint32_t* x) {
    compute(kind, d, x);
    do_.store(at_.value_place(d), at_.value(d));
  }
  /// Jumps to `fails` unless the comparison turns out as it did. Whatever is not a number makes it false.
  void guard(GuardTest test, std::uint32_t left, std::uint32_t right, const asmjit::Label& fails) {
    const Real x = at_.value(left), y = at_.value(right);
    do_.jump_unless(test, x, y, fails);
  }
  /// The number d that the function gives for the arguments it has.
  template <class F>
  void called_value(F* function, std::uint32_t d) {
    call(function);
    move_called(d);
    do_.store(at_.value_place(d), at_.value(d));
  }
  template <class F>
  void call(F* function) {
    do_.call(reinterpret_cast<const void*>(function));
    at_.forget();
  }

 private:
  using Real = ScalarMachine::Real;

  void compute(OpKind kind, std::uint32_t d, const std::uint32_t* operands) {
    if (kind == OpKind::Exp) return call_for_value(helpers_.exp, d, operands[0]);
    if (kind == OpKind::Log) return call_for_value(helpers_.log, d, operands[0]);
    const Real to = at_.new_value(d), x = at_.value(operands[0]);
    const auto operand = [&](int k) { return at_.value(operands[k]); };
    switch (kind) {
      case OpKind::Add: return do_.add(to, x, operand(1));
      case OpKind::Subtract: return do_.subtract(to, x, operand(1));
      case OpKind::Multiply: return do_.multiply(to, x, operand(1));
      case OpKind::Divide: return do_.divide(to, x, operand(1));
      case OpKind::Minus: return do_.flip_sign(to, x);
      case OpKind::Sqrt: return do_.sqrt(to, x);
      case OpKind::Square: return do_.multiply(to, x, x);
      case OpKind::Fma: return do_.copy(to, operand(2)), do_.add_product(to, x, operand(1));
      default: return do_.load(to, do_.one()), do_.divide(to, to, x);  // Inv
    }
  }
  void call_for_value(double (*function)(double), std::uint32_t d, std::uint32_t x) {
    do_.copy(ScalarMachine::kFree, at_.value(x));
    call(function);
    move_called(d);
  }
  void move_called(std::uint32_t d) { do_.copy(at_.new_value(d), ScalarMachine::kFree); }

  ScalarMachine& do_;
  ScalarRegisters& at_;
  const ScalarHelpers& helpers_;
};

}  // namespace fermiac::ad
