// Ordered outcomes: y = k when a latent location plus noise lies between cutpoints c_{k-1} and c_k.
//   P(y = k) = F(λ - c_{k-1}) - F(λ - c_k), with c_0 = -∞ and c_K = ∞; F logistic or normal.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "support/base/errors.h"
#include "autodiff/kernels/special_scalar.h"
#include "autodiff/linalg/kernel_tools.h"
#include "autodiff/multivariate/ordered.h"

namespace fermiac::ad {
namespace {

double inv_logit(double x) { return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x)); }
double log_inv_logit(double x) { return x >= 0 ? -std::log1p(std::exp(-x)) : x - std::log1p(std::exp(x)); }
/// log(1 - exp(x)), x < 0.
double log1m_exp(double x) { return x > -0.693147180559945309 ? std::log(-std::expm1(x)) : std::log1p(-std::exp(x)); }

/// log(F(a) - F(b)) and its slopes with respect to a, to b and to both together.
struct Difference {
  double value, by_a, by_b, by_both;
};

struct Logistic {
  static double log_cdf(double x) { return log_inv_logit(x); }
  static double log_cdf_slope(double x) { return inv_logit(-x); }
  /// width = a - b > 0, known more exactly than by subtracting.
  static Difference log_difference(double a, double b, double width) {
    const double r = 1 / std::expm1(width);
    return {log1m_exp(-width) + log_inv_logit(a) + log_inv_logit(-b), inv_logit(-a) + r, -inv_logit(b) - r,
            inv_logit(-a) - inv_logit(b)};
  }
};

struct Normal {
  static double log_cdf(double x) { return scalar::log_Phi(x); }
  static double log_cdf_slope(double x) { return scalar::log_Phi_slope(x); }
  static Difference log_difference(double a, double b, double width) {
    const double m = 0.5 * (a + b);
    if (width < 1e-3 && m * m * width * width < 1e-4) return narrow(m, width);
    if (b > 0) {  // compute in the tail that does not cancel
      const Difference d = left(-b, -a, width);
      return {d.value, -d.by_b, -d.by_a, -d.by_both};
    }
    return left(a, b, width);
  }

 private:
  /// Taylor series of the density around the middle m.
  static Difference narrow(double m, double width) {
    const double m2 = m * m, w2 = width * width, fourth = (m2 - 6) * m2 + 3;
    const double u = (m2 - 1) * w2 / 24 + fourth * w2 * w2 / 1920;
    const double by_m = -m + (m * w2 / 12 + (m2 - 3) * m * w2 * w2 / 480) / (1 + u);
    const double by_width = 1 / width + ((m2 - 1) * width / 12 + fourth * w2 * width / 480) / (1 + u);
    return {-0.5 * m2 - 0.91893853320467274178 + std::log(width) + std::log1p(u), 0.5 * by_m + by_width, 0.5 * by_m - by_width, by_m};
  }
  static Difference left(double a, double b, double width) {
    const double log_share = log_ratio(a, b, width), share = std::exp(log_share), rest = -std::expm1(log_share);
    const double by_a = log_cdf_slope(a) / rest, by_b = share == 0 ? 0 : -log_cdf_slope(b) * share / rest;
    return {log_cdf(a) + log1m_exp(log_share), by_a, by_b, by_a + by_b};
  }
  /// log of Phi(b) / Phi(a), a - b = width > 0. Their squares cancel on the left.
  static double log_ratio(double a, double b, double width) {
    if (a > -1) return log_cdf(b) - log_cdf(a);
    return left_core(b) - left_core(a) + 0.5 * width * (a + b);
  }
  static double left_core(double x) { return std::log(scalar::erfcx(-x / std::numbers::sqrt2)); }
};

template <class F>
OrderedTerm term(int y, double location, const double* cuts, Index k) {
  OrderedTerm r;
  if (k == 0) return r;
  if (y == 1) {
    r.value = F::log_cdf(cuts[0] - location);
    r.above = F::log_cdf_slope(cuts[0] - location);
    r.location = -r.above;
  } else if (y == k + 1) {
    r.value = F::log_cdf(location - cuts[k - 1]);
    r.location = F::log_cdf_slope(location - cuts[k - 1]);
    r.below = -r.location;
  } else {
    const double low = cuts[y - 2], high = cuts[y - 1];
    const Difference d = F::log_difference(location - low, location - high, high - low);
    r = {d.value, d.by_both, -d.by_a, -d.by_b};
  }
  return r;
}

void check_cutpoints(std::string_view function, const double* cuts, Index k, const std::string& label) {
  for (Index i = 0; i < k; ++i) {
    if (i > 0 && !(cuts[i] > cuts[i - 1]))
      domain_error(function, fmt::format("{} is not a valid ordered vector. The element at {} is {}, but should be greater "
                                         "than the previous element, {}", label, i + 1, cuts[i], cuts[i - 1]));
    if (!std::isfinite(cuts[i])) domain_error(function, label, i + 1, cuts[i], "finite");
  }
}

Index count_of(const KernelCall& c) {
  for (int j : {0, 1})
    if (is_container(c.in[static_cast<std::size_t>(j)])) return size_of(c.in[static_cast<std::size_t>(j)]);
  return 1;
}
bool many_cuts(const KernelArg& cuts) { return cuts.shape.rank > 0; }

template <bool Nonempty>
Plan ordered_plan(const KernelCall& c) {
  if (is_container(c.in[0]) && is_container(c.in[1])) check_same_size(c, 0, 1, "Integers", "location parameter");
  if (many_cuts(c.in[2])) check_sizes_match(c.name, "Integers", count_of(c), "Cut-points", c.in[2].shape.count());
  if (Nonempty && count_of(c) > 0) check_nonempty(c.name, "Cut-points", c.in[2].shape.inner_size());
  return {Shape::scalar(), 0};
}

template <class F>
double ordered(const KernelCall& c, double g) {
  const KernelArg &y = c.in[0], &location = c.in[1], &cuts = c.in[2];
  const Index k = cuts.shape.inner_size(), count = count_of(c), stride = many_cuts(cuts) ? k : 0;
  check_finite(c.name, "Location parameter", location);
  for (Index n = 0; n < (many_cuts(cuts) ? count : 1); ++n)
    check_cutpoints(c.name, cuts.v + n * stride, k, many_cuts(cuts) ? fmt::format("Cut-points[{}]", n + 1) : "Cut-points");
  double lp = 0;
  for (Index n = 0; n < count; ++n) {
    const int yn = y.i[is_container(y) ? n : 0];
    check_outcome(c.name, yn, k + 1, is_container(y) ? n + 1 : 0);
    if (!c.keep(0b110)) continue;
    const Index at = is_container(location) ? n : 0;
    const OrderedTerm r = term<F>(yn, number(location, at), cuts.v + n * stride, k);
    lp += r.value;
    if (g == 0) continue;
    if (location.a) location.a[at] += g * r.location;
    if (cuts.a) r.add_to_cuts(yn, k, g, cuts.a + n * stride);
  }
  return lp;
}

}  // namespace

void OrderedTerm::add_to_cuts(int y, Index k, double g, double* cuts_a) const {
  if (y > 1) cuts_a[y - 2] += g * below;
  if (y <= k) cuts_a[y - 1] += g * above;
}

OrderedTerm ordered_logistic_term(int y, double location, const double* cuts, Index k) {
  return term<Logistic>(y, location, cuts, k);
}

void check_outcome(std::string_view function, int y, Index categories, Index index) {
  if (y < 1 || y > categories)
    domain_error(function, "Random variable", index, y, fmt::format("in the interval [1, {}]", categories));
}

void check_ordered_cutpoints(std::string_view function, const double* cuts, Index k) {
  check_cutpoints(function, cuts, k, "Cut-points");
}

FERMIAC_EXPORT_KERNELS(ordered_kernels, density<ordered<Logistic>>("ordered_logistic_lpmf", ordered_plan<false>),
                       density<ordered<Normal>>("ordered_probit_lpmf", ordered_plan<true>))

}  // namespace fermiac::ad
