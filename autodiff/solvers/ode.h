// Initial value problems y' = f(t, y, theta), with forward sensitivities of the solution.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "autodiff/solvers/function.h"
#include "autodiff/solvers/solver_call.h"

namespace fermiac::ad {

enum class OdeMethod : std::uint8_t {
  DormandPrince,  // Runge-Kutta 5(4), steps freely, interpolates
  CashKarp,       // Runge-Kutta 5(4), steps to each output time
  Adams,
  Bdf
};

struct OdeOptions {
  std::string_view name;  // of the function in the language; static storage
  OdeMethod method = OdeMethod::DormandPrince;
  double rel_tol = 1e-6;
  double abs_tol = 1e-6;
  double max_steps = 1e6;     // between two output times
  bool array_state = false;   // the result is an array of arrays instead of an array of vectors
};

/// Operands: initial state, initial time, times, and what else carries derivatives. The inputs of `rhs` are the time, the
/// state and the latter, in this order.
std::shared_ptr<const SolverCall> make_ode_call(const OdeOptions& options, std::shared_ptr<const FunctionSource> rhs);

struct AdjointOdeOptions {
  std::string_view name;
  double rel_tol = 0, rel_tol_backward = 0, rel_tol_quadrature = 0, abs_tol_quadrature = 0;
  std::vector<double> abs_tol, abs_tol_backward;
  double max_steps = 0;
  long steps_between_checkpoints = 0;
  int interpolation = 1;       // 1 Hermite, 2 polynomial
  int solver = 1;              // 1 Adams, 2 BDF
  int solver_backward = 1;
};
std::shared_ptr<const SolverCall> make_adjoint_ode_call(const AdjointOdeOptions& options,
                                                        std::shared_ptr<const FunctionSource> rhs);

// ---- between the files of this folder

/// Throws unless the operands of an initial value problem make sense.
void require_ode_operands(std::string_view name, const KernelCall& call);
[[noreturn]] void too_many_steps(std::string_view name, double time);

/// State and sensitivities as one system z = [y | dy_1/dp | … | dy_n/dp]: parameters p are the initial state, if it carries
/// derivatives, then the others. The derivatives of one element take lanes() places, filled up with zeros.
class OdeSystem {
 public:
  OdeSystem(FunctionRun& rhs, std::size_t states, bool initial_state, const double* theta, std::size_t thetas);
  std::size_t states() const { return n_; }
  std::size_t parameters() const { return initial_ + k_; }
  std::size_t lanes() const { return lanes_; }
  std::size_t size() const { return n_ * (1 + lanes_); }
  void start(const double* y0, double* z) const;
  void derivative(double t, const double* y, double* dy);
  /// The whole system.
  void coupled(double t, const double* z, double* dz);
  /// df_i/dy_l at [i * n + l].
  const double* jacobian(double t, const double* y);
  /// The rows of dy/dp to those of its time derivative, both lanes() wide.
  void sensitivities(double t, const double* y, const double* rows, double* out);

 private:
  void set_point(double t, const double* y);
  double* seeds(std::size_t lanes, bool identity);

  FunctionRun& rhs_;
  std::size_t n_, initial_, k_, lanes_;
  std::size_t seeded_ = 0;    // lanes of the seeds that are in place for theta
  std::vector<double> x_;     // t, y, theta
  std::vector<double> value_, rows_;
};

/// Both fill z(t_i) [size()] for every time, one after the other.
void solve_runge_kutta(const OdeOptions& options, OdeSystem& system, double t0, std::span<const double> times,
                       double* z);
void solve_multistep(const OdeOptions& options, OdeSystem& system, double t0, std::span<const double> times, double* z);

}  // namespace fermiac::ad
