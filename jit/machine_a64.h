// What machine code is made of on 64-bit Arm: moves between virtual registers and places in memory, addresses, jumps.
// machine_x86.h has the same for x86-64.
#pragma once

#include <asmjit/core.h>
#include <asmjit/arm/a64compiler.h>
#include <asmjit/arm/a64utils.h>

#include <cstddef>
#include <cstdint>

#include "jit/functions.h"

namespace fermiac::jit {

namespace a64 = asmjit::a64;

class Machine : public Functions<a64::Compiler, a64::Gp> {
 public:
  using Functions::Functions;

 protected:
  using Register = a64::Reg;
  using Real = a64::Vec;
  using Place = a64::Mem;
  using Constant = a64::Vec;     // a number as the last operand of an instruction
  using Is = a64::CondCode;

  /// asmjit takes the register with the return address for one that calls leave alone.
  asmjit::InvokeNode* invoke(const void* function, const asmjit::FuncSignature& signature) {
    asmjit::InvokeNode* const call = Functions::invoke(function, signature);
    asmjit::CallConv& convention = call->detail()._callConv;
    const asmjit::RegMask kept = convention.preservedRegs(asmjit::RegGroup::kGp);
    convention.setPreservedRegs(asmjit::RegGroup::kGp, kept & ~(asmjit::RegMask{1} << Gp::kIdLr));
    return call;
  }

  // ---------------------------------------------------------------- registers

  /// For an int. asmjit would take what sets the lower half of a register of 64 bits for something that also reads it.
  Gp number() { return cc_.newInt32(); }
  Real real() { return cc_.newVecD(); }

  void set(const Gp& to, std::int32_t value) { cc_.mov(to.w(), asmjit::Imm(static_cast<std::uint32_t>(value))); }
  void set_zero(const Gp& to) { cc_.mov(to, 0); }
  void copy(const Gp& to, const Gp& x) { cc_.mov(to.w(), x.w()); }
  void set(const Real& to, double value) {
    if (a64::Utils::isFP64Imm8(value)) cc_.fmov(to, asmjit::Imm(value));
    else cc_.ldr(to, cc_.newDoubleConst(asmjit::ConstPoolScope::kLocal, value));
  }
  void copy(const Real& to, const Real& x) { cc_.fmov(to, x); }
  Constant constant(double value) {
    const Real to = real();
    set(to, value);
    return to;
  }

  // ---------------------------------------------------------------- memory

  /// What lies further away than an instruction reaches gets an address of its own.
  Place place(const Gp& base, std::size_t offset) {
    if (offset <= kReach) return a64::ptr(base, static_cast<std::int32_t>(offset));
    const Gp at = pointer();
    address_of(at, base, offset);
    return a64::ptr(at);
  }
  /// base[index] of numbers of 2^shift bytes, `offset` bytes further on.
  Place element_place(const Gp& base, const Gp& index, std::uint32_t shift, std::size_t offset = 0) {
    if (offset == 0) return a64::ptr(base, index.w(), asmjit::arm::uxtw(shift));
    const Gp at = pointer();
    address_of(at, base, offset);
    return element_place(at, index, shift);
  }
  /// The address that stands at base[index], `offset` bytes further on.
  Gp address_at(const Gp& base, const Gp& index, std::size_t offset) {
    const Gp to = pointer();
    load_pointer(to, element_place(base, index, 3, offset));
    return to;
  }
  Place stack(std::uint32_t bytes) { return cc_.newStack(bytes, 16); }
  static Place moved(const Place& p, std::size_t offset) { return p.cloneAdjusted(static_cast<std::int64_t>(offset)); }
  void address_of_stack(const Gp& to, const Place& p) { cc_.loadAddressOf(to, p); }
  void address_of(const Gp& to, const Gp& base, std::size_t offset) {
    if (offset <= kReach) return void(cc_.add(to, base, offset));
    const Gp far = pointer();
    cc_.mov(far, asmjit::Imm(offset));
    cc_.add(to, base, far);
  }

  void load(const Real& to, const Place& from) { cc_.ldr(to, from); }
  void load_pointer(const Gp& to, const Place& from) { cc_.ldr(to, from); }
  void load_int(const Gp& to, const Place& from) { cc_.ldr(to.w(), from); }
  void load_byte(const Gp& to, const Place& from) { cc_.ldrb(to.w(), from); }
  void load_int_as_real(const Real& to, const Place& from) { cc_.scvtf(to, loaded_int(from).w()); }
  void store(const Place& to, const Real& x) { cc_.str(x, to); }
  void store_pointer(const Place& to, const Gp& x) { cc_.str(x, to); }
  void store_int(const Place& to, const Gp& x) { cc_.str(x.w(), to); }
  void store_int(const Place& to, std::int64_t value) { store_int(to, holding(static_cast<std::int32_t>(value))); }
  void store_byte(const Place& to, int value) { cc_.strb(holding(value).w(), to); }

  // ---------------------------------------------------------------- addresses and indexes

  /// An index from 1 as one from 0.
  void from_zero(const Gp& to, const Gp& index) { cc_.sub(to.w(), index.w(), 1); }
  void multiply_by(const Gp& x, const Place& y) { cc_.mul(x.w(), x.w(), loaded_int(y).w()); }
  /// x = x * size + plus.
  void scale(const Gp& x, const Gp& size, const Gp& plus) { cc_.madd(x.w(), x.w(), size.w(), plus.w()); }
  /// to = what stands at `base`, and index times 2^shift bytes.
  void address_of_element(const Gp& to, const Gp& index, std::uint32_t shift, const Place& base) {
    load_pointer(to, base);
    cc_.umaddl(to, index.w(), holding(1 << shift).w(), to);
  }
  void add_to(const Gp& x, const Gp& y) { cc_.add(x.w(), x.w(), y.w()); }
  void add_to(const Gp& x, std::int32_t y) { cc_.add(x.w(), x.w(), y); }
  void shift_right(const Gp& x, std::uint32_t bits) { cc_.lsr(x.w(), x.w(), bits); }
  void keep_bits(const Gp& x, std::uint32_t mask) { cc_.and_(x.w(), x.w(), mask); }
  void keep_bits(const Gp& x, const Gp& mask) { cc_.and_(x.w(), x.w(), mask.w()); }
  /// x = the lesser of two without signs.
  void at_most(const Gp& x, const Gp& y) {
    cc_.cmp(x.w(), y.w());
    cc_.csel(x.w(), x.w(), y.w(), condition(Is::kLO));
  }
  /// What stands there becomes (what stands there xor x) * factor, in 64 bits.
  void mix(const Place& at, const Gp& x, std::uint64_t factor) {
    const Gp mixed = pointer(), by = pointer();
    load_pointer(mixed, at);
    cc_.eor(mixed, mixed, x);
    cc_.mov(by, asmjit::Imm(factor));
    cc_.mul(mixed, mixed, by);
    store_pointer(at, mixed);
  }

  // ---------------------------------------------------------------- jumps

  void jump(const Label& to) { cc_.b(to); }
  void jump_if_zero(const Gp& x, const Label& to) { cc_.cbz(x.w(), to); }
  void jump_unless_zero(const Gp& x, const Label& to) { cc_.cbnz(x.w(), to); }
  void jump_unless_negative(const Gp& x, const Label& to) { cc_.cmp(x.w(), 0), cc_.b(Is::kPL, to); }
  void jump_if(const Gp& x, std::int32_t value, const Label& to) { compare(x, value), cc_.b(Is::kEQ, to); }
  void jump_unless(const Gp& x, std::int32_t value, const Label& to) { compare(x, value), cc_.b(Is::kNE, to); }
  void jump_if_equal(const Gp& x, const Place& y, const Label& to) { cc_.cmp(x.w(), loaded_int(y).w()), cc_.b(Is::kEQ, to); }
  void jump_unless_int(const Place& x, std::int32_t value, const Label& to) { jump_unless(loaded_int(x), value, to); }
  void jump_if_byte(const Place& x, int value, const Label& to) { jump_if(loaded_byte(x), value, to); }
  void jump_unless_byte(const Place& x, int value, const Label& to) { jump_unless(loaded_byte(x), value, to); }
  /// Of numbers without signs.
  void jump_unless_below(const Gp& x, const Gp& y, const Label& to) { cc_.cmp(x.w(), y.w()), cc_.b(Is::kHS, to); }

  static bool is_small(std::int32_t value) { return value >= 0 && value <= 4095; }
  static asmjit::Imm condition(Is c) { return asmjit::Imm(c); }
  Gp holding(std::int32_t value) {
    const Gp to = number();
    set(to, value);
    return to;
  }

 private:
  static constexpr std::size_t kReach = 4095;  // of bytes; what is larger is aligned and reaches further

  /// Of 32 bits with any number.
  void compare(const Gp& x, std::int32_t value) {
    if (is_small(value)) cc_.cmp(x.w(), value);
    else if (value == -1) cc_.cmn(x.w(), 1);
    else cc_.cmp(x.w(), holding(value).w());
  }
  Gp loaded_int(const Place& from) {
    const Gp to = number();
    load_int(to, from);
    return to;
  }
  Gp loaded_byte(const Place& from) {
    const Gp to = number();
    load_byte(to, from);
    return to;
  }
};

}  // namespace fermiac::jit
