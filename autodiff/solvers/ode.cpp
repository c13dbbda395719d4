#include "autodiff/solvers/ode.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/base/errors.h"

namespace fermiac::ad {

void require_ode_operands(std::string_view name, const KernelCall& call) {
  const KernelArg& t0 = call.in[1];
  const KernelArg& times = call.in[2];
  require_finite(name, "initial state", call.in[0]);
  require_finite(name, "initial time", t0);
  require_finite(name, "times", times);
  require_finite(name, "parameters", call.in[3]);
  const std::uint32_t n = times.shape.size();
  for (std::uint32_t i = 1; i < n; ++i)
    if (times.v[i] < times.v[i - 1])
      throw DomainError(fmt::format("{}: times is not a valid sorted vector. The element at {} is {}, but should be "
                                    "greater than or equal to the previous element, {}", name, i + 1, times.v[i],
                                    times.v[i - 1]));
  if (!(t0.scalar() < times.v[0]))
    throw DomainError(fmt::format("{}: initial time is {}, but must be less than {}", name, t0.scalar(), times.v[0]));
}

void too_many_steps(std::string_view name, double time) {
  throw DomainError(fmt::format("{}: Failed to integrate to next output time ({}) in less than max_num_steps steps",
                                name, time));
}

OdeSystem::OdeSystem(FunctionRun& rhs, std::size_t states, bool initial_state, const double* theta, std::size_t thetas)
    : rhs_(rhs), n_(states), initial_(initial_state ? states : 0), k_(thetas),
      lanes_(FunctionRun::lanes_for(initial_ + k_)), x_(1 + states + thetas), value_(states) {
  std::copy_n(theta, thetas, x_.begin() + 1 + static_cast<std::ptrdiff_t>(states));
}

void OdeSystem::start(const double* y0, double* z) const {
  std::fill_n(z, size(), 0.0);
  std::copy_n(y0, n_, z);
  for (std::size_t j = 0; j < initial_; ++j) z[n_ + j * lanes_ + j] = 1;
}

void OdeSystem::set_point(double t, const double* y) {
  x_[0] = t;
  std::copy_n(y, n_, x_.begin() + 1);
}

void OdeSystem::derivative(double t, const double* y, double* dy) {
  set_point(t, y);
  rhs_.value(x_.data(), dy);
}

/// Seeds whose rows of time and theta are in place: one direction per theta behind the initial state, or none.
double* OdeSystem::seeds(std::size_t lanes, bool identity) {
  double* rows = rhs_.seed_rows(lanes);
  if (seeded_ == lanes && identity) return rows;
  seeded_ = identity ? lanes : 0;
  std::fill_n(rows, lanes, 0.0);
  std::fill_n(rows + (1 + n_) * lanes, k_ * lanes, 0.0);
  if (identity)
    for (std::size_t j = 0; j < k_; ++j) rows[(1 + n_ + j) * lanes + initial_ + j] = 1;
  return rows;
}

const double* OdeSystem::jacobian(double t, const double* y) {
  const std::size_t lanes = FunctionRun::lanes_for(n_);
  double* rows = seeds(lanes, false) + lanes;
  std::fill_n(rows, n_ * lanes, 0.0);
  for (std::size_t l = 0; l < n_; ++l) rows[l * lanes + l] = 1;
  set_point(t, y);
  rows_.resize(n_ * lanes);
  rhs_.tangents(x_.data(), lanes, value_.data(), rows_.data());
  for (std::size_t i = 1; i < n_; ++i) std::copy_n(&rows_[i * lanes], n_, &rows_[i * n_]);
  return rows_.data();
}

void OdeSystem::sensitivities(double t, const double* y, const double* rows, double* out) {
  std::copy_n(rows, n_ * lanes_, seeds(lanes_, true) + lanes_);
  set_point(t, y);
  rhs_.tangents(x_.data(), lanes_, value_.data(), out);
}

void OdeSystem::coupled(double t, const double* z, double* dz) {
  if (lanes_ == 0) return derivative(t, z, dz);
  std::copy_n(z + n_, n_ * lanes_, seeds(lanes_, true) + lanes_);
  set_point(t, z);
  rhs_.tangents(x_.data(), lanes_, dz, dz + n_);
}

namespace {

struct OdeRun {
  FunctionRun rhs;
  std::vector<double> z;  // per time: state and sensitivities
};

/// Scratch: sensitivities per time; where times carry derivatives, f at the initial time and at the others.
class OdeCall final : public SolverCall {
 public:
  OdeCall(const OdeOptions& options, std::shared_ptr<const FunctionSource> rhs)
      : options_(options), rhs_(std::move(rhs)) {}

  Plan plan(const KernelCall& call) const override;
  void forward(const KernelCall& call) const override;
  void reverse(const KernelCall& call) const override;

 private:
  static bool initial_state(const KernelCall& call) { return call.in[0].autodiff || call.in[1].autodiff; }
  static std::size_t parameters(const KernelCall& call) {
    return (initial_state(call) ? call.in[0].shape.size() : 0) + thetas(call);
  }
  static std::size_t thetas(const KernelCall& call) { return call.in[3].autodiff ? call.in[3].shape.size() : 0; }
  static bool time_derivatives(const KernelCall& call) { return call.in[1].autodiff || call.in[2].autodiff; }
  void solve(const KernelCall& call, OdeRun& run) const;

  OdeOptions options_;
  std::shared_ptr<const FunctionSource> rhs_;
  Pool<OdeRun> runs_;
};

Plan OdeCall::plan(const KernelCall& call) const {
  const std::uint32_t n = call.in[0].shape.size();
  const std::uint32_t times = call.in[2].shape.size();
  if (n == 0) throw SizeError(fmt::format("{}: initial state has size 0, but must have a non-zero size", options_.name));
  if (times == 0) throw SizeError(fmt::format("{}: times has size 0, but must have a non-zero size", options_.name));
  require_positive(options_.name, "relative_tolerance", options_.rel_tol);
  require_positive(options_.name, "absolute_tolerance", options_.abs_tol);
  require_positive(options_.name, "max_num_steps", options_.max_steps);
  const Shape element = options_.array_state ? Shape::array(n, Shape::scalar()) : Shape::vector(n);
  std::uint64_t scratch = saturated_product({times, n, parameters(call)});
  if (time_derivatives(call)) scratch += n * (std::uint64_t{times} + 1);
  return {Shape::array(times, element), scratch};
}

void OdeCall::solve(const KernelCall& call, OdeRun& run) const {
  const std::size_t n = call.in[0].shape.size(), times = call.in[2].shape.size();
  OdeSystem system(run.rhs, n, initial_state(call), call.in[3].v, thetas(call));
  run.z.resize(system.size() * (times + 1));
  system.start(call.in[0].v, run.z.data());
  const std::span<const double> at(call.in[2].v, times);
  const bool multistep = options_.method == OdeMethod::Adams || options_.method == OdeMethod::Bdf;
  (multistep ? solve_multistep : solve_runge_kutta)(options_, system, call.in[1].scalar(), at, run.z.data());
  double* sensitivities = call.scratch;
  for (std::size_t i = 0; i < times; ++i) {
    const double* z = &run.z[system.size() * (i + 1)];
    std::copy_n(z, n, call.out + i * n);
    for (std::size_t l = 0; l < n; ++l)
      sensitivities = std::copy_n(z + n + l * system.lanes(), system.parameters(), sensitivities);
  }
  if (!time_derivatives(call)) return;
  system.derivative(call.in[1].scalar(), call.in[0].v, sensitivities);
  for (std::size_t i = 0; i < times; ++i)
    system.derivative(at[i], call.out + i * n, sensitivities + n * (i + 1));
}

void OdeCall::forward(const KernelCall& call) const {
  require_ode_operands(options_.name, call);
  auto run = runs_.take([&] { return std::make_unique<OdeRun>(OdeRun{FunctionRun(*rhs_), {}}); });
  solve(call, *run);
  runs_.give_back(std::move(run));
}

void OdeCall::reverse(const KernelCall& call) const {
  const std::size_t n = call.in[0].shape.size(), times = call.in[2].shape.size();
  const std::size_t m = parameters(call), initial = initial_state(call) ? n : 0;
  const double* f0 = call.scratch + times * n * m;
  for (std::size_t i = 0; i < times; ++i) {
    const double* g = call.out_a + i * n;
    for (std::size_t j = 0; j < m; ++j) {
      const double* s = call.scratch + i * n * m + j;
      double sum = 0;
      for (std::size_t l = 0; l < n; ++l) sum += g[l] * s[l * m];
      if (j >= initial) {
        add_adjoint(call.in[3], j - initial, sum);
      } else {
        add_adjoint(call.in[0], j, sum);
        if (call.in[1].a != nullptr) add_adjoint(call.in[1], 0, -sum * f0[j]);
      }
    }
    if (call.in[2].a == nullptr) continue;
    const double* f = f0 + n * (i + 1);
    for (std::size_t l = 0; l < n; ++l) add_adjoint(call.in[2], i, g[l] * f[l]);
  }
}

}  // namespace

std::shared_ptr<const SolverCall> make_ode_call(const OdeOptions& options, std::shared_ptr<const FunctionSource> rhs) {
  return std::make_shared<const OdeCall>(options, std::move(rhs));
}

}  // namespace fermiac::ad
