#include "inference/metric.h"

#include <string>

#include "inference/config.h"

namespace fermiac::inference {
namespace {

bool symmetric(ConstSpan a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (std::fabs(a[i * n + j] - a[j * n + i]) > 1e-8 * std::fmax(1, std::fabs(a[i * n + j]))) return false;
  return true;
}

Result check_diag(ConstSpan inverse) {
  for (std::size_t i = 0; i < inverse.size(); ++i)
    if (!(inverse[i] > 0) || !std::isfinite(inverse[i]))
      return Result::fail("inverse metric element " + std::to_string(i + 1) + " is " + format_number(inverse[i], 6) +
                          ", but must be positive and finite");
  return {};
}

}  // namespace

std::string_view metric_name(MetricKind kind) {
  static constexpr std::string_view kNames[] = {"unit_e", "diag_e", "dense_e"};
  return kNames[static_cast<int>(kind)];
}

Metric::Metric(MetricKind kind, std::size_t n) : kind_(kind), n_(n) {
  if (kind == MetricKind::Diag) inverse_.assign(n, 1.0);
  if (kind == MetricKind::Dense) {
    inverse_.assign(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) inverse_[i * n + i] = 1;
  }
  factor_ = inverse_;
}

Result Metric::set_inverse(ConstSpan inverse) {
  if (inverse.size() != inverse_.size())
    return Result::fail("inverse metric has " + std::to_string(inverse.size()) + " elements, expected " +
                        std::to_string(inverse_.size()));
  if (kind_ == MetricKind::Diag) {
    if (Result bad = check_diag(inverse); !bad) return bad;
    inverse_.assign(inverse.begin(), inverse.end());
    for (std::size_t i = 0; i < n_; ++i) factor_[i] = 1 / std::sqrt(inverse_[i]);
  } else if (kind_ == MetricKind::Dense) {
    if (!all_finite(inverse)) return Result::fail("inverse metric has elements that are not finite");
    if (!symmetric(inverse, n_)) return Result::fail("inverse metric is not symmetric");
    Vec factor(inverse.begin(), inverse.end());
    if (!cholesky_in_place(factor, n_)) return Result::fail("inverse metric is not positive definite");
    inverse_.assign(inverse.begin(), inverse.end());
    factor_ = std::move(factor);
  }
  return {};
}

void Metric::velocity(ConstSpan p, Span out) const {
  switch (kind_) {
    case MetricKind::Unit:
      copy(p, out);
      return;
    case MetricKind::Diag:
      for (std::size_t i = 0; i < n_; ++i) out[i] = inverse_[i] * p[i];
      return;
    case MetricKind::Dense:
      for (std::size_t i = 0; i < n_; ++i) out[i] = dot(ConstSpan(inverse_).subspan(i * n_, n_), p);
      return;
  }
}

double Metric::kinetic(ConstSpan p, Span out) const {
  velocity(p, out);
  return 0.5 * dot(p, out);
}

void Metric::drift(double eps, ConstSpan p, Span q, Span scratch) const {
  switch (kind_) {
    case MetricKind::Unit:
      axpy(eps, p, q);
      return;
    case MetricKind::Diag:
      for (std::size_t i = 0; i < n_; ++i) q[i] += eps * inverse_[i] * p[i];
      return;
    case MetricKind::Dense:
      velocity(p, scratch);
      axpy(eps, scratch, q);
      return;
  }
}

void Metric::sample_momentum(Rng& rng, Span p) const {
  for (double& x : p) x = rng.normal();
  if (kind_ == MetricKind::Diag)
    for (std::size_t i = 0; i < n_; ++i) p[i] *= factor_[i];
  if (kind_ == MetricKind::Dense) solve_lower_transposed(factor_, n_, p);  // cov(L^-T z) = (L L')^-1 = M
}

}  // namespace fermiac::inference
