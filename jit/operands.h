// Operands of three-address code in registers of the machine.
#pragma once

#include <vector>

#include "jit/code.h"
#if defined(__aarch64__)
#include "jit/machine_a64.h"
#else
#include "jit/machine_x86.h"
#endif

namespace fermiac::jit {

/// Every virtual register of the code is one of asmjit's.
class Operands : public Machine {
 public:
  Operands(const Code& code, asmjit::CodeHolder& holder) : Machine(holder), code_(code) {}

 protected:
  using Machine::real;

  void make_registers() {
    for (const RegisterKind kind : code_.registers) registers_.push_back(kind == RegisterKind::Real ? Register(real()) : Register(number()));
  }

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

  /// The last operand of an instruction of reals: a register, or what the machine takes for a constant.
  template <class F>
  void with_real(Operand x, F f) {
    if (x.is_reg()) f(real(x));
    else f(constant(real_value(x)));
  }
  bool is_real(Operand x) const { return x.is_real_constant() || (x.is_reg() && code_.registers[x.index()] == RegisterKind::Real); }

  const Code& code_;

 private:
  std::vector<Register> registers_;
};

}  // namespace fermiac::jit
