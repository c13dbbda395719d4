#include "autodiff/tape/replay/scalar_code.h"

#if defined(FERMIAC_JIT)

#include <bit>
#include <cstddef>
#include <limits>

#include "autodiff/kernels/map_op.h"
#include "autodiff/tape/replay/scalar_values.h"
#include "jit/buffer.h"

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

/// Both functions of a run. Arguments: the Sweep.
class RunEmitter final : private ScalarValues {
 public:
  RunEmitter(Assembler& assembler, std::span<const TapeOp> ops, std::uint32_t first_active)
      : ScalarValues(assembler, {kKept[1]}, {kKept[2]}), ops_(ops), first_active_(first_active) {}

  Label forward() {
    const Label begin = enter_function();
    for (std::uint32_t i = 0; i < ops_.size(); ++i) next_op(), forward(ops_[i], i);
    end_ = label();
    set_result(static_cast<std::uint32_t>(ops_.size()));
    bind(end_);
    leave(kSaved);
    for (const Stop& s : stops_) stop(s);
    return begin;
  }
  Label reverse() {
    forget();
    const Label begin = enter_function();
    for (std::size_t i = ops_.size(); i-- > 0;) next_op(), reverse(ops_[i]);
    write_back();
    leave(kSaved);
    embed_constants();
    return begin;
  }

 private:
  struct Stop {
    Label label;
    std::uint32_t op;
    bool guard;
  };

  // ---------------------------------------------------------------- frames

  static constexpr std::size_t kSaved = 3;
  static constexpr auto kSweep = kKept[0];

  Label enter_function() {
    const Label begin = label();
    bind(begin);
    enter(kSaved);
    copy_pointer(kSweep, kArgument[0]);
    load_pointer(kKept[1], field(offsetof(Sweep, v)));
    load_pointer(kKept[2], field(offsetof(Sweep, a)));
    return begin;
  }
  void stop(const Stop& s) {
    bind(s.label);
    if (s.guard) store_byte(field(offsetof(Sweep, guard)), 1);
    set_result(s.op);
    jump(end_);
  }
  Label stop_at(std::uint32_t op, bool guard) {
    stops_.push_back({label(), op, guard});
    return stops_.back().label;
  }
  static Place field(std::size_t offset) { return Machine::place(kSweep, offset); }

  // ---------------------------------------------------------------- calls

  template <class F>
  void call_op(F* function, const TapeOp& op) {
    copy_pointer(kArgument[0], kSweep);
    set_pointer(kArgument[1], &op);
    call(function);
  }
  void checked_call(bool (*function)(Sweep&, const TapeOp&), const TapeOp& op, std::uint32_t i) {
    call_op(function, op);
    jump_if_false(stop_at(i, false));
  }

  // ---------------------------------------------------------------- forward

  void forward(const TapeOp& op, std::uint32_t i) {
    switch (op.kind) {
      case OpKind::Map: return map(op, i);
      case OpKind::MapSink: return checked_call(helpers_.map_sink, op, i);
      case OpKind::Target: return target(op);
      case OpKind::Guard: return guard(op.test, op.x[0], op.x[1], stop_at(i, true));
      default: return op_value(op.kind, op.d, op.x);
    }
  }
  /// What throws nothing is called as it is, once its rules hold.
  void map(const TapeOp& op, std::uint32_t i) {
    const MapOp& f = map_op(op.map);
    if (f.throws) return checked_call(helpers_.map_forward, op, i);
    const Place x = operands(op, f.arity);
    if (!f.rules.empty()) {
      address_of(kArgument[0], x);
      call(f.valid);
      jump_if_false(stop_at(i, false));
    }
    address_of(kArgument[0], x);
    set(kArgument[1], std::bit_cast<std::uint16_t>(op.keep));
    called_value(f.value, op.d);
  }
  /// Where they are in memory if that is one after the other; else they are brought together.
  Place operands(const TapeOp& op, std::uint32_t count) {
    bool together = true;
    for (std::uint32_t j = 1; j < count; ++j) together &= op.x[j] == op.x[0] + j;
    if (together) return place(value_of(op.x[0]));
    for (std::uint32_t j = 0; j < count; ++j) store(field(offsetof(Sweep, operands) + j * sizeof(double)), value(op.x[j]));
    return field(offsetof(Sweep, operands));
  }
  void target(const TapeOp& op) {
    const Label done = label();
    add_to_place(field(offsetof(Sweep, lp)), [&](const Real& sum) { add(sum, sum, value(op.x[0])); });
    jump_if_byte(field(offsetof(Sweep, with_gradient)), 0, done);
    add_to_place(place(adjoint_of(op.x[0])), [&](const Real& sum) { add(sum, sum, constant(1)); });
    bind(done);
  }
  template <class Add>
  void add_to_place(const Place& p, Add add) {
    load(kOther, p);
    add(kOther);
    store(p, kOther);
  }

  // ---------------------------------------------------------------- reverse

  static Number adjoint_of(std::uint32_t slot) { return {1, slot}; }
  /// Of a constant nobody reads the adjoint.
  bool active(std::uint32_t slot) const { return slot >= first_active_; }
  template <class Change>
  void change(std::uint32_t slot, Change what) {
    if (!active(slot)) return;
    what(read(adjoint_of(slot)));
    set_dirty(adjoint_of(slot));
  }
  void hand(std::uint32_t slot, const Real& x) {
    change(slot, [&](const Real& sum) { add(sum, sum, x); });
  }
  void hand_negative(std::uint32_t slot, const Real& x) {
    change(slot, [&](const Real& sum) { subtract(sum, sum, x); });
  }
  void hand_product(std::uint32_t slot, const Real& x, const Real& y) {
    change(slot, [&](const Real& sum) { add_product(sum, x, y); });
  }
  void hand_negative_product(std::uint32_t slot, const Real& x, const Real& y) {
    change(slot, [&](const Real& sum) { subtract_product(sum, x, y); });
  }

  void reverse(const TapeOp& op) {
    if (op.kind == OpKind::Map) {
      write_back();
      return call_op(helpers_.map_reverse, op);
    }
    if (op.kind < kFirstHot) return;  // nothing to hand back
    hand_on(op, read(adjoint_of(op.d)));
    drop(adjoint_of(op.d));
  }
  void hand_on(const TapeOp& op, const Real& g) {
    const std::uint32_t x = op.x[0], y = op.x[1], z = op.x[2];
    switch (op.kind) {
      case OpKind::Add: return hand(x, g), hand(y, g);
      case OpKind::Subtract: return hand(x, g), hand_negative(y, g);
      case OpKind::Multiply: return products(op, g);
      case OpKind::Fma: return products(op, g), hand(z, g);
      case OpKind::Divide: return quotient(op, g);
      case OpKind::Minus: return hand_negative(x, g);
      case OpKind::Exp: return hand_product(x, g, value(op.d));
      case OpKind::Log: return divide(kOther, g, value(x)), hand(x, kOther);
      case OpKind::Sqrt:
        multiply(kOther, g, constant(0.5));
        divide(kOther, kOther, value(op.d));
        zero_at(value(op.d), kOther);
        return hand(x, kOther);
      case OpKind::Square: return multiply(kOther, g, constant(2)), hand_product(x, kOther, value(x));
      default: return multiply(kOther, g, value(op.d)), hand_negative_product(x, kOther, value(op.d));  // Inv
    }
  }
  void products(const TapeOp& op, const Real& g) {
    if (active(op.x[0])) hand_product(op.x[0], g, value(op.x[1]));
    if (active(op.x[1])) hand_product(op.x[1], g, value(op.x[0]));
  }
  void quotient(const TapeOp& op, const Real& g) {
    divide(kOther, g, value(op.x[1]));
    hand(op.x[0], kOther);
    if (active(op.x[1])) hand_negative_product(op.x[1], kOther, value(op.d));
  }

  std::span<const TapeOp> ops_;
  std::uint32_t first_active_;
  Label end_;
  std::vector<Stop> stops_;
};

struct RunLabels {
  asmjit::Label forward, reverse;
};

void become_run(TapeOp& op, std::uint32_t count, std::uint32_t entry) {
  op.kind = OpKind::Run;
  op.n = count;
  op.set_table(entry);
}

}  // namespace

std::unique_ptr<const ScalarCode> make_scalar_code(std::span<const TapeOp> ops, std::uint32_t first_active, std::uint32_t slots) {
  const std::vector<Run> runs = find_runs(ops);
  if (runs.empty() || slots > kMostSlots) return nullptr;
  jit::Buffer<jit::Machine::Assembler> buffer;
  std::vector<RunLabels> labels;
  for (const Run& r : runs) {
    RunEmitter run(buffer.emitter(), ops.subspan(r.first, r.count), first_active);
    const asmjit::Label forward = run.forward();
    labels.push_back({forward, run.reverse()});
  }
  auto out = std::make_unique<ScalarCode>();
  out->pages = buffer.pages("scalar ops of a tape");
  if (!out->pages) return nullptr;
  const auto at = [&](const asmjit::Label& label) { return out->pages.bytes().data() + buffer.offset(label); };
  out->ops.assign(ops.begin(), ops.end());
  for (std::uint32_t k = 0; k < runs.size(); ++k) {
    out->runs.push_back({reinterpret_cast<decltype(RunCode::forward)>(at(labels[k].forward)),
                         reinterpret_cast<decltype(RunCode::reverse)>(at(labels[k].reverse))});
    become_run(out->ops[runs[k].first], runs[k].count, k);
    become_run(out->ops[runs[k].first + runs[k].count - 1], runs[k].count, k);
  }
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
