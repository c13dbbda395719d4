#include "autodiff/kernels/driver.h"
#include "autodiff/ops/scalar.h"
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
  return ops::holds(op.test.compare(), v[op.x[0]], v[op.x[1]]) == op.test.outcome();
}

bool general_map(const TangentSweep& s, const TangentOp& op) {
  const MapOp& f = s.maps[index_of(op.map)];
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

template <class O>
FERMIAC_INLINE void hot_partials(O, const double* x, double value, double* d) {
  O::partials(x, value, 1.0, d);
}
/// With one division less.
FERMIAC_INLINE void hot_partials(ops::Divide, const double* x, double value, double* d) {
  d[0] = 1 / x[1];
  d[1] = -value * d[0];
}

template <class O>
FERMIAC_INLINE double hot_op(const double* v, const TangentOp& op, double* d) {
  const double x[] = {v[op.x[0]], v[op.x[1]], v[op.x[2]]};
  const double value = O::value(x);
  hot_partials(O{}, x, value, d);
  return value;
}

/// Value of one of the written-out ops, and its partials.
FERMIAC_INLINE double hot_map(const double* v, const TangentOp& op, double* d) {
  switch (op.kind) {
#define FERMIAC_CASE(Name, ...) \
  case OpKind::Name: return hot_op<ops::Name>(v, op, d);
    FERMIAC_SCALAR_OPS(FERMIAC_CASE)
#undef FERMIAC_CASE
    default: return v[op.x[0]];
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
