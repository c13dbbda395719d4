// Adams and BDF methods of variable order with forward sensitivities: SUNDIALS CVODES on vectors of our own
// (lane_vector.h), to which all sensitivities are one vector.
#include <cvodes/cvodes.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "autodiff/errors.h"
#include "autodiff/solvers/lane_vector.h"
#include "autodiff/solvers/ode.h"
#include "autodiff/solvers/strictness.h"
#include "autodiff/solvers/sundials.h"

namespace fermiac::ad {
namespace {

using sundials::lane_data;

struct FreeCvode {
  void operator()(void* memory) const { CVodeFree(&memory); }
};

class Multistep {
 public:
  Multistep(const OdeOptions& options, OdeSystem& system, double t0, const double* z0)
      : options_(options),
        system_(system),
        n_(system.states()),
        t_(t0),
        state_(sundials::new_lane_vector(n_, 1, context_)),
        matrix_(sundials::make_matrix(n_, context_)),
        linear_(sundials::new_lane_solver(n_, context_)),
        memory_(sundials::made(CVodeCreate(options.method == OdeMethod::Adams ? CV_ADAMS : CV_BDF, context_))) {
    std::copy_n(z0, n_, lane_data(state_.get()));
    if (system.lanes() > 0) {
      sensitivities_.reset(sundials::new_lane_vector(n_, system.lanes(), context_));
      std::copy_n(z0 + n_, n_ * system.lanes(), lane_data(sensitivities_.get()));
    }
    configure();
  }

  /// Integrates to `time`; fills z.
  void advance(double time, double* z) {
    if (time != t_) run(time);
    std::copy_n(lane_data(state_.get()), n_, z);
    if (!sensitivities_) return;
    N_Vector s = sensitivities_.get();
    if (started_) check(CVodeGetSens(memory_.get(), &t_, &s), "CVodeGetSens");
    std::copy_n(lane_data(s), n_ * system_.lanes(), z + n_);
  }

 private:
  void configure() {
    void* m = memory_.get();
    check(CVodeInit(m, derivative, t_, state_.get()), "CVodeInit");
    CVodeSetUserData(m, this);
    CVodeSetErrHandlerFn(
        m, [](int, const char*, const char*, char*, void*) {}, nullptr);  // flags are checked
    check(CVodeSStolerances(m, solver_tolerance(options_.rel_tol), solver_tolerance(options_.abs_tol)), "CVodeSStolerances");
    CVodeSetMaxNumSteps(m, static_cast<long>(std::min(options_.max_steps, 2e18)));
    check(CVodeSetLinearSolver(m, linear_.get(), matrix_.get()), "CVodeSetLinearSolver");
    CVodeSetJacFn(m, jacobian);
    if (!sensitivities_) return;
    N_Vector first = sensitivities_.get();
    check(CVodeSensInit(m, 1, CV_STAGGERED, sensitivity, &first), "CVodeSensInit");
    CVodeSetSensErrCon(m, SUNTRUE);
    check(CVodeSensEEtolerances(m), "CVodeSensEEtolerances");
  }
  void run(double time) {
    const int flag = CVode(memory_.get(), time, state_.get(), &t_, CV_NORMAL);
    started_ = true;
    caught_.rethrow();
    if (flag == CV_TOO_MUCH_WORK) too_many_steps(options_.name, time);
    check(flag, "CVode");
  }
  void check(int flag, const char* what) const {
    if (flag >= 0) return;
    const std::unique_ptr<char, decltype(&std::free)> text(CVodeGetReturnFlagName(flag), std::free);
    throw DomainError(fmt::format("{}: {} failed with {}", options_.name, what, text.get()));
  }

  static Multistep& self(void* user) { return *static_cast<Multistep*>(user); }
  static int derivative(double t, N_Vector y, N_Vector dy, void* user) {
    return self(user).caught_.run([&] { self(user).system_.derivative(t, lane_data(y), lane_data(dy)); });
  }
  static int jacobian(double t, N_Vector y, N_Vector, SUNMatrix j, void* user, N_Vector, N_Vector, N_Vector) {
    return self(user).caught_.run([&] {
      const double* row = self(user).system_.jacobian(t, lane_data(y));
      const std::size_t n = self(user).n_;
      for (std::size_t i = 0; i < n; ++i, row += n)
        for (std::size_t l = 0; l < n; ++l)
          SM_ELEMENT_D(j, static_cast<sunindextype>(i), static_cast<sunindextype>(l)) = row[l];
    });
  }
  static int sensitivity(int, double t, N_Vector y, N_Vector, N_Vector* s, N_Vector* ds, void* user, N_Vector,
                         N_Vector) {
    Multistep& m = self(user);
    return m.caught_.run([&] { m.system_.sensitivities(t, lane_data(y), lane_data(*s), lane_data(*ds)); });
  }

  sundials::Context context_;
  sundials::Caught caught_;
  const OdeOptions& options_;
  OdeSystem& system_;
  std::size_t n_;
  double t_;
  bool started_ = false;
  sundials::Vector state_, sensitivities_;
  sundials::Matrix matrix_;
  sundials::LinearSolver linear_;
  std::unique_ptr<void, FreeCvode> memory_;
};

}  // namespace

void solve_multistep(const OdeOptions& options, OdeSystem& system, double t0, std::span<const double> times,
                     double* z) {
  Multistep integrator(options, system, t0, z);
  for (std::size_t i = 0; i < times.size(); ++i) integrator.advance(times[i], z + system.size() * (i + 1));
}

}  // namespace fermiac::ad
