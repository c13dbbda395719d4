// First passage times of a Wiener diffusion at its upper boundary, with up to seven parameters (F. Henrich, R.
// Hartmann, V. Pratz, A. Voss & K. C. Klauer, "The seven-parameter diffusion model", 2024): drift normal between
// trials, starting point and non-decision time uniform. The normal has a closed form (wiener_passage.h); the uniform
// ones are integrated together with the partials. Distribution functions are integrals over time: F(y) of the density
// up to y, and the complement of the density from y on, so that both have all digits; neither is divided by the
// probability of this boundary.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "autodiff/linalg/kernel_tools.h"
#include "autodiff/multivariate/vector_quadrature.h"
#include "autodiff/multivariate/wiener_passage.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

using wiener::Density;
using wiener::Process;

// The integration's own control: the error is far below what it compares, so that 1e-8 leaves about 1e-12.
constexpr double kTolerance = 1e-8;

enum Operand { kY, kSeparation, kDelay, kBias, kDrift, kDriftSpread, kBiasSpread, kDelaySpread, kOperands };
constexpr const char* kLabels[] = {"Random variable",
                                   "Boundary separation",
                                   "Non-decision time",
                                   "A-priori bias",
                                   "Drift rate",
                                   "Inter-trial variability in drift rate",
                                   "Inter-trial variability in A-priori bias",
                                   "Inter-trial variability in Non-decision time"};

/// One observation: operands, and the slopes of the logarithm of what is computed.
using Point = std::array<double, kOperands>;
struct Result {
  double log_value;
  Point slope;
};

// ---------------------------------------------------------------- operands

/// How many of the arguments are model parameters; one more, a tolerance, may follow. Of six it is the last one but for
/// the density.
template <bool Density>
std::size_t model_operands(const KernelCall& c) {
  const std::size_t n = c.in.size();
  if (n == 5 || n == 8 || (n == 6 && Density)) return n;
  return n - 1;
}
Index length(const KernelCall& c) {
  Index n = 1;
  for (const KernelArg& a : c.in)
    if (is_container(a)) n = size_of(a);
  return n;
}
template <bool Density>
Plan wiener_plan(const KernelCall& c) {
  for (std::size_t j = 0; j < model_operands<Density>(c); ++j)
    if (is_container(c.in[j]))
      check_sizes_match(c.name, kLabels[j], size_of(c.in[j]), "number of observations", length(c));
  return {Shape::scalar(), 0};
}

/// An error unless holds(value) for every element of operand j.
template <class Holds>
void check_each(const KernelCall& c, Operand j, const char* requirement, Holds holds) {
  for (Index i = 0; i < size_of(c.in[j]); ++i) {
    const double x = number(c.in[j], i);
    if (!holds(x)) domain_error(c.name, kLabels[j], is_container(c.in[j]) ? i + 1 : 0, x, requirement);
  }
}
void check_operands(const KernelCall& c, std::size_t n) {
  check_positive(c.name, kLabels[kY], c.in[kY]);
  check_positive_finite(c.name, kLabels[kSeparation], c.in[kSeparation]);
  if (n == 5)
    check_positive_finite(c.name, kLabels[kDelay], c.in[kDelay]);
  else
    check_each(c, kDelay, "nonnegative and finite", [](double x) { return x >= 0 && std::isfinite(x); });
  check_each(c, kBias, "in the interval [0, 1]", [](double x) { return x >= 0 && x <= 1; });
  check_finite(c.name, kLabels[kDrift], c.in[kDrift]);
  for (std::size_t j = kDriftSpread; j < n; ++j)
    check_each(c, static_cast<Operand>(j), "nonnegative and finite",
               [](double x) { return x >= 0 && std::isfinite(x); });
  if (c.in.size() > n) check_positive_finite(c.name, "Precision", c.in[n]);
}
Point point(const KernelCall& c, std::size_t n, Index i) {
  Point x{};
  for (std::size_t j = 0; j < n; ++j) x[j] = number(c.in[j], is_container(c.in[j]) ? i : 0);
  return x;
}
/// What one operand alone cannot show.
void check_point(const KernelCall& c, Index i, const Point& x) {
  const auto index = [&](Operand j) { return is_container(c.in[j]) ? i + 1 : 0; };
  if (!(x[kY] > x[kDelay]))
    domain_error(c.name, kLabels[kY], index(kY), x[kY],
                 fmt::format("greater than the non-decision time, which is {}", x[kDelay]));
  if (x[kBias] - x[kBiasSpread] / 2 < 0 || x[kBias] + x[kBiasSpread] / 2 > 1)
    domain_error(c.name, kLabels[kBiasSpread], index(kBiasSpread), x[kBiasSpread],
                 fmt::format("so small that the starting points around {} stay between the boundaries", x[kBias]));
}

// ---------------------------------------------------------------- integrals over the starting point and time

enum Sum { kValue, kByT, kByA, kByW, kByV, kBySv, kBySw, kBySt, kSums };
using Quadrature = VectorQuadrature<kSums>;
using Sums = Quadrature::Sums;

Process process(const Point& x, double bias) {
  return {.a = x[kSeparation], .w = 1 - bias, .bias = bias, .v = x[kDrift], .sv = x[kDriftSpread]};
}
/// exp(log_p - reference) and its slopes; those by time get other weights than the rest.
Sums weighted(const Density& d, double reference, double u, double weight) {
  const double p = std::exp(d.log_p - reference) * weight;
  if (!(p > 0)) return {};
  return {p, p * d.by_t, p * d.by_a, p * d.by_w, p * d.by_v, p * d.by_sv, -p * d.by_w * u, 0};
}
/// The mean over the starting points bias + u sw, u in [-1/2, 1/2].
template <class F>
Sums over_starts(Quadrature& quadrature, const Point& x, const F& f) {
  if (x[kBiasSpread] == 0) return f(x[kBias], 0.0);
  const double limits[] = {-0.5, 0.5};
  return quadrature.integrate([&](double u) { return f(x[kBias] + u * x[kBiasSpread], u); }, limits, kTolerance);
}

/// A density large enough to scale the others by.
double reference(const Point& x, std::initializer_list<double> times) {
  double most = -HUGE_VAL;
  for (const double t : times)
    for (const double u : {-0.5, -0.25, 0.0, 0.25, 0.5})
      if (t > 0) most = std::max(most, wiener::density(t, process(x, x[kBias] + u * x[kBiasSpread])).log_p);
  return most;
}

Result result(const Sums& s, double reference_log) {
  Result r{.log_value = reference_log + std::log(s[kValue]), .slope = {}};
  const auto slope = [&](Sum j) { return s[j] / s[kValue]; };
  r.slope = {slope(kByT), slope(kByA),  -slope(kByT), -slope(kByW),
             slope(kByV), slope(kBySv), slope(kBySw), slope(kBySt)};
  return r;
}

// ---------------------------------------------------------------- densities

Result log_density(const Point& x) {
  const double t = x[kY] - x[kDelay], spread = x[kDelaySpread];
  if (std::isinf(t)) return {-HUGE_VAL, {}};
  if (x[kBiasSpread] == 0 && spread == 0) {
    const Density d = wiener::density(t, process(x, x[kBias]));
    return {d.log_p, {d.by_t, d.by_a, -d.by_t, -d.by_w, d.by_v, d.by_sv, 0, 0}};
  }
  const double least = std::max(t - spread, 0.0), scale = reference(x, {t, (t + least) / 2, (3 * t + least) / 4});
  Quadrature quadrature;
  const Sums s = over_starts(quadrature, x, [&](double bias, double u) {
    const Process p = process(x, bias);
    if (spread == 0) return weighted(wiener::density(t, p), scale, u, 1);
    const double limits[] = {0, (t - least) / spread};  // shares of the spread
    return quadrature.integrate(
        [&](double share) {
          Sums y = weighted(wiener::density(t - share * spread, p), scale, u, 1);
          y[kBySt] = -share * y[kByT];
          return y;
        },
        limits, kTolerance);
  });
  return result(s, scale);
}

// ---------------------------------------------------------------- distribution functions

/// Share of the non-decision times that leave at least s of the time t, and its slopes by t and by the spread.
struct Share {
  double share, by_t, by_spread;
};
Share share_of(double t, double spread, double s) {
  if (s >= t) return {0, 0, 0};
  if (spread == 0 || s <= t - spread) return {1, 0, 0};
  return {(t - s) / spread, 1 / spread, -(t - s) / (spread * spread)};
}

/// Where the density changes its shape, between `from` and `to`.
std::vector<double> limits(const Process& p, double from, double to, std::initializer_list<double> kinks) {
  const double a2 = p.a * p.a;
  std::vector<double> at = {from, to};
  const auto add = [&](double t) {
    if (from < t && t < to) at.push_back(t);
  };
  for (double t = a2 * 0.002; t > 0 && t < to; t *= 5) add(t);
  if (p.v != 0)
    for (const double share : {0.5, 1.0, 2.0}) add(share * p.a * p.w / std::abs(p.v));
  for (const double t : kinks) add(t);
  std::ranges::sort(at);
  return at;
}

constexpr double kTail = 20;  // in units of a², beyond which the density, falling like exp(-π² t / 2 a²), adds nothing

template <bool Complement>
Result log_distribution(const Point& x) {
  const double t = x[kY] - x[kDelay], spread = x[kDelaySpread], a2 = x[kSeparation] * x[kSeparation];
  const double least = std::max(t - spread, 0.0);
  const double from = Complement ? least : 0, to = Complement ? t + kTail * a2 : std::min(t, (kTail + least / a2) * a2);
  const double scale = Complement ? reference(x, {t, t + 0.1 * a2, t + 0.5 * a2, t + 2 * a2})
                                  : reference(x, {to, to / 2, to / 8, to / 64});
  Quadrature quadrature;
  const Sums s = over_starts(quadrature, x, [&](double bias, double u) {
    const Process p = process(x, bias);
    Sums y = quadrature.integrate(
        [&](double time) {
          if (!(time > 0)) return Sums{};
          const Share m = share_of(t, spread, time);
          Sums z = weighted(wiener::density(time, p), scale, u, 1);
          const double value = z[kValue], weight = Complement ? 1 - m.share : m.share;
          for (double& part : z) part *= weight;
          z[kByT] = value * m.by_t;
          z[kBySt] = value * m.by_spread;
          return z;
        },
        limits(p, from, to, {least, t}), kTolerance);
    if (spread == 0) y[kByT] = std::isinf(t) ? 0 : weighted(wiener::density(t, p), scale, u, 1)[kValue];
    if (Complement) y[kByT] = -y[kByT], y[kBySt] = -y[kBySt];
    return y;
  });
  return result(s, scale);
}

// ---------------------------------------------------------------- kernels

template <bool Density, Result (*F)(const Point&)>
double sum_of(const KernelCall& c, double g) {
  const Index n = length(c);
  if (n == 0) return 0;
  const std::size_t operands = model_operands<Density>(c);
  check_operands(c, operands);
  if (!c.keep((1u << operands) - 1)) return 0;
  double lp = 0;
  for (Index i = 0; i < n; ++i) {
    const Point x = point(c, operands, i);
    check_point(c, i, x);
    const Result r = F(x);
    lp += r.log_value;
    if (g == 0) continue;
    for (std::size_t j = 0; j < operands; ++j)
      if (c.in[j].a) c.in[j].a[is_container(c.in[j]) ? i : 0] += g * r.slope[j];
  }
  return lp;
}

}  // namespace

FERMIAC_EXPORT_KERNELS(wiener_kernels, density<sum_of<true, log_density>>("wiener_lpdf", wiener_plan<true>),
                       one_function<sum_of<false, log_distribution<false>>>("wiener_lcdf_unnorm", wiener_plan<false>),
                       one_function<sum_of<false, log_distribution<true>>>("wiener_lccdf_unnorm", wiener_plan<false>))

}  // namespace fermiac::ad
