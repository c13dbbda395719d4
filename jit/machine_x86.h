// What machine code is made of on x86-64: moves between virtual registers and places in memory, addresses, jumps.
// machine_a64.h has the same for 64-bit Arm.
#pragma once

#include <asmjit/x86.h>

#include <cstddef>
#include <cstdint>

#include "jit/functions.h"

namespace fermiac::jit {

namespace x86 = asmjit::x86;

class Machine : public Functions<x86::Compiler, x86::Gp> {
 public:
  using Functions::Functions;

 protected:
  using Register = x86::Reg;
  using Real = x86::Xmm;
  using Place = x86::Mem;
  using Constant = x86::Mem;     // a number as the last operand of an instruction

  // ---------------------------------------------------------------- registers

  /// For an int; the upper half is 0.
  Gp number() { return cc_.newInt64(); }
  Real real() { return cc_.newXmmSd(); }

  void set(const Gp& to, std::int32_t value) { cc_.mov(to.r32(), value); }
  void set_zero(const Gp& to) { cc_.xor_(to.r32(), to.r32()); }
  void copy(const Gp& to, const Gp& x) { cc_.mov(to.r32(), x.r32()); }
  void set(const Real& to, double value) { cc_.movsd(to, constant(value)); }
  void copy(const Real& to, const Real& x) { cc_.movapd(to, x); }
  Constant constant(double value) { return cc_.newDoubleConst(asmjit::ConstPoolScope::kLocal, value); }

  // ---------------------------------------------------------------- memory

  Place place(const Gp& base, std::size_t offset) { return x86::ptr(base, static_cast<std::int32_t>(offset)); }
  /// base[index] of numbers of 2^shift bytes, `offset` bytes further on.
  Place element_place(const Gp& base, const Gp& index, std::uint32_t shift, std::size_t offset = 0) {
    return x86::ptr(base, index, shift, static_cast<std::int32_t>(offset));
  }
  Place stack(std::uint32_t bytes) { return cc_.newStack(bytes, 16); }
  static Place moved(const Place& p, std::size_t offset) { return p.cloneAdjusted(static_cast<std::int64_t>(offset)); }
  /// The address that stands at base[index], `offset` bytes further on; `index` is overwritten.
  Gp address_at(const Gp& base, const Gp& index, std::size_t offset) {
    load_pointer(index, element_place(base, index, 3, offset));
    return index;
  }
  void address_of_stack(const Gp& to, const Place& p) { cc_.lea(to, p); }
  void address_of(const Gp& to, const Gp& base, std::size_t offset) { cc_.lea(to, place(base, offset)); }

  void load(const Real& to, const Place& from) { cc_.movsd(to, sized(from, 8)); }
  void load_pointer(const Gp& to, const Place& from) { cc_.mov(to, sized(from, 8)); }
  void load_int(const Gp& to, const Place& from) { cc_.mov(to.r32(), sized(from, 4)); }
  void load_byte(const Gp& to, const Place& from) { cc_.movzx(to.r32(), sized(from, 1)); }
  void load_int_as_real(const Real& to, const Place& from) {
    cc_.xorps(to, to);  // the conversion keeps the upper half: no waiting for it
    cc_.cvtsi2sd(to, sized(from, 4));
  }
  void store(const Place& to, const Real& x) { cc_.movsd(sized(to, 8), x); }
  void store_pointer(const Place& to, const Gp& x) { cc_.mov(sized(to, 8), x); }
  void store_int(const Place& to, const Gp& x) { cc_.mov(sized(to, 4), x.r32()); }
  void store_int(const Place& to, std::int64_t value) { cc_.mov(sized(to, 4), value); }
  void store_byte(const Place& to, int value) { cc_.mov(sized(to, 1), value); }

  // ---------------------------------------------------------------- addresses and indexes

  /// An index from 1 as one from 0.
  void from_zero(const Gp& to, const Gp& index) { cc_.lea(to.r32(), x86::ptr(index, -1)); }
  void multiply_by(const Gp& x, const Place& y) { cc_.imul(x.r32(), sized(y, 4)); }
  /// x = x * size + plus.
  void scale(const Gp& x, const Gp& size, const Gp& plus) {
    cc_.imul(x.r32(), size.r32());
    cc_.add(x.r32(), plus.r32());
  }
  /// to = what stands at `base`, and index times 2^shift bytes.
  void address_of_element(const Gp& to, const Gp& index, std::uint32_t shift, const Place& base) {
    cc_.mov(to, index);
    cc_.shl(to, shift);
    cc_.add(to, sized(base, 8));
  }
  void add_to(const Gp& x, const Gp& y) { cc_.add(x.r32(), y.r32()); }
  void add_to(const Gp& x, std::int32_t y) { cc_.add(x.r32(), y); }
  void shift_right(const Gp& x, std::uint32_t bits) { cc_.shr(x.r32(), bits); }
  void keep_bits(const Gp& x, std::uint32_t mask) { cc_.and_(x.r32(), mask); }
  void keep_bits(const Gp& x, const Gp& mask) { cc_.and_(x.r32(), mask.r32()); }
  /// x = the lesser of two without signs.
  void at_most(const Gp& x, const Gp& y) {
    cc_.cmp(x.r32(), y.r32());
    cc_.cmova(x.r32(), y.r32());
  }
  /// What stands there becomes (what stands there xor x) * factor, in 64 bits.
  void mix(const Place& at, const Gp& x, std::uint64_t factor) {
    const Gp mixed = number(), by = number();
    cc_.mov(mixed, x);
    cc_.xor_(mixed, sized(at, 8));
    cc_.mov(by, asmjit::Imm(factor));
    cc_.imul(mixed, by);
    store_pointer(at, mixed);
  }

  // ---------------------------------------------------------------- jumps

  void jump(const Label& to) { cc_.jmp(to); }
  void jump_if_zero(const Gp& x, const Label& to) { cc_.test(x.r32(), x.r32()), cc_.jz(to); }
  void jump_unless_zero(const Gp& x, const Label& to) { cc_.test(x.r32(), x.r32()), cc_.jnz(to); }
  void jump_unless_negative(const Gp& x, const Label& to) { cc_.test(x.r32(), x.r32()), cc_.jns(to); }
  void jump_if(const Gp& x, std::int32_t value, const Label& to) { cc_.cmp(x.r32(), value), cc_.je(to); }
  void jump_unless(const Gp& x, std::int32_t value, const Label& to) { cc_.cmp(x.r32(), value), cc_.jne(to); }
  void jump_if_equal(const Gp& x, const Place& y, const Label& to) { cc_.cmp(x.r32(), sized(y, 4)), cc_.je(to); }
  void jump_unless_int(const Place& x, std::int32_t value, const Label& to) { cc_.cmp(sized(x, 4), value), cc_.jne(to); }
  void jump_if_byte(const Place& x, int value, const Label& to) { cc_.cmp(sized(x, 1), value), cc_.je(to); }
  void jump_unless_byte(const Place& x, int value, const Label& to) { cc_.cmp(sized(x, 1), value), cc_.jne(to); }
  /// Of numbers without signs.
  void jump_unless_below(const Gp& x, const Gp& y, const Label& to) { cc_.cmp(x.r32(), y.r32()), cc_.jae(to); }

 private:
  static Place sized(Place p, std::uint32_t bytes) {
    p.setSize(bytes);
    return p;
  }
};

}  // namespace fermiac::jit
