// The same for reals that carry derivatives: a number and its reference, native::kNoRef where it carries none. Scalar results
// leave their partials on the trail of the evaluation (autodiff/tape/record/trail.h), comparisons mark the path. Registers to
// which nothing that carries derivatives ever comes have no reference.
#pragma once

#include "interp/jit/emit_x86.h"

namespace fermiac::jit {

class TracedEmitter final : public Emitter {
 public:
  using Emitter::Emitter;

 private:
  static constexpr std::int32_t kNone = -1;  // native::kNoRef

  // ---------------------------------------------------------------- which registers may carry derivatives

  bool may(Operand x) const { return x.is_reg() && may_[x.index()]; }
  bool any_may(const Instruction& i) const {
    for (std::uint32_t k = 0; k < i.count; ++k)
      if (may(code_.lists[i.first + k])) return true;
    return false;
  }
  bool result_may(const Instruction& i) const {
    switch (i.op) {
      case Op::Move: case Op::Add: case Op::Subtract: case Op::Multiply: case Op::Divide: case Op::Negate: case Op::Sqrt:
        return may(i.a) || may(i.b);
      case Op::Element: return code_.views[i.at].traced;
      case Op::Map: case Op::MapChecked: return any_may(i);
      case Op::LoadReal: case Op::EvalReal: return i.traced;
      case Op::Call: return i.traced || any_may(i);
      default: return false;
    }
  }
  void find_traced() {
    may_.assign(code_.registers.size(), false);
    for (bool changed = true; changed;) {
      changed = false;
      for (const Instruction& i : code_.instructions) {
        if (i.to.is_none() || !is_real(i.to) || may(i.to) || !result_may(i)) continue;
        may_[i.to.index()] = changed = true;
      }
    }
  }

  void begin() override {
    Emitter::begin();
    find_traced();
    trail_ = cc_.newUIntPtr();
    cc_.mov(trail_, field(offsetof(Context, trail)));
    for (std::size_t k = 0; k < may_.size(); ++k) refs_.push_back(may_[k] ? cc_.newUInt64() : x86::Gp());
  }

  // ---------------------------------------------------------------- references

  x86::Gp ref(Operand x) const { return refs_[x.index()].r32(); }
  void set_none(Operand to) {
    if (may(to)) cc_.mov(ref(to), kNone);
  }
  /// `to` is no result of its own.
  void same_ref(Operand to, Operand x) {
    if (!may(x)) return set_none(to);
    cc_.mov(ref(to), ref(x));
  }
  void take_ref(Operand to) {
    if (may(to)) cc_.mov(ref(to), field(offsetof(Context, ref), 4));
  }
  x86::Gp copy(const x86::Gp& x) {
    const x86::Gp to = cc_.newUInt64();
    cc_.mov(to.r32(), x);
    return to;
  }
  x86::Mem trail(std::size_t offset, std::uint32_t size) const { return x86::Mem(trail_, static_cast<std::int32_t>(offset), size); }

  /// The number that a reference names. Constants carry no derivatives.
  void number_at(const x86::Gp& ref, const x86::Xmm& number) {
    const x86::Gp pool = copy(ref.r32()), at = copy(ref.r32());
    const asmjit::Label done = cc_.newLabel();
    cc_.shr(pool.r32(), 30);
    cc_.mov(pool, x86::ptr(trail_, pool, 3, offsetof(native::Trail, pools)));
    cc_.and_(at.r32(), 0x3fffffff);
    cc_.movsd(number, x86::ptr(pool, at, 3));
    cc_.test(ref.r32(), ref.r32());
    cc_.jns(done);
    cc_.mov(ref.r32(), kNone);
    cc_.bind(done);
  }

  // ---------------------------------------------------------------- scalar results

  struct Partial {
    x86::Gp ref;
    x86::Xmm d;
  };
  x86::Xmm number(double x) {
    const x86::Xmm to = cc_.newXmmSd();
    cc_.movsd(to, cc_.newDoubleConst(asmjit::ConstPoolScope::kLocal, x));
    return to;
  }
  x86::Xmm copy(const x86::Xmm& x) {
    const x86::Xmm to = cc_.newXmmSd();
    cc_.movapd(to, x);
    return to;
  }

  /// A result on the trail; its reference goes to `to`.
  void step(const x86::Gp& to, const x86::Xmm& value, const Partial& x, const Partial* y) {
    const x86::Gp k = cc_.newUInt64(), at = cc_.newUIntPtr(), results = cc_.newUIntPtr();
    const asmjit::Label room = cc_.newLabel();
    cc_.mov(k.r32(), trail(offsetof(native::Trail, used), 4));
    cc_.cmp(k.r32(), trail(offsetof(native::Trail, room), 4));
    cc_.je(seldom([this, k, room] {
      helper(helpers_.more, asmjit::Imm(0), kSameSite);
      cc_.mov(k.r32(), trail(offsetof(native::Trail, used), 4));
      cc_.jmp(room);
    }));
    cc_.bind(room);
    cc_.mov(at, k);
    cc_.shl(at, 5);
    static_assert(sizeof(native::TrailStep) == 32);
    cc_.add(at, trail(offsetof(native::Trail, steps), 8));
    cc_.mov(to.r32(), trail(offsetof(native::Trail, first), 4));
    cc_.add(to.r32(), k.r32());
    cc_.mov(x86::Mem(at, offsetof(native::TrailStep, d), 4), to.r32());
    cc_.mov(x86::Mem(at, offsetof(native::TrailStep, a), 4), x.ref.r32());
    cc_.movsd(x86::Mem(at, offsetof(native::TrailStep, da), 8), x.d);
    if (y) cc_.mov(x86::Mem(at, offsetof(native::TrailStep, b), 4), y->ref.r32());
    else cc_.mov(x86::Mem(at, offsetof(native::TrailStep, b), 4), kNone);
    if (y) cc_.movsd(x86::Mem(at, offsetof(native::TrailStep, db), 8), y->d);
    cc_.mov(results, trail(offsetof(native::Trail, results), 8));
    cc_.movsd(x86::ptr(results, k, 3), value);
    cc_.add(k.r32(), 1);
    cc_.mov(trail(offsetof(native::Trail, used), 4), k.r32());
  }
  /// Of one operand that may carry derivatives.
  void result(Operand to, const x86::Xmm& value, Operand x, const x86::Xmm& d) {
    const x86::Gp out = cc_.newUInt64();
    const asmjit::Label done = cc_.newLabel();
    cc_.mov(out.r32(), ref(x));
    cc_.cmp(out.r32(), kNone);
    cc_.je(done);
    const x86::Gp a = copy(out.r32());
    step(out, value, {a, d}, nullptr);
    cc_.bind(done);
    cc_.movapd(real(to), value);
    cc_.mov(ref(to), out.r32());
  }
  /// Of two. Where the first does not, the second takes its place.
  void result(Operand to, const x86::Xmm& value, Operand x, const x86::Xmm& dx, Operand y, const x86::Xmm& dy) {
    const x86::Gp out = cc_.newUInt64(), a = copy(ref(x)), b = copy(ref(y));
    const asmjit::Label first = cc_.newLabel(), done = cc_.newLabel();
    cc_.mov(out.r32(), kNone);
    cc_.cmp(a.r32(), kNone);
    cc_.je(seldom([this, a, b, dx, dy, first, done] {
      cc_.cmp(b.r32(), kNone);
      cc_.je(done);
      cc_.mov(a.r32(), b.r32());
      cc_.mov(b.r32(), kNone);
      cc_.movapd(dx, dy);
      cc_.jmp(first);
    }));
    cc_.bind(first);
    const Partial second{b, dy};
    step(out, value, {a, dx}, &second);
    cc_.bind(done);
    cc_.movapd(real(to), value);
    cc_.mov(ref(to), out.r32());
  }

  // ---------------------------------------------------------------- arithmetic

  static asmjit::InstId inst(Op op) {
    switch (op) {
      case Op::Add: return x86::Inst::kIdAddsd;
      case Op::Subtract: return x86::Inst::kIdSubsd;
      case Op::Multiply: return x86::Inst::kIdMulsd;
      default: return x86::Inst::kIdDivsd;
    }
  }
  x86::Xmm value(const Instruction& i) {
    const x86::Xmm v = cc_.newXmmSd();
    set_real(v, i.a);
    with_real(i.b, [&](const auto& b) { cc_.emit(inst(i.op), v, b); });
    return v;
  }
  x86::Xmm partial_of_first(const Instruction& i) {
    if (i.op == Op::Multiply) return operand_copy(i.b);
    const x86::Xmm one = number(1);
    if (i.op == Op::Divide) with_real(i.b, [&](const auto& b) { cc_.divsd(one, b); });
    return one;
  }
  x86::Xmm partial_of_second(const Instruction& i, const x86::Xmm& v) {
    if (i.op == Op::Multiply) return operand_copy(i.a);
    if (i.op != Op::Divide) return number(i.op == Op::Add ? 1 : -1);
    const x86::Xmm d = number(-0.0);
    cc_.xorpd(d, v);
    with_real(i.b, [&](const auto& b) { cc_.divsd(d, b); });
    return d;
  }
  x86::Xmm operand_copy(Operand x) {
    const x86::Xmm to = cc_.newXmmSd();
    set_real(to, x);
    return to;
  }

  void arithmetic(const Instruction& i) {
    if (i.passive || (!may(i.a) && !may(i.b))) return passive(i);
    const x86::Xmm v = value(i);
    if (!may(i.b)) return result(i.to, v, i.a, partial_of_first(i));
    if (!may(i.a)) return result(i.to, v, i.b, partial_of_second(i, v));
    const x86::Xmm dx = partial_of_first(i);
    result(i.to, v, i.a, dx, i.b, partial_of_second(i, v));
  }
  /// The number alone; its reference says no more than that it carries derivatives.
  void passive(const Instruction& i) {
    const x86::Gp mark = cc_.newUInt64();
    const bool marked = may(i.a) || may(i.b);
    if (marked) cc_.mov(mark.r32(), may(i.a) ? ref(i.a) : ref(i.b));
    if (may(i.a) && may(i.b)) {
      cc_.cmp(mark.r32(), ref(i.b));
      cc_.cmova(mark.r32(), ref(i.b));
    }
    Emitter::instruction(i);
    if (!may(i.to)) return;
    if (marked) cc_.mov(ref(i.to), mark.r32());
    else set_none(i.to);
  }
  void unary(const Instruction& i) {
    if (i.passive || !may(i.a)) return passive(i);
    const x86::Xmm v = cc_.newXmmSd();
    if (i.op == Op::Sqrt) {
      cc_.sqrtsd(v, real(i.a));
      const x86::Xmm d = number(0.5);
      cc_.divsd(d, v);
      return result(i.to, v, i.a, d);
    }
    cc_.movsd(v, cc_.newDoubleConst(asmjit::ConstPoolScope::kLocal, -0.0));
    cc_.xorpd(v, real(i.a));
    result(i.to, v, i.a, number(-1));
  }

  // ---------------------------------------------------------------- comparisons

  /// The path goes on by the outcome, if an operand carries derivatives.
  void mark_path(const Instruction& i, const x86::Gp& outcome) {
    if (!may(i.a) && !may(i.b)) return;
    const x86::Gp carries = copy(may(i.a) ? ref(i.a) : ref(i.b)), path = cc_.newUIntPtr(), hash = cc_.newUInt64(), prime = cc_.newUInt64();
    const asmjit::Label done = cc_.newLabel();
    if (may(i.a) && may(i.b)) cc_.and_(carries.r32(), ref(i.b));
    cc_.cmp(carries.r32(), kNone);
    cc_.je(done);
    cc_.mov(path, trail(offsetof(native::Trail, path), 8));
    cc_.mov(hash, outcome.r64());
    cc_.xor_(hash, x86::Mem(path, 0, 8));
    cc_.mov(prime, asmjit::Imm(std::uint64_t{0x100000001b3}));
    cc_.imul(hash, prime);
    cc_.mov(x86::Mem(path, 0, 8), hash);
    cc_.bind(done);
  }
  void jump(const Instruction& i, bool when) {
    if (!may(i.a) && !may(i.b)) return jump_if(i, when);
    const x86::Gp yes = outcome(i);
    mark_path(i, yes);
    cc_.test(yes.r32(), yes.r32());
    when ? cc_.jnz(labels_[i.at]) : cc_.jz(labels_[i.at]);
  }
  void traced_test(const Instruction& i) {
    const x86::Gp yes = outcome(i);
    mark_path(i, yes);
    cc_.mov(wide(i.to).r32(), yes.r32());
  }

  // ---------------------------------------------------------------- slots

  void load(const Instruction& i) {
    if (!may(i.to)) return load_real(i);
    const x86::Xmm to = real(i.to);
    const asmjit::Label done = cc_.newLabel();
    cc_.cmp(slot_kind(i.at), native::kRef);
    cc_.je(seldom([this, i, to, done] {
      cc_.mov(ref(i.to), slot_number(i.at, 4));
      number_at(refs_[i.to.index()], to);
      cc_.jmp(done);
    }));
    set_none(i.to);
    load_real(i);
    cc_.bind(done);
  }
  void put(const x86::Mem& kind, const x86::Mem& number, Operand x) {
    const asmjit::Label done = cc_.newLabel();
    x86::Mem bits = number;
    bits.setSize(4);
    cc_.cmp(ref(x), kNone);
    cc_.jne(seldom([this, kind, bits, x, done] {
      cc_.mov(kind, native::kRef);
      cc_.mov(bits, ref(x));
      cc_.jmp(done);
    }));
    cc_.mov(kind, native::kReal);
    cc_.movsd(number, real(x));
    cc_.bind(done);
  }
  void store_traced(const Instruction& i) {
    if (may(i.a)) put(slot_kind(i.at), slot_number(i.at, 8), i.a);
    else store_slot(i, true);
  }
  void result_traced(const Instruction& i) {
    if (!may(i.a)) return store_result(i, true);
    const x86::Gp at = cc_.newUIntPtr();
    cc_.mov(at, field(offsetof(Context, result)));
    put(x86::Mem(at, 0, 1), x86::Mem(at, offsetof(Slot, r), 8), i.a);
  }
  void put_argument(std::size_t at, Operand x) override {
    if (may(x)) put(argument(at, 1), argument(at + offsetof(Slot, r), 8), x);
    else Emitter::put_argument(at, x);
  }

  // ---------------------------------------------------------------- containers

  void check_kind(const View& v, ViewRegisters& at, const asmjit::Label& empty) override {
    if (!v.traced) return Emitter::check_kind(v, at, empty);
    const asmjit::Label known = cc_.newLabel();
    cc_.movzx(at.kind.r32(), slot_kind(v.slot));
    cc_.cmp(at.kind.r32(), native::kReals);
    cc_.je(known);
    cc_.cmp(at.kind.r32(), native::kRefs);
    cc_.jne(empty);
    cc_.bind(known);
  }
  void element(const Instruction& i) {
    const ViewRegisters& view = views_[i.at];
    if (!code_.views[i.at].traced) return Emitter::instruction(i), set_none(i.to);
    const x86::Gp at = offset(i);
    const asmjit::Label done = cc_.newLabel(), plain = cc_.newLabel();
    cc_.cmp(view.kind.r32(), native::kRefs);
    cc_.jne(plain);
    cc_.mov(ref(i.to), x86::ptr(view.numbers, at, 2));
    number_at(refs_[i.to.index()], real(i.to));
    cc_.jmp(done);
    cc_.bind(plain);
    cc_.movsd(real(i.to), x86::ptr(view.numbers, at, 3));
    set_none(i.to);
    cc_.bind(done);
  }
  /// The kind of the container says how it keeps the number; another kind of number changes that.
  void set_element(const Instruction& i) {
    const View& v = code_.views[i.at];
    if (!v.traced) return Emitter::instruction(i);
    const ViewRegisters& view = views_[i.at];
    const x86::Gp at = offset(i);
    const asmjit::Label done = cc_.newLabel(), plain = cc_.newLabel();
    const asmjit::Label other = seldom([this, i, at, done] { change(i, at), cc_.jmp(done); });
    cc_.cmp(view.kind.r32(), native::kRefs);
    cc_.jne(plain);
    if (may(i.a)) {
      cc_.cmp(ref(i.a), kNone);
      cc_.je(other);
      cc_.mov(x86::ptr(view.numbers, at, 2), ref(i.a));
      cc_.jmp(done);
    } else {
      cc_.jmp(other);
    }
    cc_.bind(plain);
    if (may(i.a)) {
      cc_.cmp(ref(i.a), kNone);
      cc_.jne(other);
    }
    cc_.movsd(x86::ptr(view.numbers, at, 3), real(i.a));
    cc_.bind(done);
  }
  void change(const Instruction& i, const x86::Gp& at) {
    const View& v = code_.views[i.at];
    const x86::Gp container = cc_.newUIntPtr(), box = cc_.newUIntPtr();
    cc_.movsd(field(offsetof(Context, real)), real(i.a));
    if (may(i.a)) cc_.mov(field(offsetof(Context, ref), 4), ref(i.a));
    else cc_.mov(field(offsetof(Context, ref), 4), kNone);
    cc_.mov(field(offsetof(Context, offset), 4), at.r32());
    cc_.lea(container, slot_kind(v.slot));
    helper(helpers_.set_traced, container, i.site);
    cc_.movzx(views_[i.at].kind.r32(), slot_kind(v.slot));
    cc_.mov(box, slot_number(v.slot, 8));
    look(v, views_[i.at], box);
  }

  // ---------------------------------------------------------------- calls

  void put_traced(const Instruction& i) {
    for (std::uint32_t k = 0; k < i.count; ++k) {
      const Operand x = code_.lists[i.first + k];
      const std::size_t at = sizeof(native::Traced) * k;
      cc_.movsd(argument(at + offsetof(native::Traced, v), 8), real(x));
      if (may(x)) cc_.mov(argument(at + offsetof(native::Traced, ref), 4), ref(x));
      else cc_.mov(argument(at + offsetof(native::Traced, ref), 4), kNone);
    }
  }
  void traced_map(const Instruction& i) {
    put_traced(i);
    helper(helpers_.map, i.pointer, arguments(), i.site);
    take_real(i.to);
    take_ref(i.to);
  }
  void traced_target(const Instruction& i) {
    put_traced(i);
    helper(helpers_.target, i.pointer, arguments(), i.site);
  }
  void traced_call(const Instruction& i) {
    call(i);
    if (!i.to.is_none() && is_real(i.to)) take_ref(i.to);
  }

  void instruction(const Instruction& i) override {
    switch (i.op) {
      case Op::Move: return set_real(real(i.to), i.a), same_ref(i.to, i.a);
      case Op::Add: case Op::Subtract: case Op::Multiply: case Op::Divide: return arithmetic(i);
      case Op::Negate: case Op::Sqrt: return unary(i);
      case Op::ToReal: return Emitter::instruction(i), set_none(i.to);
      case Op::Test: return traced_test(i);
      case Op::JumpIf: return jump(i, true);
      case Op::JumpUnless: return jump(i, false);
      case Op::LoadReal: return load(i);
      case Op::StoreReal: return store_traced(i);
      case Op::ResultReal: return result_traced(i);
      case Op::Element: return element(i);
      case Op::SetElement: return set_element(i);
      case Op::Map: return any_may(i) ? traced_map(i) : (map(i), set_none(i.to));
      case Op::MapChecked: return traced_map(i);
      case Op::Target: return traced_target(i);
      case Op::EvalReal: return Emitter::instruction(i), take_ref(i.to);
      case Op::Call: return traced_call(i);
      default: return Emitter::instruction(i);
    }
  }

  x86::Gp trail_;
  std::vector<bool> may_;
  std::vector<x86::Gp> refs_;  // of those that may carry derivatives
};

}  // namespace fermiac::jit
