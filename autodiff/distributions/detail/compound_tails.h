// Distribution functions of counts with a beta law for their probability: sums of masses that may run over thousands of
// millions of counts. Next to the ends the masses are added one by one, each from its neighbour; between them they are
// smooth, and Euler and Maclaurin's formula makes the sum an integral. Time does not grow with the counts.
#pragma once

#include <algorithm>
#include <array>

#include "autodiff/kernels/quadrature.h"
#include "autodiff/kernels/incomplete.h"

namespace fermiac::ad::scalar {

/// A log mass, or a log sum of masses, and its slopes by three parameters.
struct LogMass {
  double log = -kInf;
  std::array<double, 3> by{};
};
inline double lift(const LogMass& m, double, double, double) { return m.log; }
template <int N>
Dual<N> lift(const LogMass& m, const Dual<N>& p, const Dual<N>& q, const Dual<N>& r) {
  return chain(m.log, p, m.by[0], q, m.by[1]) + chain(0, r, m.by[2]);
}

/// Σ w exp(g) with slopes, kept relative to the largest exp(g) so far.
class MassSum {
 public:
  void add(double weight, const LogMass& m) {
    if (m.log > top_) rescale(m.log);
    const double f = weight * std::exp(m.log - top_);
    if (f == 0) return;
    sum_ += f;
    for (int i = 0; i < 3; ++i) slope_[i] += f * m.by[i];
  }
  /// Whether exp(log) counts next to what there is.
  bool feels(double log) const { return log - top_ > std::log(sum_) - 42; }
  LogMass total() const {
    LogMass r{.log = top_ + std::log(sum_)};
    for (int i = 0; i < 3; ++i) r.by[i] = sum_ == 0 ? 0 : slope_[i] / sum_;
    return r;
  }

 private:
  void rescale(double top) {
    const double s = std::exp(top_ - top);
    sum_ *= s;
    for (double& x : slope_) x *= s;
    top_ = top;
  }
  double top_ = -1e300, sum_ = 0;
  std::array<double, 3> slope_{};
};

// A law of masses has mass(n) with slopes, ratio(k) = mass(k + 1) / mass(k), the logarithm `step` of that and its slope
// `curvature` by k, `room`, how far the nearest pole is, and the `mode`.

/// log(1 + ρ(0) + ρ(0) ρ(1) + …), at most `count` terms. `settled`: further ones are nothing to rounding.
template <class T, class Ratio>
T log_neighbours(double count, Ratio ratio, bool& settled) {
  T sum = 1, term = 1;
  double shift = 0;
  settled = false;
  for (double j = 0; j < count - 1 && !settled; ++j) {
    const T by = ratio(j);
    term = term * by;
    sum += term;
    settled = val(by) < 1 && val(term) < 1e-18 * val(sum) * (1 - val(by));
    if (val(sum) > 1e200) term *= 1e-200, sum *= 1e-200, shift += 200 * 2.30258509299404568402;
  }
  return log(sum) + shift;
}

/// Σ mass(k) over low <= k <= high, for `low` and `high` where masses are smooth; `high` may be infinite.
template <class Law>
class SmoothSum {
 public:
  SmoothSum(const Law& law, bool slopes) : law_(law), slopes_(slopes) {}

  LogMass run(double low, double high) {
    const double from = low - 0.5, to = high + 0.5;
    const double start = std::clamp(law_.mode(), from, std::min(to, 1e300));
    walk(start, to, 1);
    walk(start, from, -1);
    end_term(from, 1);
    if (to < kInf) end_term(to, -1);
    return sum_.total();
  }

 private:
  static constexpr int kMostPanels = 3000;

  void walk(double at, double end, double direction) {
    for (int panels = 0; panels < kMostPanels && direction * (end - at) > 0; ++panels) {
      const double h = std::min(width(at, direction), direction * (end - at));
      if (!(h < 1e300)) return;
      panel(at, direction * h);
      at = h == direction * (end - at) ? end : at + direction * h;
      if (direction * law_.step(at) < 0 && !sum_.feels(law_.mass(at, false).log + std::log(h + 1))) return;
      if constexpr (requires { law_.end(); }) {
        if (direction > 0 && end == kInf && at > law_.end()) return power_tail(at);
      }
    }
  }
  /// At most twice as far from the nearest pole at one end as at the other.
  double width(double k, double direction) const {
    const double room = direction > 0 ? law_.room(k) : 0.5 * law_.room(k);
    return std::min({3 / std::fabs(law_.step(k)), 2.5 / std::sqrt(std::fabs(law_.curvature(k))), room});
  }
  void panel(double at, double h) {
    for (int i = 0; i < 8; ++i)
      for (const double side : {-1.0, 1.0})
        sum_.add(0.5 * std::fabs(h) * kGaussWeight[i], law_.mass(at + 0.5 * h * (1 + side * kGaussNode[i]), slopes_));
  }
  /// The derivative at an end of the interval, by 1 / 24.
  void end_term(double k, double sign) {
    const double by_k = law_.step(k - 0.5);
    if (std::fabs(by_k) < 1) sum_.add(sign * by_k / 24, law_.mass(k, slopes_));
  }
  /// ∫ k^-(a + 1) beyond k.
  void power_tail(double k) {
    LogMass m = law_.mass(k, slopes_);
    m.by[1] -= 1 / law_.a;
    sum_.add(k / law_.a, m);
  }

  Law law_;
  bool slopes_;
  MassSum sum_;
};

/// log Σ_{k<=n} mass(k), by ratio(k) = mass(k + 1) / mass(k) and mass(k), the numbers with slopes.
template <class T, class Law, class Ratio, class Mass>
T log_masses_up_to(double n, const Law& law, bool slopes, Ratio ratio, Mass mass) {
  constexpr double kFew = 16384, kEnd = 4096;
  bool settled = false;
  const bool few = n < kFew;
  const T top = mass(law.mass(n, slopes)) +
                log_neighbours<T>(few ? n + 1 : kEnd, [&](double j) { return 1.0 / ratio(n - j - 1); }, settled);
  if (few || settled) return top;
  const T bottom = mass(law.mass(0, slopes)) + log_neighbours<T>(kEnd, ratio, settled);
  const T middle = mass(SmoothSum(law, slopes).run(kEnd, n - kEnd));
  return log_sum_exp(log_sum_exp(top, bottom), middle);
}
/// log Σ_{k>n} mass(k), without end.
template <class T, class Law, class Ratio, class Mass>
T log_masses_beyond(double n, const Law& law, bool slopes, Ratio ratio, Mass mass) {
  constexpr double kEnd = 4096;
  bool settled = false;
  const T first = mass(law.mass(n + 1, slopes)) +
                  log_neighbours<T>(kEnd, [&](double j) { return ratio(n + 1 + j); }, settled);
  return settled ? first : log_sum_exp(first, mass(SmoothSum(law, slopes).run(n + 1 + kEnd, kInf)));
}

}  // namespace fermiac::ad::scalar
