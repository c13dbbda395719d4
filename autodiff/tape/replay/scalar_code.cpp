#include "autodiff/tape/replay/scalar_code.h"

#if defined(FERMIAC_JIT)

#include <bit>
#include <cstddef>
#include <limits>

#include "autodiff/kernels/map_op.h"
#include "autodiff/tape/replay/replay.h"
#include "autodiff/tape/replay/scalar_registers.h"
#include "autodiff/tape/replay/scalar_values.h"
#include "support/platform/asmjit_code.h"
#include "support/platform/code_pages.h"

namespace fermiac::ad {
namespace {

constexpr std::uint32_t kShortestRun = 4;                  // beside other ops; one that is all there is always pays
constexpr std::uint32_t kMostClosingOps = 2;               // that a function leaves out (Tape::find_closing_ops)
constexpr std::size_t kMostOps = 100000;                   // some 8 MB of code
constexpr std::uint32_t kMostSlots = std::numeric_limits<std::int32_t>::max() / 8;

bool runs_as_code(const TapeOp& op) {
  if (op.kind >= kFirstHot) return true;
  switch (op.kind) {
    case OpKind::Map:
    case OpKind::MapSink:
    case OpKind::Guard: return true;
    case OpKind::Target: return op.n == 1;
    default: return false;
  }
}

struct Run {
  std::uint32_t first, count;
};

/// At least half of its ops are written out, or are calls that know their operands; the others are as they would be without.
bool pays(std::span<const TapeOp> ops, bool alone) {
  std::size_t written_out = 0;
  for (const TapeOp& op : ops) written_out += op.kind >= kFirstHot || op.kind == OpKind::Map;
  return ops.size() >= (alone ? 1 : kShortestRun) && 2 * written_out >= ops.size();
}

std::vector<Run> find_runs(std::span<const TapeOp> ops) {
  std::vector<Run> out;
  std::size_t total = 0;
  for (std::uint32_t i = 0; i < ops.size();) {
    std::uint32_t end = i;
    while (end < ops.size() && runs_as_code(ops[end])) ++end;
    if (pays(ops.subspan(i, end - i), i == 0 && ops.size() - end <= kMostClosingOps) && total + (end - i) <= kMostOps) {
      out.push_back({i, end - i});
      total += end - i;
    }
    i = end + 1;
  }
  return out;
}

using Assembler = ScalarMachine::Assembler;
using Real = ScalarMachine::Real;
using Place = ScalarMachine::Place;
constexpr Real kFree = ScalarMachine::kFree, kOther = ScalarMachine::kOther;

/// Both functions of a run. Arguments: the Sweep.
class RunEmitter {
 public:
  RunEmitter(Assembler& assembler, std::span<const TapeOp> ops, std::uint32_t first_active)
      : a_(assembler), ops_(ops), first_active_(first_active), do_(assembler), at_(do_, kValues, kAdjoints),
        helpers_(*active_sweeps().scalars), values_(do_, at_, helpers_) {}

  void forward() {
    enter();
    for (std::uint32_t i = 0; i < ops_.size(); ++i) at_.next_op(), forward(ops_[i], i);
    end_ = a_.newLabel();
    do_.result(static_cast<std::uint32_t>(ops_.size()));
    a_.bind(end_);
    leave();
    for (const Stop& s : stops_) stop(s);
  }
  void reverse() {
    at_.forget();
    enter();
    for (std::size_t i = ops_.size(); i-- > 0;) at_.next_op(), reverse(ops_[i]);
    at_.write_back();
    leave();
    do_.constants();
  }

 private:
  struct Stop {
    asmjit::Label label;
    std::uint32_t op;
    bool guard;
  };

  // ---------------------------------------------------------------- frames

  static constexpr ScalarMachine::Pointer kSweep = ScalarMachine::kKept[0], kValues = ScalarMachine::kKept[1], kAdjoints = ScalarMachine::kKept[2];

  void enter() {
    do_.enter(3);
    do_.copy(kSweep, ScalarMachine::kArgument[0]);
    do_.load(kValues, field(offsetof(Sweep, v)));
    do_.load(kAdjoints, field(offsetof(Sweep, a)));
  }
  void leave() { do_.leave(3); }
  void stop(const Stop& s) {
    a_.bind(s.label);
    if (s.guard) do_.set_true(field(offsetof(Sweep, guard)));
    do_.result(s.op);
    do_.jump(end_);
  }
  asmjit::Label stop_at(std::uint32_t op, bool guard) {
    stops_.push_back({a_.newLabel(), op, guard});
    return stops_.back().label;
  }
  static Place field(std::size_t offset) { return ScalarMachine::place(kSweep, offset); }

  // ---------------------------------------------------------------- calls

  template <class F>
  void call(F* function, const TapeOp& op) {
    do_.copy(ScalarMachine::kArgument[0], kSweep);
    do_.set(ScalarMachine::kArgument[1], &op);
    values_.call(function);
  }
  void checked_call(bool (*function)(Sweep&, const TapeOp&), const TapeOp& op, std::uint32_t i) {
    call(function, op);
    do_.jump_if_false(stop_at(i, false));
  }
  // ---------------------------------------------------------------- forward

  void forward(const TapeOp& op, std::uint32_t i) {
    switch (op.kind) {
      case OpKind::Map: return map(op, i);
      case OpKind::MapSink: return checked_call(helpers_.map_sink, op, i);
      case OpKind::Target: return target(op);
      case OpKind::Guard: return values_.guard(op.test, op.x[0], op.x[1], stop_at(i, true));
      default: return values_.value(op.kind, op.d, op.x);
    }
  }
  /// What throws nothing is called as it is, once its rules hold.
  void map(const TapeOp& op, std::uint32_t i) {
    const MapOp& f = map_op(op.map);
    if (f.throws) return checked_call(helpers_.map_forward, op, i);
    const Place x = operands(op, f.arity);
    if (!f.rules.empty()) {
      do_.address(ScalarMachine::kArgument[0], x);
      values_.call(f.valid);
      do_.jump_if_false(stop_at(i, false));
    }
    do_.address(ScalarMachine::kArgument[0], x);
    do_.set(ScalarMachine::kArgument[1], std::bit_cast<std::uint16_t>(op.keep));
    values_.called_value(f.value, op.d);
  }
  /// Where they stand, if that is one behind the other; else they are brought together.
  Place operands(const TapeOp& op, std::uint32_t count) {
    bool together = true;
    for (std::uint32_t j = 1; j < count; ++j) together &= op.x[j] == op.x[0] + j;
    if (together) return at_.value_place(op.x[0]);
    for (std::uint32_t j = 0; j < count; ++j) do_.store(field(offsetof(Sweep, operands) + j * sizeof(double)), at_.value(op.x[j]));
    return field(offsetof(Sweep, operands));
  }
  void target(const TapeOp& op) {
    do_.load(kFree, field(offsetof(Sweep, lp)));
    do_.add(kFree, kFree, at_.value(op.x[0]));
    do_.store(field(offsetof(Sweep, lp)), kFree);
    const asmjit::Label done = a_.newLabel();
    do_.jump_if_false(field(offsetof(Sweep, with_gradient)), done);
    do_.load(kFree, at_.adjoint_place(op.x[0]));
    do_.add(kFree, kFree, do_.one());
    do_.store(at_.adjoint_place(op.x[0]), kFree);
    a_.bind(done);
  }
  // ---------------------------------------------------------------- reverse

  /// Of a constant nobody reads the adjoint.
  bool active(std::uint32_t slot) const { return slot >= first_active_; }
  template <class Change>
  void change(std::uint32_t slot, Change what) {
    if (!active(slot)) return;
    what(at_.adjoint(slot));
    at_.changed_adjoint(slot);
  }
  void add(std::uint32_t slot, const Real& x) {
    change(slot, [&](const Real& sum) { do_.add(sum, sum, x); });
  }
  void subtract(std::uint32_t slot, const Real& x) {
    change(slot, [&](const Real& sum) { do_.subtract(sum, sum, x); });
  }
  void add_product(std::uint32_t slot, const Real& x, const Real& y) {
    change(slot, [&](const Real& sum) { do_.add_product(sum, x, y); });
  }
  void subtract_product(std::uint32_t slot, const Real& x, const Real& y) {
    change(slot, [&](const Real& sum) { do_.subtract_product(sum, x, y); });
  }

  void reverse(const TapeOp& op) {
    if (op.kind == OpKind::Map) {
      at_.write_back();
      return call(helpers_.map_reverse, op);
    }
    if (op.kind < kFirstHot) return;  // nothing to hand back
    const Real g = at_.adjoint(op.d);
    hand_on(op, g);
    at_.drop_adjoint(op.d);
  }
  void hand_on(const TapeOp& op, const Real& g) {
    const std::uint32_t x = op.x[0], y = op.x[1], z = op.x[2];
    switch (op.kind) {
      case OpKind::Add: return add(x, g), add(y, g);
      case OpKind::Subtract: return add(x, g), subtract(y, g);
      case OpKind::Multiply: return products(op, g);
      case OpKind::Fma: return products(op, g), add(z, g);
      case OpKind::Divide: return quotient(op, g);
      case OpKind::Minus: return subtract(x, g);
      case OpKind::Exp: return add_product(x, g, at_.value(op.d));
      case OpKind::Log: return do_.divide(kOther, g, at_.value(x)), add(x, kOther);
      case OpKind::Sqrt:
        do_.multiply(kOther, g, do_.half());
        do_.divide(kOther, kOther, at_.value(op.d));
        do_.zero_at(at_.value(op.d), kOther);
        return add(x, kOther);
      case OpKind::Square: return do_.multiply(kOther, g, do_.two()), add_product(x, kOther, at_.value(x));
      default: return do_.multiply(kOther, g, at_.value(op.d)), subtract_product(x, kOther, at_.value(op.d));  // Inv
    }
  }
  void products(const TapeOp& op, const Real& g) {
    if (active(op.x[0])) add_product(op.x[0], g, at_.value(op.x[1]));
    if (active(op.x[1])) add_product(op.x[1], g, at_.value(op.x[0]));
  }
  void quotient(const TapeOp& op, const Real& g) {
    do_.divide(kOther, g, at_.value(op.x[1]));
    add(op.x[0], kOther);
    if (active(op.x[1])) subtract_product(op.x[1], kOther, at_.value(op.d));
  }

  Assembler& a_;
  std::span<const TapeOp> ops_;
  std::uint32_t first_active_;
  ScalarMachine do_;
  ScalarRegisters at_;
  const ScalarHelpers& helpers_;
  ScalarValues values_;
  asmjit::Label end_;
  std::vector<Stop> stops_;
};

struct RunLabels {
  asmjit::Label forward, reverse;
};

/// The labels are bound in the order of the runs; `ops` is what the code points to.
std::vector<RunLabels> emit(Assembler& a, std::span<const TapeOp> ops, const std::vector<Run>& runs, std::uint32_t first_active) {
  std::vector<RunLabels> labels;
  for (const Run& r : runs) {
    RunEmitter run(a, ops.subspan(r.first, r.count), first_active);
    const RunLabels& l = labels.emplace_back(RunLabels{a.newLabel(), a.newLabel()});
    a.bind(l.forward);
    run.forward();
    a.bind(l.reverse);
    run.reverse();
  }
  return labels;
}

void become_run(TapeOp& op, std::uint32_t count, std::uint32_t entry) {
  op.kind = OpKind::Run;
  op.n = count;
  op.set_table(entry);
}

}  // namespace

std::unique_ptr<const ScalarCode> make_scalar_code(std::span<const TapeOp> ops, std::uint32_t first_active, std::uint32_t slots) {
  const std::vector<Run> runs = find_runs(ops);
  if (runs.empty() || slots > kMostSlots) return nullptr;
  jit::AsmjitErrors errors;
  asmjit::CodeHolder holder;
  if (holder.init(asmjit::Environment::host()) != asmjit::kErrorOk) return nullptr;
  holder.setErrorHandler(&errors);
  Assembler assembler(&holder);
  const std::vector<RunLabels> labels = emit(assembler, ops, runs, first_active);
  if (errors.any) return nullptr;
  auto out = std::make_unique<ScalarCode>();
  out->pages = jit::placed(holder);
  if (!out->pages) return nullptr;
  const auto at = [&](const asmjit::Label& label) { return out->pages.bytes().data() + holder.labelOffset(label); };
  out->ops.assign(ops.begin(), ops.end());
  for (std::uint32_t k = 0; k < runs.size(); ++k) {
    out->runs.push_back({reinterpret_cast<decltype(RunCode::forward)>(at(labels[k].forward)), reinterpret_cast<decltype(RunCode::reverse)>(at(labels[k].reverse))});
    become_run(out->ops[runs[k].first], runs[k].count, k);
    become_run(out->ops[runs[k].first + runs[k].count - 1], runs[k].count, k);
  }
  jit::name_for_perf(out->pages.bytes().data(), holder.codeSize(), "scalar ops of a tape");
  return out;
}

}  // namespace fermiac::ad

#else

namespace fermiac::ad {

std::unique_ptr<const ScalarCode> make_scalar_code(std::span<const TapeOp>, std::uint32_t, std::uint32_t) {
  return nullptr;
}

}  // namespace fermiac::ad

#endif
