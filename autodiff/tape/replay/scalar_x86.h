// One instruction for each instruction set of x86-64: with three operands where there is AVX, fused products where there is FMA.
// scalar_a64.h has the same for 64-bit Arm.
#pragma once

#include <asmjit/x86.h>

#include <bit>
#include <cstddef>
#include <cstdint>

#include "autodiff/kernels/isa.h"
#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad {

namespace x86 = asmjit::x86;

class ScalarMachine {
 public:
  using Assembler = x86::Assembler;
  using Pointer = x86::Gp;
  using Real = x86::Xmm;
  using Place = x86::Mem;
  using Constant = x86::Mem;
  using Label = asmjit::Label;

  explicit ScalarMachine(Assembler& assembler) : a_(assembler), avx_(active_isa() != Isa::Sse2) {
    one_ = a_.newLabel(), two_ = a_.newLabel(), half_ = a_.newLabel(), sign_ = a_.newLabel();
  }
  Assembler& assembler() { return a_; }

  // ---------------------------------------------------------------- registers

  /// Free for whoever wants them; the first is also where functions have their number and their result.
  static constexpr Real kFree = x86::xmm0, kOther = x86::xmm1;
  /// Those that ScalarRegisters gives away.
  static constexpr std::uint32_t kHeld = 14;
  static Real held(std::uint32_t k) { return x86::xmm(2 + k); }
  /// What calls leave alone, and where arguments are.
  static constexpr Pointer kKept[] = {x86::rbx, x86::r12, x86::r13, x86::r14, x86::r15};
  static constexpr Pointer kArgument[] = {x86::rdi, x86::rsi, x86::rdx, x86::rcx};

  // ---------------------------------------------------------------- numbers

  static Place place(const Pointer& base, std::size_t offset) { return x86::ptr(base, static_cast<std::int32_t>(offset), 8); }
  void load(const Real& to, const Place& from) { avx_ ? a_.vmovsd(to, from) : a_.movsd(to, from); }
  void store(const Place& to, const Real& from) { avx_ ? a_.vmovsd(to, from) : a_.movsd(to, from); }
  void copy(const Real& to, const Real& from) { avx_ ? a_.vmovapd(to, from) : a_.movapd(to, from); }
  void sqrt(const Real& to, const Real& x) { avx_ ? a_.vsqrtsd(to, x, x) : a_.sqrtsd(to, x); }

  /// to = x op y; `to` is neither x nor y, or it is x.
  template <class Y>
  void add(const Real& to, const Real& x, const Y& y) { avx_ ? a_.vaddsd(to, x, y) : (moved(to, x), a_.addsd(to, y)); }
  template <class Y>
  void subtract(const Real& to, const Real& x, const Y& y) { avx_ ? a_.vsubsd(to, x, y) : (moved(to, x), a_.subsd(to, y)); }
  template <class Y>
  void multiply(const Real& to, const Real& x, const Y& y) { avx_ ? a_.vmulsd(to, x, y) : (moved(to, x), a_.mulsd(to, y)); }
  template <class Y>
  void divide(const Real& to, const Real& x, const Y& y) { avx_ ? a_.vdivsd(to, x, y) : (moved(to, x), a_.divsd(to, y)); }
  /// slope = 0 where v is 0. kFree is overwritten.
  void zero_at(const Real& v, const Real& slope) {
    avx_ ? a_.vxorpd(kFree, kFree, kFree) : a_.xorpd(kFree, kFree);
    constexpr int kNotEqual = 4;
    avx_ ? a_.vcmpsd(kFree, kFree, v, kNotEqual) : a_.cmpsd(kFree, v, kNotEqual);
    avx_ ? a_.vandpd(slope, slope, kFree) : a_.andpd(slope, kFree);
  }
  void flip_sign(const Real& to, const Real& x) {
    const Constant sign = constant(sign_, 16);
    avx_ ? a_.vxorpd(to, x, sign) : (moved(to, x), a_.xorpd(to, sign));
  }

  /// sum += x y and sum -= x y, rounded once where the instruction set can. kFree is overwritten.
  void add_product(const Real& sum, const Real& x, const Real& y) {
    avx_ ? a_.vfmadd231sd(sum, x, y) : (moved(kFree, x), a_.mulsd(kFree, y), a_.addsd(sum, kFree));
  }
  void subtract_product(const Real& sum, const Real& x, const Real& y) {
    avx_ ? a_.vfnmadd231sd(sum, x, y) : (moved(kFree, x), a_.mulsd(kFree, y), a_.subsd(sum, kFree));
  }

  Constant one() const { return constant(one_); }
  Constant two() const { return constant(two_); }
  Constant half() const { return constant(half_); }
  /// Behind the code that mentions them.
  void constants() {
    a_.align(asmjit::AlignMode::kData, 16);
    const auto put = [&](const Label& label, std::uint64_t bits) {
      a_.bind(label);
      a_.embedUInt64(bits);
    };
    put(sign_, std::uint64_t{1} << 63);
    a_.embedUInt64(0);  // the other lane of an xor
    put(one_, std::bit_cast<std::uint64_t>(1.0));
    put(two_, std::bit_cast<std::uint64_t>(2.0));
    put(half_, std::bit_cast<std::uint64_t>(0.5));
  }

  // ---------------------------------------------------------------- jumps

  void jump(const Label& to) { a_.jmp(to); }
  /// Unless the comparison turns out as it did. Whatever is not a number makes it false.
  void jump_unless(GuardTest test, const Real& x, const Real& y, const Label& fails) {
    const Label holds = a_.newLabel();
    const bool wanted = test.outcome();
    switch (test.compare()) {
      case Compare::Less:
        compare(y, x);
        wanted ? a_.jbe(fails) : a_.ja(fails);
        break;
      case Compare::LessOrEqual:
        compare(y, x);
        wanted ? a_.jb(fails) : a_.jae(fails);
        break;
      case Compare::Equal:
        compare(x, y);
        a_.jp(wanted ? fails : holds);
        wanted ? a_.jne(fails) : a_.je(fails);
        break;
    }
    a_.bind(holds);
  }
  void jump_if_false(const Place& flag, const Label& to) {
    a_.cmp(byte(flag), 0);
    a_.je(to);
  }
  /// By what a function gave.
  void jump_if_false(const Label& to) {
    a_.test(x86::al, x86::al);
    a_.jz(to);
  }

  // ---------------------------------------------------------------- functions

  /// Keeps the first of kKept, an odd number of them: with the return address the stack is aligned.
  void enter(std::size_t kept) {
    for (std::size_t k = 0; k < kept; ++k) a_.push(kKept[k]);
  }
  void leave(std::size_t kept) {
    for (std::size_t k = kept; k-- > 0;) a_.pop(kKept[k]);
    a_.ret();
  }
  void call(const void* function) {
    a_.mov(x86::rax, reinterpret_cast<std::uintptr_t>(function));
    a_.call(x86::rax);
  }
  void result(std::uint32_t value) { value == 0 ? a_.xor_(x86::eax, x86::eax) : a_.mov(x86::eax, value); }
  void copy(const Pointer& to, const Pointer& x) { a_.mov(to, x); }
  void set(const Pointer& to, std::uint64_t value) { value == 0 ? a_.xor_(to.r32(), to.r32()) : a_.mov(to, value); }
  void set(const Pointer& to, const void* at) { set(to, reinterpret_cast<std::uintptr_t>(at)); }
  void address(const Pointer& to, const Place& at) { a_.lea(to, at); }
  void load(const Pointer& to, const Place& from) { a_.mov(to, from); }
  void set_true(const Place& flag) { a_.mov(byte(flag), 1); }

 private:
  void compare(const Real& x, const Real& y) { avx_ ? a_.vucomisd(x, y) : a_.ucomisd(x, y); }
  int moved(const Real& to, const Real& x) {
    if (to.id() != x.id()) a_.movapd(to, x);
    return 0;
  }
  static Constant constant(const Label& label, std::uint32_t size = 8) { return x86::ptr(label, 0, size); }
  static Place byte(Place p) {
    p.setSize(1);
    return p;
  }

  Assembler& a_;
  bool avx_;
  Label one_, two_, half_, sign_;
};

}  // namespace fermiac::ad
