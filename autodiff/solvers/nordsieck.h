// The loops of multistep methods, compiled once per instruction set. An array of a history holds rows 0..q of `n` numbers, one after
// the other: row j has the coefficients of x^j of all elements. n is a multiple of 8.
#pragma once

#include <cstddef>

#include "autodiff/kernels/isa.h"

namespace fermiac::ad {

struct NordsieckLoops {
  /// to: the history z with its origin one step later, x -> x + 1.
  void (*predict)(int q, std::size_t n, const double* z, double* to) = nullptr;
  /// to = p + c_j delta in row j.
  void (*correct)(int q, std::size_t n, const double* c, const double* delta, const double* p, double* to) = nullptr;
  /// Row j times eta^j.
  void (*rescale)(int q, std::size_t n, double eta, double* z) = nullptr;
  /// to = sum of x^j z_j.
  void (*interpolate)(int q, std::size_t n, double x, const double* z, double* to) = nullptr;
  /// w = 1 / (abs_tol + rel_tol |z|).
  void (*weights)(std::size_t n, double abs_tol, double rel_tol, const double* z, double* w) = nullptr;
  /// What is left of the equation delta = (h f - z_1) / l_1, in f, which comes as f: gamma f - z_1 / l_1 - delta.
  void (*residual)(std::size_t n, double gamma, double inverse_l1, const double* z1, const double* delta, double* f) = nullptr;
  /// delta += by; y = p + delta.
  void (*advance)(std::size_t n, const double* by, const double* p, double* delta, double* y) = nullptr;
  /// to = a x - b y.
  void (*difference)(std::size_t n, double a, const double* x, double b, const double* y, double* to) = nullptr;
  /// The sum of (v w)².
  double (*weighted_square)(std::size_t n, const double* v, const double* w) = nullptr;
  /// The largest, over lanes, sum over rows of (v w)²; lanes is a multiple of 8. NaN where one is not finite.
  double (*weighted_square_of_lanes)(std::size_t rows, std::size_t lanes, const double* v, const double* w) = nullptr;
  /// x becomes the solution of A x = x for `lanes` right sides, a row of A for each row of them. `lu` has the factors of A
  /// row by row, the diagonal as reciprocals; `swaps` the row exchanged with each.
  void (*solve)(std::size_t rows, std::size_t lanes, const double* lu, const std::size_t* swaps, double* x) = nullptr;
};
const NordsieckLoops& nordsieck_loops();

FERMIAC_DECLARE_FOR_ISAS(extern const NordsieckLoops kNordsieckLoops;)

}  // namespace fermiac::ad
