// Arithmetic and comparisons of numbers on x86-64. scalars_a64.h has the same for 64-bit Arm.
#pragma once

#include "jit/operands.h"

namespace fermiac::jit {

class Scalars : public Operands {
 public:
  using Operands::Operands;

 protected:
  // ---------------------------------------------------------------- reals

  /// to = a OP b, where `to` may be b.
  void binary(const Instruction& i) {
    const Real to = real(i.to);
    const bool in_place = !(i.to == i.b);
    const Real work = in_place ? to : real();
    compute(i, work);
    if (!in_place) copy(to, work);
  }
  /// The same in a register that is no operand.
  void compute(const Instruction& i, const Real& to) {
    set_real(to, i.a);
    with_real(i.b, [&](const auto& b) { cc_.emit(inst(i.op), to, b); });
  }
  void divide_by(const Real& x, Operand y) {
    with_real(y, [&](const auto& b) { cc_.divsd(x, b); });
  }
  void divide_by(const Real& x, const Real& y) { cc_.divsd(x, y); }
  void square_root(const Real& to, Operand x) {
    with_real(x, [&](const auto& a) { cc_.sqrtsd(to, a); });
  }
  /// slope = 0 where v is 0.
  void zero_at(const Real& v, const Real& slope) {
    const Real mask = real();
    constexpr int kNotEqual = 4;
    cc_.xorpd(mask, mask);
    cc_.cmpsd(mask, v, kNotEqual);
    cc_.andpd(slope, mask);
  }
  Real negated(const Real& x) {
    const Real to = real();
    set(to, -0.0);
    cc_.xorpd(to, x);
    return to;
  }
  /// The sign bit flipped.
  void negate(const Instruction& i) {
    const Real work = real();
    set_real(work, i.a);
    constexpr std::uint64_t kSigns[2] = {std::uint64_t{1} << 63, std::uint64_t{1} << 63};
    cc_.xorpd(work, cc_.newConst(asmjit::ConstPoolScope::kLocal, kSigns, sizeof kSigns));
    copy(real(i.to), work);
  }
  void to_real(const Instruction& i) {
    const Real work = real();
    cc_.xorps(work, work);  // the conversion keeps the upper half: no waiting for it
    cc_.cvtsi2sd(work, integer(i.a).r32());
    copy(real(i.to), work);
  }

  // ---------------------------------------------------------------- ints

  void binary_int(const Instruction& i) {
    const Gp work = number();
    set_int(work, i.a);
    with_int(i.b, [&](const auto& b) { cc_.emit(i.op == Op::AddInt ? x86::Inst::kIdAdd : x86::Inst::kIdSub, work.r32(), b); });
    copy(wide(i.to), work);
  }
  void multiply_int(const Instruction& i) {
    const Gp work = number();
    copy(work, integer(i.a));
    cc_.imul(work.r32(), integer(i.b).r32());
    copy(wide(i.to), work);
  }
  /// In 64 bits, where the least int divided by -1 fits. `zero()` is where a divisor of 0 leads.
  template <class Zero>
  void divide_int(const Instruction& i, bool remainder, Zero zero) {
    const Gp low = number(), high = number(), divisor = number();
    cc_.movsxd(divisor, integer(i.b).r32());
    cc_.test(divisor, divisor);
    cc_.jz(zero());
    cc_.movsxd(low, integer(i.a).r32());
    cc_.cqo(high, low);
    cc_.idiv(high, low, divisor);
    copy(wide(i.to), remainder ? high : low);
  }
  void negate_int(const Instruction& i) {
    const Gp work = number();
    copy(work, integer(i.a));
    cc_.neg(work.r32());
    copy(wide(i.to), work);
  }

  // ---------------------------------------------------------------- comparisons of reals

  void jump_if(const Instruction& i, bool when, const Label& to) {
    compare(i);
    if (i.condition == Condition::Equal || i.condition == Condition::NotEqual) {
      if ((i.condition == Condition::Equal) == when) return jump_if_equal(to);
      cc_.jne(to);
      cc_.jp(to);
    } else if (is_strict(i.condition)) {
      when ? cc_.ja(to) : cc_.jbe(to);
    } else {
      when ? cc_.jae(to) : cc_.jb(to);
    }
  }
  /// 1 or 0.
  Gp outcome(const Instruction& i) {
    const Gp yes = number(), other = number();
    compare(i);
    if (i.condition == Condition::Equal || i.condition == Condition::NotEqual) {
      const bool equal = i.condition == Condition::Equal;
      equal ? cc_.sete(yes.r8()) : cc_.setne(yes.r8());
      equal ? cc_.setnp(other.r8()) : cc_.setp(other.r8());
      equal ? cc_.and_(yes.r8(), other.r8()) : cc_.or_(yes.r8(), other.r8());
    } else if (is_strict(i.condition)) {
      cc_.seta(yes.r8());
    } else {
      cc_.setae(yes.r8());
    }
    cc_.movzx(yes.r32(), yes.r8());
    return yes;
  }

  // ---------------------------------------------------------------- comparisons of ints

  void jump_if_int(const Instruction& i, const Label& to) {
    compare_ints(i);
    cc_.j(condition_code(i.condition), to);
  }
  void test_int(const Instruction& i) {
    const Gp yes = number();
    compare_ints(i);
    cc_.set(condition_code(i.condition), yes.r8());
    cc_.movzx(wide(i.to).r32(), yes.r8());
  }

  using Machine::jump_if;
  using Machine::jump_if_equal;

 private:
  static asmjit::InstId inst(Op op) {
    switch (op) {
      case Op::Add: return x86::Inst::kIdAddsd;
      case Op::Subtract: return x86::Inst::kIdSubsd;
      case Op::Multiply: return x86::Inst::kIdMulsd;
      default: return x86::Inst::kIdDivsd;
    }
  }
  template <class F>
  void with_int(Operand x, F f) {
    if (x.is_reg()) f(wide(x).r32());
    else f(asmjit::Imm(int_value(x)));
  }
  /// Compares so that `above` means that the condition holds, whatever operands are no numbers.
  void compare(const Instruction& i) {
    const bool swapped = i.condition == Condition::Less || i.condition == Condition::LessOrEqual;
    const Operand x = swapped ? i.b : i.a, y = swapped ? i.a : i.b;
    const Real left = real(x);
    with_real(y, [&](const auto& right) { cc_.ucomisd(left, right); });
  }
  static bool is_strict(Condition c) { return c == Condition::Less || c == Condition::Greater; }
  void jump_if_equal(const Label& to) {
    const Label no = cc_.newLabel();
    cc_.jp(no);
    cc_.je(to);
    cc_.bind(no);
  }
  static x86::CondCode condition_code(Condition c) {
    constexpr x86::CondCode kCodes[] = {x86::CondCode::kSignedLT, x86::CondCode::kSignedLE, x86::CondCode::kSignedGT,
                                        x86::CondCode::kSignedGE, x86::CondCode::kEqual,    x86::CondCode::kNotEqual};
    return kCodes[static_cast<int>(c)];
  }
  void compare_ints(const Instruction& i) {
    const Gp left = integer(i.a).r32();
    with_int(i.b, [&](const auto& right) { cc_.cmp(left, right); });
  }
};

}  // namespace fermiac::jit
