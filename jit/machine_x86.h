// Instructions of x86-64, one function for each operation that code consists of: with three operands where the processor has AVX, products
// and sums fused on request where it has FMA. machine_a64.h has the same class for 64-bit Arm.
#pragma once

#include <asmjit/x86.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "jit/code.h"
#include "support/platform/isa.h"

namespace fermiac::jit {

namespace x86 = asmjit::x86;

class Machine {
 public:
  using Assembler = x86::Assembler;
  using Compiler = x86::Compiler;
  using Register = x86::Reg;
  using Gp = x86::Gp;
  using Real = x86::Vec;         // a double, or as many as set_width() says
  using Place = x86::Mem;
  using Constant = x86::Mem;     // a number as the last operand of an instruction
  using Label = asmjit::Label;

  /// The emitter is an Assembler or a Compiler. It must outlive the machine.
  explicit Machine(asmjit::BaseEmitter& emitter) : a_(*emitter.as<x86::Emitter>()) {}
  virtual ~Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // ---------------------------------------------------------------- registers

  /// Registers for intermediate results. The compiler gives a new one each time, straight code always the same one.
  virtual Real real() = 0;
  virtual Gp number() = 0;       // an int; the upper half is 0
  virtual Gp pointer() = 0;
  /// Where a constant of so many bytes lies.
  virtual Place pooled(const void* data, std::size_t bytes) = 0;

  static constexpr asmjit::TypeId kRealType = asmjit::TypeId::kFloat64x1, kNumberType = asmjit::TypeId::kInt64;

  void set(const Gp& to, std::int32_t value) { a_.mov(to.r32(), value); }
  void set_zero(const Gp& to) { a_.xor_(to.r32(), to.r32()); }
  void copy(const Gp& to, const Gp& x) { a_.mov(to.r32(), x.r32()); }
  void set_pointer(const Gp& to, const void* at) { a_.mov(to, asmjit::Imm(reinterpret_cast<std::uintptr_t>(at))); }
  void copy_pointer(const Gp& to, const Gp& x) { a_.mov(to, x); }
  void set(const Real& to, double value) { load(to, constant(value)); }
  void set_zero(const Real& to) { three(kXor, to.xmm(), to.xmm(), to.xmm()); }  // clears the whole register
  void copy(const Real& to, const Real& x) { emit(kCopy, to, x); }
  Constant constant(double value) { return pooled(&value, sizeof value); }

  // ---------------------------------------------------------------- memory

  static Place place(const Gp& base, std::size_t offset) { return x86::ptr(base, static_cast<std::int32_t>(offset)); }
  static Place at_label(const Label& label, std::size_t offset) { return x86::ptr(label, static_cast<std::int32_t>(offset)); }
  static Place moved(const Place& p, std::size_t offset) { return p.cloneAdjusted(static_cast<std::int64_t>(offset)); }
  /// base[index] of numbers of 2^shift bytes, `offset` bytes further on.
  static Place element_place(const Gp& base, const Gp& index, std::uint32_t shift, std::size_t offset = 0) {
    return x86::ptr(base, index, shift, static_cast<std::int32_t>(offset));
  }
  /// Loads the address stored at base[index], `offset` bytes further on; `index` is overwritten.
  Gp address_at(const Gp& base, const Gp& index, std::size_t offset) {
    load_pointer(index, element_place(base, index, 3, offset));
    return index;
  }
  void address_of(const Gp& to, const Place& p) { a_.lea(to, p); }
  static void address_of_stack(Compiler& compiler, const Gp& to, const Place& p) { compiler.lea(to, p); }

  void load(const Real& to, const Place& from) { emit(kMove, to, real_at(from)); }
  void load_pointer(const Gp& to, const Place& from) { a_.mov(to, sized(from, 8)); }
  void load_int(const Gp& to, const Place& from) { a_.mov(to.r32(), sized(from, 4)); }
  void load_byte(const Gp& to, const Place& from) { a_.movzx(to.r32(), sized(from, 1)); }
  void load_int_as_real(const Real& to, const Place& from) { convert(to, sized(from, 4)); }
  void store(const Place& to, const Real& x) { emit(kMove, real_at(to), x); }
  void store_pointer(const Place& to, const Gp& x) { a_.mov(sized(to, 8), x); }
  void store_int(const Place& to, const Gp& x) { a_.mov(sized(to, 4), x.r32()); }
  void store_int(const Place& to, std::int64_t value) { a_.mov(sized(to, 4), value); }
  void store_byte(const Place& to, int value) { a_.mov(sized(to, 1), value); }

  // ---------------------------------------------------------------- ints and indexes

  /// Whether an instruction can contain the int.
  static bool is_small(std::int32_t) { return true; }
  template <class Y>
  void add_int(const Gp& to, const Gp& x, const Y& y) { binary_int(Id::kIdAdd, to, x, y); }
  template <class Y>
  void subtract_int(const Gp& to, const Gp& x, const Y& y) { binary_int(Id::kIdSub, to, x, y); }
  void multiply_int(const Gp& to, const Gp& x, const Gp& y) { binary_int(Id::kIdImul, to, x, y); }
  /// Jumps to `zero` if y is 0. In 64 bits, where the least int divided by -1 fits.
  void divide_int(const Gp& to, const Gp& x, const Gp& y, bool remainder, const Label& zero) {
    const Gp low = number(), high = number(), divisor = number();
    a_.movsxd(divisor, y.r32());
    a_.test(divisor, divisor);
    a_.jz(zero);
    a_.movsxd(low, x.r32());
    a_.cqo(high, low);
    a_.idiv(high, low, divisor);
    copy(to, remainder ? high : low);
  }
  void negate_int(const Gp& to, const Gp& x) {
    const Gp work = number();
    copy(work, x);
    a_.neg(work.r32());
    copy(to, work);
  }
  /// Converts an index from 1 to an offset from 0.
  void from_zero(const Gp& to, const Gp& index) { a_.lea(to.r32(), x86::ptr(index, -1)); }
  void multiply_by(const Gp& x, const Place& y) { a_.imul(x.r32(), sized(y, 4)); }
  /// x = x * size + plus.
  void scale(const Gp& x, const Gp& size, const Gp& plus) {
    multiply_int(x, x, size);
    add_int(x, x, plus);
  }
  /// to = the address stored at `base` + index times 2^shift bytes.
  void address_of_element(const Gp& to, const Gp& index, std::uint32_t shift, const Place& base) {
    a_.mov(to, index);
    a_.shl(to, shift);
    a_.add(to, sized(base, 8));
  }
  void advance(const Gp& pointer, std::uint32_t bytes) { a_.add(pointer, bytes); }
  void shift_right(const Gp& x, std::uint32_t bits) { a_.shr(x.r32(), bits); }
  void keep_bits(const Gp& x, std::uint32_t mask) { a_.and_(x.r32(), mask); }
  void keep_bits(const Gp& x, const Gp& mask) { a_.and_(x.r32(), mask.r32()); }
  /// x = the lesser of two unsigned numbers.
  void at_most(const Gp& x, const Gp& y) {
    a_.cmp(x.r32(), y.r32());
    a_.cmova(x.r32(), y.r32());
  }
  /// Replaces the number at `at` by (number xor x) * factor, in 64 bits.
  void mix(const Place& at, const Gp& x, std::uint64_t factor) {
    const Gp mixed = number(), by = number();
    a_.mov(mixed, x);
    a_.xor_(mixed, sized(at, 8));
    a_.mov(by, asmjit::Imm(factor));
    a_.imul(mixed, by);
    store_pointer(at, mixed);
  }

  // ---------------------------------------------------------------- arithmetic

  /// The largest width.
  std::uint32_t lanes() const { return 2u << level_; }
  /// How many numbers the operations below take at once, and load() and store(): 1 or lanes().
  void set_width(std::uint32_t width) { width_ = width; }

  /// to = x op y; y may be a constant.
  template <class Y>
  void add(const Real& to, const Real& x, const Y& y) { three(kAdd, to, x, y); }
  template <class Y>
  void subtract(const Real& to, const Real& x, const Y& y) { three(kSubtract, to, x, y); }
  template <class Y>
  void multiply(const Real& to, const Real& x, const Y& y) { three(kMultiply, to, x, y); }
  template <class Y>
  void divide(const Real& to, const Real& x, const Y& y) { three(kDivide, to, x, y); }
  void sqrt(const Real& to, const Real& x) { has_avx() ? emit(kSqrt, to, x, x) : emit(kSqrt, to, x); }
  /// Flips the sign bit.
  void negate(const Real& to, const Real& x) {
    constexpr std::uint64_t kSigns[2] = {std::uint64_t{1} << 63, std::uint64_t{1} << 63};
    three(kXor, to, x, pooled(kSigns, sizeof kSigns));
  }
  /// slope = 0 where v is 0. Overwrites real().
  void zero_at(const Real& v, const Real& slope) {
    const Real mask = real();
    constexpr int kNotEqual = 4;
    set_zero(mask);
    has_avx() ? emit(kCompare, mask, mask, v, kNotEqual) : emit(kCompare, mask, v, kNotEqual);
    three(kAnd, slope, slope, mask);
  }
  void to_real(const Real& to, const Gp& x) { convert(to, x.r32()); }

  /// sum += x y and sum -= x y, rounded once where the instruction set can. Overwrites real().
  void add_product(const Real& sum, const Real& x, const Real& y) {
    has_avx() ? emit(kAddProduct, sum, x, y) : add(sum, sum, product(x, y));
  }
  void subtract_product(const Real& sum, const Real& x, const Real& y) {
    has_avx() ? emit(kSubtractProduct, sum, x, y) : subtract(sum, sum, product(x, y));
  }
  /// to = p x and sum += p x for the one number p in memory, whatever the width. Overwrite real().
  void times(const Real& to, const Real& x, const Place& p) {
    level_ == kAvx512 ? emit(kMultiply, to, x, sized(p, 8)._1to8()) : three(kMultiply, to, x, broadcast(p));
  }
  void add_times(const Real& sum, const Real& x, const Place& p) {
    level_ == kAvx512 ? emit(kAddProduct, sum, x, sized(p, 8)._1to8()) : add_product(sum, broadcast(p), x);
  }
  /// Ends the use of widths above 1: other code may use the lower parts of registers without clearing the upper ones.
  void end_lanes() {
    width_ = 1;
    if (has_avx()) a_.vzeroupper();
  }

  // ---------------------------------------------------------------- jumps

  void jump(const Label& to) { a_.jmp(to); }
  void jump_if_zero(const Gp& x, const Label& to) { a_.test(x.r32(), x.r32()), a_.jz(to); }
  void jump_unless_zero(const Gp& x, const Label& to) { a_.test(x.r32(), x.r32()), a_.jnz(to); }
  void jump_unless_negative(const Gp& x, const Label& to) { a_.test(x.r32(), x.r32()), a_.jns(to); }
  void jump_if(const Gp& x, std::int32_t value, const Label& to) { a_.cmp(x.r32(), value), a_.je(to); }
  void jump_unless(const Gp& x, std::int32_t value, const Label& to) { a_.cmp(x.r32(), value), a_.jne(to); }
  void jump_if_equal(const Gp& x, const Place& y, const Label& to) { a_.cmp(x.r32(), sized(y, 4)), a_.je(to); }
  void jump_unless_int(const Place& x, std::int32_t value, const Label& to) { a_.cmp(sized(x, 4), value), a_.jne(to); }
  void jump_if_byte(const Place& x, int value, const Label& to) { a_.cmp(sized(x, 1), value), a_.je(to); }
  void jump_unless_byte(const Place& x, int value, const Label& to) { a_.cmp(sized(x, 1), value), a_.jne(to); }
  /// Compares unsigned numbers.
  void jump_unless_below(const Gp& x, const Gp& y, const Label& to) { a_.cmp(x.r32(), y.r32()), a_.jae(to); }

  // ---------------------------------------------------------------- comparisons: compare(), then one of the functions that use the result

  /// For any condition but Less and LessOrEqual, whose operands are exchanged (mirrored()). False if a number is a NaN, except NotEqual.
  template <class Y>
  void compare(const Real& x, const Y& y) { emit(kOrder, x, y); }
  /// Jumps if the condition is `when`.
  void jump_compared(Condition c, bool when, const Label& to) {
    if (is_equality(c)) return jump_equality((c == Condition::Equal) == when, to);
    if (c == Condition::Greater) when ? a_.ja(to) : a_.jbe(to);
    else when ? a_.jae(to) : a_.jb(to);
  }
  /// 1 or 0, in 64 bits.
  Gp compared(Condition c) {
    const Gp yes = number(), other = number();
    if (is_equality(c)) {
      const bool equal = c == Condition::Equal;
      equal ? a_.sete(yes.r8()) : a_.setne(yes.r8());
      equal ? a_.setnp(other.r8()) : a_.setp(other.r8());
      equal ? a_.and_(yes.r8(), other.r8()) : a_.or_(yes.r8(), other.r8());
    } else if (c == Condition::Greater) {
      a_.seta(yes.r8());
    } else {
      a_.setae(yes.r8());
    }
    a_.movzx(yes.r32(), yes.r8());
    return yes;
  }
  template <class Y>
  void compare_ints(const Gp& x, const Y& y) { a_.cmp(x.r32(), low(y)); }
  void jump_compared_ints(Condition c, const Label& to) { a_.j(int_code(c), to); }
  void set_compared_ints(const Gp& to, Condition c) {
    const Gp yes = number();
    a_.set(int_code(c), yes.r8());
    a_.movzx(to.r32(), yes.r8());
  }

  // ---------------------------------------------------------------- functions of straight code

  /// Free for intermediate results; functions take their first number in free() and return theirs there.
  Real free() const { return lane_register(0); }
  static constexpr x86::Xmm kOther = x86::xmm1;
  static constexpr Gp kNumber = x86::rax, kPointer = x86::rax;
  /// The registers that an allocator hands out, by the width.
  std::uint32_t held_count() const { return width_ > 1 && level_ == kAvx512 ? 30 : 14; }
  Real held(std::uint32_t k) const { return lane_register(2 + k); }
  /// Registers that calls preserve, and those of arguments.
  static constexpr Gp kKept[] = {x86::rbx, x86::r12, x86::r13, x86::r14, x86::r15};
  static constexpr Gp kArgument[] = {x86::rdi, x86::rsi, x86::rdx, x86::rcx};

  /// Saves the first of kKept, an odd number of them: with the return address the stack is aligned.
  void enter(std::size_t kept) {
    for (std::size_t k = 0; k < kept; ++k) a_.push(kKept[k]);
  }
  void leave(std::size_t kept) {
    for (std::size_t k = kept; k-- > 0;) a_.pop(kKept[k]);
    a_.ret();
  }
  void call(const void* function) {
    set_pointer(x86::rax, function);
    a_.call(x86::rax);
  }
  void set_result(std::uint32_t value) { value == 0 ? set_zero(x86::rax) : set(x86::rax, static_cast<std::int32_t>(value)); }
  /// Tests the bool that a function returned.
  void jump_if_false(const Label& to) { a_.test(x86::al, x86::al), a_.jz(to); }

  // ---------------------------------------------------------------- functions of the compiler

  void prepare_function(asmjit::FuncNode& f) const {
    if (has_avx()) f.frame().setAvxEnabled();
  }
  static void prepare_call(asmjit::InvokeNode&) {}

 protected:
  x86::Emitter& a_;

 private:
  using Id = x86::Inst::Id;
  /// The instruction sets in the order of FERMIAC_FOR_ISAS.
  enum Level : std::uint8_t { kSse2, kAvx2, kAvx512 };
  /// Instructions for one number and for several.
  struct Forms {
    std::array<Id, 2> sse, avx;
  };
  static constexpr Forms kMove = {{Id::kIdMovsd, Id::kIdMovupd}, {Id::kIdVmovsd, Id::kIdVmovupd}};
  static constexpr Forms kCopy = {{Id::kIdMovapd, Id::kIdMovapd}, {Id::kIdVmovapd, Id::kIdVmovapd}};
  static constexpr Forms kAdd = {{Id::kIdAddsd, Id::kIdAddpd}, {Id::kIdVaddsd, Id::kIdVaddpd}};
  static constexpr Forms kSubtract = {{Id::kIdSubsd, Id::kIdSubpd}, {Id::kIdVsubsd, Id::kIdVsubpd}};
  static constexpr Forms kMultiply = {{Id::kIdMulsd, Id::kIdMulpd}, {Id::kIdVmulsd, Id::kIdVmulpd}};
  static constexpr Forms kDivide = {{Id::kIdDivsd, Id::kIdDivpd}, {Id::kIdVdivsd, Id::kIdVdivpd}};
  static constexpr Forms kSqrt = {{Id::kIdSqrtsd, Id::kIdSqrtpd}, {Id::kIdVsqrtsd, Id::kIdVsqrtpd}};
  static constexpr Forms kXor = {{Id::kIdXorpd, Id::kIdXorpd}, {Id::kIdVxorpd, Id::kIdVxorpd}};
  static constexpr Forms kAnd = {{Id::kIdAndpd, Id::kIdAndpd}, {Id::kIdVandpd, Id::kIdVandpd}};
  static constexpr Forms kCompare = {{Id::kIdCmpsd, Id::kIdCmppd}, {Id::kIdVcmpsd, Id::kIdVcmppd}};
  static constexpr Forms kOrder = {{Id::kIdUcomisd, Id::kIdUcomisd}, {Id::kIdVucomisd, Id::kIdVucomisd}};
  static constexpr Forms kAddProduct = {{}, {Id::kIdVfmadd231sd, Id::kIdVfmadd231pd}};
  static constexpr Forms kSubtractProduct = {{}, {Id::kIdVfnmadd231sd, Id::kIdVfnmadd231pd}};

  bool has_avx() const { return level_ != kSse2; }
  template <class... Operands>
  void emit(const Forms& forms, const Operands&... operands) {
    a_.emit((has_avx() ? forms.avx : forms.sse)[width_ > 1], operands...);
  }
  template <class Y>
  void three(const Forms& forms, const Real& to, const Real& x, const Y& y) {
    if (has_avx()) return emit(forms, to, x, y);
    const bool in_place = to.id() == x.id() || !y.isReg() || y.id() != to.id();
    const Real work = in_place ? to : real();
    if (work.id() != x.id()) copy(work, x);
    emit(forms, work, y);
    if (!in_place) copy(to, work);
  }
  /// In a register that is free without AVX.
  Real product(const Real& x, const Real& y) {
    const Real work = real();
    three(kMultiply, work, x, y);
    return work;
  }
  Real broadcast(const Place& p) {
    const Real all = real();
    if (has_avx()) return a_.emit(Id::kIdVbroadcastsd, all, sized(p, 8)), all;
    a_.emit(Id::kIdMovsd, all, sized(p, 8));
    a_.emit(Id::kIdUnpcklpd, all, all);
    return all;
  }
  Real lane_register(std::uint32_t id) const {
    if (width_ == 8) return x86::zmm(id);
    if (width_ == 4) return x86::ymm(id);
    return x86::xmm(id);
  }
  /// The conversion keeps the upper half; clearing it avoids waiting for it.
  template <class X>
  void convert(const Real& to, const X& x) {
    set_zero(to);
    has_avx() ? a_.emit(Id::kIdVcvtsi2sd, to, to, x) : a_.emit(Id::kIdCvtsi2sd, to, x);
  }
  template <class Y>
  void binary_int(Id id, const Gp& to, const Gp& x, const Y& y) {
    const bool in_place = to.id() == x.id();
    const Gp work = in_place ? to : number();
    if (!in_place) copy(work, x);
    a_.emit(id, work.r32(), low(y));
    if (!in_place) copy(to, work);
  }
  static Gp low(const Gp& x) { return x.r32(); }
  static asmjit::Imm low(const asmjit::Imm& x) { return x; }

  static bool is_equality(Condition c) { return c == Condition::Equal || c == Condition::NotEqual; }
  void jump_equality(bool equal, const Label& to) {
    if (!equal) return a_.jne(to), void(a_.jp(to));
    const Label no = a_.newLabel();
    a_.jp(no);
    a_.je(to);
    a_.bind(no);
  }
  static x86::CondCode int_code(Condition c) {
    constexpr x86::CondCode kCodes[] = {x86::CondCode::kSignedLT, x86::CondCode::kSignedLE, x86::CondCode::kSignedGT,
                                        x86::CondCode::kSignedGE, x86::CondCode::kEqual,    x86::CondCode::kNotEqual};
    return kCodes[static_cast<int>(c)];
  }
  Place real_at(const Place& p) const { return sized(p, 8 * width_); }
  static Place sized(Place p, std::uint32_t bytes) {
    p.setSize(bytes);
    return p;
  }

  const Level level_ = static_cast<Level>(active_isa_place());
  std::uint32_t width_ = 1;
};

}  // namespace fermiac::jit
