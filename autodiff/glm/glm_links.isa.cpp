#include "autodiff/glm/glm_links.h"

#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

using dense::Index;

FERMIAC_INLINE V at(const double* p, V) { return load(p); }
FERMIAC_INLINE double at(const double* p, double) { return *p; }
FERMIAC_INLINE void put(double* p, V x) { store(p, x); }
FERMIAC_INLINE void put(double* p, double x) { *p = x; }

/// Runs step(i, tag) over blocks of lanes, then over single elements; sums what it returns.
template <class Step>
FERMIAC_INLINE double each(Index n, Step step) {
  V total{};
  Index i = 0;
  for (; i + kLanes <= n; i += kLanes) total += step(i, V{});
  double sum = sum_lanes(total);
  for (; i < n; ++i) sum += step(i, 0.0);
  return sum;
}

double bernoulli(Index n, const double* y, const double* eta, double* slope) {
  return each(n, [=](Index i, auto tag) __attribute__((always_inline)) {
    const auto sign = 2.0 * at(y + i, tag) - 1.0;
    auto share = tag;
    const auto soft = log1p_exp(-sign * at(eta + i, tag), share);
    if (slope) put(slope + i, sign * share);
    return -soft;
  });
}

double poisson(Index n, const double* y, const double* eta, double* slope) {
  return each(n, [=](Index i, auto tag) __attribute__((always_inline)) {
    const auto e = at(eta + i, tag), k = at(y + i, tag);
    const auto mu = exp(e);
    if (slope) put(slope + i, k - mu);
    return select(k == 0.0, k, k * e) - mu;  // 0 times -inf is 0 here
  });
}

double binomial(Index n, const double* y, const double* trials, const double* eta, double* slope) {
  return each(n, [=](Index i, auto tag) __attribute__((always_inline)) {
    const auto e = at(eta + i, tag), k = at(y + i, tag), all = at(trials + i, tag);
    auto share = tag;
    const auto soft = log1p_exp(e, share);
    if (slope) put(slope + i, k - all * share);
    return k * e - all * soft;
  });
}

double neg_binomial(Index n, const double* y, double phi, double log_phi, const double* eta, double* slope,
                    double* softplus) {
  V soft{};
  double soft_tail = 0;
  const double sum = each(n, [&](Index i, auto tag) __attribute__((always_inline)) {
    const auto t = at(eta + i, tag) - log_phi, k = at(y + i, tag);
    auto share = tag;
    const auto s = log1p_exp(t, share);
    if constexpr (sizeof(tag) == sizeof(double)) soft_tail += s;
    else soft += s;
    if (slope) put(slope + i, k - (k + phi) * share);
    return k * t - (k + phi) * s;
  });
  *softplus += sum_lanes(soft) + soft_tail;
  return sum;
}

double rising(Index n, const double* y, double phi, double* by_phi) {
  const double lgamma_phi = lgamma(phi), digamma_phi = by_phi ? digamma(phi) : 0;
  V slope{};
  double slope_tail = 0;
  const double sum = each(n, [&](Index i, auto tag) __attribute__((always_inline)) {
    using T = decltype(tag);
    const T k = at(y + i, tag), z = splat<T>(phi);
    if (by_phi) {
      const T d = digamma_difference(z, k, splat<T>(digamma_phi));
      if constexpr (sizeof(T) == sizeof(double)) slope_tail += d;
      else slope += d;
    }
    return lgamma_difference(z, k, splat<T>(lgamma_phi));
  });
  if (by_phi) *by_phi += sum_lanes(slope) + slope_tail;
  return sum;
}

double normal(Index n, const double* y, const double* eta, double* sigma, double* slope) {
  return each(n, [=](Index i, auto tag) __attribute__((always_inline)) {
    const auto inv = 1.0 / at(sigma + i, tag), z = (at(y + i, tag) - at(eta + i, tag)) * inv;
    put(slope + i, z * inv);
    put(sigma + i, (z * z - 1.0) * inv);
    return z * z;
  });
}

void to_doubles(Index n, const std::int32_t* from, double* to) {
  using Ints = std::int32_t __attribute__((vector_size(kLanes * 4)));
  Index i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    Ints v;
    std::memcpy(&v, from + i, sizeof v);
    store(to + i, __builtin_convertvector(v, V));
  }
  for (; i < n; ++i) to[i] = from[i];
}

double sum(Index n, const double* x) {
  return each(n, [=](Index i, auto tag) __attribute__((always_inline)) { return at(x + i, tag); });
}

}  // namespace

extern const glm::Links glm_links;
constinit const glm::Links glm_links = {bernoulli, poisson, binomial, neg_binomial, rising, normal, to_doubles, sum};

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
