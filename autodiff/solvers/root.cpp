// Newton's method with a line search (J. E. Dennis and R. B. Schnabel, "Numerical Methods for Unconstrained Optimization
// and Nonlinear Equations", 1983), and Powell's hybrid method: a dogleg within a trust region (M. J. D. Powell, "A hybrid
// method for nonlinear equations", 1970).
#include "autodiff/solvers/root.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "autodiff/linalg/eigen.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// f and its Jacobian as functions of y.
class System {
 public:
  System(FunctionRun& f, std::size_t n, const double* theta, std::size_t k)
      : f_(f), n_(static_cast<Eigen::Index>(n)), x_(n_ + static_cast<Eigen::Index>(k)),
        rows_(x_.size(), n_) {
    std::copy_n(theta, k, x_.data() + n);
  }
  Vector value(const Vector& y) {
    x_.head(n_) = y;
    Vector out(n_);
    f_.value(x_.data(), out.data());
    return out;
  }
  Matrix jacobian(const Vector& y) {
    x_.head(n_) = y;
    Vector unused(n_);
    f_.value_and_jacobian(x_.data(), unused.data(), rows_.data());
    return rows_.topRows(n_).transpose();
  }
  const Matrix& rows() const { return rows_; }  // column i: gradient of f_i with respect to [y | theta]

 private:
  FunctionRun& f_;
  Eigen::Index n_;
  Vector x_;
  Matrix rows_;
};

[[noreturn]] void no_root(const RootOptions& o, double norm) {
  throw DomainError(fmt::format("{}: the norm of the algebraic function is {} but should be lower than the function "
                                "tolerance: {}. Consider decreasing the relative tolerance and increasing max_num_steps.",
                                o.name, norm, o.f_tol));
}
[[noreturn]] void too_many(const RootOptions& o) {
  throw DomainError(fmt::format("{}: maximum number of iterations ({}) was exceeded in the solve.", o.name, o.max_steps));
}

/// A step of length 1, 1/2, 1/4 … that decreases the norm enough; false if there is none.
bool line_search(const RootOptions& o, System& f, Vector& y, Vector& fy, const Vector& step) {
  const double norm = fy.norm();
  for (double length = 1; length * step.norm() > o.step_tol * 1e-12 * (1 + y.norm()); length /= 2) {
    const Vector next = y + length * step;
    const Vector f_next = f.value(next);
    if (!(f_next.norm() <= (1 - 1e-4 * length) * norm)) continue;
    y = next;
    fy = f_next;
    return true;
  }
  return false;
}

void newton(const RootOptions& o, System& f, Vector& y) {
  Vector fy = f.value(y);
  for (double steps = 0;; ++steps) {
    if (!fy.allFinite()) throw DomainError(fmt::format("{}: the algebraic function is not finite", o.name));
    if (fy.lpNorm<Eigen::Infinity>() == 0) return;
    const bool converged = fy.norm() <= o.f_tol;
    if (!converged && steps >= o.max_steps) too_many(o);
    const Vector step = -f.jacobian(y).fullPivLu().solve(fy);
    if (converged) {  // one step more is nearly free and leaves an error of rounding
      line_search(o, f, y, fy, step);
      return;
    }
    if (!step.allFinite() || !line_search(o, f, y, fy, step)) no_root(o, fy.norm());
    if (fy.norm() > o.f_tol && step.norm() < std::numeric_limits<double>::epsilon() * y.norm()) no_root(o, fy.norm());
  }
}

/// The dogleg: along steepest descent, then towards the Newton step, as far as the region reaches.
Vector dogleg(const Matrix& j, const Vector& f, const Vector& scale, double radius) {
  const Vector newton = -j.fullPivLu().solve(f);
  const double newton_length = newton.allFinite() ? scale.cwiseProduct(newton).norm() : std::numeric_limits<double>::infinity();
  if (newton_length <= radius) return newton;
  const Vector g = (j.transpose() * f).cwiseQuotient(scale);
  const double g_norm = g.norm();
  if (g_norm == 0) return std::isfinite(newton_length) ? Vector(newton * (radius / newton_length)) : Vector(Vector::Zero(f.size()));
  const Vector down = -g.cwiseQuotient(scale);
  const double alpha = g_norm * g_norm / (j * down).squaredNorm();
  if (alpha * g_norm >= radius || !std::isfinite(newton_length)) return down * (std::min(alpha * g_norm, radius) / g_norm);
  const Vector cauchy = alpha * down, rest = newton - cauchy;  // |cauchy + t rest| = radius
  const Vector a = scale.cwiseProduct(cauchy), b = scale.cwiseProduct(rest);
  const double bb = b.squaredNorm(), ab = a.dot(b), gap = radius * radius - a.squaredNorm();
  return cauchy + rest * (gap / (ab + std::sqrt(ab * ab + bb * gap)));
}

void powell(const RootOptions& o, System& f, Vector& y) {
  Vector fy = f.value(y);
  if (!fy.allFinite()) throw DomainError(fmt::format("{}: the algebraic function is not finite", o.name));
  Matrix j = f.jacobian(y);
  Vector scale = j.colwise().norm().transpose().unaryExpr([](double s) { return s > 0 ? s : 1.0; });
  double length = scale.cwiseProduct(y).norm();
  double radius = length > 0 ? 100 * length : 100;
  int slow = 0;
  for (double evaluations = 1; fy.norm() > 0;) {
    if (evaluations++ >= o.max_steps) too_many(o);
    const Vector step = dogleg(j, fy, scale, radius);
    const Vector next = y + step, f_next = f.value(next);
    const double norm = fy.norm(), step_length = scale.cwiseProduct(step).norm();
    const double actual = 1 - std::pow(f_next.norm() / norm, 2);
    const double predicted = 1 - std::pow((fy + j * step).norm() / norm, 2);
    const double ratio = f_next.allFinite() && predicted > 0 ? actual / predicted : -1;
    if (ratio < 0.1) radius = std::min(radius, step_length) * 0.5;
    else if (ratio >= 0.5) radius = std::max(radius, 2 * step_length);
    slow = actual > 1e-3 ? 0 : slow + 1;
    if (ratio >= 1e-4) {
      y = next;
      fy = f_next;
      j = f.jacobian(y);
      scale = scale.cwiseMax(j.colwise().norm().transpose());
      length = scale.cwiseProduct(y).norm();
    }
    if (radius <= o.step_tol * length || (fy.norm() <= o.f_tol && step_length <= o.step_tol * length)) break;
    if (slow > 30 || radius < std::numeric_limits<double>::min()) break;
  }
  if (!(fy.norm() <= o.f_tol)) no_root(o, fy.norm());
}

/// Scratch: the gradients of f with respect to [y | theta], one column per element of f.
class RootCall final : public SolverCall {
 public:
  RootCall(const RootOptions& options, std::shared_ptr<const FunctionSource> f) : options_(options), f_(std::move(f)) {}

  Plan plan(const KernelCall& call) const override {
    const std::uint32_t n = call.in[0].shape.size();
    if (n == 0) throw SizeError(fmt::format("{}: initial guess has size 0, but must have a non-zero size", options_.name));
    check_tolerance("step tolerance", options_.step_tol);
    check_tolerance("function tolerance", options_.f_tol);
    require_positive(options_.name, "max_num_steps", options_.max_steps);
    return {Shape::vector(n), call.in[1].autodiff ? n * (n + std::uint64_t{call.in[1].shape.size()}) : 0};
  }

  void forward(const KernelCall& call) const override {
    require_finite(options_.name, "initial guess", call.in[0]);
    require_finite(options_.name, "parameters", call.in[1]);
    auto run = runs_.take([&] { return std::make_unique<FunctionRun>(*f_); });
    const std::size_t n = call.in[0].shape.size();
    System f(*run, n, call.in[1].v, call.in[1].shape.size());
    Vector y = Eigen::Map<const Vector>(call.in[0].v, static_cast<Eigen::Index>(n));
    (options_.method == RootMethod::Newton ? newton : powell)(options_, f, y);
    std::copy_n(y.data(), n, call.out);
    if (call.in[1].autodiff) {
      f.jacobian(y);
      std::copy_n(f.rows().data(), f.rows().size(), call.scratch);
    }
    runs_.give_back(std::move(run));
  }

  void reverse(const KernelCall& call) const override {
    if (call.in[1].a == nullptr) return;
    const auto n = static_cast<Eigen::Index>(call.in[0].shape.size());
    const auto k = static_cast<Eigen::Index>(call.in[1].shape.size());
    const Eigen::Map<const Matrix> rows(call.scratch, n + k, n);
    const Eigen::Map<const Vector> g(call.out_a, n);
    const Vector lambda = rows.topRows(n).partialPivLu().solve(g);  // (dy/dtheta)^T g = -J_theta^T J_y^-T g
    Eigen::Map<Vector>(call.in[1].a, k) -= rows.bottomRows(k) * lambda;
  }

 private:
  void check_tolerance(std::string_view what, double x) const {
    if (!(x >= 0)) throw DomainError(fmt::format("{}: {} is {}, but must be nonnegative!", options_.name, what, x));
  }

  RootOptions options_;
  std::shared_ptr<const FunctionSource> f_;
  Pool<FunctionRun> runs_;
};

}  // namespace

std::shared_ptr<const SolverCall> make_root_call(const RootOptions& options, std::shared_ptr<const FunctionSource> f) {
  return std::make_shared<const RootCall>(options, std::move(f));
}

}  // namespace fermiac::ad
