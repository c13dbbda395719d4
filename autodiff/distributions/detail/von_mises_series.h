// The distribution function of von Mises' law as a Fourier series, for where it is neither near 0 nor near 1.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "autodiff/kernels/dual.h"
#include "autodiff/kernels/to_int.h"

namespace fermiac::ad::scalar {

/// S(x) = 1/pi sum over j >= 1 of r_j sin(j x) / j, r_j = I_j(kappa) / I_0(kappa): the periodic part of the integral of the density,
/// which is x / (2 pi) + S(x). Accurate to about 1e-15 absolutely. Ratios by backward recurrence of
/// I_{j-1} = I_{j+1} + (2 j / kappa) I_j; slopes by r_j' = (r_{j-1} + r_{j+1}) / 2 - r_j r_1.
class VonMisesSeries {
 public:
  static constexpr double kLargest = 2500;  // kappa; beyond, quadrature needs fewer terms

  explicit VonMisesSeries(double kappa) : terms_(to_int(20 + 9.5 * std::sqrt(kappa), 0, kSize - 2)) {
    double ratio = 0;  // I_j / I_{j-1}
    for (int j = terms_ + 1; j > 0; --j) r_[j] = ratio = 1 / (2 * j / kappa + ratio);
    r_[0] = 1;
    for (int j = 1; j <= terms_ + 1; ++j) r_[j] *= r_[j - 1];
  }

  struct Point {
    double value, by_x, by_kappa;
  };
  Point at(double x) const {
    const double c = std::cos(x), s = std::sin(x);
    double cj = 1, sj = 0;  // of j x
    Point p{};
    for (int j = 1; j <= terms_; ++j) {
      const double next = cj * c - sj * s;
      sj = sj * c + cj * s;
      cj = next;
      p.value += r_[j] * sj / j;
      p.by_x += r_[j] * cj;
      p.by_kappa += (0.5 * (r_[j - 1] + r_[j + 1]) - r_[j] * r_[1]) * sj / j;
    }
    return {p.value / kPi, p.by_x / kPi, p.by_kappa / kPi};
  }

 private:
  static constexpr double kPi = 3.14159265358979323846;
  int terms_;
  static constexpr int kSize = 500;
  std::array<double, kSize> r_;
};

inline double lift(const VonMisesSeries::Point& p, double, double) { return p.value; }
template <int N>
Dual<N> lift(const VonMisesSeries::Point& p, const Dual<N>& x, const Dual<N>& kappa) {
  return chain(p.value, x, p.by_x, kappa, p.by_kappa);
}

}  // namespace fermiac::ad::scalar
