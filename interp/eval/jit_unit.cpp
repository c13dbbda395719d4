#include "interp/eval/jit_unit.h"

#include <fmt/format.h>

#include <chrono>

#include "autodiff/errors.h"
#include "autodiff/kernels/fail_domain.h"
#include "codegen/runtime/native.h"
#include "interp/value/numbers.h"
#include "interp/value/selection.h"
#include "support/check.h"

namespace fermiac::interp {
namespace {

using jit::Context;
using jit::Slot;

static_assert(sizeof(Slot) == sizeof(Value) && sizeof(Site) == sizeof(std::uint32_t) && sizeof(std::atomic<bool>) == 1);
static_assert(static_cast<int>(Value::Kind::Int) == native::kInt && static_cast<int>(Value::Kind::Real) == native::kReal &&
              static_cast<int>(Value::Kind::Ints) == native::kInts && static_cast<int>(Value::Kind::Reals) == native::kReals);

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

std::uint32_t apply_map(Context* c, const void* map, const double* x) {
  return guarded(c, [&] {
    const auto& op = *static_cast<const ad::MapOp*>(map);
    if (!op.rules.empty() && !op.valid(x)) ad::fail_domain(op, x);
    c->real = op.value(x, ad::Keep::everything());
  });
}
const void* map_function(const void* map) {
  return reinterpret_cast<const void*>(static_cast<const ad::MapOp*>(map)->value);
}
constexpr std::uint32_t all_terms() {
  constexpr ad::Keep kAll = ad::Keep::everything();
  static_assert(sizeof kAll == 2);
  return kAll.terms | static_cast<std::uint32_t>(kAll.ad) << 8;
}

Value result_of(const JitCall& call, Frame& f, std::span<const Value> arguments) {
  if (call.function) return call_function(*call.function, f, arguments, call.propto);
  f.m.poll();
  CallContext context = f.context(call.propto);
  return call.builtin->apply(context, arguments);
}
std::uint32_t apply_call(Context* c, const void* what, const Slot* arguments) {
  return guarded(c, [&] {
    const auto& call = *static_cast<const JitCall*>(what);
    const Value result = result_of(call, frame(c), ours(arguments, call.count));
    if (result.is_int()) c->integer = result.as_int(), c->real = result.as_int();
    else if (result.kind() == Value::Kind::Real) c->real = result.as_real();
  });
}

constexpr jit::Helpers kHelpers = {.eval_real = eval_real, .eval_int = eval_int, .run = run_statement, .map = apply_map, .unshare = unshare, .call = apply_call,
                                   .map_function = map_function, .all_terms = all_terms()};

}  // namespace

// ---------------------------------------------------------------- budget

bool JitShare::take(std::size_t bytes) {
  return bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= kMostBytes;
}

// ---------------------------------------------------------------- running

Flow JitUnit::run(Frame& f, const StmtNode& nodes) const {
  if (const jit::Entry entry = entry_.load(std::memory_order_acquire)) [[likely]] return run_code(f, entry);
  if (refused_.load(std::memory_order_relaxed)) return nodes.run(f);
  if (!share_->always()) return measure(f, nodes);
  compile();
  return run(f, nodes);
}

/// Nodes run until they have taken as long as making the code would, so that in all no program takes twice as long.
Flow JitUnit::measure(Frame& f, const StmtNode& nodes) const {
  const auto start = std::chrono::steady_clock::now();
  const Flow flow = nodes.run(f);
  const auto taken = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
  const auto more = static_cast<std::uint64_t>(taken);
  if (spent_.fetch_add(more, std::memory_order_relaxed) + more >= price()) compile();
  return flow;
}

/// What making the code takes, in nanoseconds.
std::uint64_t JitUnit::price() const {
  constexpr std::uint64_t kOfUnit = 100000, kOfInstruction = 3000;
  return kOfUnit + kOfInstruction * code.instructions.size();
}

/// Another thread that comes meanwhile goes on with the nodes.
void JitUnit::compile() const {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || entry_.load(std::memory_order_relaxed) || refused_.load(std::memory_order_relaxed)) return;
  std::optional<jit::MachineCode> made = jit::emit(code, kHelpers);
  if (!made || !share_->take(made->pages.bytes().size())) return refused_.store(true, std::memory_order_relaxed);
  machine_ = std::move(*made);
  entry_.store(machine_.entry, std::memory_order_release);
}

Flow JitUnit::run_code(Frame& f, jit::Entry entry) const {
  static constexpr unsigned char kNeverStops = 0;
  Context context{.slots = theirs(f.slots),
                  .site = reinterpret_cast<std::uint32_t*>(&f.m.site),
                  .stop = f.m.stop ? reinterpret_cast<const unsigned char*>(f.m.stop) : &kNeverStops,
                  .frame = &f,
                  .result = theirs(&f.result),
                  .error = {}};
  const std::uint32_t flow = entry(&context);
  if (flow == jit::kFailed) [[unlikely]] fail(f, context);
  return static_cast<Flow>(flow);
}

void JitUnit::fail(Frame& f, Context& context) const {
  if (context.check == 0) std::rethrow_exception(context.error);
  const jit::Check& check = machine_.checks.at(context.check - 1);
  if (check.kind == jit::Check::Kind::Stop) throw ad::Interrupted();
  f.m.site = Site{check.site};
  if (check.kind == jit::Check::Kind::Index) index_error(code.names.at(check.name), static_cast<std::int32_t>(context.offset + 1), context.size);
  throw ad::DomainError(fmt::format("{}: integer division by zero", check.kind == jit::Check::Kind::Division ? "divide" : "modulus"));
}

std::string JitUnit::text(bool with_machine) const {
  std::string listing;
  if (with_machine) jit::emit(code, kHelpers, &listing);
  return jit::to_text(code) + listing;
}

// ---------------------------------------------------------------- the statement

namespace {

struct JitStatement final : StmtNode {
  JitStatement(Site s, std::unique_ptr<const JitUnit> u, StmtPtr n) : StmtNode(s), unit(std::move(u)), nodes(std::move(n)) {}
  Flow run(Frame& f) const override { return f.recording ? nodes->run(f) : unit->run(f, *nodes); }
  std::unique_ptr<const JitUnit> unit;
  StmtPtr nodes;
};

}  // namespace

StmtPtr make_jit(Site site, std::unique_ptr<const JitUnit> unit, StmtPtr nodes) {
  return std::make_unique<JitStatement>(site, std::move(unit), std::move(nodes));
}

}  // namespace fermiac::interp
