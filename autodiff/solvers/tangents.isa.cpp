#include "autodiff/kernels/driver.h"
#include "autodiff/solvers/tangents.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// d = sum of p[k] t[k] over the active operands.
FERMIAC_INLINE void combine(const TangentSweep& s, const TangentOp& op, const double* p) {
  double* to = s.t + op.td * s.lanes;
  const double* a = s.t + op.tx[0] * s.lanes;
  if (op.active == 1) {
    for (std::size_t i = 0; i < s.lanes; i += kLanes) store(to + i, p[0] * load(a + i));
    return;
  }
  const double* b = s.t + op.tx[1] * s.lanes;
  if (op.active == 2) {
    for (std::size_t i = 0; i < s.lanes; i += kLanes) store(to + i, p[0] * load(a + i) + p[1] * load(b + i));
    return;
  }
  const double* c = s.t + op.tx[2] * s.lanes;
  for (std::size_t i = 0; i < s.lanes; i += kLanes) {
    V sum = p[0] * load(a + i) + p[1] * load(b + i) + p[2] * load(c + i);
    if (op.active == 4) sum += p[3] * load(s.t + op.tx[3] * s.lanes + i);
    store(to + i, sum);
  }
}

FERMIAC_INLINE void tangents(const TangentSweep& s, const TangentOp& op, const double* partials) {
  double p[kMaxMapArity];
  for (int k = 0; k < op.active; ++k) p[k] = partials[op.which[k]];
  combine(s, op, p);
}

bool guard_holds(const double* v, const TangentOp& op) {
  const double x = v[op.x[0]], y = v[op.x[1]];
  const bool expected = op.outcome & 1u;
  switch (static_cast<Compare>(op.outcome >> 1)) {
    case Compare::Less: return (x < y) == expected;
    case Compare::LessOrEqual: return (x <= y) == expected;
    case Compare::Equal: return (x == y) == expected;
  }
  return false;
}

bool general_map(const TangentSweep& s, const TangentOp& op) {
  const MapOp& f = s.maps[op.map];
  double x[kMaxMapArity] = {}, d[kMaxMapArity] = {};
  for (int j = 0; j < op.arity; ++j) x[j] = s.v[op.x[j]];
  if (!f.valid(x)) return false;
  if (s.lanes == 0 || op.active == 0) {
    s.v[op.d] = f.value(x, op.keep);
    return true;
  }
  s.v[op.d] = f.value_and_partials(x, op.keep, d);
  tangents(s, op, d);
  return true;
}

/// Value of one of the written-out ops, and its partials.
FERMIAC_INLINE double hot_map(const double* v, const TangentOp& op, double* d) {
  const double x = v[op.x[0]];
  switch (op.kind) {
    case OpKind::Add: d[0] = d[1] = 1; return x + v[op.x[1]];
    case OpKind::Subtract: d[0] = 1; d[1] = -1; return x - v[op.x[1]];
    case OpKind::Multiply: d[0] = v[op.x[1]]; d[1] = x; return x * v[op.x[1]];
    case OpKind::Divide: {
      const double inverse = 1 / v[op.x[1]], q = x / v[op.x[1]];
      d[0] = inverse;
      d[1] = -q * inverse;
      return q;
    }
    case OpKind::Minus: d[0] = -1; return -x;
    case OpKind::Fma: d[0] = v[op.x[1]]; d[1] = x; d[2] = 1; return x * v[op.x[1]] + v[op.x[2]];
    case OpKind::Exp: return d[0] = exp(x);
    case OpKind::Log: d[0] = 1 / x; return log(x);
    case OpKind::Sqrt: {
      const double r = sqrt(x);
      d[0] = 0.5 / r;
      return r;
    }
    case OpKind::Square: d[0] = 2 * x; return x * x;
    case OpKind::Inv: {
      const double r = 1 / x;
      d[0] = -r * r;
      return r;
    }
    default: return x;
  }
}

}  // namespace

std::uint32_t sweep_tangents(const TangentSweep& s) {
  for (std::uint32_t i = 0; i < s.count; ++i) {
    const TangentOp& op = s.ops[i];
    if (op.kind == OpKind::Guard) {
      if (!guard_holds(s.v, op)) return i;
    } else if (op.kind == OpKind::Map) {
      if (!general_map(s, op)) return i;
    } else {
      double d[kMaxMapArity];
      s.v[op.d] = hot_map(s.v, op, d);
      if (s.lanes > 0 && op.active > 0) tangents(s, op, d);
    }
  }
  return s.count;
}

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
