// One instruction for each operation on 64-bit Arm, products fused as the sweeps have them. scalar_x86.h has the same for x86-64.
#pragma once

#include <asmjit/core.h>
#include <asmjit/arm/a64assembler.h>

#include <cstddef>
#include <cstdint>

#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad {

namespace a64 = asmjit::a64;

class ScalarMachine {
 public:
  using Assembler = a64::Assembler;
  using Pointer = a64::GpX;
  using Real = a64::VecD;
  using Label = asmjit::Label;
  struct Place {
    Pointer base;
    std::size_t offset;
  };
  struct Constant {
    double value;                        // one that an instruction can have in it
  };

  explicit ScalarMachine(Assembler& assembler) : a_(assembler) {}
  Assembler& assembler() { return a_; }

  // ---------------------------------------------------------------- registers

  /// Free for whoever wants them; the first is also where functions have their number and their result.
  static constexpr Real kFree = a64::d0, kOther = a64::d1;
  /// Those that ScalarRegisters gives away: 2 to 7 and 16 to 30. Those between are the caller's, the last is for operands in memory.
  static constexpr std::uint32_t kHeld = 21;
  static std::uint32_t held_id(std::uint32_t k) { return k < 6 ? 2 + k : 10 + k; }
  static Real held(std::uint32_t k) { return Real(held_id(k)); }
  /// What calls leave alone, and where arguments are.
  static constexpr Pointer kKept[] = {a64::x19, a64::x20, a64::x21, a64::x22, a64::x23};
  static constexpr Pointer kArgument[] = {a64::x0, a64::x1, a64::x2, a64::x3};

  // ---------------------------------------------------------------- numbers

  static Place place(const Pointer& base, std::size_t offset) { return {base, offset}; }
  void load(const Real& to, const Place& from) { a_.ldr(to, within_reach(from, 8)); }
  void load(const Real& to, Constant c) { a_.fmov(to, asmjit::Imm(c.value)); }
  void store(const Place& to, const Real& from) { a_.str(from, within_reach(to, 8)); }
  void copy(const Real& to, const Real& from) { a_.fmov(to, from); }
  void sqrt(const Real& to, const Real& x) { a_.fsqrt(to, x); }

  template <class Y>
  void add(const Real& to, const Real& x, const Y& y) { a_.fadd(to, x, operand(y)); }
  template <class Y>
  void subtract(const Real& to, const Real& x, const Y& y) { a_.fsub(to, x, operand(y)); }
  template <class Y>
  void multiply(const Real& to, const Real& x, const Y& y) { a_.fmul(to, x, operand(y)); }
  template <class Y>
  void divide(const Real& to, const Real& x, const Y& y) { a_.fdiv(to, x, operand(y)); }
  /// slope = 0 where v is 0. kFree is overwritten.
  void zero_at(const Real& v, const Real& slope) {
    a_.fmov(kFree, a64::xzr);
    a_.fcmp(v, kFree);
    a_.fcsel(slope, kFree, slope, a64::CondCode::kEQ);
  }
  void flip_sign(const Real& to, const Real& x) { a_.fneg(to, x); }

  /// sum += x y and sum -= x y, rounded once.
  void add_product(const Real& sum, const Real& x, const Real& y) { a_.fmadd(sum, x, y, sum); }
  void subtract_product(const Real& sum, const Real& x, const Real& y) { a_.fmsub(sum, x, y, sum); }

  static Constant one() { return {1}; }
  static Constant two() { return {2}; }
  static Constant half() { return {0.5}; }
  void constants() {}

  // ---------------------------------------------------------------- jumps: conditional ones reach no further than a megabyte

  void jump(const Label& to) { a_.b(to); }
  /// Unless the comparison turns out as it did. Whatever is not a number makes it false.
  void jump_unless(GuardTest test, const Real& x, const Real& y, const Label& fails) {
    const a64::CondCode holds = code(test.compare());
    a_.fcmp(x, y);
    jump_if(test.outcome() ? asmjit::arm::negateCond(holds) : holds, fails);
  }
  void jump_if_false(const Place& flag, const Label& to) {
    a_.ldrb(a64::w16, within_reach(flag, 1));
    a_.cmp(a64::w16, 0);
    jump_if(a64::CondCode::kEQ, to);
  }
  /// By what a function gave.
  void jump_if_false(const Label& to) {
    a_.tst(a64::w0, 0xff);
    jump_if(a64::CondCode::kEQ, to);
  }
  void jump_if(a64::CondCode condition, const Label& to) {
    const Label stays = a_.newLabel();
    a_.b(asmjit::arm::negateCond(condition), stays);
    a_.b(to);
    a_.bind(stays);
  }

  // ---------------------------------------------------------------- functions

  /// Keeps all of kKept.
  void enter(std::size_t) {
    a_.stp(a64::x19, a64::x20, a64::ptr_pre(a64::sp, -48));
    a_.stp(a64::x21, a64::x22, a64::ptr(a64::sp, 16));
    a_.stp(a64::x23, a64::x30, a64::ptr(a64::sp, 32));
  }
  void leave(std::size_t) {
    a_.ldp(a64::x23, a64::x30, a64::ptr(a64::sp, 32));
    a_.ldp(a64::x21, a64::x22, a64::ptr(a64::sp, 16));
    a_.ldp(a64::x19, a64::x20, a64::ptr_post(a64::sp, 48));
    a_.ret(a64::x30);
  }
  void call(const void* function) {
    set(a64::x16, function);
    a_.blr(a64::x16);
  }
  void result(std::uint32_t value) { a_.mov(a64::w0, asmjit::Imm(value)); }
  void copy(const Pointer& to, const Pointer& x) { a_.mov(to, x); }
  void set(const Pointer& to, std::uint64_t value) { a_.mov(to, asmjit::Imm(value)); }
  void set(const Pointer& to, const void* at) { set(to, reinterpret_cast<std::uintptr_t>(at)); }
  void address(const Pointer& to, const Place& at) {
    a_.mov(a64::x16, asmjit::Imm(at.offset));
    a_.add(to, at.base, a64::x16);
  }
  void load(const Pointer& to, const Place& from) { a_.ldr(to, within_reach(from, 8)); }
  void set_true(const Place& flag) {
    a_.mov(a64::w17, 1);
    a_.strb(a64::w17, within_reach(flag, 1));
  }

  /// The operand of an instruction that moves so many bytes; x16 has the offset where that is too large for it.
  a64::Mem within_reach(const Place& p, std::size_t bytes) {
    if (p.offset % bytes == 0 && p.offset / bytes < 4096) return a64::ptr(p.base, static_cast<std::int32_t>(p.offset));
    a_.mov(a64::x16, asmjit::Imm(p.offset));
    return a64::ptr(p.base, a64::x16);
  }

 private:
  static constexpr Real kOperand = a64::d31;

  static const Real& operand(const Real& x) { return x; }
  template <class InMemory>
  Real operand(const InMemory& x) {
    load(kOperand, x);
    return kOperand;
  }
  static a64::CondCode code(Compare c) {
    return c == Compare::Less ? a64::CondCode::kMI : c == Compare::LessOrEqual ? a64::CondCode::kLS : a64::CondCode::kEQ;
  }

  Assembler& a_;
};

}  // namespace fermiac::ad
