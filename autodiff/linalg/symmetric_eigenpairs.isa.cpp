// The loops of symmetric_eigenpairs.h.
#include "autodiff/linalg/symmetric_eigenpairs.h"

#include "autodiff/kernels/simd.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

using dense::Index;

void rank_two(Index rows, Index columns, Index at, const double* v, const double* w, double* a, Index ld) {
  for (Index j = 0; j < columns; ++j, a += ld) {
    const V vj = splat<V>(v[at + j]), wj = splat<V>(w[at + j]);
    for (Index i = 0; i < rows; i += kLanes) store(a + i, load(a + i) - load(v + i) * wj - load(w + i) * vj);
  }
}

void reflect(Index rows, Index columns, double tau, const double* v, double* q, Index ld) {
  for (Index j = 0; j < columns; ++j, q += ld) {
    V sum{};
    for (Index i = 0; i < rows; i += kLanes) sum += load(v + i) * load(q + i);
    const V by = splat<V>(tau * sum_lanes(sum));
    for (Index i = 0; i < rows; i += kLanes) store(q + i, load(q + i) - by * load(v + i));
  }
}

/// kParts times the lanes: what comes from one column waits in registers for the next one.
template <int kParts>
FERMIAC_INLINE void rotate_rows(Index count, const double* turns, double* q, Index ld) {
  V x[kParts];
  for (int u = 0; u < kParts; ++u) x[u] = load(q + u * kLanes);
  for (Index k = 0; k < count; ++k, q += ld) {
    const V c = splat<V>(turns[2 * k]), s = splat<V>(turns[2 * k + 1]);
    for (int u = 0; u < kParts; ++u) {
      const V y = load(q + ld + u * kLanes);
      store(q + u * kLanes, c * x[u] - s * y);
      x[u] = s * x[u] + c * y;
    }
  }
  for (int u = 0; u < kParts; ++u) store(q + u * kLanes, x[u]);
}

void rotate(Index rows, Index count, const double* turns, double* q, Index ld) {
  Index i = 0;
  for (; i + 4 * kLanes <= rows; i += 4 * kLanes) rotate_rows<4>(count, turns, q + i, ld);
  for (; i < rows; i += kLanes) rotate_rows<1>(count, turns, q + i, ld);
}

}  // namespace

extern const SymmetricEigenLoops kSymmetricEigenLoops;
const SymmetricEigenLoops kSymmetricEigenLoops = {rank_two, reflect, rotate};

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
