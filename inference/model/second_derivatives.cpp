#include "inference/model/second_derivatives.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace fermiac::inference {
namespace {

using Vec = std::vector<double>;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kFirstStep = 1.0 / 32;  // of a parameter of size one
constexpr double kSmaller = 1.0 / 4;
constexpr int kSteps = 9;
constexpr double kAgreement = 1e-11;  // relative, of results of two steps
constexpr double kRounding = 8;       // of gradients, in units of their last digits

/// The largest power of two that moves no parameter by much more than its own size.
double first_step(std::span<const double> theta, std::span<const double> direction) {
  double step = kInf;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const double size = std::isfinite(theta[i]) ? std::fmax(1, std::fabs(theta[i])) : 1;
    if (direction[i] != 0) step = std::fmin(step, size / std::fabs(direction[i]));
  }
  return std::isfinite(step) && step > 0 ? std::exp2(std::floor(std::log2(step * kFirstStep))) : kFirstStep;
}

/// Differences of gradients at one step, and how far rounding may have moved them.
struct Difference {
  Vec value, rounding;
};

class DirectionalDerivative {
 public:
  DirectionalDerivative(ModelWorkspace& workspace, DensityOptions options, std::span<const double> theta,
                        std::span<const double> direction)
      : workspace_(workspace),
        options_(options),
        theta_(theta),
        direction_(direction),
        point_(theta.size()),
        ahead_(theta.size()),
        behind_(theta.size()) {}

  EvalStatus find(std::span<double> out) {
    Difference before, now;
    error_.assign(theta_.size(), kInf);
    double h = first_step(theta_, direction_);
    bool found = false;
    EvalStatus status;
    for (int k = 0; k < kSteps; ++k, h *= kSmaller) {
      if (EvalStatus s = differences(h, now); !s) {
        if (!found) status = s;
        before.value.clear();
        continue;
      }
      if (!found) std::ranges::copy(now.value, out.begin());
      found = true;
      if (!before.value.empty() && agree(before, now, out)) break;
      std::swap(before, now);
    }
    return found ? EvalStatus{} : status;
  }

 private:
  EvalStatus gradient_at(double h, Vec& gradient) {
    for (std::size_t i = 0; i < point_.size(); ++i)
      point_[i] = direction_[i] == 0 ? theta_[i] : theta_[i] + h * direction_[i];
    double lp = 0;
    return workspace_.log_density_gradient(point_, options_, &lp, gradient);
  }

  EvalStatus differences(double h, Difference& d) {
    static constexpr double kWeights[] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
    d.value.assign(theta_.size(), 0);
    d.rounding.assign(theta_.size(), 0);
    for (int k = 1; k <= 3; ++k) {
      if (EvalStatus s = gradient_at(k * h, ahead_); !s) return s;
      if (EvalStatus s = gradient_at(-k * h, behind_); !s) return s;
      for (std::size_t j = 0; j < theta_.size(); ++j) {
        d.value[j] += kWeights[k - 1] * (ahead_[j] - behind_[j]);
        d.rounding[j] = std::fmax(d.rounding[j], std::fmax(std::fabs(ahead_[j]), std::fabs(behind_[j])));
      }
    }
    for (double& x : d.value) x /= h;
    for (double& x : d.rounding) x *= kRounding * kEpsilon / h;
    return {};
  }

  /// Takes what agrees better than anything before; whether all of it agrees as well as it can.
  bool agree(const Difference& before, const Difference& now, std::span<double> out) {
    bool all = true;
    for (std::size_t j = 0; j < out.size(); ++j) {
      const double error = std::fabs(now.value[j] - before.value[j]);
      const bool only_rounding = error <= now.rounding[j];
      if (error < error_[j]) {
        error_[j] = error;
        out[j] = only_rounding ? before.value[j] : now.value[j];  // whose rounding is less, or whose step is smaller
      }
      all = all && (only_rounding || error_[j] <= kAgreement * std::fabs(out[j]));
    }
    return all;
  }

  ModelWorkspace& workspace_;
  DensityOptions options_;
  std::span<const double> theta_, direction_;
  Vec point_, ahead_, behind_, error_;
};

/// Null where the workspace has no exact ones at theta.
ExactSecondDerivatives* exact_at(ModelWorkspace& workspace, DensityOptions options, std::span<const double> theta) {
  auto* const exact = dynamic_cast<ExactSecondDerivatives*>(&workspace);
  return exact && exact->why_inexact(theta, options).empty() ? exact : nullptr;
}

void make_symmetric(std::span<double> h, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) h[i * n + j] = h[j * n + i] = 0.5 * (h[i * n + j] + h[j * n + i]);
}

}  // namespace

EvalStatus gradient_derivative(ModelWorkspace& workspace, DensityOptions options, std::span<const double> theta,
                               std::span<const double> direction, std::span<double> out) {
  if (ExactSecondDerivatives* const exact = exact_at(workspace, options, theta)) {
    exact->hessian_times(direction, out);
    if (all_finite(out)) return {};
  }
  return DirectionalDerivative(workspace, options, theta, direction).find(out);
}

EvalStatus hessian(ModelWorkspace& workspace, DensityOptions options, std::span<const double> theta,
                   std::span<double> out) {
  if (exact_hessian(workspace, options, theta, out)) return {};
  const std::size_t n = theta.size();
  Vec unit(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    unit[i] = 1;
    if (EvalStatus s = DirectionalDerivative(workspace, options, theta, unit).find(out.subspan(i * n, n)); !s) return s;
    unit[i] = 0;
  }
  make_symmetric(out, n);
  return {};
}

bool exact_hessian(ModelWorkspace& workspace, DensityOptions options, std::span<const double> theta, std::span<double> out) {
  ExactSecondDerivatives* const exact = exact_at(workspace, options, theta);
  if (!exact) return false;
  const std::size_t n = theta.size();
  Vec unit(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    unit[i] = 1;
    exact->hessian_times(unit, out.subspan(i * n, n));
    unit[i] = 0;
  }
  make_symmetric(out, n);
  return all_finite(out);
}

}  // namespace fermiac::inference
