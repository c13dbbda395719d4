// Adams and BDF methods of variable order with forward sensitivities, which are under error control with the state: A. C. Hindmarsh and
// others, "SUNDIALS: suite of nonlinear and differential/algebraic equation solvers", 2005, sections 2 and 3.2 (staggered corrector,
// convergence test, step and order selection); coefficients and error estimates as multistep_coefficients.h derives them.
//
// The error of a step is measured against abs_tol + rel_tol |z_i|, root mean square over the state and over the sensitivities to each
// parameter; the largest of these counts, and is to be at most 1.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "autodiff/solvers/multistep_coefficients.h"
#include "autodiff/solvers/newton_matrix.h"
#include "autodiff/solvers/nordsieck.h"
#include "autodiff/solvers/ode.h"
#include "autodiff/solvers/strictness.h"
#include "support/base/errors.h"
#include "support/base/memory.h"

namespace fermiac::ad {
namespace {

constexpr int kMaxIterations = 3;              // of Newton's method
constexpr double kNewtonTolerance = 0.1;       // of the error a step may have
constexpr double kSlowConvergence = 0.2;       // a new Jacobian costs no more than the iterations that it saves
constexpr double kDivergence = 2;              // growth of a correction
constexpr int kStepsPerJacobian = 20;
constexpr double kGammaDrift = 0.3;            // likewise: relative change of gamma
constexpr int kMaxConvergenceFailures = 10;    // of one step
constexpr int kMaxErrorFailures = 10;
constexpr int kFailuresBeforeRestart = 3;
constexpr double kCutAfterDivergence = 0.25, kLeastCut = 0.2;
constexpr double kFirstGrowth = 1e4, kGrowth = 10, kWorthwhileGrowth = 1.5;
constexpr double kBias = 6, kBiasOfHigherOrder = 10;

/// The factor by which a step may grow when its error is `error` with a method of order q.
double growth(double error, int q, double bias) {
  return 1 / (std::pow(bias * error, 1.0 / (q + 1)) + 1e-6);
}

/// State or sensitivities: where they lie in a row of the history.
struct Part {
  std::size_t offset = 0, rows = 0, lanes = 0;
  std::size_t size = 0;   // with padding
  double share = 0;       // of one row in a mean
  double rate = 1;        // of Newton's method
  double error = 0;       // of the step at hand, by its order
};

class Multistep {
 public:
  Multistep(const OdeOptions& options, OdeSystem& system, double t0, const double* z0, double end);
  /// Integrates to `time`, and a little further; fills z.
  void advance(double time, double* z);

 private:
  double* row(std::vector<double>& v, int j) { return v.data() + static_cast<std::size_t>(j) * n_; }
  bool has_sensitivities() const { return parts_[1].rows > 0; }
  double norm(const Part& part, const double* v) const;
  double norm(const double* v) const;
  bool at_rest() { return norm(row(history_, 1)) == 0; }
  void derivative(double t, const double* z, double* dz);
  void begin(double end, double most);
  double first_step(double end);

  void step();
  bool attempt();
  void set_coefficients();
  bool correct(Part& part);
  void evaluate(const Part& part, double* f);
  void refresh_matrix();
  void after_divergence();
  void after_error();
  void accept();
  void choose_step();
  struct Choice {
    double growth = 0;
    int by = 0;  // change of order
  };
  Choice of_order(int by);
  Choice best_order();
  void change_order(int by);
  void scale_step(double eta);
  [[noreturn]] void fail(std::string_view why) const;

  const OdeOptions& options_;
  const double rel_tol_ = solver_tolerance(options_.rel_tol), abs_tol_ = solver_tolerance(options_.abs_tol);
  const MultistepFamily family_ = options_.method == OdeMethod::Adams ? MultistepFamily::Adams : MultistepFamily::Bdf;
  const NordsieckLoops& loops_ = nordsieck_loops();
  OdeSystem& system_;
  std::array<Part, 2> parts_;   // state, sensitivities
  std::size_t n_;               // of a row
  double t_, h_ = 0;            // the time reached, the step by which history_ is scaled
  int order_ = 1, wait_ = 0;    // steps until the order may change
  double steps_ = 0;            // since the last output
  double most_growth_ = kFirstGrowth;
  int convergence_failures_ = 0, error_failures_ = 0;  // of the step at hand
  double failed_error_ = 0;     // of its last attempt

  std::array<double, kMaxMultistepOrder + 3> times_;  // [i]: i steps before t_
  PastTimes past_{};                                  // of the step at hand
  StepPolynomial correction_{};
  double gamma_ = 0, lead_ = 0, error_factor_ = 0;
  int same_steps_ = 0;          // of one length and order: coefficients stay when all that count are

  std::vector<double> history_, predicted_;           // rows 0..order_
  std::vector<double> weights_, y_, f_, delta_, last_delta_;
  double last_lead_ = 0;        // of last_delta_
  double last_h_ = 0;

  NewtonMatrix matrix_;
  std::vector<double> jacobian_;
  int jacobian_age_ = -1;       // steps; -1: there is none
  bool slow_ = false;           // Newton's method with it
  bool finite_ = true;          // its last correction, or the Jacobian of a matrix that cannot be factored
  double matrix_gamma_ = 0, jacobian_gamma_ = 0;
};

Multistep::Multistep(const OdeOptions& options, OdeSystem& system, double t0, const double* z0, double end)
    : options_(options), system_(system), t_(t0), matrix_(system.states()), jacobian_(system.states() * system.states()) {
  const std::size_t states = system.states(), lanes = system.lanes();
  parts_[0] = {.offset = 0, .rows = states, .lanes = 1, .size = FunctionRun::lanes_for(states), .share = 1.0 / static_cast<double>(states)};
  parts_[1] = {.offset = parts_[0].size, .rows = lanes > 0 ? states : 0, .lanes = lanes, .size = states * lanes, .share = parts_[0].share};
  n_ = parts_[0].size + parts_[1].size;
  const auto rows = static_cast<std::size_t>(max_order(family_)) + 1;
  history_.resize(rows * n_);
  predicted_.resize(rows * n_);
  for (std::vector<double>* v : {&weights_, &y_, &f_, &delta_, &last_delta_}) v->resize(n_);
  std::copy_n(z0, states, history_.data());
  std::copy_n(z0 + states, parts_[1].size, history_.data() + parts_[1].offset);
  times_.fill(t0);
  loops_.weights(n_, abs_tol_, rel_tol_, history_.data(), weights_.data());
  begin(end, end - t0);
}

double Multistep::norm(const Part& part, const double* v) const {
  const double* w = weights_.data() + part.offset;
  const double sum = part.lanes == 1 ? loops_.weighted_square(part.size, v + part.offset, w)
                                     : loops_.weighted_square_of_lanes(part.rows, part.lanes, v + part.offset, w);
  return std::sqrt(sum * part.share);
}
double Multistep::norm(const double* v) const {
  const double state = norm(parts_[0], v);
  return has_sensitivities() ? std::max(state, norm(parts_[1], v)) : state;
}

/// Of state and sensitivities, whose paddings stay zero.
void Multistep::derivative(double t, const double* z, double* dz) {
  system_.derivative(t, z, dz);
  const std::size_t s = parts_[1].offset;
  if (has_sensitivities()) system_.sensitivities(t, z, z + s, dz + s);
}

/// With the first order, and a step of at most `most`.
void Multistep::begin(double end, double most) {
  derivative(t_, history_.data(), row(history_, 1));
  order_ = 1;
  wait_ = 2;
  same_steps_ = 0;
  h_ = std::min(most, first_step(end));
  loops_.rescale(1, n_, h_, history_.data());
}

/// By the derivative in row 1: a step whose error of first order is a quarter of what is allowed, by the change of the derivative over a hundredth of the time
/// in which the solution changes by its size: E. Hairer, S. P. Norsett and G. Wanner, section II.4.
double Multistep::first_step(double end) {
  const double* const slope = row(history_, 1);
  const double size = norm(history_.data()), speed = norm(slope);
  const double span = end - t_;
  const double probe = std::min(size > 1e-5 && speed > 1e-5 ? 0.01 * size / speed : 1e-6 * span, 0.1 * span);
  loops_.difference(n_, 1, history_.data(), -probe, slope, y_.data());
  derivative(t_ + probe, y_.data(), delta_.data());
  loops_.difference(n_, 1, delta_.data(), 1, slope, delta_.data());
  const double bend = norm(delta_.data()) / probe;
  const double most = std::min(100 * probe, span);
  return bend > 0 ? std::min(most, std::sqrt(0.5 / bend)) : most;
}

/// A solution at rest says nothing of when it will move (a dose that comes later): no step leads beyond the next output time then.
void Multistep::advance(double time, double* z) {
  steps_ = 0;
  while (t_ < time) {
    if (steps_++ >= options_.max_steps) too_many_steps(options_.name, time);
    if (at_rest()) scale_step(std::min(1.0, (time - t_) / h_));
    step();
  }
  loops_.interpolate(order_, n_, (time - t_) / h_, history_.data(), y_.data());
  std::copy_n(y_.data(), system_.states(), z);
  std::copy_n(y_.data() + parts_[1].offset, parts_[1].size, z + system_.states());
}

void Multistep::fail(std::string_view why) const {
  throw DomainError(fmt::format("{}: {} at time {} with steps of {}", options_.name, why, t_, h_));
}

void Multistep::step() {
  convergence_failures_ = error_failures_ = 0;
  while (!attempt()) {}
  accept();
  choose_step();
}

void Multistep::set_coefficients() {
  const double t = t_ + h_;
  if (!(t > t_)) fail("time does not advance");
  if (++same_steps_ > order_ + 2) return;
  past_[1] = 1;
  for (std::size_t i = 2; i <= static_cast<std::size_t>(order_) + 2; ++i) past_[i] = (t - times_[i - 1]) / h_;
  correction_ = ad::correction(family_, order_, past_);
  gamma_ = h_ / correction_[1];
  lead_ = leading(family_, order_, past_);
  error_factor_ = lead_ * error_of_leading(family_, order_, past_);
}

/// False: the step is to be tried again, another way.
bool Multistep::attempt() {
  set_coefficients();
  loops_.predict(order_, n_, history_.data(), predicted_.data());
  refresh_matrix();
  for (Part& part : parts_) {
    if (part.rows == 0) continue;
    if (!correct(part)) return after_divergence(), false;
    if (!(part.error <= 1)) return after_error(), false;
  }
  return true;
}

void Multistep::refresh_matrix() {
  const bool drifted = std::abs(gamma_ / jacobian_gamma_ - 1) > kGammaDrift;
  if (jacobian_age_ < 0 || (jacobian_age_ > 0 && (slow_ || drifted || jacobian_age_ >= kStepsPerJacobian))) {
    std::copy_n(system_.jacobian(t_ + h_, predicted_.data()), jacobian_.size(), jacobian_.begin());
    jacobian_age_ = 0;
    jacobian_gamma_ = gamma_;
    matrix_gamma_ = 0;
    parts_[0].rate = parts_[1].rate = 1;
    slow_ = false;
  }
  if (gamma_ == matrix_gamma_) return;
  matrix_gamma_ = matrix_.form(gamma_, jacobian_.data()) ? gamma_ : 0;
  if (matrix_gamma_ == 0) finite_ = std::ranges::all_of(jacobian_, [](double x) { return std::isfinite(x); });
}

void Multistep::evaluate(const Part& part, double* f) {
  const double t = t_ + h_;
  if (part.lanes == 1) system_.derivative(t, y_.data(), f);
  else system_.sensitivities(t, y_.data(), y_.data() + part.offset, f + part.offset);
}

/// Newton's method for delta = (h f(t, p + delta) - p_1) / l_1; for sensitivities the equation is linear, and the matrix that of
/// the state. Fills the error of the step.
bool Multistep::correct(Part& part) {
  if (matrix_gamma_ == 0) return false;
  const std::size_t o = part.offset, n = part.size;
  double *const p = predicted_.data() + o, *const p1 = row(predicted_, 1) + o, *const f = f_.data() + o;
  std::fill_n(delta_.data() + o, n, 0.0);
  std::copy_n(p, n, y_.data() + o);
  double last = 0;
  for (int i = 0; i < kMaxIterations; ++i) {
    evaluate(part, f_.data());
    loops_.residual(n, gamma_, 1 / correction_[1], p1, delta_.data() + o, f);
    if (part.lanes == 1) matrix_.solve(f);
    else matrix_.solve(loops_, part.lanes, f);
    const double size = norm(part, f_.data());
    loops_.advance(n, f, p, delta_.data() + o, y_.data() + o);
    if (i > 0) {
      part.rate = std::max(0.3 * part.rate, size / last);
      slow_ = slow_ || size > kSlowConvergence * last;
    }
    if (size * std::min(1.0, part.rate) * error_factor_ <= kNewtonTolerance) {
      part.error = error_factor_ * (i == 0 ? size : norm(part, delta_.data()));
      return true;
    }
    finite_ = std::isfinite(size);
    if (!finite_ || (i > 0 && size > kDivergence * last)) return false;
    last = size;
  }
  return false;
}

/// With a new Jacobian, or if it was new, with a shorter step.
void Multistep::after_divergence() {
  if (std::exchange(jacobian_age_, -1) > 0) {
    --same_steps_;
    return;
  }
  if (++convergence_failures_ >= kMaxConvergenceFailures) fail(finite_ ? "Newton's method does not converge" : "the solution is not finite");
  most_growth_ = 1;
  scale_step(kCutAfterDivergence);
}

/// A shorter step. If the error does not fall with it, the history is not that of a smooth solution, and it begins anew.
void Multistep::after_error() {
  if (++error_failures_ >= kMaxErrorFailures) fail("the error cannot be kept below the tolerances");
  const double error = std::max(parts_[0].error, parts_[1].error), last = std::exchange(failed_error_, error);
  most_growth_ = 1;
  if (error_failures_ >= kFailuresBeforeRestart && !(error < 0.5 * last)) return begin(t_ + h_, kLeastCut * h_);
  scale_step(error_failures_ < kFailuresBeforeRestart ? std::clamp(growth(error, order_, kBias), kLeastCut, 0.9) : kLeastCut);
}

void Multistep::accept() {
  loops_.correct(order_, n_, correction_.data(), delta_.data(), predicted_.data(), history_.data());
  t_ += h_;
  std::shift_right(times_.begin(), times_.end(), 1);
  times_[0] = t_;
  if (jacobian_age_ >= 0) ++jacobian_age_;
  loops_.weights(n_, abs_tol_, rel_tol_, history_.data(), weights_.data());
}

/// Length and order of the next step: what grows most, if that is worth its while.
void Multistep::choose_step() {
  const double h = h_;
  const bool failed = most_growth_ == 1;
  const Choice best = --wait_ > 0 || failed ? of_order(0) : best_order();
  const double most = std::exchange(most_growth_, kGrowth);
  if (wait_ <= 0) wait_ = 2;
  if (!failed && best.growth >= kWorthwhileGrowth) {
    if (best.by != 0) change_order(best.by);
    scale_step(std::min(best.growth, most));
  }
  last_delta_.swap(delta_);
  last_lead_ = lead_;
  last_h_ = h;
}

Multistep::Choice Multistep::of_order(int by) {
  if (by == 0) return {growth(std::max(parts_[0].error, parts_[1].error), order_, kBias), 0};
  const double error = error_of_leading(family_, order_ + by, past_);
  if (by < 0) return {growth(error * norm(row(history_, order_)), order_ - 1, kBias), -1};
  const double last_lead = last_lead_ * std::pow(h_ / last_h_, order_ + 1);
  loops_.difference(n_, lead_, delta_.data(), last_lead, last_delta_.data(), f_.data());
  return {growth(error * next_leading(family_, order_, past_) * norm(f_.data()), order_ + 1, kBiasOfHigherOrder), 1};
}

Multistep::Choice Multistep::best_order() {
  Choice best = of_order(0);
  const auto consider = [&](int by) {
    if (const Choice other = of_order(by); other.growth > best.growth) best = other;
  };
  if (order_ > 1) consider(-1);
  if (order_ < max_order(family_)) consider(1);
  return best;
}

void Multistep::change_order(int by) {
  PastTimes past{};
  for (std::size_t i = 1; i < past.size(); ++i) past[i] = (t_ - times_[i]) / h_;
  const int m = std::max(order_, order_ + by);
  StepPolynomial change = order_change(family_, m, past);
  const double* multiple = by > 0 ? delta_.data() : row(history_, m);
  for (double& c : change) c *= by > 0 ? lead_ : -1;
  if (by > 0) std::fill_n(row(history_, m), n_, 0.0);
  loops_.correct(m, n_, change.data(), multiple, history_.data(), history_.data());
  order_ += by;
  wait_ = order_ + 1;
  same_steps_ = 0;
}

void Multistep::scale_step(double eta) {
  loops_.rescale(order_, n_, eta, history_.data());
  h_ *= eta;
  same_steps_ = 0;
}

}  // namespace

const NordsieckLoops& nordsieck_loops() {
  static const NordsieckLoops& loops = FERMIAC_FOR_ACTIVE_ISA(kNordsieckLoops);
  return loops;
}

void solve_multistep(const OdeOptions& options, OdeSystem& system, double t0, std::span<const double> times, double* z) {
  const std::size_t n = system.states();
  memory_point((2 * n * n + 40 * system.size()) * sizeof(double));  // two matrices, two histories and some rows
  Multistep integrator(options, system, t0, z, times.back());
  for (std::size_t i = 0; i < times.size(); ++i) integrator.advance(times[i], z + system.size() * (i + 1));
}

}  // namespace fermiac::ad
