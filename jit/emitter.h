// Machine code of the instructions one by one, where reals are numbers; emit_traced.h has those that carry derivatives.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "jit/context.h"
#include "jit/operands.h"

namespace fermiac::jit {

inline constexpr int kRows = 0, kCols = 1;

class Emitter : protected Operands {
 public:
  Emitter(const Code& code, const Helpers& helpers, Compiler& compiler, std::vector<Check>& checks)
      : Operands(code, compiler), helpers_(helpers), checks_(checks) {}

  void run() {
    begin();
    for (const Instruction& i : code_.instructions) instruction(i);
    end();
  }

 protected:
  /// Where the numbers of a container lie, in registers.
  struct ViewRegisters {
    Gp numbers, kind;
    std::array<Gp, 5> sizes;
    bool known = false;
  };

  // ---------------------------------------------------------------- frame of the code

  virtual void begin() {
    context_ = open_function();
    slots_ = pointer();
    site_ = pointer();
    stop_ = pointer();
    load_pointer(slots_, field(offsetof(Context, slots)));
    load_pointer(site_, field(offsetof(Context, site)));
    load_pointer(stop_, field(offsetof(Context, stop)));
    make_registers();
    for (std::uint32_t k = 0; k < code_.labels; ++k) labels_.push_back(a_.newLabel());
    views_.resize(code_.views.size());
    arguments_ = stack(kArgumentBytes);
    failed_ = a_.newLabel();
  }

  /// The code is left by `Exit`; behind it stands what runs seldom.
  void end() {
    for (std::size_t k = 0; k < seldom_.size(); ++k) seldom_[k]();
    a_.bind(failed_);
    leave(kFailed);
    close_function();
  }

  Place field(std::size_t offset) { return place(context_, offset); }

  // ---------------------------------------------------------------- slots

  Place slot_kind(std::uint32_t slot) { return place(slots_, slot * sizeof(Slot)); }
  Place slot_number(std::uint32_t slot) { return place(slots_, slot * sizeof(Slot) + offsetof(Slot, r)); }

  /// A real variable may hold an int, as an argument does.
  void load_real(const Instruction& i) {
    const Label done = a_.newLabel(), is_int = a_.newLabel();
    const Real to = real(i.to);
    jump_if_byte(slot_kind(i.at), kInt, is_int);
    load(to, slot_number(i.at));
    jump(done);
    a_.bind(is_int);
    load_int_as_real(to, slot_number(i.at));
    a_.bind(done);
  }
  void store_value(const Place& kind, const Place& at, Operand x) {
    store_byte(kind, is_real(x) ? kReal : kInt);
    if (is_real(x)) store(at, real(x));
    else store_int(at, integer(x));
  }
  void store_slot(const Instruction& i) { store_value(slot_kind(i.at), slot_number(i.at), i.a); }
  void store_result(const Instruction& i) {
    const Gp at = pointer();
    load_pointer(at, field(offsetof(Context, result)));
    store_value(place(at, 0), place(at, offsetof(Slot, r)), i.a);
  }

  // ---------------------------------------------------------------- containers

  Place shape(const Gp& box, std::size_t member) { return place(box, offsetof(Box, shape) + member); }

  void view(const Instruction& i) {
    const View& v = code_.views[i.at];
    ViewRegisters& at = views_[i.at];
    if (!at.known) make_view(v, at);
    const Gp box = pointer();
    const Label opened = a_.newLabel();
    const Label empty = seldom([this, i, opened] { close(i.at), jump(opened); });
    check_kind(v, at, empty);
    load_pointer(box, slot_number(v.slot));
    if (v.writes) own(v, box, i.site);
    look(v, at, box);
    a_.bind(opened);
  }
  virtual void check_kind(const View& v, ViewRegisters&, const Label& empty) {
    jump_unless_byte(slot_kind(v.slot), v.ints ? kInts : kReals, empty);
  }
  /// No index is in range.
  void close(std::uint32_t number) {
    const View& v = code_.views[number];
    const ViewRegisters& at = views_[number];
    set_zero(at.numbers);
    for (int k = 0; k < v.rank + v.inner; ++k) set_zero(at.sizes[k]);
  }
  void make_view(const View& v, ViewRegisters& at) {
    at.known = true;
    at.numbers = pointer();
    at.kind = number();
    for (int k = 0; k < v.rank + v.inner; ++k) at.sizes[k] = number();
  }
  void look(const View& v, ViewRegisters& at, const Gp& box) {
    load_pointer(at.numbers, place(box, offsetof(Box, numbers)));
    sizes(v, at, box);
  }
  void sizes(const View& v, ViewRegisters& at, const Gp& box) {
    for (int k = 0; k < v.rank; ++k) load_int(at.sizes[k], shape(box, offsetof(Shape, dims) + 4 * static_cast<std::size_t>(k)));
    if (v.inner == 0) return;
    load_int(at.sizes[v.rank + kRows], shape(box, offsetof(Shape, rows)));
    if (v.inner == 1) multiply_by(at.sizes[v.rank], shape(box, offsetof(Shape, cols)));
    else load_int(at.sizes[v.rank + kCols], shape(box, offsetof(Shape, cols)));
  }
  /// One owner from here on.
  void own(const View& v, const Gp& box, std::uint32_t site) {
    const Label owned = a_.newLabel();
    const std::uint32_t slot = v.slot;
    jump_unless_int(place(box, offsetof(Box, owners)), 1, seldom([this, owned, slot, box, site] {
      helper(helpers_.unshare, site, container(slot));
      load_pointer(box, slot_number(slot));
      jump(owned);
    }));
    a_.bind(owned);
  }

  Gp container(std::uint32_t slot) {
    const Gp at = pointer();
    address_of(at, place(slots_, slot * sizeof(Slot)));
    return at;
  }

  /// An index from 1 as an offset from 0, below the size.
  Gp checked(const View& v, Operand index, const Gp& size, std::uint32_t site) {
    const Gp at = number();
    if (index.is_reg()) from_zero(at, wide(index));
    else set(at, int_value(index) - 1);
    jump_unless_below(at, size, check(Check::Kind::Index, v.name, site, at, size));
    return at;
  }
  Gp offset(const Instruction& i) {
    const View& v = code_.views[i.at];
    const ViewRegisters& at = views_[i.at];
    const Operand* const index = &code_.lists[i.first];
    Gp out;
    const auto next = [&](const Gp& offset, const Gp& size) {
      if (!out.isValid()) out = offset;
      else scale(out, size, offset);
    };
    const int lines = v.rank + (v.inner == 1 ? 1 : 0);
    for (int k = 0; k < lines; ++k) next(checked(v, index[k], at.sizes[k], i.site), at.sizes[k]);
    if (v.inner != 2) return out;
    const Gp row = checked(v, index[v.rank], at.sizes[v.rank + kRows], i.site);
    next(checked(v, index[v.rank + 1], at.sizes[v.rank + kCols], i.site), at.sizes[v.rank + kCols]);
    scale(out, at.sizes[v.rank + kRows], row);  // columns lie one behind the other
    return out;
  }
  /// Of numbers of 2^shift bytes.
  Place element(const Instruction& i, std::uint32_t shift) { return element_place(views_[i.at].numbers, offset(i), shift); }

  // ---------------------------------------------------------------- calls

  /// In a helper that is no part of a statement.
  static constexpr std::uint32_t kSameSite = 0xffffffff;
  void set_site(std::uint32_t site) {
    if (site != kSameSite) store_int(place(site_, 0), site);
  }
  /// Calls a helper with the context and what else it takes; the code fails unless its status is 0.
  template <class... More, class... What>
  void helper(std::uint32_t (*function)(Context*, More...), std::uint32_t site, const What&... what) {
    set_site(site);
    asmjit::InvokeNode* const call = invoke(reinterpret_cast<const void*>(function),
                                            asmjit::FuncSignatureT<std::uint32_t, void*, More...>(asmjit::CallConvId::kHost));
    std::size_t argument = 0;
    call->setArg(argument++, context_);
    (call->setArg(argument++, what), ...);
    const Gp failed = status();
    call->setRet(0, failed);
    jump_unless_zero(failed, failed_);
  }
  void take_real(Operand to) { load(real(to), field(offsetof(Context, real))); }
  void take_int(Operand to) { load_int(wide(to), field(offsetof(Context, integer))); }

  /// Where helpers find the operands of a call.
  Gp arguments() {
    const Gp at = pointer();
    address_of_stack(compiler_, at, arguments_);
    return at;
  }
  Place argument(std::size_t offset) const { return moved(arguments_, offset); }
  void put_numbers(const Instruction& i) {
    for (std::uint32_t k = 0; k < i.count; ++k) store(argument(8 * k), real(code_.lists[i.first + k]));
  }
  /// Of a map that cannot fail.
  void map(const Instruction& i) {
    put_numbers(i);
    const Gp x = arguments();
    asmjit::InvokeNode* const call = invoke(helpers_.map_function(i.pointer),
                                            asmjit::FuncSignatureT<double, void*, std::uint32_t>(asmjit::CallConvId::kHost));
    call->setArg(0, x);
    call->setArg(1, asmjit::Imm(helpers_.all_terms));
    call->setRet(0, real(i.to));
  }
  /// As helpers take them.
  virtual void put_operands(const Instruction& i) { put_numbers(i); }
  void checked_map(const Instruction& i) {
    put_operands(i);
    helper(helpers_.map, i.site, address(i.pointer), arguments());
    take_real(i.to);
  }
  void target(const Instruction& i) {
    put_operands(i);
    helper(helpers_.target, i.site, address(i.pointer), arguments());
  }
  virtual void put_argument(std::size_t at, Operand x) { store_value(argument(at), argument(at + offsetof(Slot, r)), x); }
  void call(const Instruction& i) {
    for (std::uint32_t k = 0; k < i.count; ++k) put_argument(sizeof(Slot) * k, code_.lists[i.first + k]);
    helper(helpers_.call, i.site, address(i.pointer), arguments());
    if (i.to.is_none()) return;
    if (is_real(i.to)) take_real(i.to);
    else take_int(i.to);
  }

  // ---------------------------------------------------------------- what runs seldom

  /// Where code stands that runs seldom: behind everything else.
  template <class F>
  Label seldom(F f) {
    const Label at = a_.newLabel();
    seldom_.emplace_back([this, at, f] {
      a_.bind(at);
      f();
    });
    return at;
  }
  Label check(Check::Kind kind, std::uint32_t name, std::uint32_t site, Gp offset = {}, Gp size = {}) {
    checks_.push_back({kind, name, site});
    const auto number = static_cast<std::uint32_t>(checks_.size());
    return seldom([this, number, offset, size] {
      store_int(field(offsetof(Context, check)), number);
      if (offset.isValid()) store_int(field(offsetof(Context, offset)), offset);
      if (size.isValid()) store_int(field(offsetof(Context, size)), size);
      jump(failed_);
    });
  }

  void poll() {
    jump_unless_byte(place(stop_, 0), 0, check(Check::Kind::Stop, 0, 0));
  }
  void divide_ints(const Instruction& i, bool remainder) {
    const Label zero = check(remainder ? Check::Kind::Modulus : Check::Kind::Division, 0, i.site);
    divide_int(wide(i.to), integer(i.a), integer(i.b), remainder, zero);
  }

  /// A square as what it is for numbers.
  static Instruction product(Instruction square) {
    square.op = Op::Multiply;
    square.b = square.a;
    return square;
  }

  virtual void instruction(const Instruction& i) {
    switch (i.op) {
      case Op::Move: return set_real(real(i.to), i.a);
      case Op::MoveInt: return set_int(wide(i.to), i.a);
      case Op::Add: case Op::Subtract: case Op::Multiply: case Op::Divide: return compute(i, real(i.to));
      case Op::Negate: return negate(real(i.to), real(i.a));
      case Op::Sqrt: return sqrt(real(i.to), real(i.a));
      case Op::Square: return compute(product(i), real(i.to));
      case Op::AddInt: case Op::SubtractInt: return binary_int(i);
      case Op::MultiplyInt: return multiply_int(wide(i.to), integer(i.a), integer(i.b));
      case Op::DivideInt: return divide_ints(i, false);
      case Op::ModulusInt: return divide_ints(i, true);
      case Op::NegateInt: return negate_int(wide(i.to), integer(i.a));
      case Op::ToReal: return to_real(real(i.to), integer(i.a));
      case Op::Test: return copy(wide(i.to), outcome(i));
      case Op::TestInt: return test_int(i);
      case Op::Label: a_.bind(labels_[i.at]); return;
      case Op::Jump: return jump(labels_[i.at]);
      case Op::JumpIf: return jump_if(i, true, labels_[i.at]);
      case Op::JumpUnless: return jump_if(i, false, labels_[i.at]);
      case Op::JumpUnlessTerms: return jump(labels_[i.at]);  // there are terms where derivatives are wanted
      case Op::JumpIfInt: return jump_if_int(i, labels_[i.at]);
      case Op::Poll: return poll();
      case Op::LoadReal: return load_real(i);
      case Op::LoadInt: return load_int(wide(i.to), slot_number(i.at));
      case Op::StoreReal: case Op::StoreInt: return store_slot(i);
      case Op::View: return view(i);
      case Op::Element: return load(real(i.to), element(i, 3));
      case Op::ElementInt: return load_int(wide(i.to), element(i, 2));
      case Op::SetElement: return store(element(i, 3), real(i.a));
      case Op::SetElementInt: return store_int(element(i, 2), integer(i.a));
      case Op::Map: return map(i);
      case Op::MapChecked: return checked_map(i);
      case Op::Target: return target(i);
      case Op::EvalReal: return helper(helpers_.eval_real, i.site, address(i.pointer)), take_real(i.to);
      case Op::EvalInt: return helper(helpers_.eval_int, i.site, address(i.pointer)), take_int(i.to);
      case Op::Run: return helper(helpers_.run, i.site, address(i.pointer));
      case Op::Call: return call(i);
      case Op::ResultReal: case Op::ResultInt: return store_result(i);
      case Op::Exit: return leave(i.at);
    }
  }

  static constexpr std::uint32_t kArgumentBytes = 16 * 8;

  const Helpers& helpers_;
  std::vector<Check>& checks_;
  Gp context_, slots_, site_, stop_;
  Place arguments_;
  std::vector<Label> labels_;
  std::vector<ViewRegisters> views_;
  std::vector<std::function<void()>> seldom_;
  Label failed_;
};

}  // namespace fermiac::jit
