// The few vector loops the samplers need. Sums run over four accumulators in a fixed order: fast, and the same on every
// machine and thread count.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace fermiac::inference {

using Vec = std::vector<double>;
using ConstSpan = std::span<const double>;
using Span = std::span<double>;
inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kLog2Pi = 1.8378770664093454835606594728112;

inline double dot(ConstSpan a, ConstSpan b) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  std::size_t i = 0;
  for (; i + 4 <= a.size(); i += 4) {
    s0 += a[i] * b[i];
    s1 += a[i + 1] * b[i + 1];
    s2 += a[i + 2] * b[i + 2];
    s3 += a[i + 3] * b[i + 3];
  }
  for (; i < a.size(); ++i) s0 += a[i] * b[i];
  return (s0 + s1) + (s2 + s3);
}

/// y += c x
inline void axpy(double c, ConstSpan x, Span y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += c * x[i];
}

inline void add(ConstSpan a, ConstSpan b, Span out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = a[i] + b[i];
}

inline void subtract(ConstSpan a, ConstSpan b, Span out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = a[i] - b[i];
}

inline void copy(ConstSpan from, Span to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i];
}

inline double norm(ConstSpan a) {
  return std::sqrt(dot(a, a));
}

/// Without a branch, so that vector instructions compute it.
inline bool all_finite(ConstSpan a) {
  bool all = true;
  for (const double x : a) all &= std::fabs(x) <= std::numeric_limits<double>::max();
  return all;
}

/// log(exp(a) + exp(b)); -inf stands for zero weight.
inline double log_sum_exp(double a, double b) {
  if (a == -kInf) return b;
  if (b == -kInf) return a;
  if (a == kInf || b == kInf) return kInf;
  return a > b ? a + std::log1p(std::exp(b - a)) : b + std::log1p(std::exp(a - b));
}

/// Lower Cholesky factor of the symmetric row-major n × n matrix `a`, in place (the upper triangle becomes zero).
/// False if `a` is not positive definite to working precision; `a` is then garbage.
bool cholesky_in_place(Span a, std::size_t n);
/// x := L^-1 x and x := L^-T x for a lower triangular row-major L.
void solve_lower(ConstSpan l, std::size_t n, Span x);
void solve_lower_transposed(ConstSpan l, std::size_t n, Span x);
/// The solution of (L L') x = b in place.
void solve_cholesky(ConstSpan l, std::size_t n, Span x);
/// out = L x for lower triangular row-major L.
void multiply_lower(ConstSpan l, std::size_t n, ConstSpan x, Span out);

}  // namespace fermiac::inference
