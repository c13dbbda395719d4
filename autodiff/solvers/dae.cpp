// BDF methods of variable order for implicit systems with forward sensitivities: SUNDIALS IDAS.
#include "autodiff/solvers/dae.h"

#include <fmt/format.h>
#include <idas/idas.h>

#include <algorithm>
#include <cstdlib>

#include "autodiff/linalg/eigen.h"
#include "autodiff/solvers/ode.h"
#include "autodiff/solvers/strictness.h"
#include "autodiff/solvers/sundials.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

using sundials::data;
using sundials::mutable_data;

/// The residual and its derivatives; rows are [t | y | y' | theta].
class Residual {
 public:
  Residual(FunctionRun& f, std::size_t n, const KernelArg& theta)
      : f_(f), n_(n), x_(f.inputs()), rows_(n * f.inputs()), value_(n) {
    std::copy_n(theta.v, theta.shape.size(), x_.begin() + 1 + static_cast<std::ptrdiff_t>(2 * n));
  }
  void value(double t, const double* y, const double* dy, double* out) {
    set_point(t, y, dy);
    f_.value(x_.data(), out);
  }
  /// Fills row().
  void differentiate(double t, const double* y, const double* dy) {
    set_point(t, y, dy);
    f_.value_and_jacobian(x_.data(), value_.data(), rows_.data());
  }
  const double* row(std::size_t i) const { return &rows_[i * x_.size()]; }
  std::size_t row_length() const { return x_.size(); }
  std::size_t states() const { return n_; }

 private:
  void set_point(double t, const double* y, const double* dy) {
    x_[0] = t;
    std::copy_n(y, n_, x_.begin() + 1);
    std::copy_n(dy, n_, x_.begin() + 1 + static_cast<std::ptrdiff_t>(n_));
  }
  FunctionRun& f_;
  std::size_t n_;
  std::vector<double> x_, rows_, value_;
};

struct FreeIda {
  void operator()(void* memory) const { IDAFree(&memory); }
};

/// Parameters: the initial state and its derivative where they carry derivatives, then theta.
struct Parameters {
  std::size_t states = 0, derivatives = 0, others = 0;
  std::size_t size() const { return states + derivatives + others; }
};

class Integrator {
 public:
  Integrator(const DaeOptions& options, Residual& residual, const KernelCall& call, Parameters p)
      : options_(options), f_(residual), n_(residual.states()), p_(p), t_(call.in[2].scalar()),
        y_(sundials::make_vector(n_, context_)), dy_(sundials::make_vector(n_, context_)), s_(p.size(), n_, context_),
        ds_(p.size(), n_, context_),
        matrix_(sundials::make_matrix(n_, context_)),
        linear_(sundials::make_solver(y_, matrix_, context_)), memory_(sundials::made(IDACreate(context_))) {
    std::copy_n(call.in[0].v, n_, mutable_data(y_.get()));
    std::copy_n(call.in[1].v, n_, mutable_data(dy_.get()));
    for (std::size_t j = 0; j < p.states; ++j) s_[j][j] = 1;
    make_consistent();
    configure();
  }
  void advance(double time) {
    if (time == t_) return;
    const int flag = IDASolve(memory_.get(), time, &t_, y_.get(), dy_.get(), IDA_NORMAL);
    caught_.rethrow();
    if (flag == IDA_TOO_MUCH_WORK) too_many_steps(options_.name, time);
    check(flag, "IDASolve");
    if (s_.size() > 0) check(IDAGetSens(memory_.get(), &t_, s_.raw()), "IDAGetSens");
  }
  const double* state() const { return data(y_.get()); }
  const double* sensitivity(std::size_t j) { return s_[j]; }
  /// y' at the time reached.
  const double* derivative() {
    check(IDAGetDky(memory_.get(), t_, 1, dy_.get()), "IDAGetDky");
    return data(dy_.get());
  }

 private:
  /// Initial sensitivities that fulfil F_y s + F_y' s' + F_p = 0. An element is differential where F depends on its
  /// derivative: there s is given and s' unknown; elsewhere s is unknown. Without a unique solution they stay as they are.
  void make_consistent() {
    if (p_.size() == 0) return;
    using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    f_.differentiate(t_, data(y_.get()), data(dy_.get()));
    const auto n = static_cast<Eigen::Index>(n_);
    const Eigen::Map<const Matrix> rows(f_.row(0), n, static_cast<Eigen::Index>(f_.row_length()));
    Matrix unknown(n, n);
    std::vector<bool> differential(n_);
    for (Eigen::Index l = 0; l < n; ++l) {
      differential[static_cast<std::size_t>(l)] = rows.col(1 + n + l).squaredNorm() > 0;
      unknown.col(l) = rows.col(differential[static_cast<std::size_t>(l)] ? 1 + n + l : 1 + l);
    }
    const Eigen::FullPivLU<Matrix> solver(unknown);
    if (!solver.isInvertible()) return;
    for (std::size_t j = 0; j < p_.size(); ++j) {
      Eigen::VectorXd known = Eigen::VectorXd::Zero(n);
      if (j >= p_.states + p_.derivatives) known = rows.col(1 + 2 * n + static_cast<Eigen::Index>(j - p_.states - p_.derivatives));
      for (std::size_t l = 0; l < n_; ++l)
        if (differential[l]) known += rows.col(1 + static_cast<Eigen::Index>(l)) * s_[j][l];
      const Eigen::VectorXd x = solver.solve(-known);
      for (std::size_t l = 0; l < n_; ++l) (differential[l] ? ds_ : s_)[j][l] = x[static_cast<Eigen::Index>(l)];
    }
  }
  void configure() {
    void* m = memory_.get();
    check(IDAInit(m, residual, t_, y_.get(), dy_.get()), "IDAInit");
    IDASetUserData(m, this);
    IDASetErrHandlerFn(m, [](int, const char*, const char*, char*, void*) {}, nullptr);  // flags are checked
    check(IDASStolerances(m, solver_tolerance(options_.rel_tol), solver_tolerance(options_.abs_tol)), "IDASStolerances");
    IDASetMaxNumSteps(m, static_cast<long>(std::min(options_.max_steps, 2e18)));
    check(IDASetLinearSolver(m, linear_.get(), matrix_.get()), "IDASetLinearSolver");
    IDASetJacFn(m, jacobian);
    if (s_.size() == 0) return;
    check(IDASensInit(m, static_cast<int>(s_.size()), IDA_STAGGERED, sensitivity_residual, s_.raw(), ds_.raw()),
          "IDASensInit");
    IDASetSensErrCon(m, SUNTRUE);
    check(IDASensEEtolerances(m), "IDASensEEtolerances");
  }
  void check(int flag, const char* what) const {
    if (flag >= 0) return;
    const std::unique_ptr<char, decltype(&std::free)> text(IDAGetReturnFlagName(flag), std::free);
    throw DomainError(fmt::format("{}: {} failed with {}", options_.name, what, text.get()));
  }

  static Integrator& self(void* user) { return *static_cast<Integrator*>(user); }
  static int residual(double t, N_Vector y, N_Vector dy, N_Vector out, void* user) {
    return self(user).caught_.run([&] { self(user).f_.value(t, data(y), data(dy), mutable_data(out)); });
  }
  static int jacobian(double t, double c, N_Vector y, N_Vector dy, N_Vector, SUNMatrix j, void* user, N_Vector, N_Vector,
                      N_Vector) {
    return self(user).caught_.run([&] {
      Residual& f = self(user).f_;
      f.differentiate(t, data(y), data(dy));
      const std::size_t n = f.states();
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t l = 0; l < n; ++l)
          SM_ELEMENT_D(j, static_cast<sunindextype>(i), static_cast<sunindextype>(l)) =
              f.row(i)[1 + l] + c * f.row(i)[1 + n + l];
    });
  }
  /// F_y s + F_y' s' + F_theta.
  static int sensitivity_residual(int count, double t, N_Vector y, N_Vector dy, N_Vector, N_Vector* s, N_Vector* ds,
                                  N_Vector* out, void* user, N_Vector, N_Vector, N_Vector) {
    return self(user).caught_.run([&] {
      Residual& f = self(user).f_;
      f.differentiate(t, data(y), data(dy));
      const std::size_t n = f.states(), first = self(user).p_.states + self(user).p_.derivatives;
      for (std::size_t j = 0; j < static_cast<std::size_t>(count); ++j)
        for (std::size_t i = 0; i < n; ++i) {
          const double* row = f.row(i) + 1;
          double sum = j < first ? 0 : row[2 * n + (j - first)];
          for (std::size_t l = 0; l < n; ++l) sum += row[l] * data(s[j])[l] + row[n + l] * data(ds[j])[l];
          mutable_data(out[j])[i] = sum;
        }
    });
  }

  sundials::Context context_;
  sundials::Caught caught_;
  const DaeOptions& options_;
  Residual& f_;
  std::size_t n_;
  Parameters p_;
  double t_;
  sundials::Vector y_, dy_;
  sundials::VectorArray s_, ds_;
  sundials::Matrix matrix_;
  sundials::LinearSolver linear_;
  std::unique_ptr<void, FreeIda> memory_;
};

/// Scratch: sensitivities per time; where times carry derivatives, y' at each.
class DaeCall final : public SolverCall {
 public:
  DaeCall(const DaeOptions& options, std::shared_ptr<const FunctionSource> f) : options_(options), f_(std::move(f)) {}

  Plan plan(const KernelCall& call) const override {
    const std::uint32_t n = call.in[0].shape.size(), times = call.in[3].shape.size();
    if (n == 0) throw SizeError(fmt::format("{}: initial state has size 0, but must have a non-zero size", options_.name));
    if (call.in[1].shape.size() != n)
      throw SizeError(fmt::format("{}: initial state ({}) and initial state derivative ({}) must match in size",
                                  options_.name, n, call.in[1].shape.size()));
    if (times == 0) throw SizeError(fmt::format("{}: times has size 0, but must have a non-zero size", options_.name));
    require_positive(options_.name, "relative_tolerance", options_.rel_tol);
    require_positive(options_.name, "absolute_tolerance", options_.abs_tol);
    require_positive(options_.name, "max_num_steps", options_.max_steps);
    return {Shape::array(times, Shape::vector(n)),
            saturated_product({times, n, parameters(call).size() + (call.in[3].autodiff ? 1 : 0)})};
  }

  void forward(const KernelCall& call) const override {
    require_finite(options_.name, "initial state derivative", call.in[1]);
    const KernelArg same[] = {call.in[0], call.in[2], call.in[3], call.in[4]};
    KernelCall ode = call;
    ode.in = same;
    require_ode_operands(options_.name, ode);
    auto run = runs_.take([&] { return std::make_unique<FunctionRun>(*f_); });
    const std::size_t n = call.in[0].shape.size();
    const Parameters p = parameters(call);
    Residual residual(*run, n, call.in[4]);
    Integrator integrator(options_, residual, call, p);
    double* to = call.scratch;
    for (std::size_t i = 0; i < call.in[3].shape.size(); ++i) {
      integrator.advance(call.in[3].v[i]);
      std::copy_n(integrator.state(), n, call.out + i * n);
      for (std::size_t j = 0; j < p.size(); ++j) to = std::copy_n(integrator.sensitivity(j), n, to);
      if (call.in[3].autodiff) to = std::copy_n(integrator.derivative(), n, to);
    }
    runs_.give_back(std::move(run));
  }

  void reverse(const KernelCall& call) const override {
    const std::size_t n = call.in[0].shape.size();
    const Parameters p = parameters(call);
    const double* s = call.scratch;
    for (std::size_t i = 0; i < call.in[3].shape.size(); ++i) {
      const double* g = call.out_a + i * n;
      const auto next = [&] {
        double sum = 0;
        for (std::size_t l = 0; l < n; ++l) sum += g[l] * *s++;
        return sum;
      };
      for (std::size_t j = 0; j < p.states; ++j) add_adjoint(call.in[0], j, next());
      for (std::size_t j = 0; j < p.derivatives; ++j) add_adjoint(call.in[1], j, next());
      for (std::size_t j = 0; j < p.others; ++j) add_adjoint(call.in[4], j, next());
      if (call.in[3].autodiff) add_adjoint(call.in[3], i, next());
    }
  }

 private:
  static Parameters parameters(const KernelCall& call) {
    const auto size = [&](std::size_t i) { return call.in[i].autodiff ? call.in[i].shape.size() : std::size_t{0}; };
    return {size(0), size(1), size(4)};
  }

  DaeOptions options_;
  std::shared_ptr<const FunctionSource> f_;
  Pool<FunctionRun> runs_;
};

}  // namespace

std::shared_ptr<const SolverCall> make_dae_call(const DaeOptions& options,
                                                std::shared_ptr<const FunctionSource> residual) {
  return std::make_shared<const DaeCall>(options, std::move(residual));
}

}  // namespace fermiac::ad
