// Tails of a gamma or beta law with large shapes, near its mean: an error function and a correction in powers of 1 / ν,
// uniform in the distance (Temme, "The asymptotic expansion of the incomplete gamma functions", SIAM J. Math. Anal. 10,
// 1979, and "Incomplete Laplace integrals", 18, 1987; DLMF 8.12 and 8.18). Time does not depend on the shapes.
#pragma once

#include <array>

#include "autodiff/kernels/dual.h"

namespace fermiac::ad::scalar {

/// A law whose density is a multiple of η / w exp(-ν η² / 2) in η, where w w' = η (1 + skew w - square w²), w = η + …:
/// gamma(a): ν = a, skew 1, square 0; beta(a, b): ν = a b / n, skew (b - a) / n, square a b / n², n = a + b.
template <class T>
struct UniformLaw {
  T nu, skew, square;
  T zeta;  // η sqrt(ν)
};
inline constexpr double kUniformShape = 1e5;    // least ν
inline constexpr double kUniformReach = 0.25;  // largest |η|: a tenth of where the series in η ends to converge

/// The tail away from the mean (ζ < 0: the lower one), divided by exp(-ζ² / 2) / sqrt(2 π ν).
template <class T>
T uniform_tail(const UniformLaw<T>& law) {
  constexpr int kTerms = 18;
  const bool lower = val(law.zeta) < 0;
  const T eta = law.zeta / sqrt(law.nu);
  std::array<T, kTerms + 1> w{}, squared{}, h{};  // coefficients of w, w² and η / w
  w[1] = 1;
  squared[2] = 1;
  for (int m = 2; m <= kTerms; ++m) {
    T next = law.skew * w[m - 1] - law.square * squared[m - 1];
    next = next * (2.0 / (m + 1));
    if (m < kTerms) squared[m + 1] = next;
    for (int i = 2; i < m; ++i) next -= w[i] * w[m + 1 - i];
    w[m] = 0.5 * next;
  }
  h[0] = 1;
  for (int m = 1; m < kTerms; ++m)
    for (int i = 1; i <= m; ++i) h[m] -= w[i + 1] * h[m - i];
  // S = Σ_k S_k(η) / ν^k: S_0 = (1 - h) / η, S_k = (S_{k-1}' - S_{k-1}'(0) h) / η.
  std::array<T, kTerms> s{};
  int length = kTerms - 1;
  for (int m = 0; m < length; ++m) s[m] = -h[m + 1];
  T sum = 0, power = 1;
  for (int k = 0; k < 3; ++k) {
    T value = s[length - 1];
    for (int m = length - 2; m >= 0; --m) value = value * eta + s[m];
    sum += power * value;
    power = power / law.nu;
    const T slope = s[1];
    length -= 2;
    for (int m = 0; m < length; ++m) s[m] = (m + 2.0) * s[m + 2] - slope * h[m + 1];
  }
  const T y = (lower ? -1 / kSqrtTwo : 1 / kSqrtTwo) * law.zeta;
  const T body = std::sqrt(0.5 * kPi) * sqrt(law.nu) * erfcx(y);
  return lower ? T(body + sum) : T(body - sum);
}

}  // namespace fermiac::ad::scalar
