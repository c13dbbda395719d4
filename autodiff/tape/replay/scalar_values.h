// Machine code for the values of scalar ops and for guards: what forward sweeps of all kinds have in common. Include only from
// .cpp files that make machine code.
#pragma once

#include <bit>
#include <cstdint>

#include "autodiff/tape/replay/replay.h"
#include "autodiff/tape/replay/scalar_registers.h"
#include "autodiff/tape/trace/trace.h"

namespace fermiac::ad {

/// Writes numbers to registers and to their places. Everything that it calls leaves the registers forgotten.
class ScalarValues {
 public:
  ScalarValues(x86::Assembler& assembler, ScalarArithmetic& arithmetic, ScalarRegisters& registers, const ScalarHelpers& helpers)
      : a_(assembler), do_(arithmetic), at_(registers), helpers_(helpers) {
    one_ = a_.newLabel(), two_ = a_.newLabel(), half_ = a_.newLabel(), sign_ = a_.newLabel();
  }

  /// The number d of a written-out op with operands x; its register has it, too.
  void value(OpKind kind, std::uint32_t d, const std::uint32_t* x) {
    compute(kind, d, x);
    do_.store(at_.value_place(d), at_.value(d));
  }
  /// Jumps to `fails` unless the comparison turns out as it did. Whatever is not a number makes it false.
  void guard(GuardTest test, std::uint32_t left, std::uint32_t right, const asmjit::Label& fails) {
    const x86::Xmm x = at_.value(left), y = at_.value(right);
    const asmjit::Label holds = a_.newLabel();
    const bool wanted = test.outcome();
    switch (test.compare()) {
      case Compare::Less:
        do_.compare(y, x);
        wanted ? a_.jbe(fails) : a_.ja(fails);
        break;
      case Compare::LessOrEqual:
        do_.compare(y, x);
        wanted ? a_.jb(fails) : a_.jae(fails);
        break;
      case Compare::Equal:
        do_.compare(x, y);
        a_.jp(wanted ? fails : holds);
        wanted ? a_.jne(fails) : a_.je(fails);
        break;
    }
    a_.bind(holds);
  }
  template <class F>
  void call(F* function) {
    a_.mov(x86::rax, reinterpret_cast<std::uintptr_t>(function));
    a_.call(x86::rax);
    at_.forget();
  }

  x86::Mem one() const { return constant(one_); }
  x86::Mem two() const { return constant(two_); }
  x86::Mem half() const { return constant(half_); }
  /// The bit of a sign, alone.
  x86::Mem sign() const { return constant(sign_, 16); }
  /// Behind the code that mentions them.
  void constants() {
    a_.align(asmjit::AlignMode::kData, 16);
    const auto put = [&](const asmjit::Label& label, std::uint64_t bits) {
      a_.bind(label);
      a_.embedUInt64(bits);
    };
    put(sign_, std::uint64_t{1} << 63);
    a_.embedUInt64(0);  // the other lane of an xor
    put(one_, std::bit_cast<std::uint64_t>(1.0));
    put(two_, std::bit_cast<std::uint64_t>(2.0));
    put(half_, std::bit_cast<std::uint64_t>(0.5));
  }

 private:
  void compute(OpKind kind, std::uint32_t d, const std::uint32_t* operands) {
    if (kind == OpKind::Exp) return call_for_value(helpers_.exp, d, operands[0]);
    if (kind == OpKind::Log) return call_for_value(helpers_.log, d, operands[0]);
    const x86::Xmm to = at_.new_value(d), x = at_.value(operands[0]);
    const auto operand = [&](int k) { return at_.value(operands[k]); };
    switch (kind) {
      case OpKind::Add: return do_.add(to, x, operand(1));
      case OpKind::Subtract: return do_.subtract(to, x, operand(1));
      case OpKind::Multiply: return do_.multiply(to, x, operand(1));
      case OpKind::Divide: return do_.divide(to, x, operand(1));
      case OpKind::Minus: return do_.flip_sign(to, x, sign());
      case OpKind::Sqrt: return do_.sqrt(to, x);
      case OpKind::Square: return do_.multiply(to, x, x);
      case OpKind::Fma: return do_.copy(to, operand(2)), do_.add_product(to, x, operand(1), x86::xmm0);
      default: return do_.load(to, one()), do_.divide(to, to, x);  // Inv
    }
  }
  void call_for_value(double (*function)(double), std::uint32_t d, std::uint32_t x) {
    do_.copy(x86::xmm0, at_.value(x));
    call(function);
    const x86::Xmm to = at_.new_value(d);
    do_.copy(to, x86::xmm0);
  }
  static x86::Mem constant(const asmjit::Label& label, std::uint32_t size = 8) { return x86::ptr(label, 0, size); }

  x86::Assembler& a_;
  ScalarArithmetic& do_;
  ScalarRegisters& at_;
  const ScalarHelpers& helpers_;
  asmjit::Label one_, two_, half_, sign_;
};

}  // namespace fermiac::ad
