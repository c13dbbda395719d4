#include "interp/exec/nodes/program.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>

#include "interp/exec/nodes/operands.h"
#include "interp/exec/nodes/scalar_ops.h"
#include "interp/value/numbers.h"
#include "support/base/check.h"

namespace fermiac::interp {

void ExprNode::emit(ProgramBuilder& b, Place to) const { b.eval(to, *this, is_int()); }
void ExprNode::emit_branch(ProgramBuilder& b, Label otherwise) const { b.unless(*this, otherwise); }

// ---------------------------------------------------------------- running

namespace {

using Kind = Value::Kind;

bool are_reals(const Value& x, const Value& y) { return x.kind() == Kind::Real && y.kind() == Kind::Real; }

[[gnu::always_inline]] inline double value(const ad::Recorder& recorder, const Value& x) {
  return is_ref(x) ? recorder.value(x.as_ref()) : number(x);
}

/// For elements and what is computed from them, unlike variables and literals.
constexpr bool is_temporary(std::uint32_t place) { return (place & 3u) == 2; }

/// Ints among the operands, or numbers that carry derivatives.
template <class Op>
[[gnu::noinline]] void mixed(Frame& f, const Instruction& i, Value& to, const Value& x, const Value& y) {
  if (!is_ref(x) && !is_ref(y)) return to.assign(Op::apply(number(x), number(y)));
  const ad::Recorder& recorder = *f.m.recorder;
  if (i.passive && recorder.evaluates()) return to.assign(Op::apply(value(recorder, x), value(recorder, y)));
  f.at(i.site);
  assign(to, record_binary<Op>(f, traced(f, x), traced(f, y), !is_temporary(i.x), !is_temporary(i.y)));
}

template <class Op>
[[gnu::noinline]] bool mixed_holds(Frame& f, const Instruction& i, const Value& x, const Value& y) {
  if (!is_ref(x) && !is_ref(y)) return Op::apply(number(x), number(y));
  f.at(i.site);
  return record_outcome<Op>(f, traced(f, x), traced(f, y));
}

template <class Op>
[[gnu::always_inline]] inline void arithmetic(Frame& f, const Instruction& i, Value& to, const Value& x, const Value& y) {
  if (are_reals(x, y)) [[likely]] to.assign(Op::apply(x.as_real(), y.as_real()));
  else mixed<Op>(f, i, to, x, y);
}

/// While evaluating, comparisons mark the path whatever their operands are: passive ones may depend on parameters.
bool evaluates(const Frame& f) { return f.recording && f.m.recorder->evaluates(); }

template <class Op>
[[gnu::always_inline]] inline bool holds(Frame& f, const Instruction& i, const Value& x, const Value& y) {
  if (evaluates(f)) {
    const bool outcome = Op::apply(value(*f.m.recorder, x), value(*f.m.recorder, y));
    f.m.recorder->branch(outcome);
    return outcome;
  }
  return are_reals(x, y) ? Op::apply(x.as_real(), y.as_real()) : mixed_holds<Op>(f, i, x, y);
}

Value fetch(Frame& f, const Instruction& i) {
  f.at(i.site);
  return to_value(i.element->traced(f));
}

template <class Op>
[[gnu::noinline]] bool any_element_holds(Frame& f, const Instruction& i, const Value& y) { return holds<Op>(f, i, fetch(f, i), y); }

template <class Op>
[[gnu::always_inline]] inline bool element_holds(Frame& f, const Instruction& i, const Value& y) {
  const double* const x = i.element->find(f);
  if (x == nullptr || y.kind() != Kind::Real) [[unlikely]] return any_element_holds<Op>(f, i, y);
  const bool outcome = Op::apply(*x, y.as_real());
  if (evaluates(f)) f.m.recorder->branch(outcome);
  return outcome;
}

template <class Op>
bool int_holds(const Value& x, const Value& y) { return Op::apply(x.as_int(), y.as_int()); }

void copy(const Frame& f, Value& to, const Value& x) {
  if (is_ref(x)) assign(to, traced(f, x));
  else to.assign(number(x));
}

void eval(Frame& f, const Instruction& i, Value& to) {
  f.at(i.site);
  if (i.expression->plain(f)) to.assign(i.expression->eval_real(f));
  else assign(to, i.expression->trace(f));
}

[[gnu::always_inline]] inline void element(Frame& f, const Instruction& i, Value& to) {
  if (const double* const x = i.element->find(f)) [[likely]] to.assign(*x);
  else to = fetch(f, i);
}

void eval_int(Frame& f, const Instruction& i, Value& to) {
  f.at(i.site);
  to.assign(i.expression->eval_int(f));
}

bool node_holds(Frame& f, const Instruction& i) {
  f.at(i.site);
  return i.expression->eval_int(f) != 0;
}

}  // namespace

Flow Program::run(Frame& f) const {
  // Scalars only, which need no destructor.
  alignas(Value) std::byte room[kTemporaries * sizeof(Value)];
  auto* const temporaries = reinterpret_cast<Value*>(room);
  std::uninitialized_default_construct_n(temporaries, temporaries_);
  return execute(f, temporaries);
}

Flow Program::execute(Frame& f, Value* temporaries) const {
  // Constants are only read.
  Value* const bases[] = {f.slots, const_cast<Value*>(constants_.data()), temporaries};
  const Instruction* const code = code_.data();
  const Instruction* i = code;
  for (;;) {
    const auto at = [&](std::uint32_t place) -> Value& { return bases[place & 3u][place >> 2]; };
    const auto next = [&](bool holds) {
      if (i->again) f.m.poll();
      return code + (holds ? i->then : i->to);
    };
    switch (i->code) {
      case OpCode::Copy: copy(f, at(i->to), at(i->x)), ++i; break;
      case OpCode::CopyInt: at(i->to).assign(at(i->x).as_int()), ++i; break;
#define FERMIAC_CASE(Name, ...) \
  case OpCode::Name: arithmetic<Name>(f, *i, at(i->to), at(i->x), at(i->y)), ++i; break;
      FERMIAC_OPERATORS(FERMIAC_CASE)
#undef FERMIAC_CASE
#define FERMIAC_CASE(Name, ...) \
  case OpCode::Int##Name: at(i->to).assign(Int##Name::apply(at(i->x).as_int(), at(i->y).as_int())), ++i; break;
      FERMIAC_INT_OPERATORS(FERMIAC_CASE)
#undef FERMIAC_CASE
#define FERMIAC_CASES(Name, ...)                                                             \
  case OpCode::Name: i = next(holds<Name>(f, *i, at(i->x), at(i->y))); break;                \
  case OpCode::Element##Name: i = next(element_holds<Name>(f, *i, at(i->y))); break;         \
  case OpCode::Int##Name: i = next(int_holds<Name>(at(i->x), at(i->y))); break;
      FERMIAC_COMPARISONS(FERMIAC_CASES)
#undef FERMIAC_CASES
      case OpCode::Unless: i = node_holds(f, *i) ? i + 1 : code + i->to; break;
      case OpCode::Jump: i = code + i->to; break;
      case OpCode::Again: f.m.poll(), i = code + i->to; break;
      case OpCode::Eval: eval(f, *i, at(i->to)), ++i; break;
      case OpCode::Element: element(f, *i, at(i->to)), ++i; break;
      case OpCode::EvalInt: eval_int(f, *i, at(i->to)), ++i; break;
      case OpCode::Run: {
        const Flow flow = i->statement->run(f);
        if (flow == Flow::Next) ++i;
        else if (flow == Flow::Return) return flow;
        else i = code + (flow == Flow::Break ? i->x : i->y);
        break;
      }
      case OpCode::Exit: return static_cast<Flow>(i->to);
    }
  }
}

// ---------------------------------------------------------------- building

void ProgramBuilder::push(Instruction i) {
  i.site = site_;
  i.passive = passive_;
  if (i.code != OpCode::Run && i.code != OpCode::Exit) useful_ = true;
  program_->code_.push_back(i);
}

Label ProgramBuilder::label() {
  positions_.push_back(0);
  return static_cast<Label>(positions_.size() - 1);
}

Place ProgramBuilder::constant(Value value) {
  program_->constants_.push_back(std::move(value));
  return place(kConstant, program_->constants_.size() - 1);
}

Place ProgramBuilder::temporary() {
  if (temporaries_ == kUsual) overflow_ = true;
  else ++temporaries_;
  program_->temporaries_ = std::max(program_->temporaries_, temporaries_);
  return place(kTemporary, temporaries_ - 1);
}

Place ProgramBuilder::operand(const ExprNode& e) {
  if (e.variable_slot() != kNoSlot) return slot(e.variable_slot());
  if (const auto number = e.constant()) return constant(e.is_int() ? Value(static_cast<std::int32_t>(*number)) : Value(*number));
  const Place to = temporary();
  compute(to, e);
  return to;
}

void ProgramBuilder::compute(Place to, const ExprNode& e) {
  const ElementAccess* element = e.is_real() ? e.element_access() : nullptr;
  if (element) push({.code = OpCode::Element, .to = raw(to), .element = element});
  else e.emit(*this, to);
}

void ProgramBuilder::assign(Place to, const ExprNode& e, bool is_int) {
  if (e.variable_slot() != kNoSlot || e.constant())
    push({.code = is_int ? OpCode::CopyInt : OpCode::Copy, .to = raw(to), .x = raw(operand(e))});
  else if (e.is_int() == is_int) compute(to, e);
  else eval(to, e, is_int);
}

void ProgramBuilder::eval(Place to, const ExprNode& e, bool is_int) {
  push({.code = is_int ? OpCode::EvalInt : OpCode::Eval, .to = raw(to), .expression = &e});
}

void ProgramBuilder::compare(OpCode code, const ExprNode& x, const ExprNode& y, Label otherwise) {
  passive_ = true;
  const Place a = operand(x);
  const Place b = operand(y);
  push({.code = code, .to = raw(otherwise), .x = raw(a), .y = raw(b)});
  passive_ = false;
}

Label ProgramBuilder::exit(std::optional<Label>& known) {
  if (!known) known = label();
  return *known;
}

Label ProgramBuilder::target(Flow flow) {
  if (loops_.empty()) return exit(flow == Flow::Break ? broken_ : continued_);
  return flow == Flow::Break ? loops_.back().end : loops_.back().next;
}

void ProgramBuilder::statement(const StmtNode& s) {
  const std::size_t start = program_->code_.size();
  const bool useful = useful_;
  const bool outer = std::exchange(overflow_, false);
  site_ = s.site;
  temporaries_ = 0;
  const bool fits = s.emit(*this) && !overflow_;
  overflow_ = outer;
  if (fits) return;
  program_->code_.resize(start);
  useful_ = useful;
  push({.code = OpCode::Run, .x = raw(target(Flow::Break)), .y = raw(target(Flow::Continue)), .statement = &s});
}

void ProgramBuilder::loop_body(const StmtNode& s, Label next, Label end) {
  const Site site = site_;
  loops_.push_back({next, end});
  statement(s);
  loops_.pop_back();
  site_ = site;
}

namespace {

bool is_real_arithmetic(OpCode code) { return code >= OpCode::Add && code < OpCode::IntAdd; }

bool writes(OpCode code) {
  return code < OpCode::Less || code == OpCode::Eval || code == OpCode::EvalInt || code == OpCode::Element;
}

std::vector<std::uint32_t> places_written(std::span<const Instruction> code) {
  std::vector<std::uint32_t> places;
  for (const Instruction& i : code)
    if (writes(i.code)) places.push_back(i.to);
  return places;
}

bool is_invariant(const Instruction& i, std::span<const std::uint32_t> written) {
  const auto changes = [&](std::uint32_t place) { return std::ranges::find(written, place) != written.end(); };
  return i.passive && is_real_arithmetic(i.code) && !changes(i.x) && !changes(i.y);
}

}  // namespace

// Operands of a comparison are computed right before it: a temporary is read until it is written again.
void ProgramBuilder::hoist(Mark loop) {
  std::vector<Instruction>& code = program_->code_;
  const std::vector<Instruction> body(code.begin() + static_cast<std::ptrdiff_t>(loop.code), code.end());
  if (std::ranges::any_of(body, [](const Instruction& i) { return i.code == OpCode::Run; })) return;
  const std::vector<std::uint32_t> written = places_written(body);
  std::unordered_map<std::uint32_t, std::uint32_t> moved;  // temporaries that live before the loop now
  std::vector<Instruction> before, after;
  std::vector<std::uint32_t> positions;                    // in `after`, of the instructions of `body` and of its end
  for (Instruction i : body) {
    positions.push_back(static_cast<std::uint32_t>(after.size()));
    if (i.code <= OpCode::IntNotEqual)
      for (std::uint32_t* x : {&i.x, &i.y})
        if (const auto known = moved.find(*x); known != moved.end()) *x = known->second;
    const bool moves = is_invariant(i, written) && kUsual + hoisted_ < Program::kTemporaries;
    if (writes(i.code)) moved.erase(i.to);
    if (moves) i.to = moved[i.to] = raw(place(kTemporary, kUsual + hoisted_++));
    (moves ? before : after).push_back(i);
  }
  if (before.empty()) return;
  positions.push_back(static_cast<std::uint32_t>(after.size()));
  program_->temporaries_ = Program::kTemporaries;
  code.resize(loop.code);
  code.insert(code.end(), before.begin(), before.end());
  for (std::size_t k = loop.labels; k < positions_.size(); ++k)
    if (positions_[k] >= loop.code) positions_[k] = static_cast<std::uint32_t>(code.size()) + positions.at(positions_[k] - loop.code);
  code.insert(code.end(), after.begin(), after.end());
}

namespace {

bool is_comparison(OpCode code) { return code >= OpCode::Less && code <= OpCode::IntNotEqual; }

OpCode with_element(OpCode code) {
  return static_cast<OpCode>(static_cast<int>(code) + static_cast<int>(OpCode::ElementLess) - static_cast<int>(OpCode::Less));
}

struct ComparisonRow {
  OpCode code;
  ad::Compare guard;
  bool swaps, negates;
};
#define FERMIAC_ROW(Name, guard, swaps, negates) {OpCode::Name, ad::Compare::guard, swaps, negates},
constexpr ComparisonRow kComparisons[] = {FERMIAC_COMPARISONS(FERMIAC_ROW)};
#undef FERMIAC_ROW

/// y OP x for x OP y: the same guard of swapped operands, or what does not care.
OpCode mirrored(OpCode code) {
  const ComparisonRow& row = *std::ranges::find(kComparisons, code, &ComparisonRow::code);
  for (const ComparisonRow& other : kComparisons)
    if (other.guard == row.guard && other.negates == row.negates && other.swaps != row.swaps) return other.code;
  return code;
}

/// `x` is to be compared at once: both as one instruction.
std::optional<Instruction> merged(const Instruction& x, Instruction c) {
  const bool reals = c.code >= OpCode::Less && c.code <= OpCode::NotEqual;
  if (x.code != OpCode::Element || !is_temporary(x.to) || !reals || (x.to != c.x && x.to != c.y)) return std::nullopt;
  if (x.to == c.y) c.code = mirrored(c.code), c.y = c.x;
  c.code = with_element(c.code);
  c.element = x.element;
  return c;
}

}  // namespace

/// Labels become positions.
void ProgramBuilder::resolve() {
  std::uint32_t next = 0;
  for (Instruction& i : program_->code_) {
    ++next;
    if (i.code >= OpCode::Less && i.code <= OpCode::Again) i.to = positions_[i.to];
    if (i.code == OpCode::Run) i.x = positions_[i.x], i.y = positions_[i.y];
    if (is_comparison(i.code)) i.then = next;
  }
}

/// An element that is fetched to be compared is fetched by the comparison: temporaries are read once, and nothing jumps
/// between an operand and its comparison.
void ProgramBuilder::compare_elements() {
  std::vector<Instruction>& code = program_->code_;
  std::vector<std::uint32_t> moved(code.size() + 1);  // where instructions go
  std::vector<Instruction> out;
  for (std::size_t k = 0; k < code.size(); ++k) {
    moved[k] = static_cast<std::uint32_t>(out.size());
    const auto both = k + 1 < code.size() ? merged(code[k], code[k + 1]) : std::nullopt;
    if (both) moved[++k] = static_cast<std::uint32_t>(out.size());
    out.push_back(both ? *both : code[k]);
  }
  moved.back() = static_cast<std::uint32_t>(out.size());
  code = std::move(out);
  for (std::uint32_t& position : positions_)
    if (position < moved.size()) position = moved[position];  // else of a statement that did not fit, and unused
}

/// A loop that goes on with a comparison makes it where it jumps back.
void ProgramBuilder::turn_loops() {
  for (Instruction& i : program_->code_) {
    if (i.code != OpCode::Again || !is_comparison(program_->code_[i.to].code)) continue;
    i = program_->code_[i.to];
    i.again = true;
  }
}

void ProgramBuilder::finish() {
  push({.code = OpCode::Exit, .to = raw(Flow::Next)});
  if (broken_) bind(*broken_), push({.code = OpCode::Exit, .to = raw(Flow::Break)});
  if (continued_) bind(*continued_), push({.code = OpCode::Exit, .to = raw(Flow::Continue)});
  compare_elements();
  resolve();
  turn_loops();
}

std::unique_ptr<const Program> ProgramBuilder::build(const StmtNode& statement) {
  ProgramBuilder b;
  b.statement(statement);
  if (!b.useful_) return nullptr;
  b.finish();
  return std::move(b.program_);
}

}  // namespace fermiac::interp
