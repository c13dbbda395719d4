// First passage times of a Wiener diffusion at its upper boundary.
//   p(y) = a⁻² exp(v a w' - v² t / 2) f(t / a² | w'),  t = y - t0, w' = 1 - w
// with f the density for unit separation and no drift, as the series for small or for large times (Navarro & Fuss, 2009).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "autodiff/errors.h"
#include "autodiff/linalg/kernel_tools.h"

namespace fermiac::ad {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kNegligible = 40;   // exponents below the leading one by this much add nothing
constexpr double kSmallTimes = 0.35;  // up to here the first series converges faster

/// log f(u | w) and its slopes.
struct Passage {
  double log_f, by_u, by_w;
};

/// f = (2π u³)^{-1/2} Σ_k x exp(-x² / 2u), x = w + 2k.
Passage small_times(double u, double w) {
  double s = 0, s_w = 0, s_u = 0;
  for (int k = 0;; ++k) {
    bool more = false;
    for (const double x : {w + 2 * k, w - 2 * k}) {
      const double exponent = (w * w - x * x) / (2 * u);
      if (exponent < -kNegligible || (k == 0 && more)) continue;
      more = true;
      const double e = std::exp(exponent);
      s += x * e;
      s_w += (1 - x * x / u) * e;
      s_u += x * x * x / (2 * u * u) * e;
    }
    if (!more) break;
  }
  return {std::log(s) - w * w / (2 * u) - 1.5 * std::log(u) - 0.5 * std::log(2 * kPi), s_u / s - 1.5 / u, s_w / s};
}

/// f = π Σ_k k exp(-k² π² u / 2) sin(k π w).
Passage large_times(double u, double w) {
  double s = 0, s_w = 0, s_u = 0;
  for (int k = 1;; ++k) {
    const double exponent = (1.0 - k * k) * kPi * kPi * u / 2;
    if (exponent < -kNegligible) break;
    const double e = k * std::exp(exponent), sine = e * std::sin(k * kPi * w);
    s += sine;
    s_w += k * kPi * e * std::cos(k * kPi * w);
    s_u -= k * k * kPi * kPi / 2 * sine;
  }
  return {std::log(kPi * s) - kPi * kPi * u / 2, s_u / s, s_w / s};
}

enum Operand { kY, kSeparation, kDelay, kBias, kDrift, kOperands };

Index length(const KernelCall& c) {
  Index n = 1;
  for (const KernelArg& a : c.in)
    if (is_container(a)) n = size_of(a);
  return n;
}
Plan wiener_plan(const KernelCall& c) {
  static constexpr const char* kLabels[] = {"Random variable", "Boundary separation", "Non-decision time", "A-priori bias",
                                            "Drift rate"};
  if (c.in.size() != kOperands)
    throw FatalError(fmt::format("{}: the forms with more than five arguments are not implemented", c.name));
  for (std::size_t j = 0; j < kOperands; ++j)
    if (is_container(c.in[j])) check_sizes_match(c.name, kLabels[j], size_of(c.in[j]), "number of observations", length(c));
  return {Shape::scalar(), 0};
}

void check_operands(const KernelCall& c) {
  check_positive(c.name, "Random variable", c.in[kY]);
  check_positive_finite(c.name, "Boundary separation", c.in[kSeparation]);
  check_positive_finite(c.name, "Non-decision time", c.in[kDelay]);
  for (Index i = 0; i < size_of(c.in[kBias]); ++i) {
    const double w = number(c.in[kBias], i);
    if (!(w >= 0 && w <= 1)) domain_error(c.name, "A-priori bias", is_container(c.in[kBias]) ? i + 1 : 0, w, "in the interval [0, 1]");
  }
  check_finite(c.name, "Drift rate", c.in[kDrift]);
}

double wiener(const KernelCall& c, double g) {
  const Index n = length(c);
  if (n == 0) return 0;
  check_operands(c);
  if (!c.keep(0b11111)) return 0;
  double lp = 0;
  for (Index i = 0; i < n; ++i) {
    const auto at = [&](Operand j) { return number(c.in[j], is_container(c.in[j]) ? i : 0); };
    const double y = at(kY), a = at(kSeparation), delay = at(kDelay), w = 1 - at(kBias), v = at(kDrift), t = y - delay;
    if (!(t > 0))
      domain_error(c.name, "Random variable", is_container(c.in[kY]) ? i + 1 : 0, y,
                   fmt::format("greater than the non-decision time, which is {}", delay));
    if (std::isinf(t)) return -HUGE_VAL;
    const double u = t / (a * a);
    const Passage p = u < kSmallTimes ? small_times(u, w) : large_times(u, w);
    lp += p.log_f - 2 * std::log(a) + v * a * w - 0.5 * v * v * t;
    if (g == 0) continue;
    const double by_t = p.by_u / (a * a) - 0.5 * v * v;
    const std::array<double, kOperands> slope = {by_t, (-2 * u * p.by_u - 2) / a + v * w, -by_t, -p.by_w - v * a, a * w - v * t};
    for (std::size_t j = 0; j < kOperands; ++j)
      if (c.in[j].a) c.in[j].a[is_container(c.in[j]) ? i : 0] += g * slope[j];
  }
  return lp;
}

}  // namespace

FERMIAC_EXPORT_KERNELS(wiener_kernels, density<wiener>("wiener_lpdf", wiener_plan))

}  // namespace fermiac::ad
