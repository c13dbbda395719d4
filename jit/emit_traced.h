// The same for reals that carry derivatives: a number and its reference, kNoRef where it carries none. Scalar results
// leave their partials on the trail of the evaluation (autodiff/tape/record/trail.h), comparisons mark the path. Registers to
// which nothing that carries derivatives ever comes have no reference.
#pragma once

#include "jit/emitter.h"

namespace fermiac::jit {

class TracedEmitter final : public Emitter {
 public:
  using Emitter::Emitter;

 private:
  static constexpr std::int32_t kNone = -1;  // kNoRef

  // ---------------------------------------------------------------- which registers may carry derivatives

  bool may(Operand x) const { return x.is_reg() && may_[x.index()]; }
  bool any_may(const Instruction& i) const {
    for (std::uint32_t k = 0; k < i.count; ++k)
      if (may(code_.lists[i.first + k])) return true;
    return false;
  }
  bool result_may(const Instruction& i) const {
    switch (i.op) {
      case Op::Move: case Op::Add: case Op::Subtract: case Op::Multiply: case Op::Divide: case Op::Negate: case Op::Sqrt: case Op::Square:
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
    trail_ = pointer();
    load_pointer(trail_, field(offsetof(Context, trail)));
    for (std::size_t k = 0; k < may_.size(); ++k) refs_.push_back(may_[k] ? number() : Gp());
  }

  // ---------------------------------------------------------------- references

  Gp ref(Operand x) const { return refs_[x.index()]; }
  void set_none(Operand to) {
    if (may(to)) set(ref(to), kNone);
  }
  /// `to` is no result of its own.
  void same_ref(Operand to, Operand x) {
    if (!may(x)) return set_none(to);
    copy(ref(to), ref(x));
  }
  void take_ref(Operand to) {
    if (may(to)) load_int(ref(to), field(offsetof(Context, ref)));
  }
  using Emitter::copy;
  Gp copy(const Gp& x) {
    const Gp to = number();
    copy(to, x);
    return to;
  }
  Place trail(std::size_t offset) { return place(trail_, offset); }

  void store_ref(const Place& to, Operand x) {
    if (may(x)) store_int(to, ref(x));
    else store_int(to, kNone);
  }

  /// The number that a reference names. Constants carry no derivatives.
  void number_at(const Gp& ref, const Real& to) {
    const Gp number_of_pool = copy(ref), at = copy(ref);
    const Label done = a_.newLabel();
    shift_right(number_of_pool, 30);
    const Gp pool = address_at(trail_, number_of_pool, offsetof(Trail, pools));
    keep_bits(at, 0x3fffffff);
    load(to, element_place(pool, at, 3));
    jump_unless_negative(ref, done);
    set(ref, kNone);
    a_.bind(done);
  }

  // ---------------------------------------------------------------- scalar results

  struct Partial {
    Gp ref;
    Real d;
  };
  Real holding_real(double x) {
    const Real to = real();
    set(to, x);
    return to;
  }

  /// A result on the trail; its reference goes to `to`.
  void step(const Gp& to, const Real& value, const Partial& x, const Partial* y) {
    const Gp k = number(), at = pointer(), results = pointer();
    const Label room = a_.newLabel();
    load_int(k, trail(offsetof(Trail, used)));
    jump_if_equal(k, trail(offsetof(Trail, room)), seldom([this, k, room] {
      helper(helpers_.more, kSameSite, asmjit::Imm(0));
      load_int(k, trail(offsetof(Trail, used)));
      jump(room);
    }));
    a_.bind(room);
    static_assert(sizeof(TrailStep) == 32);
    address_of_element(at, k, 5, trail(offsetof(Trail, steps)));
    load_int(to, trail(offsetof(Trail, first)));
    add_int(to, to, k);
    store_int(place(at, offsetof(TrailStep, d)), to);
    store_int(place(at, offsetof(TrailStep, a)), x.ref);
    store(place(at, offsetof(TrailStep, da)), x.d);
    if (y) store_int(place(at, offsetof(TrailStep, b)), y->ref);
    else store_int(place(at, offsetof(TrailStep, b)), kNone);
    if (y) store(place(at, offsetof(TrailStep, db)), y->d);
    load_pointer(results, trail(offsetof(Trail, results)));
    store(element_place(results, k, 3), value);
    add_int(k, k, asmjit::Imm(1));
    store_int(trail(offsetof(Trail, used)), k);
  }
  /// Of one operand that may carry derivatives.
  void result(Operand to, const Real& value, Operand x, const Real& d) {
    const Gp out = number();
    const Label done = a_.newLabel();
    copy(out, ref(x));
    Machine::jump_if(out, kNone, done);
    const Gp a = copy(out);
    step(out, value, {a, d}, nullptr);
    a_.bind(done);
    copy(real(to), value);
    copy(ref(to), out);
  }
  /// Of two. Where the first does not, the second takes its place.
  void result(Operand to, const Real& value, Operand x, const Real& dx, Operand y, const Real& dy) {
    const Gp out = number(), a = copy(ref(x)), b = copy(ref(y));
    const Label first = a_.newLabel(), done = a_.newLabel();
    set(out, kNone);
    Machine::jump_if(a, kNone, seldom([this, a, b, dx, dy, first, done] {
      Machine::jump_if(b, kNone, done);
      copy(a, b);
      set(b, kNone);
      copy(dx, dy);
      jump(first);
    }));
    a_.bind(first);
    const Partial second{b, dy};
    step(out, value, {a, dx}, &second);
    a_.bind(done);
    copy(real(to), value);
    copy(ref(to), out);
  }

  // ---------------------------------------------------------------- arithmetic

  Real value(const Instruction& i) {
    const Real v = real();
    compute(i, v);
    return v;
  }
  Real partial_of_first(const Instruction& i) {
    if (i.op == Op::Multiply) return operand_copy(i.b);
    const Real one = holding_real(1);
    if (i.op == Op::Divide) divide_by(one, i.b);
    return one;
  }
  Real partial_of_second(const Instruction& i, const Real& v) {
    if (i.op == Op::Multiply) return operand_copy(i.a);
    if (i.op != Op::Divide) return holding_real(i.op == Op::Add ? 1 : -1);
    const Real d = negated(v);
    divide_by(d, i.b);
    return d;
  }
  Real operand_copy(Operand x) {
    const Real to = real();
    set_real(to, x);
    return to;
  }

  void arithmetic(const Instruction& i) {
    if (i.passive || (!may(i.a) && !may(i.b))) return passive(i);
    const Real v = value(i);
    if (!may(i.b)) return result(i.to, v, i.a, partial_of_first(i));
    if (!may(i.a)) return result(i.to, v, i.b, partial_of_second(i, v));
    const Real dx = partial_of_first(i);
    result(i.to, v, i.a, dx, i.b, partial_of_second(i, v));
  }
  /// The number alone; its reference says no more than that it carries derivatives.
  void passive(const Instruction& i) {
    const Gp mark = number();
    const bool marked = may(i.a) || may(i.b);
    if (marked) copy(mark, may(i.a) ? ref(i.a) : ref(i.b));
    if (may(i.a) && may(i.b)) at_most(mark, ref(i.b));
    Emitter::instruction(i);
    if (!may(i.to)) return;
    if (marked) copy(ref(i.to), mark);
    else set_none(i.to);
  }
  void unary(const Instruction& i) {
    if (i.passive || !may(i.a)) return passive(i);
    if (i.op == Op::Negate) {
      const Real v = negated(real(i.a));
      return result(i.to, v, i.a, holding_real(-1));
    }
    // One step back, as nodes take it.
    if (i.op == Op::Square) return result(i.to, value(product(i)), i.a, value({.op = Op::Add, .a = i.a, .b = i.a}));
    const Real v = real();
    sqrt(v, real(i.a));
    const Real d = holding_real(0.5);
    divide(d, d, v);
    zero_at(v, d);
    result(i.to, v, i.a, d);
  }

  // ---------------------------------------------------------------- comparisons

  /// The path goes on by the outcome, if an operand carries derivatives.
  void mark_path(const Instruction& i, const Gp& outcome) {
    if (!may(i.a) && !may(i.b)) return;
    const Gp carries = copy(may(i.a) ? ref(i.a) : ref(i.b)), path = pointer();
    const Label done = a_.newLabel();
    if (may(i.a) && may(i.b)) keep_bits(carries, ref(i.b));
    Machine::jump_if(carries, kNone, done);
    load_pointer(path, trail(offsetof(Trail, path)));
    mix(place(path, 0), outcome, 0x100000001b3);
    a_.bind(done);
  }
  void traced_jump(const Instruction& i, bool when) {
    if (!may(i.a) && !may(i.b)) return jump_if(i, when, labels_[i.at]);
    const Gp yes = outcome(i);
    mark_path(i, yes);
    when ? jump_unless_zero(yes, labels_[i.at]) : jump_if_zero(yes, labels_[i.at]);
  }
  void traced_test(const Instruction& i) {
    const Gp yes = outcome(i);
    mark_path(i, yes);
    copy(wide(i.to), yes);
  }

  // ---------------------------------------------------------------- slots

  void load_traced(const Instruction& i) {
    if (!may(i.to)) return load_real(i);
    const Real to = real(i.to);
    const Label done = a_.newLabel();
    jump_if_byte(slot_kind(i.at), kRef, seldom([this, i, to, done] {
      load_int(ref(i.to), slot_number(i.at));
      number_at(ref(i.to), to);
      jump(done);
    }));
    set_none(i.to);
    load_real(i);
    a_.bind(done);
  }
  void put(const Place& kind, const Place& at, Operand x) {
    const Label done = a_.newLabel();
    jump_unless(ref(x), kNone, seldom([this, kind, at, x, done] {
      store_byte(kind, kRef);
      store_int(at, ref(x));
      jump(done);
    }));
    store_byte(kind, kReal);
    store(at, real(x));
    a_.bind(done);
  }
  void store_traced(const Instruction& i) {
    if (may(i.a)) put(slot_kind(i.at), slot_number(i.at), i.a);
    else store_slot(i);
  }
  void result_traced(const Instruction& i) {
    if (!may(i.a)) return store_result(i);
    const Gp at = pointer();
    load_pointer(at, field(offsetof(Context, result)));
    put(place(at, 0), place(at, offsetof(Slot, r)), i.a);
  }
  void put_argument(std::size_t at, Operand x) override {
    if (may(x)) put(argument(at), argument(at + offsetof(Slot, r)), x);
    else Emitter::put_argument(at, x);
  }

  // ---------------------------------------------------------------- containers

  void check_kind(const View& v, ViewRegisters& at, const Label& empty) override {
    if (!v.traced) return Emitter::check_kind(v, at, empty);
    const Label known = a_.newLabel();
    load_byte(at.kind, slot_kind(v.slot));
    Machine::jump_if(at.kind, kReals, known);
    jump_unless(at.kind, kRefs, empty);
    a_.bind(known);
  }
  void traced_element(const Instruction& i) {
    const ViewRegisters& view = views_[i.at];
    if (!code_.views[i.at].traced) return Emitter::instruction(i), set_none(i.to);
    const Gp at = offset(i);
    const Label done = a_.newLabel(), plain = a_.newLabel();
    jump_unless(view.kind, kRefs, plain);
    load_int(ref(i.to), element_place(view.numbers, at, 2));
    number_at(ref(i.to), real(i.to));
    jump(done);
    a_.bind(plain);
    load(real(i.to), element_place(view.numbers, at, 3));
    set_none(i.to);
    a_.bind(done);
  }
  /// The kind of the container says how it keeps the number; another kind of number changes that.
  void set_element(const Instruction& i) {
    const View& v = code_.views[i.at];
    if (!v.traced) return Emitter::instruction(i);
    const ViewRegisters& view = views_[i.at];
    const Gp at = offset(i);
    const Label done = a_.newLabel(), plain = a_.newLabel();
    const Label other = seldom([this, i, at, done] { change(i, at), jump(done); });
    jump_unless(view.kind, kRefs, plain);
    if (may(i.a)) {
      Machine::jump_if(ref(i.a), kNone, other);
      store_int(element_place(view.numbers, at, 2), ref(i.a));
      jump(done);
    } else {
      jump(other);
    }
    a_.bind(plain);
    if (may(i.a)) jump_unless(ref(i.a), kNone, other);
    store(element_place(view.numbers, at, 3), real(i.a));
    a_.bind(done);
  }
  void change(const Instruction& i, const Gp& at) {
    const View& v = code_.views[i.at];
    store(field(offsetof(Context, real)), real(i.a));
    store_ref(field(offsetof(Context, ref)), i.a);
    store_int(field(offsetof(Context, offset)), at);
    helper(helpers_.set_traced, i.site, container(v.slot));
    load_byte(views_[i.at].kind, slot_kind(v.slot));
    const Gp box = pointer();
    load_pointer(box, slot_number(v.slot));
    look(v, views_[i.at], box);
  }

  // ---------------------------------------------------------------- calls

  void put_operands(const Instruction& i) override {
    for (std::uint32_t k = 0; k < i.count; ++k) {
      const Operand x = code_.lists[i.first + k];
      const std::size_t at = sizeof(Traced) * k;
      store(argument(at + offsetof(Traced, v)), real(x));
      store_ref(argument(at + offsetof(Traced, ref)), x);
    }
  }
  void traced_map(const Instruction& i) {
    checked_map(i);
    take_ref(i.to);
  }
  void traced_call(const Instruction& i) {
    call(i);
    if (!i.to.is_none() && is_real(i.to)) take_ref(i.to);
  }

  void instruction(const Instruction& i) override {
    switch (i.op) {
      case Op::Move: return set_real(real(i.to), i.a), same_ref(i.to, i.a);
      case Op::Add: case Op::Subtract: case Op::Multiply: case Op::Divide: return arithmetic(i);
      case Op::Negate: case Op::Sqrt: case Op::Square: return unary(i);
      case Op::ToReal: return Emitter::instruction(i), set_none(i.to);
      case Op::Test: return traced_test(i);
      case Op::JumpIf: return traced_jump(i, true);
      case Op::JumpUnless: return traced_jump(i, false);
      case Op::JumpUnlessTerms: return jump_if_byte(field(offsetof(Context, result_to_target)), 0, labels_[i.at]);
      case Op::LoadReal: return load_traced(i);
      case Op::StoreReal: return store_traced(i);
      case Op::ResultReal: return result_traced(i);
      case Op::Element: return traced_element(i);
      case Op::SetElement: return set_element(i);
      case Op::Map: return any_may(i) ? traced_map(i) : (map(i), set_none(i.to));
      case Op::MapChecked: return traced_map(i);
      case Op::EvalReal: return Emitter::instruction(i), take_ref(i.to);
      case Op::Call: return traced_call(i);
      default: return Emitter::instruction(i);
    }
  }

  Gp trail_;
  std::vector<bool> may_;
  std::vector<Gp> refs_;  // of those that may carry derivatives
};

}  // namespace fermiac::jit
