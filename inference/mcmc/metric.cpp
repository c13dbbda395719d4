#include "inference/mcmc/metric.h"

#include <string>

#include "inference/math/vector_kernels.h"
#include "support/base/number_text.h"

namespace fermiac::inference {
namespace {

bool symmetric(ConstSpan a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (std::fabs(a[i * n + j] - a[j * n + i]) > 1e-8 * std::fmax(1, std::fabs(a[i * n + j]))) return false;
  return true;
}

Status check_diag(ConstSpan inverse) {
  for (std::size_t i = 0; i < inverse.size(); ++i)
    if (!(inverse[i] > 0) || !std::isfinite(inverse[i]))
      return Status::failed("inverse metric element " + std::to_string(i + 1) + " is " + format_number(inverse[i], 6) +
                          ", but must be positive and finite");
  return {};
}

/// Rows of `directions` made orthonormal in their order. False where one hardly leaves the span of those before it, or is
/// not of unit length.
bool orthonormalise(Span directions, std::size_t n) {
  constexpr double kTolerance = 1e-2;
  for (std::size_t at = 0; at < directions.size(); at += n) {
    const Span row = directions.subspan(at, n);
    const double length = norm(row);
    for (std::size_t before = 0; before < at; before += n)
      axpy(-dot(directions.subspan(before, n), row), directions.subspan(before, n), row);
    const double left = norm(row);
    if (!(std::fabs(length - 1) < kTolerance) || !(std::fabs(left - 1) < kTolerance)) return false;
    for (double& x : row) x /= left;
  }
  return true;
}

Status check_low_rank(LowRankInverse& m, std::size_t n) {
  if (m.scales.size() != n)
    return Status::failed("inverse metric has " + std::to_string(m.scales.size()) + " scales, expected " + std::to_string(n));
  if (m.rank() > n || m.directions.size() != m.rank() * n)
    return Status::failed("inverse metric has " + std::to_string(m.rank()) + " eigenvalues and " +
                        std::to_string(m.directions.size()) + " elements in its directions, expected " + std::to_string(n) +
                        " for each of at most " + std::to_string(n));
  if (Status bad = check_diag(m.scales); !bad) return bad;
  if (Status bad = check_diag(m.eigenvalues); !bad) return bad;
  if (!orthonormalise(m.directions, n)) return Status::failed("the directions of the inverse metric are not orthonormal");
  return {};
}

}  // namespace

std::string_view metric_name(MetricKind kind) {
  static constexpr std::string_view kNames[] = {"unit_e", "diag_e", "dense_e", "fisher_diag", "low_rank"};
  return kNames[static_cast<int>(kind)];
}

Metric::Metric(MetricKind kind, std::size_t n) : kind_(kind), n_(n) {
  if (is_diagonal(kind) || kind == MetricKind::LowRank) inverse_.assign(n, 1.0);
  if (kind == MetricKind::LowRank) low_rank_.scales.assign(n, 1.0);
  if (kind == MetricKind::Dense) {
    inverse_.assign(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) inverse_[i * n + i] = 1;
  }
  factor_ = inverse_;
}

Status Metric::set_inverse(ConstSpan inverse) {
  if (inverse.size() != inverse_.size())
    return Status::failed("inverse metric has " + std::to_string(inverse.size()) + " elements, expected " +
                        std::to_string(inverse_.size()));
  if (kind_ == MetricKind::LowRank) {
    if (Status bad = check_diag(inverse); !bad) return bad;
    LowRankInverse diagonal{.scales = Vec(inverse.begin(), inverse.end()), .eigenvalues = {}, .directions = {}};
    for (double& s : diagonal.scales) s = std::sqrt(s);
    return set_inverse(std::move(diagonal));
  }
  if (is_diagonal(kind_)) {
    if (Status bad = check_diag(inverse); !bad) return bad;
    inverse_.assign(inverse.begin(), inverse.end());
    for (std::size_t i = 0; i < n_; ++i) factor_[i] = 1 / std::sqrt(inverse_[i]);
  } else if (kind_ == MetricKind::Dense) {
    if (!all_finite(inverse)) return Status::failed("inverse metric has elements that are not finite");
    if (!symmetric(inverse, n_)) return Status::failed("inverse metric is not symmetric");
    Vec factor(inverse.begin(), inverse.end());
    if (!cholesky_in_place(factor, n_)) return Status::failed("inverse metric is not positive definite");
    inverse_.assign(inverse.begin(), inverse.end());
    factor_ = std::move(factor);
  }
  return {};
}

Status Metric::set_inverse(LowRankInverse inverse) {
  if (Status bad = check_low_rank(inverse, n_); !bad) return bad;
  low_rank_ = std::move(inverse);
  for (std::size_t i = 0; i < n_; ++i) inverse_[i] = 1;
  for (std::size_t k = 0; k < low_rank_.rank(); ++k)
    for (std::size_t i = 0; i < n_; ++i) {
      const double u = low_rank_.directions[k * n_ + i];
      inverse_[i] += (low_rank_.eigenvalues[k] - 1) * u * u;
    }
  for (std::size_t i = 0; i < n_; ++i) inverse_[i] *= low_rank_.scales[i] * low_rank_.scales[i];
  return {};
}

/// x := (I + U f(L) U') x with f(l) on the diagonal: along each direction x changes by f times its part there. A move along one is
/// made in the same pass as the look along the next.
template <class F>
void Metric::along_directions(F f, Span x) const {
  const std::size_t rank = low_rank_.rank();
  if (rank == 0) return;
  const VectorKernels& kernels = vector_kernels();
  const double* u = low_rank_.directions.data();
  double along = kernels.dot(u, x.data(), n_);
  for (std::size_t k = 0; k + 1 < rank; ++k, u += n_)
    along = kernels.axpy_and_dot(f(low_rank_.eigenvalues[k]) * along, u, u + n_, x.data(), n_);
  kernels.axpy(f(low_rank_.eigenvalues[rank - 1]) * along, u, x.data(), n_);
}

void Metric::velocity(ConstSpan p, Span out) const {
  switch (kind_) {
    case MetricKind::Unit:
      copy(p, out);
      return;
    case MetricKind::Diag:
    case MetricKind::FisherDiag:
      for (std::size_t i = 0; i < n_; ++i) out[i] = inverse_[i] * p[i];
      return;
    case MetricKind::Dense:
      for (std::size_t i = 0; i < n_; ++i) out[i] = dot(ConstSpan(inverse_).subspan(i * n_, n_), p);
      return;
    case MetricKind::LowRank:
      for (std::size_t i = 0; i < n_; ++i) out[i] = low_rank_.scales[i] * p[i];
      along_directions([](double l) { return l - 1; }, out);
      for (std::size_t i = 0; i < n_; ++i) out[i] *= low_rank_.scales[i];
      return;
  }
}

Inverse Metric::velocities() const {
  if (kind_ == MetricKind::Unit) return {InverseKind::Unit, nullptr};
  if (is_diagonal(kind_)) return {InverseKind::Elements, inverse_.data()};
  if (kind_ == MetricKind::LowRank && low_rank_.rank() == 0) return {InverseKind::Roots, low_rank_.scales.data()};
  return {InverseKind::Stored, nullptr};
}

double Metric::kinetic(ConstSpan p, Span out) const {
  const VectorKernels& kernels = vector_kernels();
  if (const Inverse m = velocities(); m.kind != InverseKind::Stored) return 0.5 * kernels.square(m, p.data(), n_);
  velocity(p, out);
  return 0.5 * kernels.dot(p.data(), out.data(), n_);
}

void Metric::kick_and_drift(double kick, double eps, ConstSpan gradient, Span p, Span q, Span scratch) const {
  const VectorKernels& kernels = vector_kernels();
  if (const Inverse m = velocities(); m.kind != InverseKind::Stored)
    return kernels.kick_and_drift(kick, eps, gradient.data(), m, {p.data(), q.data(), p.data(), q.data()}, n_);
  if (kind_ == MetricKind::LowRank) {
    kernels.kick_and_scale(kick, gradient.data(), low_rank_.scales.data(), p.data(), scratch.data(), n_);
    along_directions([](double l) { return l - 1; }, scratch);
    return kernels.drift_scaled(eps, low_rank_.scales.data(), scratch.data(), q.data(), n_);
  }
  kernels.axpy(kick, gradient.data(), p.data(), n_);
  velocity(p, scratch);
  kernels.axpy(eps, scratch.data(), q.data(), n_);
}

double Metric::kick_and_kinetic(double kick, ConstSpan gradient, Span p, Span out) const {
  const VectorKernels& kernels = vector_kernels();
  if (const Inverse m = velocities(); m.kind != InverseKind::Stored) return 0.5 * kernels.kick_and_square(kick, gradient.data(), m, p.data(), n_);
  if (kind_ == MetricKind::LowRank) {
    kernels.kick_and_scale(kick, gradient.data(), low_rank_.scales.data(), p.data(), out.data(), n_);
    along_directions([](double l) { return l - 1; }, out);
    return 0.5 * kernels.scale_and_dot(low_rank_.scales.data(), p.data(), out.data(), n_);
  }
  kernels.axpy(kick, gradient.data(), p.data(), n_);
  return kinetic(p, out);
}

void Metric::sample_momentum(Rng& rng, Span p) const {
  rng.normals(p);
  if (is_diagonal(kind_))
    for (std::size_t i = 0; i < n_; ++i) p[i] *= factor_[i];
  if (kind_ == MetricKind::LowRank) {  // cov = S^-1 (I + U (1 / L - I) U') S^-1 = M
    along_directions([](double l) { return 1 / std::sqrt(l) - 1; }, p);
    for (std::size_t i = 0; i < n_; ++i) p[i] /= low_rank_.scales[i];
  }
  if (kind_ == MetricKind::Dense) solve_lower_transposed(factor_, n_, p);  // cov(L^-T z) = (L L')^-1 = M
}

}  // namespace fermiac::inference
