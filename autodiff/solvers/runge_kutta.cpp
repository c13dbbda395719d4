// Explicit Runge-Kutta pairs of order 5(4): J. R. Dormand and P. J. Prince, "A family of embedded Runge-Kutta
// formulae", 1980, with the interpolant of E. Hairer, S. P. Norsett and G. Wanner, "Solving Ordinary Differential
// Equations I", section II.6; J. R. Cash and A. H. Karp, "A variable order Runge-Kutta method", 1990.
//
// Step control: the error of element i is measured against abs_tol + rel_tol (|z_i| + h |z'_i|), largest element
// counts; too large: h *= max(0.9 err^(-1/3), 1/5); below 1/2: h *= 0.9 max(err, 5^-5)^(-1/5).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "autodiff/kernels/isa.h"
#include "autodiff/solvers/ode.h"
#include "autodiff/solvers/stages.h"
#include "autodiff/solvers/strictness.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

constexpr double kFirstStep = 0.1;
constexpr int kMaxRejections = 500;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

struct Tableau {
  int stages;
  std::array<double, 7> c;
  std::array<std::array<double, 6>, 7> a;  // row s: the weights of stages 0..s-1
  std::array<double, 7> b;                 // result
  std::array<double, 7> e;                 // error estimate
};

constexpr Tableau kDormandPrince{
    7,
    {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1},
    {{{},
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}}},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0},
    {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40}};

constexpr Tableau kCashKarp{6,
                            {0, 1.0 / 5, 3.0 / 10, 3.0 / 5, 1, 7.0 / 8},
                            {{{},
                              {1.0 / 5},
                              {3.0 / 40, 9.0 / 40},
                              {3.0 / 10, -9.0 / 10, 6.0 / 5},
                              {-11.0 / 54, 5.0 / 2, -70.0 / 27, 35.0 / 27},
                              {1631.0 / 55296, 175.0 / 512, 575.0 / 13824, 44275.0 / 110592, 253.0 / 4096}}},
                            {37.0 / 378, 0, 250.0 / 621, 125.0 / 594, 0, 512.0 / 1771},
                            {37.0 / 378 - 2825.0 / 27648, 0, 250.0 / 621 - 18575.0 / 48384,
                             125.0 / 594 - 13525.0 / 55296, -277.0 / 14336, 512.0 / 1771 - 1.0 / 4}};

constexpr std::array<double, 7> kInterpolation{-12715105075.0 / 11282082432.0,  0,
                                               87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                                               701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                                               69997945.0 / 29380423.0};

double smaller_step(double h, double error) {
  return h * std::max(0.9 * std::pow(error, -1.0 / 3), 0.2);
}
double larger_step(double h, double error) {
  return error < 0.5 ? h * 0.9 * std::pow(std::max(error, 1.0 / 3125), -0.2) : h;
}

/// One system being stepped.
class Stepper {
 public:
  Stepper(const OdeOptions& options, const Tableau& tableau, OdeSystem& system, double t0, const double* z0)
      : options_(options),
        tableau_(tableau),
        loops_(stage_loops()),
        system_(system),
        n_((system.size() + 7) / 8 * 8),
        t_(t0),
        z_(n_),
        next_(n_),
        stage_(n_),
        k_(n_ * 7) {
    std::copy_n(z0, system.size(), z_.begin());
    refresh();
  }

  double time() const { return t_; }
  const double* state() const { return z_.data(); }
  /// The derivative at the current point anew.
  void refresh() { system_.coupled(t_, z_.data(), k(0)); }
  double* k(int stage) { return k_.data() + n_ * static_cast<std::size_t>(stage); }

  /// Computes the result of a step of length h in next_; returns the scaled error.
  double attempt(double h) {
    for (int s = 1; s < tableau_.stages; ++s) {
      double* to = s == 6 ? next_.data() : stage_.data();  // the last stage of Dormand-Prince is the result
      combine(tableau_.a[static_cast<std::size_t>(s)].data(), s, h, to);
      system_.coupled(t_ + tableau_.c[static_cast<std::size_t>(s)] * h, to, k(s));
    }
    if (tableau_.stages < 7) combine(tableau_.b.data(), tableau_.stages, h, next_.data());
    return error(h);
  }

  /// Steps once with a length of at most h, which is adapted for the next step. False: the step was rejected.
  bool try_step(double& h) {
    const double err = attempt(h);
    if (!(err <= 1)) {
      if (std::isnan(err) || h < kEpsilon * kEpsilon)
        throw DomainError(std::string(options_.name) + ": the solution is not finite");
      h = smaller_step(h, err);
      return false;
    }
    last_t_ = t_;
    t_ += h;
    h = larger_step(h, err);
    z_.swap(next_);  // next_ keeps the old state
    return true;
  }

  /// For Dormand-Prince: the state at a time within the last step.
  void interpolate(double t, double* out) {
    const double h = t_ - last_t_, x = (t - last_t_) / h, y = 1 - x;
    for (std::size_t i = 0; i < system_.size(); ++i) {
      const double difference = z_[i] - next_[i];
      const double first = h * old_k_[i] - difference;
      double fifth = kInterpolation[0] * old_k_[i];
      for (std::size_t s = 2; s < 7; ++s) fifth += kInterpolation[s] * k_[s * n_ + i];
      const double fourth = difference - h * k_[6 * n_ + i] - first;
      out[i] = next_[i] + x * (difference + y * (first + x * (fourth + y * h * fifth)));
    }
  }
  /// The last stage is the first of the next step.
  void advance_derivative() {
    old_k_.assign(k(0), k(0) + n_);
    std::copy_n(k(6), n_, k(0));
  }

 private:
  /// Weights times h.
  static StageWeights scaled(const double* weights, int stages, double h) {
    StageWeights out;
    out.count = stages;
    for (int s = 0; s < stages; ++s) out.w[s] = h * weights[s];
    return out;
  }
  void combine(const double* weights, int stages, double h, double* to) {
    loops_.combine(scaled(weights, stages, h), n_, z_.data(), k_.data(), to);
  }
  double error(double h) const {
    return loops_.error(scaled(tableau_.e.data(), tableau_.stages, h), n_, z_.data(), k_.data(), abs_tol_, rel_tol_, h);
  }

  const OdeOptions& options_;
  const double rel_tol_ = solver_tolerance(options_.rel_tol), abs_tol_ = solver_tolerance(options_.abs_tol);
  const Tableau& tableau_;
  const StageLoops& loops_;
  OdeSystem& system_;
  std::size_t n_;  // padded with zeros
  double t_, last_t_ = 0;
  std::vector<double> z_, next_, stage_, k_, old_k_;
};

/// Steps until one is accepted.
void step(const OdeOptions& options, Stepper& stepper, double& h, double target) {
  for (int tries = 0; !stepper.try_step(h); ++tries)
    if (tries >= kMaxRejections) too_many_steps(options.name, target);
}

void dormand_prince(const OdeOptions& options, OdeSystem& system, double t0, std::span<const double> times, double* z) {
  Stepper stepper(options, kDormandPrince, system, t0, z);
  const std::size_t size = system.size();
  double h = kFirstStep, steps = 0;
  const double end = times.back();
  bool stepped = false;
  for (std::size_t i = 0; i < times.size();) {
    if (stepped && times[i] - stepper.time() <= kEpsilon) {
      stepper.interpolate(times[i], z + size * (i + 1));
      steps = 0;
      ++i;
      continue;
    }
    stepped = true;
    if (steps++ >= options.max_steps) too_many_steps(options.name, times[i]);
    if (stepper.time() + h - end > kEpsilon) h = end - stepper.time();  // the last step ends there
    step(options, stepper, h, times[i]);
    stepper.advance_derivative();
  }
}

void cash_karp(const OdeOptions& options, OdeSystem& system, double t0, std::span<const double> times, double* z) {
  Stepper stepper(options, kCashKarp, system, t0, z);
  double h = kFirstStep;
  for (std::size_t i = 0; i < times.size(); ++i) {
    double steps = 0;
    int rejections = 0;
    while (times[i] - stepper.time() > kEpsilon) {
      double now = std::min(h, times[i] - stepper.time());
      if (stepper.try_step(now)) {
        if (++steps > options.max_steps) too_many_steps(options.name, times[i]);
        rejections = 0;
        h = std::max(h, now);
        stepper.refresh();
      } else {
        if (++rejections > kMaxRejections) too_many_steps(options.name, times[i]);
        h = now;
      }
    }
    std::copy_n(stepper.state(), system.size(), z + system.size() * (i + 1));
  }
}

}  // namespace

const StageLoops& stage_loops() {
  static const StageLoops& loops = FERMIAC_FOR_ACTIVE_ISA(kStageLoops);
  return loops;
}

void solve_runge_kutta(const OdeOptions& options, OdeSystem& system, double t0, std::span<const double> times,
                       double* z) {
  (options.method == OdeMethod::CashKarp ? cash_karp : dormand_prince)(options, system, t0, times, z);
}

}  // namespace fermiac::ad
