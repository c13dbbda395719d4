#include "autodiff/kernels/driver.h"
#include "autodiff/ops/scalar.h"
#include "autodiff/solvers/tangents.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// sum + x y, rounded once where the instruction set can: said aloud, for compilers choose themselves which of several products is
/// rounded.
FERMIAC_INLINE V add_product(V sum, V x, V y) {
#if defined(__AVX512F__)
  return reinterpret_cast<V>(_mm512_fmadd_pd(reinterpret_cast<__m512d>(x), reinterpret_cast<__m512d>(y), reinterpret_cast<__m512d>(sum)));
#elif defined(__FMA__)
  return reinterpret_cast<V>(_mm256_fmadd_pd(reinterpret_cast<__m256d>(x), reinterpret_cast<__m256d>(y), reinterpret_cast<__m256d>(sum)));
#elif defined(__aarch64__)
  return reinterpret_cast<V>(vfmaq_f64(reinterpret_cast<float64x2_t>(sum), reinterpret_cast<float64x2_t>(x), reinterpret_cast<float64x2_t>(y)));
#else
  return sum + x * y;
#endif
}

/// d = sum of p[k] t[k] over the active operands: from the first on, each added to what there is, rounded once where the instruction
/// set can. Machine code does the same (tangent_code.cpp).
template <int kActive>
FERMIAC_INLINE void combine(const TangentSweep& s, const TangentOp& op, const double* p) {
  for (std::size_t i = 0; i < s.lanes; i += kLanes) {
    V sum = p[0] * load(s.t + op.tx[0] * s.lanes + i);
    for (int k = 1; k < kActive; ++k) sum = add_product(sum, splat<V>(p[k]), load(s.t + op.tx[k] * s.lanes + i));
    store(s.t + op.td * s.lanes + i, sum);
  }
}

FERMIAC_INLINE void combine(const TangentSweep& s, const TangentOp& op, const double* p) {
  switch (op.active) {
    case 1: return combine<1>(s, op, p);
    case 2: return combine<2>(s, op, p);
    case 3: return combine<3>(s, op, p);
    default: return combine<4>(s, op, p);
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
  if (s.lanes == 0 || op.active == 0) return tangent_map(f, op, s.v, nullptr);
  double p[kMaxMapArity];
  if (!tangent_map(f, op, s.v, p)) return false;
  combine(s, op, p);
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

// What a function throws is said when the point is evaluated again; machine code has no way for it.
bool tangent_map(const MapOp& f, const TangentOp& op, double* v, double* partials) noexcept {
  double x[kMaxMapArity] = {}, d[kMaxMapArity] = {};
  for (int j = 0; j < op.arity; ++j) x[j] = v[op.x[j]];
  if (!f.valid(x)) return false;
  try {
    v[op.d] = partials == nullptr ? f.value(x, op.keep) : f.value_and_partials(x, op.keep, d);
  } catch (...) {
    return false;
  }
  if (partials == nullptr) return true;
  for (int k = 0; k < op.active; ++k) partials[k] = d[op.which[k]];
  return true;
}

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
