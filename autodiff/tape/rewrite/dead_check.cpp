// Checks that are left of ops that nothing reads.
#include <memory>
#include <span>
#include <string_view>

#include "autodiff/kernels/fail_domain.h"
#include "autodiff/tape/ir/operands.h"
#include "autodiff/tape/ir/storage.h"
#include "autodiff/tape/rewrite/passes.h"

namespace fermiac::ad {
namespace {

/// A sink that runs what may throw, and is 0.
template <void (*Run)(const KernelCall&)>
struct CheckForms {
  static Plan plan(const KernelCall&) { return {}; }
  static void forward(const KernelCall& c) {
    Run(c);
    *c.out = 0;
  }
  static void reverse(const KernelCall&) {}
  static double fused(const KernelCall& c) {
    Run(c);
    return 0;
  }
};
template <void (*Run)(const KernelCall&)>
constexpr Kernel check(std::string_view name) {
  using Forms = CheckForms<Run>;
  return {name, Forms::plan, Forms::forward, Forms::reverse, Forms::fused};
}

// ---------------------------------------------------------------- kernels

/// What the check runs; its result and scratch lie in the scratch of the check: [result | scratch].
struct CheckedCall {
  const Kernel* kernel;
  Shape out;
  std::shared_ptr<const void> context;
};

/// Numbers that a result takes in scratch space: vector loops may run over its end.
std::uint32_t room(const Shape& out) {
  return padded(out.size()) + kPad;
}

void run_call(const KernelCall& check) {
  const auto& checked = *static_cast<const CheckedCall*>(check.context);
  KernelCall call = check;
  call.out_shape = checked.out;
  call.out = check.scratch;
  call.scratch = check.scratch + room(checked.out);
  call.context = checked.context.get();
  checked.kernel->forward(call);
}
constexpr Kernel kCheckCall = check<run_call>("check_call__");

CallInfo check_of_call(const CallInfo& info) {
  CallInfo check = info;
  check.kernel = &kCheckCall;
  check.context = std::make_shared<CheckedCall>(CheckedCall{info.kernel, info.out, info.context});
  check.scratch_size = checked_count(std::uint64_t{room(info.out)} + info.scratch_size, "the work space of a check");
  return check;
}

// ---------------------------------------------------------------- maps

struct CheckedMap {
  const MapOp* map;
  std::uint32_t n;
  std::uint16_t vector_mask;
  Keep keep;
};

MapArgs arguments(const CheckedMap& checked, const KernelCall& check) {
  MapArgs m{.out = check.scratch, .n = checked.n, .vector_mask = checked.vector_mask, .keep = checked.keep};
  for (std::size_t j = 0; j < check.in.size(); ++j) m.x[j] = check.in[j].v;
  return m;
}

void run_map(const KernelCall& check) {
  const auto& checked = *static_cast<const CheckedMap*>(check.context);
  const MapArgs m = arguments(checked, check);
  if (checked.n > 0 && !checked.map->map(m)) fail_domain(*checked.map, m);
}
constexpr Kernel kCheckMap = check<run_map>("check_map__");

CallInfo check_of_map(Trace& t, const Op& op) {
  const MapOp& map = map_op(op.map);
  CallInfo check{.kernel = &kCheckMap, .name = map.name};
  check.first = static_cast<std::uint32_t>(t.call_operands.size());
  check.count = map.arity;
  for (int j = 0; j < map.arity; ++j)
    t.call_operands.push_back({.shape = op.vector_mask >> j & 1u ? Shape::vector(op.n) : Shape::scalar(),
                               .place = op.x[j],
                               .autodiff = (op.ad_mask >> j & 1u) != 0});
  check.context = std::make_shared<CheckedMap>(CheckedMap{&map, op.n, op.vector_mask, op.keep});
  check.scratch_size = padded(op.n) + kPad;
  return check;
}

}  // namespace

bool may_fail(const Trace& t, const Op& op) {
  if (op.kind == OpKind::Gather) return false;
  return op.kind == OpKind::Call ? !t.calls[op.table()].kernel->total : !map_op(op.map).total;
}

void make_check(Trace& t, Op& op) {
  CallInfo check = op.kind == OpKind::Call ? check_of_call(t.calls[op.table()]) : check_of_map(t, op);
  check.out = Shape::scalar();
  check.out_place = allocate_slots(t, 1);
  t.calls.push_back(std::move(check));
  op = op_of_call(t, OpKind::CallSink, static_cast<std::uint32_t>(t.calls.size() - 1));
}

}  // namespace fermiac::ad
