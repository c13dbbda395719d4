#include "autodiff/solvers/multistep_coefficients.h"

#include <cmath>

namespace fermiac::ad {
namespace {

/// p(x) (a + b x); p is of degree `degree`.
void multiply(StepPolynomial& p, int degree, double a, double b) {
  for (int j = degree + 1; j > 0; --j) {
    const auto i = static_cast<std::size_t>(j);
    p[i] = a * p[i] + b * p[i - 1];
  }
  p[0] *= a;
}
/// (1 + x / past[1]) ... (1 + x / past[count]).
StepPolynomial zeros_behind(int count, const PastTimes& past) {
  StepPolynomial p{1};
  for (int i = 1; i <= count; ++i) multiply(p, i - 1, 1, 1 / past[static_cast<std::size_t>(i)]);
  return p;
}
/// x (x + past[1]) ... (x + past[count]).
StepPolynomial monic_zeros(int count, const PastTimes& past) {
  StepPolynomial p{0, 1};
  for (int i = 1; i <= count; ++i) multiply(p, i, past[static_cast<std::size_t>(i)], 1);
  return p;
}
/// The integral from 0, which is 0 there.
StepPolynomial integrated(const StepPolynomial& p) {
  StepPolynomial out{};
  for (std::size_t j = 1; j < out.size(); ++j) out[j] = p[j - 1] / static_cast<double>(j);
  return out;
}
StepPolynomial scaled(StepPolynomial p, double by) {
  for (double& c : p) c *= by;
  return p;
}
double at_minus_one(const StepPolynomial& p) {
  double sum = 0;
  for (std::size_t j = p.size(); j-- > 0;) sum = p[j] - sum;
  return sum;
}
double sum_of_inverses(int count, const PastTimes& past) {
  double sum = 0;
  for (int i = 1; i <= count; ++i) sum += 1 / past[static_cast<std::size_t>(i)];
  return sum;
}
double product(int count, const PastTimes& past) {
  double p = 1;
  for (int i = 1; i <= count; ++i) p *= past[static_cast<std::size_t>(i)];
  return p;
}
/// 1 + 1/2 + ... + 1/q.
double harmonic(int q) {
  double sum = 0;
  for (int i = 1; i <= q; ++i) sum += 1.0 / i;
  return sum;
}

}  // namespace

int max_order(MultistepFamily family) {
  return family == MultistepFamily::Adams ? kMaxMultistepOrder : 5;
}

StepPolynomial correction(MultistepFamily family, int q, const PastTimes& past) {
  StepPolynomial p = zeros_behind(q - 1, past);
  if (family == MultistepFamily::Bdf) {
    multiply(p, q - 1, 1, harmonic(q) - sum_of_inverses(q - 1, past));
    return p;
  }
  p = integrated(p);
  p = scaled(p, -1 / at_minus_one(p));
  p[0] = 1;
  return p;
}

StepPolynomial order_change(MultistepFamily family, int m, const PastTimes& past) {
  StepPolynomial p = monic_zeros(m - 2, past);
  if (family == MultistepFamily::Adams) return scaled(integrated(p), m);
  multiply(p, m - 1, 0, 1);
  return p;
}

double leading(MultistepFamily family, int q, const PastTimes& past) {
  if (family == MultistepFamily::Bdf) return 1 / product(q + 1, past);
  return correction(family, q, past)[1] / ((q + 1) * product(q, past));
}

double error_of_leading(MultistepFamily family, int q, const PastTimes& past) {
  if (family == MultistepFamily::Bdf) return product(q + 1, past) * std::abs(1 - sum_of_inverses(q + 1, past) / harmonic(q));
  return (q + 1) * std::abs(at_minus_one(integrated(monic_zeros(q - 1, past))));
}

double next_leading(MultistepFamily family, int q, const PastTimes& past) {
  if (family == MultistepFamily::Bdf) return 1 / past[static_cast<std::size_t>(q + 2)];
  return (q + 1) / ((q + 2) * past[static_cast<std::size_t>(q + 1)]);
}

}  // namespace fermiac::ad
