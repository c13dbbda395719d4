// Initial value problems whose derivatives come from the adjoint equation, solved backward in time: SUNDIALS CVODES. The
// cost hardly grows with the number of parameters. The forward solve stores nothing: the reverse pass repeats it with checkpoints.
#include <cvodes/cvodes.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "autodiff/solvers/ode.h"
#include "autodiff/solvers/strictness.h"
#include "autodiff/solvers/sundials.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

using sundials::data;
using sundials::mutable_data;

struct FreeCvode {
  void operator()(void* memory) const { CVodeFree(&memory); }
};

sundials::Vector copy_of(std::span<const double> x, const sundials::Context& context) {
  sundials::Vector v = sundials::make_vector(x.size(), context);
  std::copy(x.begin(), x.end(), mutable_data(v.get()));
  return v;
}
sundials::Vector tolerances(std::vector<double> of_program, const sundials::Context& context) {
  for (double& tolerance : of_program) tolerance = solver_tolerance(tolerance);
  return copy_of(of_program, context);
}

class AdjointRun {
 public:
  AdjointRun(const AdjointOdeOptions& options, FunctionRun& rhs, const KernelCall& call, bool backward)
      : options_(options), rhs_(rhs), call_(call), n_(call.in[0].shape.size()), k_(call.in[3].shape.size()),
        x_(rhs.inputs()), gradient_(rhs.inputs()), out_(n_), state_(copy_of({call.in[0].v, n_}, context_)),
        abs_tol_(tolerances(options.abs_tol, context_)), abs_tol_back_(tolerances(options.abs_tol_backward, context_)),
        lambda_(sundials::make_vector(n_, context_)), quadrature_(sundials::make_vector(std::max<std::size_t>(k_, 1), context_)),
        matrix_(sundials::make_matrix(n_, context_)), matrix_back_(sundials::make_matrix(n_, context_)),
        linear_(sundials::make_solver(state_, matrix_, context_)),
        linear_back_(sundials::make_solver(lambda_, matrix_back_, context_)),
        memory_(sundials::made(CVodeCreate(options.solver == 1 ? CV_ADAMS : CV_BDF, context_))) {
    std::copy_n(call.in[3].v, k_, x_.begin() + 1 + static_cast<std::ptrdiff_t>(n_));
    N_VConst(0, quadrature_.get());
    N_VConst(0, lambda_.get());
    configure(backward);
  }

  void forward(double* out) {
    double t = call_.in[1].scalar();
    for (std::size_t i = 0; i < times(); ++i) {
      if (time(i) != t) check_run(CVode(memory_.get(), time(i), state_.get(), &t, CV_NORMAL), "CVode", time(i));
      std::copy_n(data(state_.get()), n_, out + i * n_);
    }
  }

  void reverse() {
    double t = call_.in[1].scalar();
    int checkpoints = 0;
    for (std::size_t i = 0; i < times(); ++i)
      if (time(i) != t)
        check_run(CVodeF(memory_.get(), time(i), state_.get(), &t, CV_NORMAL, &checkpoints), "CVodeF", time(i));
    add_weights(times() - 1);
    start_backward();
    for (std::size_t i = times(); i-- > 0;) {
      const double target = i > 0 ? time(i - 1) : call_.in[1].scalar();
      if (time(i) > target) go_back(time(i), target);
      if (i > 0) add_weights(i - 1);
    }
    give_adjoints();
  }

 private:
  std::size_t times() const { return call_.in[2].shape.size(); }
  double time(std::size_t i) const { return call_.in[2].v[i]; }

  void configure(bool backward) {
    void* m = memory_.get();
    check(CVodeInit(m, derivative, call_.in[1].scalar(), state_.get()), "CVodeInit");
    CVodeSetUserData(m, this);
    CVodeSetErrHandlerFn(m, [](int, const char*, const char*, char*, void*) {}, nullptr);  // flags are checked
    check(CVodeSVtolerances(m, solver_tolerance(options_.rel_tol), abs_tol_.get()), "CVodeSVtolerances");
    CVodeSetMaxNumSteps(m, steps());
    check(CVodeSetLinearSolver(m, linear_.get(), matrix_.get()), "CVodeSetLinearSolver");
    CVodeSetJacFn(m, jacobian);
    if (backward)
      check(CVodeAdjInit(m, options_.steps_between_checkpoints, options_.interpolation == 1 ? CV_HERMITE : CV_POLYNOMIAL),
            "CVodeAdjInit");
  }
  long steps() const { return static_cast<long>(std::min(options_.max_steps, 2e18)); }

  void start_backward() {
    void* m = memory_.get();
    check(CVodeCreateB(m, options_.solver_backward == 1 ? CV_ADAMS : CV_BDF, &which_), "CVodeCreateB");
    check(CVodeInitB(m, which_, adjoint, time(times() - 1), lambda_.get()), "CVodeInitB");
    check(CVodeSetUserDataB(m, which_, this), "CVodeSetUserDataB");
    check(CVodeSVtolerancesB(m, which_, solver_tolerance(options_.rel_tol_backward), abs_tol_back_.get()), "CVodeSVtolerancesB");
    CVodeSetMaxNumStepsB(m, which_, steps());
    check(CVodeSetLinearSolverB(m, which_, linear_back_.get(), matrix_back_.get()), "CVodeSetLinearSolverB");
    CVodeSetJacFnB(m, which_, adjoint_jacobian);
    if (k_ == 0) return;
    check(CVodeQuadInitB(m, which_, quadrature, quadrature_.get()), "CVodeQuadInitB");
    check(CVodeQuadSStolerancesB(m, which_, solver_tolerance(options_.rel_tol_quadrature), solver_tolerance(options_.abs_tol_quadrature)),
          "CVodeQuadSStolerancesB");
    CVodeSetQuadErrConB(m, which_, SUNTRUE);
  }
  void go_back(double from, double to) {
    void* m = memory_.get();
    if (from != time(times() - 1)) {
      check(CVodeReInitB(m, which_, from, lambda_.get()), "CVodeReInitB");
      if (k_ > 0) check(CVodeQuadReInitB(m, which_, quadrature_.get()), "CVodeQuadReInitB");
    }
    check_run(CVodeB(m, to, CV_NORMAL), "CVodeB", to);
    double t = 0;
    check(CVodeGetB(m, which_, &t, lambda_.get()), "CVodeGetB");
    if (k_ > 0) check(CVodeGetQuadB(m, which_, &t, quadrature_.get()), "CVodeGetQuadB");
  }
  void add_weights(std::size_t i) {
    for (std::size_t l = 0; l < n_; ++l) mutable_data(lambda_.get())[l] += call_.out_a[i * n_ + l];
  }
  void give_adjoints() {
    const double* lambda = data(lambda_.get());
    for (std::size_t l = 0; l < n_; ++l) add_adjoint(call_.in[0], l, lambda[l]);
    for (std::size_t j = 0; j < k_; ++j) add_adjoint(call_.in[3], j, data(quadrature_.get())[j]);
    if (call_.in[1].a != nullptr) add_adjoint(call_.in[1], 0, -dot(call_.in[1].scalar(), call_.in[0].v, lambda));
    if (call_.in[2].a == nullptr) return;
    for (std::size_t i = 0; i < times(); ++i)
      add_adjoint(call_.in[2], i, dot(time(i), call_.out + i * n_, call_.out_a + i * n_));
  }
  double dot(double t, const double* y, const double* weights) {
    value(t, y, out_.data());
    double sum = 0;
    for (std::size_t l = 0; l < n_; ++l) sum += out_[l] * weights[l];
    return sum;
  }

  void check(int flag, const char* what) const {
    if (flag >= 0) return;
    const std::unique_ptr<char, decltype(&std::free)> text(CVodeGetReturnFlagName(flag), std::free);
    throw DomainError(fmt::format("{}: {} failed with {}", options_.name, what, text.get()));
  }
  void check_run(int flag, const char* what, double time) {
    caught_.rethrow();
    if (flag == CV_TOO_MUCH_WORK) too_many_steps(options_.name, time);
    check(flag, what);
  }

  void value(double t, const double* y, double* out) {
    set_point(t, y);
    rhs_.value(x_.data(), out);
  }
  void set_point(double t, const double* y) {
    x_[0] = t;
    std::copy_n(y, n_, x_.begin() + 1);
  }
  /// [t | y | theta] of the gradient of lambda' f.
  const double* pull(double t, const double* y, const double* lambda) {
    set_point(t, y);
    rhs_.value_and_pull_back(x_.data(), out_.data(), lambda, gradient_.data());
    return gradient_.data();
  }
  /// Calls set(i, l, df_i/dy_l).
  template <class Set>
  void each_partial(double t, const double* y, Set set) {
    set_point(t, y);
    std::vector<double> rows(n_ * x_.size());
    rhs_.value_and_jacobian(x_.data(), out_.data(), rows.data());
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t l = 0; l < n_; ++l)
        set(static_cast<sunindextype>(i), static_cast<sunindextype>(l), rows[i * x_.size() + 1 + l]);
  }

  static AdjointRun& self(void* user) { return *static_cast<AdjointRun*>(user); }
  static int derivative(double t, N_Vector y, N_Vector dy, void* user) {
    return self(user).caught_.run([&] { self(user).value(t, data(y), mutable_data(dy)); });
  }
  static int jacobian(double t, N_Vector y, N_Vector, SUNMatrix j, void* user, N_Vector, N_Vector, N_Vector) {
    return self(user).caught_.run([&] {
      self(user).each_partial(t, data(y), [&](auto i, auto l, double d) { SM_ELEMENT_D(j, i, l) = d; });
    });
  }
  static int adjoint(double t, N_Vector y, N_Vector lambda, N_Vector out, void* user) {
    return self(user).caught_.run([&] {
      const double* g = self(user).pull(t, data(y), data(lambda)) + 1;
      for (std::size_t l = 0; l < self(user).n_; ++l) mutable_data(out)[l] = -g[l];
    });
  }
  static int quadrature(double t, N_Vector y, N_Vector lambda, N_Vector out, void* user) {
    return self(user).caught_.run([&] {
      const double* g = self(user).pull(t, data(y), data(lambda)) + 1 + self(user).n_;
      for (std::size_t j = 0; j < self(user).k_; ++j) mutable_data(out)[j] = -g[j];
    });
  }
  static int adjoint_jacobian(double t, N_Vector y, N_Vector, N_Vector, SUNMatrix j, void* user, N_Vector, N_Vector,
                              N_Vector) {
    return self(user).caught_.run([&] {
      self(user).each_partial(t, data(y), [&](auto i, auto l, double d) { SM_ELEMENT_D(j, l, i) = -d; });
    });
  }

  sundials::Context context_;
  sundials::Caught caught_;
  const AdjointOdeOptions& options_;
  FunctionRun& rhs_;
  const KernelCall& call_;
  std::size_t n_, k_;
  std::vector<double> x_, gradient_, out_;
  int which_ = 0;
  sundials::Vector state_, abs_tol_, abs_tol_back_, lambda_, quadrature_;
  sundials::Matrix matrix_, matrix_back_;
  sundials::LinearSolver linear_, linear_back_;
  std::unique_ptr<void, FreeCvode> memory_;
};

class AdjointOdeCall final : public SolverCall {
 public:
  AdjointOdeCall(const AdjointOdeOptions& options, std::shared_ptr<const FunctionSource> rhs)
      : options_(options), rhs_(std::move(rhs)) {}

  Plan plan(const KernelCall& call) const override {
    const std::uint32_t n = call.in[0].shape.size(), times = call.in[2].shape.size();
    if (n == 0) throw SizeError(fmt::format("{}: initial state has size 0, but must have a non-zero size", options_.name));
    if (times == 0) throw SizeError(fmt::format("{}: times has size 0, but must have a non-zero size", options_.name));
    check_vector("absolute_tolerance_forward", options_.abs_tol, n);
    check_vector("absolute_tolerance_backward", options_.abs_tol_backward, n);
    require_positive(options_.name, "relative_tolerance_forward", options_.rel_tol);
    require_positive(options_.name, "relative_tolerance_backward", options_.rel_tol_backward);
    require_positive(options_.name, "relative_tolerance_quadrature", options_.rel_tol_quadrature);
    require_positive(options_.name, "absolute_tolerance_quadrature", options_.abs_tol_quadrature);
    require_positive(options_.name, "max_num_steps", options_.max_steps);
    require_positive(options_.name, "num_steps_between_checkpoints", static_cast<double>(options_.steps_between_checkpoints));
    check_choice("interpolation_polynomial", options_.interpolation);
    check_choice("solver_forward", options_.solver);
    check_choice("solver_backward", options_.solver_backward);
    return {Shape::array(times, Shape::vector(n)), 0};
  }
  void forward(const KernelCall& call) const override {
    require_ode_operands(options_.name, call);
    auto run = runs_.take([&] { return std::make_unique<FunctionRun>(*rhs_); });
    AdjointRun(options_, *run, call, false).forward(call.out);
    runs_.give_back(std::move(run));
  }
  void reverse(const KernelCall& call) const override {
    auto run = runs_.take([&] { return std::make_unique<FunctionRun>(*rhs_); });
    AdjointRun(options_, *run, call, true).reverse();
    runs_.give_back(std::move(run));
  }

 private:
  void check_vector(std::string_view what, const std::vector<double>& x, std::uint32_t n) const {
    if (x.size() != n)
      throw SizeError(fmt::format("{}: {} has size {}, but must have that of the state, {}", options_.name, what, x.size(), n));
    for (const double tolerance : x) require_positive(options_.name, what, tolerance);
  }
  void check_choice(std::string_view what, int x) const {
    if (x != 1 && x != 2) throw DomainError(fmt::format("{}: {} is {}, but must be 1 or 2", options_.name, what, x));
  }

  AdjointOdeOptions options_;
  std::shared_ptr<const FunctionSource> rhs_;
  Pool<FunctionRun> runs_;
};

}  // namespace

std::shared_ptr<const SolverCall> make_adjoint_ode_call(const AdjointOdeOptions& options,
                                                        std::shared_ptr<const FunctionSource> rhs) {
  return std::make_shared<const AdjointOdeCall>(options, std::move(rhs));
}

}  // namespace fermiac::ad
