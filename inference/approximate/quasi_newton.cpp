#include "inference/approximate/quasi_newton.h"

#include <algorithm>

namespace fermiac::inference {
namespace {

constexpr double kSufficientDecrease = 1e-4;
constexpr double kCurvature = 0.9;
constexpr int kMaxTrials = 40;
constexpr double kMinAlpha = 1e-16;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// Minimiser of the cubic through two values and slopes, kept inside the middle 80 % of the interval.
double cubic_minimum(double a, double fa, double da, double b, double fb, double db) {
  const double low = std::min(a, b), width = std::fabs(b - a);
  const double middle = low + 0.5 * width;
  if (!std::isfinite(fa) || !std::isfinite(fb) || !std::isfinite(da) || !std::isfinite(db)) return middle;
  const double d1 = da + db - 3 * (fa - fb) / (a - b);
  const double square = d1 * d1 - da * db;
  if (!(square >= 0)) return middle;
  const double d2 = std::copysign(std::sqrt(square), b - a);
  const double x = b - (b - a) * (db + d2 - d1) / (db - da + 2 * d2);
  return std::isfinite(x) ? std::clamp(x, low + 0.1 * width, low + 0.9 * width) : middle;
}

/// In the order of StepStatus.
struct StepRow {
  std::string_view text;
  int code;
};
constexpr StepRow kSteps[] = {
    {"Successful step completed", 0},
    {"Convergence detected: absolute change in objective function was below tolerance", 20},
    {"Convergence detected: relative change in objective function was below tolerance", 21},
    {"Convergence detected: gradient norm is below tolerance", 30},
    {"Convergence detected: relative gradient magnitude is below tolerance", 31},
    {"Convergence detected: absolute parameter change was below tolerance", 10},
    {"Maximum number of iterations hit, may not be at an optima", 40},
    {"Line search failed to achieve a sufficient decrease, no more progress can be made", -1},
    {"Line search failed to achieve a sufficient decrease: log density and gradient grow without bound, there is no mode to be found", -1},
    {kInterruptedText, 0},
};

}  // namespace

bool is_failure(StepStatus status) {
  return status == StepStatus::LineSearchFailed || status == StepStatus::Unbounded || status == StepStatus::Stopped;
}

std::string_view status_text(StepStatus status) { return kSteps[static_cast<std::size_t>(status)].text; }
int convergence_code(StepStatus status) { return kSteps[static_cast<std::size_t>(status)].code; }

QuasiNewton::QuasiNewton(Target& target, const QuasiNewtonOptions& options) : target_(target), options_(options) {
  for (Vec* v : {&q_, &grad_, &p_, &trial_q_, &trial_grad_, &s_, &y_}) v->resize(target.size());
}

bool QuasiNewton::start(ConstSpan q) {
  copy(q, q_);
  f_ = -target_.gradient(q_, grad_);
  iteration_ = 0;
  least_gradient_ = gradient_norm();
  reset();
  aim();
  return std::isfinite(f_) && all_finite(grad_);
}

void QuasiNewton::reset() {
  pairs_.clear();
  inverse_hessian_.clear();
  fresh_ = true;
}

void QuasiNewton::direction() {
  if (fresh_) {
    copy(grad_, p_);
    return;
  }
  options_.dense ? direction_dense() : direction_limited();
}

/// The two-loop recursion: p = H grad, an ascent direction of the log density.
void QuasiNewton::direction_limited() {
  copy(grad_, p_);
  coefficients_.resize(pairs_.size());
  for (std::size_t i = pairs_.size(); i-- > 0;) {
    coefficients_[i] = pairs_[i].rho * dot(pairs_[i].s, p_);
    axpy(-coefficients_[i], pairs_[i].y, p_);
  }
  const Pair& last = pairs_.back();
  const double scale = 1 / (last.rho * dot(last.y, last.y));
  for (double& x : p_) x *= scale;
  for (std::size_t i = 0; i < pairs_.size(); ++i)
    axpy(coefficients_[i] - pairs_[i].rho * dot(pairs_[i].y, p_), pairs_[i].s, p_);
}

void QuasiNewton::direction_dense() {
  const std::size_t n = q_.size();
  for (std::size_t i = 0; i < n; ++i) p_[i] = dot(ConstSpan(inverse_hessian_).subspan(i * n, n), grad_);
}

/// Takes the pair (s, y) of the last step into the curvature estimate; y is the change of the gradient of -lp.
void QuasiNewton::update() {
  const double sy = dot(s_, y_), yy = dot(y_, y_);
  if (!(sy > kEpsilon * yy)) return;  // would lose positive definiteness
  const std::size_t n = q_.size();
  if (!options_.dense) {
    if (pairs_.size() == std::max(1U, options_.search.history_size)) pairs_.pop_front();
    pairs_.push_back({s_, y_, 1 / sy});
  } else {
    if (fresh_) {
      inverse_hessian_.assign(n * n, 0);
      for (std::size_t i = 0; i < n; ++i) inverse_hessian_[i * n + i] = sy / yy;
    }
    Vec hy(n);
    for (std::size_t i = 0; i < n; ++i) hy[i] = dot(ConstSpan(inverse_hessian_).subspan(i * n, n), y_);
    const double factor = (1 + dot(y_, hy) / sy) / sy;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        inverse_hessian_[i * n + j] += factor * s_[i] * s_[j] - (hy[i] * s_[j] + s_[i] * hy[j]) / sy;
  }
  fresh_ = false;
}

QuasiNewton::Trial QuasiNewton::evaluate(double alpha) {
  for (std::size_t i = 0; i < q_.size(); ++i) trial_q_[i] = q_[i] + alpha * p_[i];
  double f = -target_.gradient(trial_q_, trial_grad_);
  if (!std::isfinite(f) || !all_finite(trial_grad_)) f = kInf;
  return {alpha, f, -dot(trial_grad_, p_)};
}

/// Bisection for the weak Wolfe conditions (Lewis & Overton 2013, algorithm 2.6).
bool QuasiNewton::bisect() {
  double low = 0, high = kInf, alpha = alpha0_;
  for (int i = 0; i < 2 * kMaxTrials && !target_.stopped(); ++i) {
    const Trial at = evaluate(alpha);
    if (at.f > f_ + kSufficientDecrease * alpha * slope0_) high = alpha;
    else if (accepted_ = at; at.slope < 0.5 * slope0_) low = alpha;
    else return true;
    alpha = high < kInf ? 0.5 * (low + high) : 2 * alpha;
  }
  if (low == 0) return false;
  accepted_ = evaluate(low);
  return accepted_.f < f_;
}

/// Algorithm 3.5 of Nocedal & Wright. The accepted point is left in trial_q_ and trial_grad_.
bool QuasiNewton::line_search() {
  if (options_.weak) return bisect();
  Trial before{0, f_, slope0_};
  double alpha = alpha0_;
  for (int i = 0; i < kMaxTrials && !target_.stopped(); ++i) {
    const Trial at = evaluate(alpha);
    if (at.f > f_ + kSufficientDecrease * alpha * slope0_ || (i > 0 && at.f >= before.f)) return zoom(before, at);
    accepted_ = at;
    if (std::fabs(at.slope) <= -kCurvature * slope0_) return true;
    if (at.slope >= 0) return zoom(at, before);
    before = at;
    alpha *= 2;
  }
  return false;
}

/// Algorithm 3.6: shrinks an interval that contains points satisfying the conditions. `low` is its best end.
bool QuasiNewton::zoom(Trial low, Trial high) {
  for (int i = 0; i < kMaxTrials && !target_.stopped(); ++i) {
    const double width = std::fabs(high.alpha - low.alpha);
    if (width < kMinAlpha || width < 1e-14 * low.alpha) break;
    const Trial at = evaluate(cubic_minimum(low.alpha, low.f, low.slope, high.alpha, high.f, high.slope));
    if (at.f > f_ + kSufficientDecrease * at.alpha * slope0_ || at.f >= low.f) {
      high = at;
      continue;
    }
    if (std::fabs(at.slope) <= -kCurvature * slope0_) {
      accepted_ = at;
      return true;
    }
    if (at.slope * (high.alpha - low.alpha) >= 0) high = low;
    low = at;
  }
  if (low.alpha == 0) return false;
  accepted_ = evaluate(low.alpha);  // a decrease without the curvature condition still makes progress
  return accepted_.f < f_;
}

/// The direction of the next step and its slope; falls back on the gradient if it does not ascend.
void QuasiNewton::aim() {
  direction();
  slope0_ = -dot(grad_, p_);
  if (slope0_ < 0 || fresh_) return;
  reset();
  direction();
  slope0_ = -dot(grad_, p_);
}

StepStatus QuasiNewton::step() {
  note_.clear();
  if (norm(grad_) == 0) return StepStatus::ConvergedGradient;
  alpha0_ = fresh_ ? options_.search.init_alpha : 1;
  if (!line_search()) {
    if (target_.stopped()) return StepStatus::Stopped;
    if (fresh_) return StepStatus::LineSearchFailed;
    reset();
    aim();
    note_ = "LS failed, Hessian reset";
    alpha0_ = options_.search.init_alpha;
    if (!line_search()) return target_.stopped() ? StepStatus::Stopped : StepStatus::LineSearchFailed;
  }
  ++iteration_;
  alpha_ = accepted_.alpha;
  subtract(trial_q_, q_, s_);
  subtract(grad_, trial_grad_, y_);
  const double f_before = f_;
  f_ = accepted_.f;
  q_.swap(trial_q_);
  grad_.swap(trial_grad_);
  step_norm_ = norm(s_);
  least_gradient_ = std::min(least_gradient_, gradient_norm());
  update();
  aim();
  return converged(f_before);
}

/// After steps enough to have come down from a bad start.
bool QuasiNewton::grows_without_bound() const {
  return iteration_ >= 100 && gradient_norm() >= 1e6 * std::max(1.0, least_gradient_);
}

StepStatus QuasiNewton::converged(double f_before) const {
  const double change = std::fabs(f_before - f_);
  const double scale = std::max({std::fabs(f_before), std::fabs(f_), 1.0});
  if (gradient_norm() < options_.search.tol_grad) return StepStatus::ConvergedGradient;
  if (options_.weak) return StepStatus::Going;
  if (change < options_.search.tol_obj) return StepStatus::ConvergedObjective;
  if (change / scale < options_.search.tol_rel_obj * kEpsilon) return StepStatus::ConvergedRelativeObjective;
  if (step_norm_ < options_.search.tol_param) return StepStatus::ConvergedParameters;
  // The decrease the next full step promises, against the size of the objective.
  if (-slope0_ / std::max(std::fabs(f_), 1.0) < options_.search.tol_rel_grad * kEpsilon)
    return StepStatus::ConvergedRelativeGradient;
  if (iteration_ >= options_.max_iterations) return StepStatus::MaxIterations;
  return StepStatus::Going;
}

}  // namespace fermiac::inference
