// Arithmetic and comparisons of numbers on 64-bit Arm. scalars_x86.h has the same for x86-64. Products and sums round one by one, as
// they do there.
#pragma once

#include "jit/operands.h"

namespace fermiac::jit {

class Scalars : public Operands {
 public:
  using Operands::Operands;

 protected:
  // ---------------------------------------------------------------- reals

  /// to = a OP b, where `to` may be either.
  void binary(const Instruction& i) { compute(i, real(i.to)); }
  void compute(const Instruction& i, const Real& to) {
    const Real a = real(i.a), b = real(i.b);
    switch (i.op) {
      case Op::Add: cc_.fadd(to, a, b); return;
      case Op::Subtract: cc_.fsub(to, a, b); return;
      case Op::Multiply: cc_.fmul(to, a, b); return;
      default: cc_.fdiv(to, a, b); return;
    }
  }
  void divide_by(const Real& x, Operand y) { divide_by(x, real(y)); }
  void divide_by(const Real& x, const Real& y) { cc_.fdiv(x, x, y); }
  void square_root(const Real& to, Operand x) { cc_.fsqrt(to, real(x)); }
  /// slope = 0 where v is 0.
  void zero_at(const Real& v, const Real& slope) {
    const Real zero = real();
    cc_.fmov(zero, asmjit::a64::xzr);
    cc_.fcmp(v, zero);
    cc_.fcsel(slope, zero, slope, asmjit::a64::CondCode::kEQ);
  }
  Real negated(const Real& x) {
    const Real to = real();
    cc_.fneg(to, x);
    return to;
  }
  /// The sign bit flipped.
  void negate(const Instruction& i) { cc_.fneg(real(i.to), real(i.a)); }
  void to_real(const Instruction& i) { cc_.scvtf(real(i.to), integer(i.a).w()); }

  // ---------------------------------------------------------------- ints

  void binary_int(const Instruction& i) {
    const Gp a = integer(i.a);
    with_int(i.b, [&](const auto& b) { i.op == Op::AddInt ? cc_.add(wide(i.to).w(), a.w(), b) : cc_.sub(wide(i.to).w(), a.w(), b); });
  }
  void multiply_int(const Instruction& i) {
    const Gp a = integer(i.a), b = integer(i.b);
    cc_.mul(wide(i.to).w(), a.w(), b.w());
  }
  /// The least int divided by -1 is itself, and nothing remains. `zero()` is where a divisor of 0 leads.
  template <class Zero>
  void divide_int(const Instruction& i, bool remainder, Zero zero) {
    const Gp divisor = integer(i.b), dividend = integer(i.a), quotient = number();
    jump_if_zero(divisor, zero());
    cc_.sdiv(quotient.w(), dividend.w(), divisor.w());
    if (remainder) cc_.msub(wide(i.to).w(), quotient.w(), divisor.w(), dividend.w());
    else copy(wide(i.to), quotient);
  }
  void negate_int(const Instruction& i) { cc_.neg(wide(i.to).w(), integer(i.a).w()); }

  // ---------------------------------------------------------------- comparisons of reals

  void jump_if(const Instruction& i, bool when, const Label& to) {
    compare(i);
    const Is code = real_code(i.condition);
    cc_.b(when ? code : asmjit::arm::negateCond(code), to);
  }
  /// 1 or 0, in 64 bits.
  Gp outcome(const Instruction& i) {
    const Gp yes = pointer();
    compare(i);
    cc_.cset(yes, condition(real_code(i.condition)));
    return yes;
  }

  // ---------------------------------------------------------------- comparisons of ints

  void jump_if_int(const Instruction& i, const Label& to) {
    compare_ints(i);
    cc_.b(int_code(i.condition), to);
  }
  void test_int(const Instruction& i) {
    compare_ints(i);
    cc_.cset(wide(i.to).w(), condition(int_code(i.condition)));
  }

  using Machine::jump_if;

 private:
  void compare(const Instruction& i) {
    const Real left = real(i.a), right = real(i.b);
    cc_.fcmp(left, right);
  }
  /// Whatever operands are no numbers, the condition does not hold; that two are not equal does.
  static Is real_code(Condition c) {
    constexpr Is kCodes[] = {Is::kMI, Is::kLS, Is::kGT, Is::kGE, Is::kEQ, Is::kNE};
    return kCodes[static_cast<int>(c)];
  }
  static Is int_code(Condition c) {
    constexpr Is kCodes[] = {Is::kLT, Is::kLE, Is::kGT, Is::kGE, Is::kEQ, Is::kNE};
    return kCodes[static_cast<int>(c)];
  }
  void compare_ints(const Instruction& i) {
    const Gp left = integer(i.a);
    with_int(i.b, [&](const auto& right) { cc_.cmp(left.w(), right); });
  }
  /// The last operand of an instruction that takes small numbers as they are.
  template <class F>
  void with_int(Operand x, F f) {
    if (!x.is_reg() && is_small(int_value(x))) f(asmjit::Imm(int_value(x)));
    else f(integer(x).w());
  }
};

}  // namespace fermiac::jit
