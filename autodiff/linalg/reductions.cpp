// Containers to one number (sum, variance, log_sum_exp, norms, …) and running or normalising maps over a whole container
// (cumulative_sum, softmax).
#include <algorithm>
#include <cmath>
#include <limits>

#include "autodiff/linalg/kernel_tools.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

Index length(const KernelCall& c) { return size_of(c.in[0]); }
double x_at(const KernelCall& c, Index k) { return number(c.in[0], k); }

Plan scalar_plan(const KernelCall&) { return {Shape::scalar(), 0}; }
template <int Scratch>
Plan like_plan(const KernelCall& c) { return {c.in[0].shape, std::uint64_t{Scratch} * c.in[0].shape.size()}; }
Plan nonempty_plan(const KernelCall& c) {
  check_nonempty(c.name, "m", length(c));
  return {Shape::scalar(), 0};
}
Plan nonempty_like_plan(const KernelCall& c) {
  check_nonempty(c.name, "v", length(c));
  return {c.in[0].shape, 0};
}
Plan pair_plan(const KernelCall& c) {
  check_same_size(c, 0, 1, "x", "y");
  return {Shape::scalar(), 0};
}

// ---- sums and products

double total(const KernelCall& c) {
  if (c.in[0].v) return dense::ops().sum(length(c), c.in[0].v);
  double s = 0;
  for (Index i = 0; i < length(c); ++i) s += x_at(c, i);
  return s;
}
void sum(const KernelCall& c) { *c.out = total(c); }
void sum_reverse(const KernelCall& c) { dense::ops().shift(length(c), *c.out_a, c.in[0].a); }
void mean(const KernelCall& c) {
  sum(c);
  *c.out /= static_cast<double>(length(c));
}
void mean_reverse(const KernelCall& c) {
  dense::ops().shift(length(c), *c.out_a / static_cast<double>(length(c)), c.in[0].a);
}
void prod(const KernelCall& c) {
  double p = 1;
  for (Index i = 0; i < length(c); ++i) p *= x_at(c, i);
  *c.out = p;
}
/// The product of all others, right also where elements are zero: scratch holds the products of what follows.
Plan prod_plan(const KernelCall& c) { return {Shape::scalar(), std::uint64_t{c.in[0].shape.size()} + 1}; }
void prod_reverse(const KernelCall& c) {
  const Index n = length(c);
  double* after = c.scratch;
  after[n] = 1;
  for (Index i = n - 1; i > 0; --i) after[i] = after[i + 1] * c.in[0].v[i];
  double before = *c.out_a;
  for (Index i = 0; i < n; ++i) {
    c.in[0].a[i] += before * after[i + 1];
    before *= c.in[0].v[i];
  }
}

// ---- spread

double centre(const KernelCall& c) { return total(c) / static_cast<double>(length(c)); }
void variance(const KernelCall& c) {
  const Index n = length(c);
  const double m = centre(c);
  double s = 0;
  for (Index i = 0; i < n; ++i) s += (x_at(c, i) - m) * (x_at(c, i) - m);
  *c.out = n == 1 ? 0 : s / static_cast<double>(n - 1);
}
void variance_reverse(const KernelCall& c) {
  const Index n = length(c);
  if (n == 1) return;
  const double m = centre(c), g = 2 * *c.out_a / static_cast<double>(n - 1);
  for (Index i = 0; i < n; ++i) c.in[0].a[i] += g * (c.in[0].v[i] - m);
}
void sd(const KernelCall& c) {
  variance(c);
  *c.out = std::sqrt(*c.out);
}
/// Where all elements are equal the slope is the one along the diagonal ray, 1/sqrt(n).
void sd_reverse(const KernelCall& c) {
  const Index n = length(c);
  if (n == 1) return;
  const double m = centre(c), g = *c.out_a / (*c.out * static_cast<double>(n - 1));
  for (Index i = 0; i < n; ++i)
    c.in[0].a[i] += *c.out == 0 ? *c.out_a / std::sqrt(static_cast<double>(n)) : g * (c.in[0].v[i] - m);
}

// ---- extremes: the whole derivative goes to the first one

template <bool Max>
Index extreme(const KernelCall& c) {
  Index best = 0;
  for (Index i = 1; i < length(c); ++i) {
    const double x = x_at(c, i), b = x_at(c, best);
    if (std::isnan(b)) break;
    if (std::isnan(x) || (Max ? x > b : x < b)) best = i;
  }
  return best;
}
template <bool Max>
void extremum(const KernelCall& c) {
  *c.out = length(c) == 0 ? (Max ? -kInf : kInf) : x_at(c, extreme<Max>(c));
}
template <bool Max>
void extremum_reverse(const KernelCall& c) {
  if (length(c) > 0) c.in[0].a[extreme<Max>(c)] += *c.out_a;
}

// ---- norms and distances

void norm1(const KernelCall& c) {
  *c.out = 0;
  for (Index i = 0; i < length(c); ++i) *c.out += std::abs(x_at(c, i));
}
void norm1_reverse(const KernelCall& c) {
  for (Index i = 0; i < length(c); ++i) {
    const double x = c.in[0].v[i];
    c.in[0].a[i] += x > 0 ? *c.out_a : x < 0 ? -*c.out_a : 0.0;
  }
}
void norm2(const KernelCall& c) {
  double s = 0;
  for (Index i = 0; i < length(c); ++i) s += x_at(c, i) * x_at(c, i);
  *c.out = std::sqrt(s);
}
void norm2_reverse(const KernelCall& c) {
  if (*c.out != 0) dense::axpy(length(c), *c.out_a / *c.out, c.in[0].v, c.in[0].a);
}
void squared_distance(const KernelCall& c) {
  double s = 0;
  for (Index i = 0; i < length(c); ++i) {
    const double d = x_at(c, i) - number(c.in[1], i);
    s += d * d;
  }
  *c.out = s;
}
void add_differences(const KernelCall& c, double g) {
  for (Index i = 0; i < length(c); ++i) {
    const double d = g * (x_at(c, i) - number(c.in[1], i));
    if (c.in[0].a) c.in[0].a[i] += d;
    if (c.in[1].a) c.in[1].a[i] -= d;
  }
}
void squared_distance_reverse(const KernelCall& c) { add_differences(c, 2 * *c.out_a); }
void distance(const KernelCall& c) {
  squared_distance(c);
  *c.out = std::sqrt(*c.out);
}
void distance_reverse(const KernelCall& c) { add_differences(c, *c.out == 0 ? 0 : *c.out_a / *c.out); }

// ---- log_sum_exp, softmax

double log_sum_exp(const double* x, Index n) {
  const double high = dense::ops().max(n, x);  // a NaN comes through the sum
  if (std::isfinite(high)) return high + std::log(dense::ops().sum_exp(n, x, high));
  return std::any_of(x, x + n, [](double v) { return std::isnan(v); }) ? std::nan("") : high;
}
void log_sum_exp(const KernelCall& c) { *c.out = log_sum_exp(c.in[0].v, length(c)); }
void log_sum_exp_reverse(const KernelCall& c) {
  if (std::isfinite(*c.out)) return dense::ops().axpy_exp(length(c), *c.out_a, c.in[0].v, *c.out, c.in[0].a);
  for (Index i = 0; i < length(c); ++i)
    if (*c.out > 0 && c.in[0].v[i] == *c.out) c.in[0].a[i] += *c.out_a;
}

// Arrays element by element.

/// log Σ exp(x), NaN where that is infinite: then no element has a share.
double log_total(const double* x, Index n) {
  const double total = log_sum_exp(x, n);
  return std::isfinite(total) ? total : std::nan("");
}
/// f(first, n) for every element of an array, or once.
template <class F>
void each_element(const KernelCall& c, F f) {
  const Index n = c.in[0].shape.inner_size();
  for (Index at = 0; at < length(c); at += n) f(at, n);
}
void softmax(const KernelCall& c) {
  std::fill_n(c.out, length(c), 0.0);
  each_element(c, [&](Index at, Index n) {
    dense::ops().axpy_exp(n, 1, c.in[0].v + at, log_total(c.in[0].v + at, n), c.out + at);
  });
}
/// x̄ += y ∘ (ȳ - y·ȳ).
void softmax_reverse(const KernelCall& c) {
  each_element(c, [&](Index at, Index n) {
    const double d = dense::dot(n, c.out + at, c.out_a + at);
    for (Index i = at; i < at + n; ++i) c.in[0].a[i] += c.out[i] * (c.out_a[i] - d);
  });
}
void log_softmax(const KernelCall& c) {
  each_element(c, [&](Index at, Index n) {
    const double total = log_total(c.in[0].v + at, n);
    for (Index i = at; i < at + n; ++i) c.out[i] = c.in[0].v[i] - total;
  });
}
/// x̄ += ȳ - softmax(x) Σ ȳ.
void log_softmax_reverse(const KernelCall& c) {
  each_element(c, [&](Index at, Index n) {
    double s = 0;
    for (Index i = at; i < at + n; ++i) s += c.out_a[i];
    dense::axpy(n, 1, c.out_a + at, c.in[0].a + at);
    dense::ops().axpy_exp(n, -s, c.out + at, 0, c.in[0].a + at);
  });
}

void cumulative_sum(const KernelCall& c) {
  double s = 0;
  for (Index i = 0; i < length(c); ++i) c.out[i] = s += x_at(c, i);
}
void cumulative_sum_reverse(const KernelCall& c) {
  double s = 0;
  for (Index i = length(c) - 1; i >= 0; --i) c.in[0].a[i] += s += c.out_a[i];
}

// ---- running sums: first + Σ terms

Plan running_plan(const KernelCall& c) { return {Shape::vector(c.in[1].shape.size())}; }
void running_sum(const KernelCall& c) {
  double s = *c.in[0].v;
  for (Index i = 0; i < size_of(c.in[1]); ++i) c.out[i] = s += c.in[1].v[i];
}
void running_sum_reverse(const KernelCall& c) {
  double s = 0;
  for (Index i = size_of(c.in[1]) - 1; i >= 0; --i) {
    s += c.out_a[i];
    if (c.in[1].a) c.in[1].a[i] += s;
  }
  if (c.in[0].a) *c.in[0].a += s;
}

// ---- log_mix(theta, lambda): Σ_n log Σ_k theta_k exp(lambda_nk)

Plan log_mix_plan(const KernelCall& c) {
  const Shape& l = c.in[1].shape;
  const bool many = l.rank > 0 && l.inner != Inner::Scalar;
  if (!many || l.count() > 0)
    check_sizes_match(c.name, "theta", length(c), "lambda", many ? l.inner_size() : l.scalars());
  return {Shape::scalar(), 2 * std::uint64_t{c.in[0].shape.size()}};
}
double log_mix(const KernelCall& c, double g) {
  for (Index i = 0; i < length(c); ++i)
    if (!(x_at(c, i) >= 0 && x_at(c, i) <= 1)) domain_error(c.name, "theta", i + 1, x_at(c, i), "in the interval [0, 1]");
  check_finite(c.name, "lambda", c.in[1]);
  check_finite(c.name, "theta", c.in[0]);
  const Index k = length(c);
  if (k == 0) return -kInf;
  const Index rows = size_of(c.in[1]) / k;
  double *log_theta = c.scratch, *s = c.scratch + k;
  for (Index i = 0; i < k; ++i) log_theta[i] = std::log(x_at(c, i));
  double total = 0;
  for (Index n = 0; n < rows; ++n) {
    const double* lambda = c.in[1].v + n * k;
    for (Index i = 0; i < k; ++i) s[i] = log_theta[i] + lambda[i];
    const double lp = log_sum_exp(s, k);
    total += lp;
    if (g == 0) continue;
    if (c.in[1].a) dense::ops().axpy_exp(k, g, s, lp, c.in[1].a + n * k);
    if (c.in[0].a) dense::ops().axpy_exp(k, g, lambda, lp, c.in[0].a);
  }
  return total;
}

}  // namespace

FERMIAC_EXPORT_KERNELS(
    reduction_kernels, total({"sum", scalar_plan, sum, sum_reverse}), total({"prod", prod_plan, prod, prod_reverse}),
    total({"mean", nonempty_plan, mean, mean_reverse}), total({"variance", nonempty_plan, variance, variance_reverse}),
    total({"sd", nonempty_plan, sd, sd_reverse}), total({"max", scalar_plan, extremum<true>, extremum_reverse<true>}),
    total({"min", scalar_plan, extremum<false>, extremum_reverse<false>}), total({"norm1", scalar_plan, norm1, norm1_reverse}),
    total({"norm2", scalar_plan, norm2, norm2_reverse}), total({"distance", pair_plan, distance, distance_reverse}),
    total({"squared_distance", pair_plan, squared_distance, squared_distance_reverse}),
    total({"log_sum_exp", scalar_plan, log_sum_exp, log_sum_exp_reverse}), total({"softmax", like_plan<0>, softmax, softmax_reverse}),
    total({"log_softmax", nonempty_like_plan, log_softmax, log_softmax_reverse}),
    total({"cumulative_sum", like_plan<0>, cumulative_sum, cumulative_sum_reverse}),
    total({"running_sum__", running_plan, running_sum, running_sum_reverse}), one_function<log_mix>("log_mix", log_mix_plan))

}  // namespace fermiac::ad
