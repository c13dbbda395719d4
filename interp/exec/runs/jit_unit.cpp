#include "interp/exec/runs/jit_unit.h"

#include <fmt/format.h>

#include <chrono>

#include "autodiff/distributions/detail/rng.h"
#include "interp/exec/runs/lent_trail.h"
#include "interp/value/numbers.h"
#include "interp/value/selection.h"
#include "support/base/check.h"
#include "support/base/errors.h"
#include "support/platform/code_pages.h"

namespace fermiac::interp {
namespace {

using jit::Context;
using jit::Slot;

static_assert(sizeof(Slot) == sizeof(Value) && sizeof(Site) == sizeof(std::uint32_t) && sizeof(std::atomic<bool>) == 1);
static_assert(static_cast<int>(Value::Kind::Int) == jit::kInt && static_cast<int>(Value::Kind::Real) == jit::kReal &&
              static_cast<int>(Value::Kind::Ints) == jit::kInts && static_cast<int>(Value::Kind::Refs) == jit::kRefs);
static_assert(sizeof(jit::Shape) == sizeof(Shape) && offsetof(jit::Shape, inner) == offsetof(Shape, inner) &&
              offsetof(jit::Shape, rank) == offsetof(Shape, rank) && offsetof(jit::Shape, dims) == offsetof(Shape, array_dims) &&
              offsetof(jit::Shape, rows) == offsetof(Shape, rows) && offsetof(jit::Shape, cols) == offsetof(Shape, cols));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"  // the vectors behind it do not move the beginning
static_assert(offsetof(jit::Box, owners) == offsetof(Box, owners) && offsetof(jit::Box, shape) == offsetof(Box, shape) &&
              offsetof(jit::Box, numbers) == offsetof(Box, numbers));
#pragma GCC diagnostic pop

/// The same object, as machine code knows it.
Slot* theirs(Value* v) { return static_cast<Slot*>(static_cast<void*>(v)); }
Value& ours(Slot* s) { return *static_cast<Value*>(static_cast<void*>(s)); }
std::span<const Value> ours(const Slot* s, std::size_t n) { return {static_cast<const Value*>(static_cast<const void*>(s)), n}; }
Frame& frame(const Context* c) { return *static_cast<Frame*>(c->frame); }

// ---------------------------------------------------------------- what machine code calls

/// Machine code has no tables for unwinding: what is thrown waits in the context until the code has returned.
template <class F>
std::uint32_t guarded(Context* c, F f) {
  try {
    f();
    return 0;
  } catch (...) {
    c->error = std::current_exception();
    return 1;
  }
}

std::uint32_t eval_real(Context* c, const void* node) {
  return guarded(c, [&] { c->real = static_cast<const ExprNode*>(node)->eval_real(frame(c)); });
}
std::uint32_t eval_int(Context* c, const void* node) {
  return guarded(c, [&] { c->integer = static_cast<const ExprNode*>(node)->eval_int(frame(c)); });
}
std::uint32_t run_statement(Context* c, const void* statement) {
  return guarded(c, [&] { static_cast<const StmtNode*>(statement)->run(frame(c)); });
}
std::uint32_t unshare(Context* c, Slot* container) {
  return guarded(c, [&] { ours(container).unshare(); });
}

std::uint32_t apply_map(Context* c, const void* map, const void* x) {
  return guarded(c, [&] { c->real = static_cast<const JitMap*>(map)->value(frame(c), static_cast<const double*>(x)); });
}
std::uint32_t add_map(Context* c, const void* map, const void* x) {
  return guarded(c, [&] { frame(c).m.lp += static_cast<const JitMap*>(map)->value(frame(c), static_cast<const double*>(x)); });
}
const void* map_function(const void* map) { return reinterpret_cast<const void*>(static_cast<const JitMap*>(map)->op.value); }
constexpr std::uint32_t all_terms() {
  constexpr ad::Keep kAll = ad::Keep::everything();
  static_assert(sizeof kAll == 2);
  return kAll.terms | static_cast<std::uint32_t>(kAll.ad) << 8;
}

Value result_of(const JitCall& call, Frame& f, std::span<const Value> arguments) {
  if (call.function) return call_function(*call.function, f, arguments, call.dropping.activity(f));
  f.m.poll();
  CallContext context = f.context(call.dropping(f));
  return call.builtin->apply(context, arguments);
}
/// A draw of one number needs no values on its way.
void draw(const ad::RngOp& op, Rng& rng, std::span<const Value> arguments, Context* c) {
  double x[ad::kMaxMapArity];
  for (std::size_t j = 0; j < arguments.size(); ++j) x[j] = number(arguments[j]);
  c->real = ad::draw(op, rng, x);
  if (op.integer_result) c->integer = ad::drawn_int(c->real);
}
std::uint32_t apply_call(Context* c, const void* what, const Slot* arguments) {
  return guarded(c, [&] {
    const auto& call = *static_cast<const JitCall*>(what);
    if (call.draw && frame(c).m.rng) return draw(*call.draw, *frame(c).m.rng, ours(arguments, call.count), c);
    const Value result = result_of(call, frame(c), ours(arguments, call.count));
    if (result.is_int()) c->integer = result.as_int(), c->real = result.as_int();
    else if (result.kind() == Value::Kind::Real) c->real = result.as_real();
  });
}
std::uint32_t never(Context*, const void*) { return 0; }
std::uint32_t never_set(Context*, Slot*) { return 0; }

constexpr jit::Helpers kPlain = {.eval_real = eval_real, .eval_int = eval_int, .run = run_statement, .map = apply_map, .target = add_map,
                                 .unshare = unshare, .call = apply_call, .more = never, .set_traced = never_set,
                                 .map_function = map_function, .all_terms = all_terms()};

// ---------------------------------------------------------------- the same with derivatives

struct TracedContext : Context {
  LentTrail* lent = nullptr;
};
TracedContext& traced_context(Context* c) { return *static_cast<TracedContext*>(c); }

/// While others add to the evaluation.
template <class F>
std::uint32_t settled(Context* c, F f) {
  LentTrail& lent = *traced_context(c).lent;
  lent.settle();
  const std::uint32_t status = guarded(c, f);
  lent.settle();
  return status;
}
void give(Context* c, const Traced& x) {
  c->real = x.value;
  c->ref = x.active ? x.ref.bits() : jit::kNoRef;
}

std::uint32_t trace_real(Context* c, const void* node) {
  return settled(c, [&] {
    const auto& e = *static_cast<const ExprNode*>(node);
    give(c, e.may_ref ? e.trace(frame(c)) : Traced{e.eval_real(frame(c))});
  });
}
std::uint32_t trace_int(Context* c, const void* node) {
  return settled(c, [&] { c->integer = static_cast<const ExprNode*>(node)->eval_int(frame(c)); });
}
std::uint32_t trace_statement(Context* c, const void* statement) {
  return settled(c, [&] { static_cast<const StmtNode*>(statement)->run(frame(c)); });
}
std::uint32_t trace_map(Context* c, const void* map, const void* x) {
  return guarded(c, [&] {
    const auto out = static_cast<const JitMap*>(map)->traced(frame(c), *traced_context(c).lent, static_cast<const jit::Traced*>(x));
    c->real = out.v, c->ref = out.ref;
  });
}
std::uint32_t trace_target(Context* c, const void* map, const void* x) {
  return guarded(c, [&] { static_cast<const JitMap*>(map)->to_target(frame(c), *traced_context(c).lent, static_cast<const jit::Traced*>(x)); });
}
std::uint32_t trace_call(Context* c, const void* what, const Slot* arguments) {
  return settled(c, [&] {
    const auto& call = *static_cast<const JitCall*>(what);
    const Value result = result_of(call, frame(c), ours(arguments, call.count));
    if (result.is_int()) c->integer = result.as_int();
    if (!result.is_none()) give(c, traced(frame(c), result));
  });
}
std::uint32_t trace_unshare(Context* c, Slot* container) {
  return settled(c, [&] { ours(container).unshare(); });
}
std::uint32_t more(Context* c, const void*) {
  return guarded(c, [&] { traced_context(c).lent->more(); });
}
std::uint32_t set_traced(Context* c, Slot* container) {
  return settled(c, [&] {
    const Value x = c->ref == jit::kNoRef ? Value(c->real) : Value::reference(Ref::from_bits(c->ref));
    write_scalar(ours(container), c->offset, x, frame(c).m.recorder);
  });
}

constexpr jit::Helpers kTraced = {.eval_real = trace_real, .eval_int = trace_int, .run = trace_statement, .map = trace_map, .target = trace_target,
                                  .unshare = trace_unshare, .call = trace_call, .more = more, .set_traced = set_traced,
                                  .map_function = map_function, .all_terms = all_terms()};

}  // namespace

// ---------------------------------------------------------------- budget

bool JitShare::take(std::size_t bytes) {
  return bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= kMostBytes;
}

// ---------------------------------------------------------------- running

Flow JitUnit::run(Frame& f, const StmtNode& nodes) const {
  Kind& kind = f.recording ? traced_ : plain_;
  if (const jit::Entry entry = kind.entry.load(std::memory_order_acquire)) [[likely]] return run_code(f, kind, entry);
  if (kind.refused.load(std::memory_order_relaxed)) return nodes.run(f);
  if (!share_->always()) return measure(f, nodes, kind);
  compile(kind);
  return run(f, nodes);
}

/// Nodes run until they have taken as long as making the code would, so that in all no program takes twice as long.
Flow JitUnit::measure(Frame& f, const StmtNode& nodes, Kind& kind) const {
  const auto start = std::chrono::steady_clock::now();
  const Flow flow = nodes.run(f);
  const auto taken = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
  const auto more_spent = static_cast<std::uint64_t>(taken);
  if (kind.spent.fetch_add(more_spent, std::memory_order_relaxed) + more_spent >= price()) compile(kind);
  return flow;
}

/// What making the code takes, in nanoseconds.
std::uint64_t JitUnit::price() const {
  constexpr std::uint64_t kOfUnit = 100000, kOfInstruction = 3000;
  return kOfUnit + kOfInstruction * code.instructions.size();
}

/// Another thread that comes meanwhile goes on with the nodes.
void JitUnit::compile(Kind& kind) const {
  const std::unique_lock lock(kind.mutex, std::try_to_lock);
  if (!lock || kind.entry.load(std::memory_order_relaxed) || kind.refused.load(std::memory_order_relaxed)) return;
  const bool traced = &kind == &traced_;
  std::optional<jit::MachineCode> made = jit::emit(code, traced ? kTraced : kPlain, traced);
  if (!made || !share_->take(made->pages.bytes().size())) return kind.refused.store(true, std::memory_order_relaxed);
  kind.machine = std::move(*made);
  jit::name_for_perf(kind.machine.pages.bytes().data(), kind.machine.size, code.label);
  kind.entry.store(kind.machine.entry, std::memory_order_release);
}

Flow JitUnit::run_code(Frame& f, const Kind& kind, jit::Entry entry) const {
  static constexpr unsigned char kNeverStops = 0;
  TracedContext context;
  context.slots = theirs(f.slots);
  context.site = reinterpret_cast<std::uint32_t*>(&f.m.site);
  context.stop = f.m.stop ? reinterpret_cast<const unsigned char*>(f.m.stop) : &kNeverStops;
  context.frame = &f;
  context.result = theirs(&f.result);
  std::uint32_t flow = 0;
  if (f.recording) {
    LentTrail lent(*f.m.recorder);
    context.trail = lent.get();
    context.lent = &lent;
    context.result_to_target = f.result_to_target;
    flow = entry(&context);
    f.result_to_target &= f.result.is_none();  // else whoever called adds it
  } else {
    flow = entry(&context);
  }
  if (flow != jit::kFailed) [[likely]] return static_cast<Flow>(flow);
  if (context.check == 0) std::rethrow_exception(context.error);
  const jit::Check& check = kind.machine.checks.at(context.check - 1);
  fail(f, context, check, check.kind == jit::Check::Kind::Index ? code.names.at(check.name) : std::string());
}

void JitUnit::fail(Frame& f, const Context& context, const jit::Check& check, const std::string& name) {
  if (check.kind == jit::Check::Kind::Stop) throw ad::Interrupted();
  f.at(Site{check.site});
  if (check.kind == jit::Check::Kind::Index) index_error(name, static_cast<std::int32_t>(context.offset + 1), context.size);
  throw ad::DomainError(fmt::format("{}: integer division by zero", check.kind == jit::Check::Kind::Division ? "divide" : "modulus"));
}

std::string JitUnit::text(bool with_machine) const {
  std::string listing;
  if (with_machine) jit::emit(code, kPlain, false, &listing);
  return jit::to_text(code) + listing;
}

std::string jit_text(const Code& code, bool with_machine) {
  std::string out;
  for (const JitUnit* unit : code.jit_units) out += unit->text(with_machine) + "\n";
  return out;
}

// ---------------------------------------------------------------- the statement

namespace {

struct JitStatement final : StmtNode {
  JitStatement(Site s, std::unique_ptr<const JitUnit> u, StmtPtr n) : StmtNode(s), unit(std::move(u)), nodes(std::move(n)) {}
  Flow run(Frame& f) const override {
    return f.recording && !f.m.recorder->evaluates() ? nodes->run(f) : unit->run(f, *nodes);
  }
  std::unique_ptr<const JitUnit> unit;
  StmtPtr nodes;
};

}  // namespace

StmtPtr make_jit(Site site, std::unique_ptr<const JitUnit> unit, StmtPtr nodes) {
  return std::make_unique<JitStatement>(site, std::move(unit), std::move(nodes));
}

}  // namespace fermiac::interp
