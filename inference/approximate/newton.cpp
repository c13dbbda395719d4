#include "inference/approximate/newton.h"

#include <algorithm>

#include "inference/math/symmetric_eigen.h"
#include "inference/model/second_derivatives.h"

namespace fermiac::inference {
namespace {

constexpr double kLeastGain = 1e-8;
constexpr double kLeastStep = 1e-50;
constexpr double kFlat = 1e-14;  // of the largest curvature

}  // namespace

Newton::Newton(Target& target, unsigned max_iterations)
    : target_(target), max_iterations_(max_iterations), q_(target.size()), grad_(q_), p_(q_), trial_(q_), values_(q_) {}

bool Newton::start(ConstSpan q) {
  copy(q, q_);
  lp_ = target_.gradient(q_, grad_);
  return std::isfinite(lp_) && all_finite(grad_);
}

/// With smaller steps, where the density ends within 2e-3 of the point.
bool Newton::hessian_nearer() {
  return static_cast<bool>(hessian(target_.workspace(), target_.options(), q_, hessian_)) && all_finite(hessian_);
}

/// The rows of hessian_ become its eigenvectors, values_ its eigenvalues.
bool Newton::curvature() {
  const bool found = difference_hessian(target_, q_, Vec(q_.size(), kDifferenceStep), &hessian_) || hessian_nearer();
  return found && symmetric_eigen(hessian_, q_.size(), values_);
}

void Newton::aim() {
  const std::size_t n = q_.size();
  double largest = 0;
  for (const double w : values_) largest = std::max(largest, std::fabs(w));
  const double least = largest > 0 ? kFlat * largest : 1;
  p_.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const ConstSpan v = ConstSpan(hessian_).subspan(i * n, n);
    axpy(dot(v, grad_) / std::max(std::fabs(values_[i]), least), v, p_);
  }
}

/// Leaves the point in trial_ and its log density in gain_ + lp_.
bool Newton::climb() {
  for (double alpha = 1; alpha > kLeastStep && !target_.stopped(); alpha *= 0.5) {
    for (std::size_t k = 0; k < q_.size(); ++k) trial_[k] = q_[k] + alpha * p_[k];
    const double next = target_.value(trial_);
    if (!std::isfinite(next) || next < lp_) continue;
    gain_ = next - lp_;
    return true;
  }
  return false;
}

StepStatus Newton::step() {
  if (iteration_ >= max_iterations_) return StepStatus::MaxIterations;
  ++iteration_;
  gain_ = 0;
  if (!curvature()) return target_.stopped() ? StepStatus::Stopped : StepStatus::LineSearchFailed;
  aim();
  if (!climb()) return target_.stopped() ? StepStatus::Stopped : StepStatus::LineSearchFailed;
  q_.swap(trial_);
  lp_ = target_.gradient(q_, grad_);
  return gain_ > kLeastGain ? StepStatus::Going : StepStatus::ConvergedObjective;
}

}  // namespace fermiac::inference
