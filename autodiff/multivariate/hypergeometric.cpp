// Generalised hypergeometric functions pFq(a; b; z) of two lists of parameters, by their power series. The series is
// differentiated term by term; sums are kept in long double because negative z alternates.
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "autodiff/linalg/kernel_tools.h"
#include "support/base/errors.h"
#include "support/base/stop.h"

namespace fermiac::ad {
namespace {

using Real = long double;
constexpr int kMaxTerms = 1'000'000;

std::vector<Real> numbers(const KernelArg& a) {
  std::vector<Real> v;
  for (Index k = 0; k < size_of(a); ++k) v.push_back(number(a, k));
  return v;
}

bool is_pole(Real b) { return b <= 0 && b == std::floor(b); }

void check_converges(const KernelCall& c, const std::vector<Real>& a, const std::vector<Real>& b, Real z) {
  for (const Real x : b)
    if (is_pole(x)) domain_error(c.name, fmt::format("b contains the pole {}, but must not!", static_cast<double>(x)));
  Real excess = 0;
  for (const Real x : b) excess += x;
  for (const Real x : a) excess -= x;
  const bool entire = a.size() <= b.size();
  const bool inside = a.size() == b.size() + 1 && (std::fabs(z) < 1 || (z == 1 && excess > 0));
  if (!(entire || inside) || std::isnan(excess) || !std::isfinite(z))
    domain_error(c.name, fmt::format("the series with {} and {} parameters does not converge for z = {}!", a.size(),
                                     b.size(), static_cast<double>(z)));
}

/// The value, and its partials with respect to a, b and z in this order.
struct Series {
  Real value = 1;
  std::vector<Real> partials;
};

/// The factor that leads from term n to term n + 1, leaving parameter `skipped` of the numerator out.
Real ratio(const std::vector<Real>& a, const std::vector<Real>& b, Real z, int n, std::size_t skipped) {
  Real r = z / (n + 1);
  for (std::size_t i = 0; i < a.size(); ++i)
    if (i != skipped) r *= a[i] + n;
  for (const Real x : b) r /= x + n;
  return r;
}

Series sum_series(const std::vector<Real>& a, const std::vector<Real>& b, Real z) {
  const std::size_t p = a.size(), q = b.size();
  constexpr std::size_t kNone = ~std::size_t{0};
  Series s;
  s.partials.assign(p + q + 1, 0);
  std::vector<Real> slope(p + q, 0);  // of the term with respect to the parameters
  Real term = 1;
  for (int n = 0; n < kMaxTerms; ++n) {
    if (n % 1024 == 1023) stop_point();
    const Real r = ratio(a, b, z, n, kNone);
    Real largest = 0;
    for (std::size_t i = 0; i < p + q; ++i) {
      const Real r_slope = i < p ? ratio(a, b, z, n, i) : -r / (b[i - p] + n);
      slope[i] = slope[i] * r + term * r_slope;
      s.partials[i] += slope[i];
      largest = std::max(largest, std::fabs(slope[i]));
    }
    s.partials[p + q] += term * ratio(a, b, 1, n, kNone) * (n + 1);  // term carries z^n
    term *= r;
    s.value += term;
    if (std::fabs(term) + largest * 1e-2L < 1e-20L * std::fabs(s.value) && n > 2) break;
    if ((term == 0 && largest == 0) || !std::isfinite(term) || !std::isfinite(largest)) break;
  }
  return s;
}

Series evaluate(const KernelCall& c) {
  const std::vector<Real> a = numbers(c.in[0]), b = numbers(c.in[1]);
  const Real z = scalar_of(c.in[2]);
  check_converges(c, a, b, z);
  return sum_series(a, b, z);
}

void forward(const KernelCall& c) { *c.out = static_cast<double>(evaluate(c).value); }

void reverse(const KernelCall& c) {
  const Series s = evaluate(c);
  std::size_t next = 0;
  for (const KernelArg& arg : c.in)
    for (Index k = 0; k < size_of(arg); ++k, ++next)
      if (arg.a) arg.a[k] += *c.out_a * static_cast<double>(s.partials[next]);
}

Plan plan(const KernelCall&) { return {Shape::scalar(), 0}; }

}  // namespace

FERMIAC_EXPORT_KERNELS(hypergeometric_kernels, {"hypergeometric_3F2", plan, forward, reverse},
                       {"hypergeometric_pFq", plan, forward, reverse})

}  // namespace fermiac::ad
