// Encodings for x86-64. Every virtual register of the code is one of asmjit's, whose allocator finds places for them. Reals are
// numbers here; emit_traced.h has those that carry derivatives.
#pragma once

#include <asmjit/x86.h>

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "codegen/runtime/native.h"
#include "interp/jit/emit.h"

namespace fermiac::jit {

namespace x86 = asmjit::x86;

/// Where the numbers of a container lie, in registers.
struct ViewRegisters {
  x86::Gp numbers, kind;
  std::array<x86::Gp, 5> sizes;
  bool known = false;
};

inline constexpr int kRows = 0, kCols = 1;

class Emitter {
 public:
  Emitter(const Code& code, const Helpers& helpers, asmjit::CodeHolder& holder, MachineCode& out)
      : code_(code), helpers_(helpers), cc_(&holder), out_(out) {}

  virtual ~Emitter() = default;
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;

  void run() {
    begin();
    for (const Instruction& i : code_.instructions) instruction(i);
    end();
  }
  asmjit::Error finish() { return cc_.finalize(); }

 protected:
  // ---------------------------------------------------------------- frame of the code

  virtual void begin() {
    asmjit::FuncNode* const f = cc_.addFunc(asmjit::FuncSignatureT<std::uint32_t, void*>(asmjit::CallConvId::kHost));
    context_ = cc_.newUIntPtr();
    f->setArg(0, context_);
    slots_ = cc_.newUIntPtr();
    site_ = cc_.newUIntPtr();
    stop_ = cc_.newUIntPtr();
    cc_.mov(slots_, field(offsetof(Context, slots)));
    cc_.mov(site_, field(offsetof(Context, site)));
    cc_.mov(stop_, field(offsetof(Context, stop)));
    for (const RegisterKind kind : code_.registers) registers_.push_back(kind == RegisterKind::Real ? x86::Reg(cc_.newXmmSd()) : x86::Reg(cc_.newInt64()));
    for (std::uint32_t k = 0; k < code_.labels; ++k) labels_.push_back(cc_.newLabel());
    views_.resize(code_.views.size());
    arguments_ = cc_.newStack(kArgumentBytes, 16);
    failed_ = cc_.newLabel();
  }

  /// The code is left by `Exit`; behind it stands what runs seldom.
  void end() {
    for (std::size_t k = 0; k < seldom_.size(); ++k) seldom_[k]();
    cc_.bind(failed_);
    const x86::Gp status = cc_.newUInt32();
    cc_.mov(status, kFailed);
    cc_.ret(status);
    cc_.endFunc();
  }

  x86::Mem field(std::size_t offset, std::uint32_t size = 8) const { return x86::Mem(context_, static_cast<std::int32_t>(offset), size); }

  // ---------------------------------------------------------------- operands

  x86::Xmm real(Operand x) {
    if (x.is_reg()) return registers_[x.index()].as<x86::Xmm>();
    const x86::Xmm to = cc_.newXmmSd();
    cc_.movsd(to, constant(x));
    return to;
  }
  x86::Mem constant(Operand x) { return cc_.newDoubleConst(asmjit::ConstPoolScope::kLocal, code_.reals[x.index()]); }
  std::int32_t int_value(Operand x) const { return code_.ints[x.index()]; }
  x86::Gp wide(Operand x) const { return registers_[x.index()].as<x86::Gp>(); }
  x86::Gp integer(Operand x) {
    if (x.is_reg()) return wide(x).r32();
    const x86::Gp to = cc_.newInt64();
    cc_.mov(to.r32(), int_value(x));
    return to.r32();
  }
  void set_int(Operand to, Operand x) {
    if (x.is_reg()) cc_.mov(wide(to).r32(), wide(x).r32());
    else cc_.mov(wide(to).r32(), int_value(x));
  }
  void set_real(const x86::Xmm& to, Operand x) {
    if (x.is_reg()) cc_.movapd(to, real(x));
    else cc_.movsd(to, constant(x));
  }

  /// The second operand of an instruction of reals: a register, or a constant in memory.
  template <class F>
  void with_real(Operand x, F f) {
    if (x.is_reg()) f(real(x));
    else f(constant(x));
  }
  template <class F>
  void with_int(Operand x, F f) {
    if (x.is_reg()) f(wide(x).r32());
    else f(asmjit::Imm(int_value(x)));
  }

  // ---------------------------------------------------------------- arithmetic

  /// to = a OP b, where `to` may be b.
  void binary(const Instruction& i, asmjit::InstId op) {
    const x86::Xmm to = real(i.to);
    const bool in_place = !(i.to == i.b);
    const x86::Xmm work = in_place ? to : cc_.newXmmSd();
    set_real(work, i.a);
    with_real(i.b, [&](const auto& b) { cc_.emit(op, work, b); });
    if (!in_place) cc_.movapd(to, work);
  }
  void binary_int(const Instruction& i, asmjit::InstId op) {
    const x86::Gp work = cc_.newInt64();
    if (i.a.is_reg()) cc_.mov(work.r32(), wide(i.a).r32());
    else cc_.mov(work.r32(), int_value(i.a));
    with_int(i.b, [&](const auto& b) { cc_.emit(op, work.r32(), b); });
    cc_.mov(wide(i.to).r32(), work.r32());
  }
  void multiply_int(const Instruction& i) {
    const x86::Gp work = cc_.newInt64();
    cc_.mov(work.r32(), integer(i.a));
    cc_.imul(work.r32(), integer(i.b));
    cc_.mov(wide(i.to).r32(), work.r32());
  }
  /// In 64 bits, where the least int divided by -1 fits.
  void divide_int(const Instruction& i, bool remainder) {
    const x86::Gp low = cc_.newInt64(), high = cc_.newInt64(), divisor = cc_.newInt64();
    cc_.movsxd(divisor, integer(i.b));
    cc_.test(divisor, divisor);
    cc_.jz(check(remainder ? Check::Kind::Modulus : Check::Kind::Division, 0, i.site));
    cc_.movsxd(low, integer(i.a));
    cc_.cqo(high, low);
    cc_.idiv(high, low, divisor);
    cc_.mov(wide(i.to).r32(), (remainder ? high : low).r32());
  }
  void negate_int(const Instruction& i) {
    const x86::Gp work = cc_.newInt64();
    cc_.mov(work.r32(), integer(i.a));
    cc_.neg(work.r32());
    cc_.mov(wide(i.to).r32(), work.r32());
  }
  /// The sign bit flipped.
  void negate(const Instruction& i) {
    const x86::Xmm work = cc_.newXmmSd();
    set_real(work, i.a);
    constexpr std::uint64_t kSigns[2] = {std::uint64_t{1} << 63, std::uint64_t{1} << 63};
    cc_.xorpd(work, cc_.newConst(asmjit::ConstPoolScope::kLocal, kSigns, sizeof kSigns));
    cc_.movapd(real(i.to), work);
  }
  void to_real(const Instruction& i) {
    const x86::Xmm work = cc_.newXmmSd();
    cc_.xorps(work, work);  // the conversion keeps the upper half: no waiting for it
    cc_.cvtsi2sd(work, integer(i.a));
    cc_.movapd(real(i.to), work);
  }

  // ---------------------------------------------------------------- comparisons

  /// Compares so that `above` means that the condition holds, whatever operands are no numbers.
  void compare(const Instruction& i) {
    const bool swapped = i.condition == Condition::Less || i.condition == Condition::LessOrEqual;
    const Operand x = swapped ? i.b : i.a, y = swapped ? i.a : i.b;
    const x86::Xmm left = real(x);
    with_real(y, [&](const auto& right) { cc_.ucomisd(left, right); });
  }
  static bool is_strict(Condition c) { return c == Condition::Less || c == Condition::Greater; }

  void jump_if(const Instruction& i, bool when) {
    compare(i);
    const asmjit::Label to = labels_[i.at];
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
  void jump_if_equal(const asmjit::Label& to) {
    const asmjit::Label no = cc_.newLabel();
    cc_.jp(no);
    cc_.je(to);
    cc_.bind(no);
  }
  void test(const Instruction& i) { cc_.mov(wide(i.to).r32(), outcome(i).r32()); }
  /// 1 or 0.
  x86::Gp outcome(const Instruction& i) {
    const x86::Gp yes = cc_.newInt64(), other = cc_.newInt64();
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

  static x86::CondCode condition_code(Condition c) {
    constexpr x86::CondCode kCodes[] = {x86::CondCode::kSignedLT, x86::CondCode::kSignedLE, x86::CondCode::kSignedGT,
                                        x86::CondCode::kSignedGE, x86::CondCode::kEqual,    x86::CondCode::kNotEqual};
    return kCodes[static_cast<int>(c)];
  }
  void compare_ints(const Instruction& i) {
    const x86::Gp left = integer(i.a);
    with_int(i.b, [&](const auto& right) { cc_.cmp(left, right); });
  }
  void jump_if_int(const Instruction& i) {
    compare_ints(i);
    cc_.j(condition_code(i.condition), labels_[i.at]);
  }
  void test_int(const Instruction& i) {
    const x86::Gp yes = cc_.newInt64();
    compare_ints(i);
    cc_.set(condition_code(i.condition), yes.r8());
    cc_.movzx(wide(i.to).r32(), yes.r8());
  }

  // ---------------------------------------------------------------- slots

  x86::Mem slot_kind(std::uint32_t slot) const { return x86::Mem(slots_, static_cast<std::int32_t>(slot * sizeof(Slot)), 1); }
  x86::Mem slot_number(std::uint32_t slot, std::uint32_t size) const {
    return x86::Mem(slots_, static_cast<std::int32_t>(slot * sizeof(Slot) + offsetof(Slot, r)), size);
  }

  /// A real variable may hold an int, as an argument does.
  void load_real(const Instruction& i) {
    const asmjit::Label done = cc_.newLabel(), is_int = cc_.newLabel();
    const x86::Xmm to = real(i.to);
    cc_.cmp(slot_kind(i.at), native::kInt);
    cc_.je(is_int);
    cc_.movsd(to, slot_number(i.at, 8));
    cc_.jmp(done);
    cc_.bind(is_int);
    cc_.xorps(to, to);
    cc_.cvtsi2sd(to, slot_number(i.at, 4));
    cc_.bind(done);
  }
  void store(x86::Mem kind, x86::Mem number, const Instruction& i, bool is_real) {
    cc_.mov(kind, is_real ? native::kReal : native::kInt);
    if (is_real) cc_.movsd(number, real(i.a));
    else cc_.mov(number, integer(i.a));
  }
  void store_slot(const Instruction& i, bool is_real) { store(slot_kind(i.at), slot_number(i.at, is_real ? 8 : 4), i, is_real); }
  void store_result(const Instruction& i, bool is_real) {
    const x86::Gp at = cc_.newUIntPtr();
    cc_.mov(at, field(offsetof(Context, result)));
    store(x86::Mem(at, 0, 1), x86::Mem(at, offsetof(Slot, r), is_real ? 8 : 4), i, is_real);
  }

  // ---------------------------------------------------------------- containers

  static x86::Mem shape(const x86::Gp& box, std::size_t member) {
    return x86::Mem(box, static_cast<std::int32_t>(offsetof(native::Box, shape) + member), 4);
  }

  void view(const Instruction& i) {
    const View& v = code_.views[i.at];
    ViewRegisters& at = views_[i.at];
    if (!at.known) make_view(v, at);
    const x86::Gp box = cc_.newUIntPtr();
    const asmjit::Label opened = cc_.newLabel();
    const asmjit::Label empty = seldom([this, i, opened] { close(i.at), cc_.jmp(opened); });
    check_kind(v, at, empty);
    cc_.mov(box, slot_number(v.slot, 8));
    if (v.writes) own(v, box, i.site);
    look(v, at, box);
    cc_.bind(opened);
  }
  virtual void check_kind(const View& v, ViewRegisters&, const asmjit::Label& empty) {
    cc_.cmp(slot_kind(v.slot), v.ints ? native::kInts : native::kReals);
    cc_.jne(empty);
  }
  /// No index is in range.
  void close(std::uint32_t number) {
    const View& v = code_.views[number];
    const ViewRegisters& at = views_[number];
    cc_.xor_(at.numbers.r32(), at.numbers.r32());
    for (int k = 0; k < v.rank + v.inner; ++k) cc_.xor_(at.sizes[k].r32(), at.sizes[k].r32());
  }
  void make_view(const View& v, ViewRegisters& at) {
    at.known = true;
    at.numbers = cc_.newUIntPtr();
    at.kind = cc_.newUInt64();
    for (int k = 0; k < v.rank + v.inner; ++k) at.sizes[k] = cc_.newUInt64();
  }
  void look(const View& v, ViewRegisters& at, const x86::Gp& box) {
    cc_.mov(at.numbers, x86::Mem(box, offsetof(native::Box, numbers), 8));
    sizes(v, at, box);
  }
  void sizes(const View& v, ViewRegisters& at, const x86::Gp& box) {
    for (int k = 0; k < v.rank; ++k) cc_.mov(at.sizes[k].r32(), shape(box, offsetof(native::Shape, dims) + 4 * static_cast<std::size_t>(k)));
    if (v.inner == 0) return;
    cc_.mov(at.sizes[v.rank + kRows].r32(), shape(box, offsetof(native::Shape, rows)));
    if (v.inner == 1) cc_.imul(at.sizes[v.rank].r32(), shape(box, offsetof(native::Shape, cols)));
    else cc_.mov(at.sizes[v.rank + kCols].r32(), shape(box, offsetof(native::Shape, cols)));
  }
  /// One owner from here on.
  void own(const View& v, const x86::Gp& box, std::uint32_t site) {
    const asmjit::Label owned = cc_.newLabel();
    const std::uint32_t slot = v.slot;
    cc_.cmp(x86::Mem(box, offsetof(native::Box, owners), 4), 1);
    cc_.jne(seldom([this, owned, slot, box, site] {
      const x86::Gp container = cc_.newUIntPtr();
      cc_.lea(container, slot_kind(slot));
      helper(helpers_.unshare, container, site);
      cc_.mov(box, slot_number(slot, 8));
      cc_.jmp(owned);
    }));
    cc_.bind(owned);
  }

  /// An index from 1 as an offset from 0, below the size.
  x86::Gp checked(const View& v, Operand index, const x86::Gp& size, std::uint32_t site) {
    const x86::Gp at = cc_.newUInt64();
    if (index.is_reg()) cc_.lea(at.r32(), x86::ptr(wide(index), -1));
    else cc_.mov(at.r32(), int_value(index) - 1);
    cc_.cmp(at.r32(), size.r32());
    cc_.jae(check(Check::Kind::Index, v.name, site, at, size));
    return at;
  }
  void scale(x86::Gp& offset, const x86::Gp& size, const x86::Gp& plus) {
    cc_.imul(offset.r32(), size.r32());
    cc_.add(offset.r32(), plus.r32());
  }
  x86::Gp offset(const Instruction& i) {
    const View& v = code_.views[i.at];
    const ViewRegisters& at = views_[i.at];
    const Operand* const index = &code_.lists[i.first];
    x86::Gp out;
    const auto next = [&](const x86::Gp& offset, const x86::Gp& size) {
      if (!out.isValid()) out = offset;
      else scale(out, size, offset);
    };
    const int lines = v.rank + (v.inner == 1 ? 1 : 0);
    for (int k = 0; k < lines; ++k) next(checked(v, index[k], at.sizes[k], i.site), at.sizes[k]);
    if (v.inner != 2) return out;
    const x86::Gp row = checked(v, index[v.rank], at.sizes[v.rank + kRows], i.site);
    next(checked(v, index[v.rank + 1], at.sizes[v.rank + kCols], i.site), at.sizes[v.rank + kCols]);
    scale(out, at.sizes[v.rank + kRows], row);  // columns lie one behind the other
    return out;
  }
  x86::Mem number(const Instruction& i, std::uint32_t shift) {
    x86::Mem m = x86::ptr(views_[i.at].numbers, offset(i), shift);
    m.setSize(1u << shift);
    return m;
  }

  // ---------------------------------------------------------------- calls

  /// In a helper that is no part of a statement.
  static constexpr std::uint32_t kSameSite = 0xffffffff;
  void set_site(std::uint32_t site) {
    if (site != kSameSite) cc_.mov(x86::Mem(site_, 0, 4), site);
  }
  asmjit::InvokeNode* invoke(const void* function, const asmjit::FuncSignature& signature) {
    asmjit::InvokeNode* node = nullptr;
    const x86::Gp at = cc_.newUIntPtr();
    cc_.mov(at, asmjit::Imm(reinterpret_cast<std::uintptr_t>(function)));
    cc_.invoke(&node, at, signature);
    return node;
  }
  /// A helper of the context and something else that gives a status; goes on where it is 0.
  template <class F, class What>
  void helper(F* function, const What& what, std::uint32_t site) {
    set_site(site);
    asmjit::InvokeNode* const call = invoke(reinterpret_cast<const void*>(function), asmjit::FuncSignatureT<std::uint32_t, void*, void*>(asmjit::CallConvId::kHost));
    call->setArg(0, context_);
    call->setArg(1, what);
    unless_failed(call);
  }
  template <class F>
  void helper(F* function, const void* what, const x86::Gp& arguments, std::uint32_t site) {
    set_site(site);
    asmjit::InvokeNode* const call = invoke(reinterpret_cast<const void*>(function), asmjit::FuncSignatureT<std::uint32_t, void*, void*, void*>(asmjit::CallConvId::kHost));
    call->setArg(0, context_);
    call->setArg(1, address(what));
    call->setArg(2, arguments);
    unless_failed(call);
  }
  static asmjit::Imm address(const void* at) { return asmjit::Imm(reinterpret_cast<std::uintptr_t>(at)); }
  void unless_failed(asmjit::InvokeNode* call) {
    const x86::Gp status = cc_.newUInt32();
    call->setRet(0, status);
    cc_.test(status, status);
    cc_.jnz(failed_);
  }
  void take_real(Operand to) { cc_.movsd(real(to), field(offsetof(Context, real))); }
  void take_int(Operand to) { cc_.mov(wide(to).r32(), field(offsetof(Context, integer), 4)); }

  /// Where helpers find the operands of a call.
  x86::Gp arguments() {
    const x86::Gp at = cc_.newUIntPtr();
    cc_.lea(at, arguments_);
    return at;
  }
  x86::Mem argument(std::size_t offset, std::uint32_t size) {
    x86::Mem m = arguments_.cloneAdjusted(static_cast<std::int64_t>(offset));
    m.setSize(size);
    return m;
  }
  void put_numbers(const Instruction& i) {
    for (std::uint32_t k = 0; k < i.count; ++k) cc_.movsd(argument(8 * k, 8), real(code_.lists[i.first + k]));
  }
  /// Of a map that cannot fail.
  void map(const Instruction& i) {
    put_numbers(i);
    const x86::Gp x = arguments();
    asmjit::InvokeNode* const call = invoke(helpers_.map_function(i.pointer), asmjit::FuncSignatureT<double, void*, std::uint32_t>(asmjit::CallConvId::kHost));
    call->setArg(0, x);
    call->setArg(1, asmjit::Imm(helpers_.all_terms));
    call->setRet(0, real(i.to));
  }
  void checked_map(const Instruction& i) {
    put_numbers(i);
    helper(helpers_.map, i.pointer, arguments(), i.site);
    take_real(i.to);
  }
  void target(const Instruction& i) {
    put_numbers(i);
    helper(helpers_.target, i.pointer, arguments(), i.site);
  }
  bool is_real(Operand x) const { return x.is_real_constant() || (x.is_reg() && code_.registers[x.index()] == RegisterKind::Real); }

  virtual void put_argument(std::size_t at, Operand x) {
    cc_.mov(argument(at, 1), is_real(x) ? native::kReal : native::kInt);
    if (is_real(x)) cc_.movsd(argument(at + offsetof(Slot, r), 8), real(x));
    else cc_.mov(argument(at + offsetof(Slot, i), 4), integer(x));
  }
  void call(const Instruction& i) {
    for (std::uint32_t k = 0; k < i.count; ++k) put_argument(sizeof(Slot) * k, code_.lists[i.first + k]);
    helper(helpers_.call, i.pointer, arguments(), i.site);
    if (i.to.is_none()) return;
    if (is_real(i.to)) take_real(i.to);
    else take_int(i.to);
  }

  // ---------------------------------------------------------------- what runs seldom

  /// Where code stands that runs seldom: behind everything else.
  template <class F>
  asmjit::Label seldom(F f) {
    const asmjit::Label at = cc_.newLabel();
    seldom_.emplace_back([this, at, f] {
      cc_.bind(at);
      f();
    });
    return at;
  }
  asmjit::Label check(Check::Kind kind, std::uint32_t name, std::uint32_t site, x86::Gp offset = {}, x86::Gp size = {}) {
    out_.checks.push_back({kind, name, site});
    const auto number = static_cast<std::uint32_t>(out_.checks.size());
    return seldom([this, number, offset, size] {
      cc_.mov(field(offsetof(Context, check), 4), number);
      if (offset.isValid()) cc_.mov(field(offsetof(Context, offset), 4), offset.r32());
      if (size.isValid()) cc_.mov(field(offsetof(Context, size), 4), size.r32());
      cc_.jmp(failed_);
    });
  }

  void poll() {
    cc_.cmp(x86::Mem(stop_, 0, 1), 0);
    cc_.jne(check(Check::Kind::Stop, 0, 0));
  }
  void exit(std::uint32_t flow) {
    const x86::Gp status = cc_.newUInt32();
    cc_.mov(status, flow);
    cc_.ret(status);
  }

  virtual void instruction(const Instruction& i) {
    switch (i.op) {
      case Op::Move: return set_real(real(i.to), i.a);
      case Op::MoveInt: return set_int(i.to, i.a);
      case Op::Add: return binary(i, x86::Inst::kIdAddsd);
      case Op::Subtract: return binary(i, x86::Inst::kIdSubsd);
      case Op::Multiply: return binary(i, x86::Inst::kIdMulsd);
      case Op::Divide: return binary(i, x86::Inst::kIdDivsd);
      case Op::Negate: return negate(i);
      case Op::Sqrt: return with_real(i.a, [&](const auto& a) { cc_.sqrtsd(real(i.to), a); });
      case Op::AddInt: return binary_int(i, x86::Inst::kIdAdd);
      case Op::SubtractInt: return binary_int(i, x86::Inst::kIdSub);
      case Op::MultiplyInt: return multiply_int(i);
      case Op::DivideInt: return divide_int(i, false);
      case Op::ModulusInt: return divide_int(i, true);
      case Op::NegateInt: return negate_int(i);
      case Op::ToReal: return to_real(i);
      case Op::Test: return test(i);
      case Op::TestInt: return test_int(i);
      case Op::Label: cc_.bind(labels_[i.at]); return;
      case Op::Jump: cc_.jmp(labels_[i.at]); return;
      case Op::JumpIf: return jump_if(i, true);
      case Op::JumpUnless: return jump_if(i, false);
      case Op::JumpIfInt: return jump_if_int(i);
      case Op::Poll: return poll();
      case Op::LoadReal: return load_real(i);
      case Op::LoadInt: cc_.mov(wide(i.to).r32(), slot_number(i.at, 4)); return;
      case Op::StoreReal: return store_slot(i, true);
      case Op::StoreInt: return store_slot(i, false);
      case Op::View: return view(i);
      case Op::Element: cc_.movsd(real(i.to), number(i, 3)); return;
      case Op::ElementInt: cc_.mov(wide(i.to).r32(), number(i, 2)); return;
      case Op::SetElement: cc_.movsd(number(i, 3), real(i.a)); return;
      case Op::SetElementInt: cc_.mov(number(i, 2), integer(i.a)); return;
      case Op::Map: return map(i);
      case Op::MapChecked: return checked_map(i);
      case Op::Target: return target(i);
      case Op::EvalReal: return helper(helpers_.eval_real, address(i.pointer), i.site), take_real(i.to);
      case Op::EvalInt: return helper(helpers_.eval_int, address(i.pointer), i.site), take_int(i.to);
      case Op::Run: return helper(helpers_.run, address(i.pointer), i.site);
      case Op::Call: return call(i);
      case Op::ResultReal: return store_result(i, true);
      case Op::ResultInt: return store_result(i, false);
      case Op::Exit: return exit(i.at);
    }
  }

  static constexpr std::uint32_t kArgumentBytes = 16 * 8;

  const Code& code_;
  const Helpers& helpers_;
  x86::Compiler cc_;
  MachineCode& out_;
  x86::Gp context_, slots_, site_, stop_;
  x86::Mem arguments_;
  std::vector<x86::Reg> registers_;
  std::vector<asmjit::Label> labels_;
  std::vector<ViewRegisters> views_;
  std::vector<std::function<void()>> seldom_;
  asmjit::Label failed_;
};

}  // namespace fermiac::jit
