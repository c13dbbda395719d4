// Instructions of 64-bit Arm, one function for each operation that code consists of, products and sums fused on request. machine_x86.h
// has the same class for x86-64.
#pragma once

#include <asmjit/core.h>
#include <asmjit/arm/a64assembler.h>
#include <asmjit/arm/a64compiler.h>
#include <asmjit/arm/a64utils.h>

#include <cstddef>
#include <cstdint>

#include "jit/code.h"

namespace fermiac::jit {

namespace a64 = asmjit::a64;

class Machine {
 public:
  using Assembler = a64::Assembler;
  using Compiler = a64::Compiler;
  using Register = a64::Reg;
  using Gp = a64::Gp;
  using Real = a64::Vec;         // a double, or as many as set_width() says
  /// A place that an instruction reaches, and an offset that it may not reach.
  struct Place {
    a64::Mem mem;
    std::size_t offset = 0;
  };
  using Constant = a64::Vec;     // a number as the last operand of an instruction
  using Label = asmjit::Label;

  /// The emitter is an Assembler or a Compiler. It must outlive the machine.
  explicit Machine(asmjit::BaseEmitter& emitter) : a_(*emitter.as<a64::Emitter>()), far_(emitter.isAssembler()) {}
  virtual ~Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // ---------------------------------------------------------------- registers

  /// Registers for intermediate results. The compiler gives a new one each time, straight code always the same one.
  virtual Real real() = 0;
  virtual Gp number() = 0;       // an int
  virtual Gp pointer() = 0;
  /// Where a constant of so many bytes lies.
  virtual Place pooled(const void* data, std::size_t bytes) = 0;

  /// Ints have registers of 32 bits: asmjit would take what sets the lower half of one of 64 bits for something that also reads it.
  static constexpr asmjit::TypeId kRealType = asmjit::TypeId::kFloat64, kNumberType = asmjit::TypeId::kInt32;

  void set(const Gp& to, std::int32_t value) { a_.mov(to.w(), asmjit::Imm(static_cast<std::uint32_t>(value))); }
  void set_zero(const Gp& to) { a_.mov(to, 0); }
  void copy(const Gp& to, const Gp& x) { a_.mov(to.w(), x.w()); }
  void set_pointer(const Gp& to, const void* at) { a_.mov(to, asmjit::Imm(reinterpret_cast<std::uintptr_t>(at))); }
  void copy_pointer(const Gp& to, const Gp& x) { a_.mov(to, x); }
  void set(const Real& to, double value) {
    if (a64::Utils::isFP64Imm8(value)) a_.fmov(to.d(), asmjit::Imm(value));
    else load(to, pooled(&value, sizeof value));
  }
  void set_zero(const Real& to) { a_.movi(to.d2(), 0); }
  void copy(const Real& to, const Real& x) { width_ > 1 ? a_.mov(to.b16(), x.b16()) : a_.fmov(to.d(), x.d()); }
  Constant constant(double value) {
    const Real to = real();
    set(to, value);
    return to;
  }

  // ---------------------------------------------------------------- memory

  static Place place(const Gp& base, std::size_t offset) { return {a64::ptr(base), offset}; }
  static Place at_label(const Label& label, std::size_t offset) { return {a64::ptr(label, static_cast<std::int32_t>(offset))}; }
  static Place moved(const Place& p, std::size_t offset) { return {p.mem, p.offset + offset}; }
  /// base[index] of numbers of 2^shift bytes, `offset` bytes further on.
  Place element_place(const Gp& base, const Gp& index, std::uint32_t shift, std::size_t offset = 0) {
    if (offset == 0) return {a64::ptr(base, index.w(), asmjit::arm::uxtw(shift))};
    const Gp at = pointer();
    address_of(at, place(base, offset));
    return element_place(at, index, shift);
  }
  /// Loads the address stored at base[index], `offset` bytes further on.
  Gp address_at(const Gp& base, const Gp& index, std::size_t offset) {
    const Gp to = pointer();
    load_pointer(to, element_place(base, index, 3, offset));
    return to;
  }
  void address_of(const Gp& to, const Place& p) {
    const Gp base = base_of(p);
    if (p.offset < kReach) return void(a_.add(to, base, p.offset));
    const Gp far = pointer();
    a_.mov(far, asmjit::Imm(p.offset));
    a_.add(to, base, far);
  }
  static void address_of_stack(Compiler& compiler, const Gp& to, const Place& p) { compiler.loadAddressOf(to, p.mem); }

  void load(const Real& to, const Place& from) { a_.ldr(sized(to), reached(from, 8 * width_)); }
  void load_pointer(const Gp& to, const Place& from) { a_.ldr(to, reached(from, 8)); }
  void load_int(const Gp& to, const Place& from) { a_.ldr(to.w(), reached(from, 4)); }
  void load_byte(const Gp& to, const Place& from) { a_.ldrb(to.w(), reached(from, 1)); }
  void load_int_as_real(const Real& to, const Place& from) { to_real(to, loaded_int(from)); }
  void store(const Place& to, const Real& x) { a_.str(sized(x), reached(to, 8 * width_)); }
  void store_pointer(const Place& to, const Gp& x) { a_.str(x, reached(to, 8)); }
  void store_int(const Place& to, const Gp& x) { a_.str(x.w(), reached(to, 4)); }
  void store_int(const Place& to, std::int64_t value) { store_int(to, holding(static_cast<std::int32_t>(value))); }
  void store_byte(const Place& to, int value) {
    const Gp x = holding(value);
    a_.strb(x.w(), reached(to, 1));
  }

  // ---------------------------------------------------------------- ints and indexes

  /// Whether an instruction can contain the int.
  static bool is_small(std::int32_t value) { return value >= 0 && value <= 4095; }
  template <class Y>
  void add_int(const Gp& to, const Gp& x, const Y& y) { a_.add(to.w(), x.w(), low(y)); }
  template <class Y>
  void subtract_int(const Gp& to, const Gp& x, const Y& y) { a_.sub(to.w(), x.w(), low(y)); }
  void multiply_int(const Gp& to, const Gp& x, const Gp& y) { a_.mul(to.w(), x.w(), y.w()); }
  /// Jumps to `zero` if y is 0. The least int divided by -1 is itself, and nothing remains.
  void divide_int(const Gp& to, const Gp& x, const Gp& y, bool remainder, const Label& zero) {
    const Gp quotient = number();
    jump_if_zero(y, zero);
    a_.sdiv(quotient.w(), x.w(), y.w());
    if (remainder) a_.msub(to.w(), quotient.w(), y.w(), x.w());
    else copy(to, quotient);
  }
  void negate_int(const Gp& to, const Gp& x) { a_.neg(to.w(), x.w()); }
  /// Converts an index from 1 to an offset from 0.
  void from_zero(const Gp& to, const Gp& index) { a_.sub(to.w(), index.w(), 1); }
  void multiply_by(const Gp& x, const Place& y) { a_.mul(x.w(), x.w(), loaded_int(y).w()); }
  /// x = x * size + plus.
  void scale(const Gp& x, const Gp& size, const Gp& plus) { a_.madd(x.w(), x.w(), size.w(), plus.w()); }
  /// to = the address stored at `base` + index times 2^shift bytes.
  void address_of_element(const Gp& to, const Gp& index, std::uint32_t shift, const Place& base) {
    load_pointer(to, base);
    a_.umaddl(to, index.w(), holding(1 << shift).w(), to);
  }
  void advance(const Gp& pointer, std::uint32_t bytes) { a_.add(pointer, pointer, bytes); }
  void shift_right(const Gp& x, std::uint32_t bits) { a_.lsr(x.w(), x.w(), bits); }
  void keep_bits(const Gp& x, std::uint32_t mask) { a_.and_(x.w(), x.w(), mask); }
  void keep_bits(const Gp& x, const Gp& mask) { a_.and_(x.w(), x.w(), mask.w()); }
  /// x = the lesser of two unsigned numbers.
  void at_most(const Gp& x, const Gp& y) {
    a_.cmp(x.w(), y.w());
    a_.csel(x.w(), x.w(), y.w(), condition(Is::kLO));
  }
  /// Replaces the number at `at` by (number xor x) * factor, in 64 bits.
  void mix(const Place& at, const Gp& x, std::uint64_t factor) {
    const Gp mixed = pointer(), by = pointer();
    load_pointer(mixed, at);
    a_.eor(mixed, mixed, x);
    a_.mov(by, asmjit::Imm(factor));
    a_.mul(mixed, mixed, by);
    store_pointer(at, mixed);
  }

  // ---------------------------------------------------------------- arithmetic

  /// The largest width.
  static std::uint32_t lanes() { return 2; }
  /// How many numbers the operations below take at once, and load() and store(): 1 or lanes().
  void set_width(std::uint32_t width) { width_ = width; }

  /// to = x op y.
  void add(const Real& to, const Real& x, const Real& y) { a_.fadd(shaped(to), shaped(x), shaped(y)); }
  void subtract(const Real& to, const Real& x, const Real& y) { a_.fsub(shaped(to), shaped(x), shaped(y)); }
  void multiply(const Real& to, const Real& x, const Real& y) { a_.fmul(shaped(to), shaped(x), shaped(y)); }
  void divide(const Real& to, const Real& x, const Real& y) { a_.fdiv(shaped(to), shaped(x), shaped(y)); }
  void sqrt(const Real& to, const Real& x) { a_.fsqrt(shaped(to), shaped(x)); }
  /// Flips the sign bit.
  void negate(const Real& to, const Real& x) { a_.fneg(shaped(to), shaped(x)); }
  /// slope = 0 where v is 0. Overwrites real().
  void zero_at(const Real& v, const Real& slope) {
    const Real zero = real();
    a_.fmov(zero.d(), a64::xzr);
    a_.fcmp(v.d(), zero.d());
    a_.fcsel(slope.d(), zero.d(), slope.d(), condition(Is::kEQ));
  }
  void to_real(const Real& to, const Gp& x) { a_.scvtf(to.d(), x.w()); }

  /// sum += x y and sum -= x y, rounded once.
  void add_product(const Real& sum, const Real& x, const Real& y) { a_.fmadd(sum.d(), x.d(), y.d(), sum.d()); }
  void subtract_product(const Real& sum, const Real& x, const Real& y) { a_.fmsub(sum.d(), x.d(), y.d(), sum.d()); }
  /// to = p x and sum += p x for the one number p, at width 2. Overwrite real().
  template <class P>
  void times(const Real& to, const Real& x, const P& p) { a_.fmul(to.d2(), x.d2(), single(p).d(0)); }
  template <class P>
  void add_times(const Real& sum, const Real& x, const P& p) { a_.fmla(sum.d2(), x.d2(), single(p).d(0)); }
  /// Ends the use of widths above 1.
  void end_lanes() { width_ = 1; }

  // ---------------------------------------------------------------- jumps

  void jump(const Label& to) { a_.b(to); }
  void jump_if_zero(const Gp& x, const Label& to) { jump_if(x, 0, to); }
  void jump_unless_zero(const Gp& x, const Label& to) { jump_unless(x, 0, to); }
  void jump_unless_negative(const Gp& x, const Label& to) { a_.cmp(x.w(), 0), branch(Is::kPL, to); }
  void jump_if(const Gp& x, std::int32_t value, const Label& to) { compare_value(x, value), branch(Is::kEQ, to); }
  void jump_unless(const Gp& x, std::int32_t value, const Label& to) { compare_value(x, value), branch(Is::kNE, to); }
  void jump_if_equal(const Gp& x, const Place& y, const Label& to) { a_.cmp(x.w(), loaded_int(y).w()), branch(Is::kEQ, to); }
  void jump_unless_int(const Place& x, std::int32_t value, const Label& to) { jump_unless(loaded_int(x), value, to); }
  void jump_if_byte(const Place& x, int value, const Label& to) { jump_if(loaded_byte(x), value, to); }
  void jump_unless_byte(const Place& x, int value, const Label& to) { jump_unless(loaded_byte(x), value, to); }
  /// Compares unsigned numbers.
  void jump_unless_below(const Gp& x, const Gp& y, const Label& to) { a_.cmp(x.w(), y.w()), branch(Is::kHS, to); }

  // ---------------------------------------------------------------- comparisons: compare(), then one of the functions that use the result

  /// For any condition but Less and LessOrEqual, whose operands are exchanged (mirrored()). False if a number is a NaN, except NotEqual.
  void compare(const Real& x, const Real& y) { a_.fcmp(x.d(), y.d()); }
  /// Jumps if the condition is `when`.
  void jump_compared(Condition c, bool when, const Label& to) {
    const Is code = real_code(c);
    branch(when ? code : asmjit::arm::negateCond(code), to);
  }
  /// 1 or 0, in 64 bits.
  Gp compared(Condition c) {
    const Gp yes = pointer();
    a_.cset(yes, condition(real_code(c)));
    return yes;
  }
  template <class Y>
  void compare_ints(const Gp& x, const Y& y) { a_.cmp(x.w(), low(y)); }
  void jump_compared_ints(Condition c, const Label& to) { branch(int_code(c), to); }
  void set_compared_ints(const Gp& to, Condition c) { a_.cset(to.w(), condition(int_code(c))); }

  // ---------------------------------------------------------------- functions of straight code

  /// Free for intermediate results; functions take their first number in free() and return theirs there.
  static Real free() { return a64::v0; }
  static constexpr a64::VecD kOther = a64::d1;
  static constexpr a64::GpX kNumber = a64::x17, kPointer = a64::x16;
  /// The registers that an allocator hands out: 2 to 7 and 16 to 30. Those between would have to be saved, because calls preserve them.
  static std::uint32_t held_count() { return 21; }
  static Real held(std::uint32_t k) { return a64::VecV(k < 6 ? 2 + k : 10 + k); }
  /// Registers that calls preserve, and those of arguments.
  static constexpr a64::GpX kKept[] = {a64::x19, a64::x20, a64::x21, a64::x22, a64::x23};
  static constexpr a64::GpX kArgument[] = {a64::x0, a64::x1, a64::x2, a64::x3};

  /// Saves all of kKept.
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
    set_pointer(a64::x16, function);
    a_.blr(a64::x16);
  }
  void set_result(std::uint32_t value) { a_.mov(a64::w0, asmjit::Imm(value)); }
  /// Tests the bool that a function returned.
  void jump_if_false(const Label& to) { a_.tst(a64::w0, 0xff), branch(Is::kEQ, to); }

  // ---------------------------------------------------------------- functions of the compiler

  static void prepare_function(asmjit::FuncNode&) {}
  /// asmjit takes the register with the return address for one that calls preserve.
  static void prepare_call(asmjit::InvokeNode& call) {
    asmjit::CallConv& convention = call.detail()._callConv;
    const asmjit::RegMask kept = convention.preservedRegs(asmjit::RegGroup::kGp);
    convention.setPreservedRegs(asmjit::RegGroup::kGp, kept & ~(asmjit::RegMask{1} << Gp::kIdLr));
  }

 protected:
  a64::Emitter& a_;

 private:
  using Is = a64::CondCode;
  static constexpr std::size_t kReach = 4096;  // of offsets, in units of what is loaded

  Real sized(const Real& x) const { return width_ > 1 ? Real(x.q()) : Real(x.d()); }
  Real shaped(const Real& x) const { return width_ > 1 ? Real(x.d2()) : Real(x.d()); }
  Real single(const Place& p) {
    const Real to = real();
    a_.ldr(to.d(), reached(p, 8));
    return to;
  }
  static Real single(const Real& x) { return x; }

  static Gp base_of(const Place& p) { return p.mem.baseReg().as<Gp>(); }
  /// The operand of an instruction that moves so many bytes.
  a64::Mem reached(const Place& p, std::size_t bytes) {
    if (p.offset == 0) return p.mem;
    if (p.offset % bytes == 0 && p.offset / bytes < kReach) return p.mem.cloneAdjusted(static_cast<std::int64_t>(p.offset));
    const Gp at = pointer();
    a_.mov(at, asmjit::Imm(p.offset));
    return a64::ptr(base_of(p), at);
  }

  static asmjit::Imm condition(Is c) { return asmjit::Imm(c); }
  Gp holding(std::int32_t value) {
    const Gp to = number();
    set(to, value);
    return to;
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
  static Gp low(const Gp& x) { return x.w(); }
  static asmjit::Imm low(const asmjit::Imm& x) { return x; }

  /// Compares 32 bits with any number.
  void compare_value(const Gp& x, std::int32_t value) {
    if (is_small(value)) a_.cmp(x.w(), value);
    else if (value == -1) a_.cmn(x.w(), 1);
    else a_.cmp(x.w(), holding(value).w());
  }
  void branch(Is code, const Label& to) {
    if (!far_) return void(a_.b(code, to));
    const Label stays = a_.newLabel();
    a_.b(asmjit::arm::negateCond(code), stays);
    a_.b(to);
    a_.bind(stays);
  }
  static Is real_code(Condition c) {
    constexpr Is kCodes[] = {Is::kMI, Is::kLS, Is::kGT, Is::kGE, Is::kEQ, Is::kNE};
    return kCodes[static_cast<int>(c)];
  }
  static Is int_code(Condition c) {
    constexpr Is kCodes[] = {Is::kLT, Is::kLE, Is::kGT, Is::kGE, Is::kEQ, Is::kNE};
    return kCodes[static_cast<int>(c)];
  }

  const bool far_;  // a conditional branch reaches a megabyte; straight code jumps further, over the opposite branch
  std::uint32_t width_ = 1;
};

}  // namespace fermiac::jit
