// Arithmetic and comparisons of three-address code, whose operands are in registers of the machine. Products and sums round one by one.
#pragma once

#include <vector>

#include "jit/compiled.h"

namespace fermiac::jit {

/// Every virtual register of the code is one of asmjit's.
class Operands : public Compiled {
 public:
  Operands(const Code& code, Compiler& compiler) : Compiled(compiler), code_(code) {}

 protected:
  using Compiled::real;
  using Machine::jump_if;

  void make_registers() {
    for (const RegisterKind kind : code_.registers)
      registers_.push_back(kind == RegisterKind::Real ? Register(real()) : Register(number()));
  }

  // ---------------------------------------------------------------- operands

  Real real(Operand x) {
    if (x.is_reg()) return registers_[x.index()].as<Real>();
    const Real to = real();
    set(to, real_value(x));
    return to;
  }
  double real_value(Operand x) const { return code_.reals[x.index()]; }
  std::int32_t int_value(Operand x) const { return code_.ints[x.index()]; }
  Gp wide(Operand x) const { return registers_[x.index()].as<Gp>(); }
  Gp integer(Operand x) {
    if (x.is_reg()) return wide(x);
    const Gp to = number();
    set(to, int_value(x));
    return to;
  }
  void set_int(const Gp& to, Operand x) {
    if (x.is_reg()) copy(to, wide(x));
    else set(to, int_value(x));
  }
  void set_real(const Real& to, Operand x) {
    if (x.is_reg()) copy(to, real(x));
    else set(to, real_value(x));
  }
  /// The last operand of an instruction: a register, or what the machine takes for a constant.
  template <class F>
  void with_real(Operand x, F f) {
    if (x.is_reg()) f(real(x));
    else f(constant(real_value(x)));
  }
  template <class F>
  void with_int(Operand x, F f) {
    if (!x.is_reg() && is_small(int_value(x))) f(asmjit::Imm(int_value(x)));
    else f(integer(x));
  }
  bool is_real(Operand x) const { return x.is_real_constant() || (x.is_reg() && code_.registers[x.index()] == RegisterKind::Real); }

  // ---------------------------------------------------------------- reals

  void compute(const Instruction& i, const Real& to) {
    const Real a = real(i.a);
    with_real(i.b, [&](const auto& b) {
      switch (i.op) {
        case Op::Add: return add(to, a, b);
        case Op::Subtract: return subtract(to, a, b);
        case Op::Multiply: return multiply(to, a, b);
        default: return divide(to, a, b);
      }
    });
  }
  void divide_by(const Real& x, Operand y) {
    with_real(y, [&](const auto& b) { divide(x, x, b); });
  }
  Real negated(const Real& x) {
    const Real to = real();
    negate(to, x);
    return to;
  }

  // ---------------------------------------------------------------- ints

  void binary_int(const Instruction& i) {
    const Gp to = wide(i.to), a = integer(i.a);
    with_int(i.b, [&](const auto& b) { i.op == Op::AddInt ? add_int(to, a, b) : subtract_int(to, a, b); });
  }

  // ---------------------------------------------------------------- comparisons

  /// Returns the condition of the machine's comparison.
  Condition compare(const Instruction& i) {
    const Real left = real(is_less(i.condition) ? i.b : i.a);
    with_real(is_less(i.condition) ? i.a : i.b, [&](const auto& right) { Machine::compare(left, right); });
    return is_less(i.condition) ? mirrored(i.condition) : i.condition;
  }
  void jump_if(const Instruction& i, bool when, const Label& to) {
    const Condition c = compare(i);
    jump_compared(c, when, to);
  }
  /// 1 or 0, in 64 bits.
  Gp outcome(const Instruction& i) {
    const Condition c = compare(i);
    return compared(c);
  }
  void compare_ints(const Instruction& i) {
    const Gp left = integer(i.a);
    with_int(i.b, [&](const auto& right) { Machine::compare_ints(left, right); });
  }
  void jump_if_int(const Instruction& i, const Label& to) {
    compare_ints(i);
    jump_compared_ints(i.condition, to);
  }
  void test_int(const Instruction& i) {
    compare_ints(i);
    set_compared_ints(wide(i.to), i.condition);
  }

  const Code& code_;

 private:
  std::vector<Register> registers_;
};

}  // namespace fermiac::jit
