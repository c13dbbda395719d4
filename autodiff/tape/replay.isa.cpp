// The inner loops: forward and reverse sweep over a tape. The most frequent scalar ops are written out in the switch,
// everything else goes through the table of maps.
#include "autodiff/kernels/driver.h"
#include "autodiff/tape/replay.h"
#include "autodiff/tape/tape.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

FERMIAC_INLINE MapArgs bind(const Sweep& s, const Op& op, int arity) {
  MapArgs m;
  for (int j = 0; j < arity; ++j) {
    m.x[j] = s.v + op.x[j];
    m.a[j] = op.ad_mask >> j & 1u ? s.a + op.x[j] : nullptr;
  }
  m.out = s.v + op.d;
  m.n = op.n;
  m.vector_mask = op.vector_mask;
  m.keep = op.keep;
  return m;
}

FERMIAC_INLINE void load_scalars(const double* v, const Op& op, double* x) {
  x[0] = v[op.x[0]];
  x[1] = v[op.x[1]];
  x[2] = v[op.x[2]];
  x[3] = v[op.x[3]];
}

/// A scalar map without a case of its own below.
bool map_forward(Sweep& s, const Op& op) {
  const MapOp& f = s.maps[op.map];
  double x[kMaxMapArity];
  load_scalars(s.v, op, x);
  if (!f.valid(x)) return false;
  s.v[op.d] = f.value(x, op.keep);
  return true;
}

void map_reverse(const Sweep& s, const Op& op) {
  const double g = s.a[op.d];
  if (g == 0) return;
  const MapOp& f = s.maps[op.map];
  double x[kMaxMapArity], d[kMaxMapArity];
  load_scalars(s.v, op, x);
  f.value_and_partials(x, op.keep, d);
  for (int j = 0; j < f.arity; ++j)
    if (op.ad_mask >> j & 1u) s.a[op.x[j]] += g * d[j];
}

bool map_sink(Sweep& s, const Op& op) {
  const MapOp& f = s.maps[op.map];
  double x[kMaxMapArity], d[kMaxMapArity];
  load_scalars(s.v, op, x);
  if (!f.valid(x)) return false;
  if (!s.with_gradient) {
    s.lp += f.value(x, op.keep);
    return true;
  }
  s.lp += f.value_and_partials(x, op.keep, d);
  for (int j = 0; j < f.arity; ++j)
    if (op.ad_mask >> j & 1u) s.a[op.x[j]] += d[j];
  return true;
}

bool vector_sink(Sweep& s, const Op& op) {
  const MapOp& f = s.maps[op.map];
  const MapArgs m = bind(s, op, f.arity);
  double sum = 0;
  const bool ok = s.with_gradient ? f.fused(m, &sum) : f.reduce(m, &sum);
  s.lp += sum;
  return ok;
}

bool vector_forward(Sweep& s, const Op& op) {
  const MapOp& f = s.maps[op.map];
  const MapArgs m = bind(s, op, f.arity);
  return op.kind == OpKind::Vector ? f.map(m) : f.reduce(m, m.out);
}

void vector_reverse(const Sweep& s, const Op& op) {
  const MapOp& f = s.maps[op.map];
  MapArgs m = bind(s, op, f.arity);
  m.out_a = s.a + op.d;
  if (op.kind == OpKind::Vector) return f.map_reverse(m);
  m.g = s.a[op.d];
  double unused = 0;
  f.fused(m, &unused);
}

void call_sink(Sweep& s, const Op& op) {
  const Kernel& kernel = *s.kernels[op.x[0]];
  const KernelCall& call = s.calls[op.x[0]];
  if (s.with_gradient && kernel.fused != nullptr) {
    s.lp += kernel.fused(call);
    return;
  }
  kernel.forward(call);
  s.lp += *call.out;
  if (!s.with_gradient) return;
  s.a[op.d] = 1;
  kernel.reverse(call);
}

void add_target(Sweep& s, const Op& op) {
  const std::uint32_t first = op.x[0];
  double sum = 0;
  for (std::uint32_t i = 0; i < op.n; ++i) sum += s.v[first + i];
  s.lp += sum;
  if (!s.with_gradient) return;
  for (std::uint32_t i = 0; i < op.n; ++i) s.a[first + i] += 1;
}

bool guard_holds(const Sweep& s, const Op& op) {
  const double x = s.v[op.x[0]];
  const double y = s.v[op.x[1]];
  const bool expected = op.outcome & 1u;
  switch (static_cast<Compare>(op.outcome >> 1)) {
    case Compare::Less: return (x < y) == expected;
    case Compare::LessOrEqual: return (x <= y) == expected;
    case Compare::Equal: return (x == y) == expected;
  }
  return false;
}

void gather(const Sweep& s, const Op& op) {
  const std::uint32_t* index = s.index + op.x[0];
  for (std::uint32_t i = 0; i < op.n; ++i) s.v[op.d + i] = s.v[index[i]];
}

void scatter_add(const Sweep& s, const Op& op) {
  const std::uint32_t* index = s.index + op.x[0];
  for (std::uint32_t i = 0; i < op.n; ++i) s.a[index[i]] += s.a[op.d + i];
}

/// False: the sweep stops here.
FERMIAC_INLINE bool step_forward(Sweep& s, const Op& op) {
  double* v = s.v;
  switch (op.kind) {
    case OpKind::Add: v[op.d] = v[op.x[0]] + v[op.x[1]]; return true;
    case OpKind::Subtract: v[op.d] = v[op.x[0]] - v[op.x[1]]; return true;
    case OpKind::Multiply: v[op.d] = v[op.x[0]] * v[op.x[1]]; return true;
    case OpKind::Divide: v[op.d] = v[op.x[0]] / v[op.x[1]]; return true;
    case OpKind::Minus: v[op.d] = -v[op.x[0]]; return true;
    case OpKind::Fma: v[op.d] = v[op.x[0]] * v[op.x[1]] + v[op.x[2]]; return true;
    case OpKind::Exp: v[op.d] = exp(v[op.x[0]]); return true;
    case OpKind::Log: v[op.d] = log(v[op.x[0]]); return true;
    case OpKind::Sqrt: v[op.d] = sqrt(v[op.x[0]]); return true;
    case OpKind::Square: v[op.d] = v[op.x[0]] * v[op.x[0]]; return true;
    case OpKind::Inv: v[op.d] = 1.0 / v[op.x[0]]; return true;
    case OpKind::Map: return map_forward(s, op);
    case OpKind::MapSink: return map_sink(s, op);
    case OpKind::Vector:
    case OpKind::VectorReduce: return vector_forward(s, op);
    case OpKind::VectorSink: return vector_sink(s, op);
    case OpKind::Gather: gather(s, op); return true;
    case OpKind::Call: s.kernels[op.x[0]]->forward(s.calls[op.x[0]]); return true;
    case OpKind::CallSink: call_sink(s, op); return true;
    case OpKind::Target: add_target(s, op); return true;
    case OpKind::Guard: s.guard = !guard_holds(s, op); return !s.guard;
  }
  return true;
}

FERMIAC_INLINE void step_reverse(const Sweep& s, const Op& op) {
  const double* v = s.v;
  double* a = s.a;
  const double g = a[op.d];
  switch (op.kind) {
    case OpKind::Add:
      a[op.x[0]] += g;
      a[op.x[1]] += g;
      return;
    case OpKind::Subtract:
      a[op.x[0]] += g;
      a[op.x[1]] -= g;
      return;
    case OpKind::Multiply: {
      const double gx = g * v[op.x[1]];
      a[op.x[1]] += g * v[op.x[0]];
      a[op.x[0]] += gx;
      return;
    }
    case OpKind::Divide: {
      const double q = g / v[op.x[1]];
      a[op.x[0]] += q;
      a[op.x[1]] -= q * v[op.d];
      return;
    }
    case OpKind::Minus: a[op.x[0]] -= g; return;
    case OpKind::Fma: {
      const double x = v[op.x[0]];
      const double y = v[op.x[1]];
      a[op.x[0]] += g * y;
      a[op.x[1]] += g * x;
      a[op.x[2]] += g;
      return;
    }
    case OpKind::Exp: a[op.x[0]] += g * v[op.d]; return;
    case OpKind::Log: a[op.x[0]] += g / v[op.x[0]]; return;
    case OpKind::Sqrt: a[op.x[0]] += 0.5 * g / v[op.d]; return;
    case OpKind::Square: a[op.x[0]] += 2.0 * g * v[op.x[0]]; return;
    case OpKind::Inv: a[op.x[0]] -= g * v[op.d] * v[op.d]; return;
    case OpKind::Map: return map_reverse(s, op);
    case OpKind::Vector:
    case OpKind::VectorReduce: return vector_reverse(s, op);
    case OpKind::Gather: return scatter_add(s, op);
    case OpKind::Call:
      if (s.kernels[op.x[0]]->reverse != nullptr) s.kernels[op.x[0]]->reverse(s.calls[op.x[0]]);
      return;
    case OpKind::MapSink:
    case OpKind::VectorSink:
    case OpKind::CallSink:
    case OpKind::Target:
    case OpKind::Guard: return;  // nothing to hand back
  }
}

}  // namespace

void forward(Sweep& s) {
  for (s.stopped = 0; s.stopped < s.count; ++s.stopped)
    if (!step_forward(s, s.ops[s.stopped])) return;
}

void reverse(const Sweep& s) {
  for (std::uint32_t i = s.count; i-- > 0;) step_reverse(s, s.ops[i]);
}

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
