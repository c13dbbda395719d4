// The inner loops of log_chain.h.
#include "autodiff/kernels/simd.h"
#include "autodiff/tape/rewrite/log_chain.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

constexpr double kLeast = 1e-200;  // of a state in units of the first one: smaller sums may have lost terms
constexpr double kMost = 1e200;
constexpr double kLogTwo = 0.69314718055994530942;

std::size_t padded_row(std::size_t n) { return (n + 7) / 8 * 8; }

/// Rows of n numbers become padded rows of their exponentials, relative to the row's largest if `units` is given; the
/// padding is 1.
void exponentials(const double* from, std::size_t rows, std::size_t n, double* to, double* units) {
  const std::size_t width = padded_row(n);
  for (std::size_t r = 0; r < rows; ++r, from += n, to += width) {
    double high = 0;
    if (units != nullptr) {
      high = from[0];
      for (std::size_t k = 1; k < n; ++k) high = from[k] > high ? from[k] : high;
      units[r] = high;
    }
    for (std::size_t k = 0; k < n; ++k) to[k] = from[k] - high;
    for (std::size_t k = n; k < width; ++k) to[k] = 0;
  }
  to -= rows * width;
  for (std::size_t i = 0; i < rows * width; i += kLanes) store(to + i, exp(load(to + i)));
}

/// s = p e, next = s * factors in units of a power of two near its first number; returns the exponent.
FERMIAC_INLINE double step(const LogChain& c, const double* p, const double* e, const double* factors, double* s, double* next) {
  const std::size_t n = c.states, width = padded_row(n);
  for (std::size_t k = 0; k < n; k += kLanes) {
    V sum = p[0] * load(e + k);
    for (std::size_t j = 1; j < n; ++j) sum += p[j] * load(e + j * width + k);
    store(s + k, sum);
    store(next + k, factors == nullptr ? sum : sum * load(factors + k));
  }
  std::int64_t bits;
  std::memcpy(&bits, next, 8);
  const std::int64_t exponent = (bits >> 52 & 0x7ff) - 1023;
  const std::int64_t inverse = (1023 - exponent) << 52;
  double unit;
  std::memcpy(&unit, &inverse, 8);
  for (std::size_t k = 0; k < n; k += kLanes) store(next + k, load(next + k) * unit);
  return static_cast<double>(exponent);
}

bool forward(const LogChain& c) {
  const std::size_t n = c.states, width = padded_row(n);
  double unit;
  exponentials(c.start, 1, n, c.p, &unit);
  exponentials(c.transitions, c.matrices * n, n, c.e, nullptr);
  if (c.additions != nullptr) exponentials(c.additions, c.steps, n, c.factors, c.units);
  bool in_range = unit - unit == 0;
  const std::size_t stride = c.matrices > 1 ? n * width : 0;
  for (std::size_t t = 0; t < c.steps; ++t) {
    double* next = c.p + (t + 1) * width;
    const double exponent = step(c, next - width, c.e + t * stride, c.additions ? c.factors + t * width : nullptr,
                                 c.s + t * width, next);
    unit += exponent * kLogTwo + (c.additions ? c.units[t] : 0);
    c.units[t] = unit;
    for (std::size_t k = 0; k < n; ++k) in_range &= next[k] > kLeast && next[k] < kMost;
  }
  if (!in_range) return false;
  for (std::size_t t = 0; t < c.steps; ++t)
    for (std::size_t k = 0; k < n; ++k) c.out[t * n + k] = c.p[(t + 1) * width + k];
  for (std::size_t i = 0; i < c.steps * n; i += kLanes) store(c.out + i, log(load(c.out + i)));
  for (std::size_t t = 0; t < c.steps; ++t)
    for (std::size_t k = 0; k < n; ++k) c.out[t * n + k] += c.units[t];
  return true;
}

/// d x_t[k] / d x_{t-1}[j] = p[j] e[j, k] / s[k].
void reverse(const LogChain& c) {
  const std::size_t n = c.states, width = padded_row(n);
  const std::size_t stride = c.matrices > 1 ? n * width : 0;
  double* carried = c.factors + c.steps * width;
  double* r = carried + width;
  for (std::size_t k = 0; k < width; ++k) carried[k] = r[k] = 0;
  for (std::size_t t = c.steps; t-- > 0;) {
    const double* p = c.p + t * width;
    const double* s = c.s + t * width;
    const double* e = c.e + t * stride;
    double* a = c.transitions_a == nullptr ? nullptr : c.transitions_a + (stride ? t * n * n : 0);
    for (std::size_t k = 0; k < n; ++k) {
      const double g = carried[k] + c.out_a[t * n + k];
      if (c.additions_a != nullptr) c.additions_a[t * n + k] += g;
      r[k] = g / s[k];
    }
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) {
        const double d = p[j] * e[j * width + k] * r[k];
        sum += d;
        if (a != nullptr) a[j * n + k] += d;
      }
      carried[j] = sum;
    }
  }
  if (c.start_a != nullptr)
    for (std::size_t k = 0; k < n; ++k) c.start_a[k] += carried[k];
}

}  // namespace

extern const LogChainLoops kLogChainLoops;
const LogChainLoops kLogChainLoops = {forward, reverse};

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
