// Views of matrices, and the vectorized inner loops of the dense routines (dense.h), one table per instruction set.
#pragma once

#include <cstddef>

namespace fermiac::ad::dense {

using Index = std::ptrdiff_t;

/// A matrix to read: rows x cols as seen by the user of the view; `transposed` says that memory holds it the other way.
struct View {
  const double* p = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index ld = 0;  // distance of columns in memory
  bool transposed = false;
  double operator()(Index i, Index j) const { return transposed ? p[j + i * ld] : p[i + j * ld]; }
};
inline View view(const double* p, Index rows, Index cols) { return {p, rows, cols, rows, false}; }
inline View view(const double* p, Index rows, Index cols, Index ld) { return {p, rows, cols, ld, false}; }
inline View t(View a) { return {a.p, a.cols, a.rows, a.ld, !a.transposed}; }

struct Ops {
  double (*dot)(Index n, const double* x, const double* y);
  void (*axpy)(Index n, double a, const double* x, double* y);                 // y += a x
  /// y += alpha A x, A m x n column-major with leading dimension lda.
  void (*gemv)(Index m, Index n, double alpha, const double* a, Index lda, const double* x, double* y);
  /// y += alpha A' x.
  void (*gemv_t)(Index m, Index n, double alpha, const double* a, Index lda, const double* x, double* y);
  /// C += alpha A B with packed panels; ta/tb: read A/B transposed. C is m x n, the inner dimension is k.
  void (*gemm)(Index m, Index n, Index k, double alpha, const double* a, Index lda, bool ta, const double* b, Index ldb,
               bool tb, double* c, Index ldc);
  double (*sum)(Index n, const double* x);
  double (*max)(Index n, const double* x);                                     // of the numbers; -inf when there are none
  void (*shift)(Index n, double a, double* y);                                 // y += a
  double (*sum_exp)(Index n, const double* x, double shift);                   // Σ exp(x_i - shift)
  void (*scaled_exp)(Index n, double c, const double* x, double* y);           // y_i = c exp(x_i); y may be x
  void (*axpy_exp)(Index n, double g, const double* x, double shift, double* y);  // y_i += g exp(x_i - shift)
};

/// The table for the instruction set in use.
const Ops& ops();

}  // namespace fermiac::ad::dense
