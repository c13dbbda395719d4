// The mode by Newton's method, value and gradient as in C. E. Rasmussen & C. K. I. Williams, "Gaussian Processes for
// Machine Learning" (2006), chapter 3 and section 5.5, with the general likelihoods and solvers of C. Margossian,
// A. Vehtari, D. Simpson & R. Agrawal, "Hamiltonian Monte Carlo using an adjoint-differentiated Laplace approximation"
// (2020) and C. Margossian, "General adjoint-differentiated Laplace approximation" (2023).
#include "autodiff/solvers/laplace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "autodiff/linalg/eigen.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using Index = Eigen::Index;

std::span<const double> view(const Vector& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}
std::span<double> view(Vector& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

/// What is solved with once K and W = -Hessian are known.
struct Factors {
  Matrix s;        // (K⁻¹ + W)⁻¹, the covariance of theta given y
  Matrix r;        // (W⁻¹ + K)⁻¹
  double log_det;  // log |I + K W|
};

/// Symmetric square root of a block diagonal matrix; none if it has a negative eigenvalue.
std::optional<Matrix> block_root(const Matrix& w, Index block) {
  Matrix root = Matrix::Zero(w.rows(), w.cols());
  for (Index at = 0; at < w.rows(); at += block) {
    const Eigen::SelfAdjointEigenSolver<Matrix> e(w.block(at, at, block, block));
    if (!(e.eigenvalues().minCoeff() >= -1e-14 * std::abs(e.eigenvalues().maxCoeff()))) return std::nullopt;
    root.block(at, at, block, block) =
        e.eigenvectors() * e.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal() * e.eigenvectors().transpose();
  }
  return root;
}

double log_diagonal(const Matrix& l) {
  return 2 * l.diagonal().array().log().sum();
}

/// B = I + W^½ K W^½: any K, W without negative eigenvalues.
std::optional<Factors> by_hessian(const Matrix& k, const Matrix& w, Index block) {
  const std::optional<Matrix> root = block_root(w, block);
  if (!root) return std::nullopt;
  const Eigen::LLT<Matrix> b(Matrix::Identity(k.rows(), k.rows()) + *root * k * *root);
  if (b.info() != Eigen::Success) return std::nullopt;
  const Matrix half = b.matrixL().solve(*root);
  const Matrix r = half.transpose() * half, half_k = half * k;
  return Factors{k - half_k.transpose() * half_k, r, log_diagonal(b.matrixLLT())};
}
/// B = I + L' W L, K = L L': any W that leaves B positive definite.
std::optional<Factors> by_covariance(const Matrix& k, const Matrix& w, Index) {
  const Eigen::LLT<Matrix> llt(k);
  if (llt.info() != Eigen::Success) return std::nullopt;
  const Matrix l = llt.matrixL();
  const Eigen::LLT<Matrix> b(Matrix::Identity(k.rows(), k.rows()) + l.transpose() * w * l);
  if (b.info() != Eigen::Success) return std::nullopt;
  const Matrix half = b.matrixL().solve(l.transpose());
  const Matrix s = half.transpose() * half;
  return Factors{s, w - w * s * w, log_diagonal(b.matrixLLT())};
}
/// I + K W as it is.
std::optional<Factors> by_product(const Matrix& k, const Matrix& w, Index) {
  const Eigen::PartialPivLU<Matrix> lu(Matrix::Identity(k.rows(), k.rows()) + k * w);
  const Vector u = lu.matrixLU().diagonal();
  const double sign = lu.permutationP().determinant() * u.array().sign().prod();
  const Matrix s = lu.solve(k);
  if (!(sign > 0) || !s.allFinite()) return std::nullopt;
  return Factors{(s + s.transpose()) / 2, w - w * s * w, u.array().abs().log().sum()};
}

constexpr auto kSolvers = std::to_array<std::optional<Factors> (*)(const Matrix&, const Matrix&, Index)>(
    {by_hessian, by_covariance, by_product});

/// The search for the mode, and what the gradient needs there.
class Search {
 public:
  Search(const LaplaceOptions& o, LatentLikelihood& likelihood, std::span<const KernelArg> in) : o_(o), l_(likelihood) {
    const auto n = static_cast<Index>(in[0].shape.rows);
    k_ = Eigen::Map<const Matrix>(in[0].v, n, n);
    Index others = 0;
    for (const KernelArg& arg : in.subspan(2)) others += static_cast<Index>(arg.shape.size());
    x_.resize(n + others);
    for (Index at = n; const KernelArg& arg : in.subspan(2)) {
      std::copy_n(arg.v, arg.shape.size(), x_.data() + at);
      at += static_cast<Index>(arg.shape.size());
    }
    const Eigen::Map<const Vector> start(in[1].v, n);
    a_ = start.isZero(0) ? Vector(Vector::Zero(n)) : Vector(k_.ldlt().solve(start));
    grad_.resize(x_.size());
  }

  void run() {
    objective_ = evaluate(a_);
    if (!std::isfinite(objective_))
      throw DomainError(fmt::format("{}: the log likelihood is {} at the initial latent values, but must be finite!",
                                    o_.name, objective_));
    for (int step = 0; step < o_.max_steps; ++step) {
      const double before = objective_;
      if (!newton_step()) break;  // nothing nearby is higher
      if (std::abs(objective_ - before) >= o_.tolerance) continue;
      newton_step();  // one more is nearly free and leaves an error of rounding
      factor();
      return;
    }
    factor();
    if (residual() > 1e-6 * (1 + a_.lpNorm<Eigen::Infinity>()))
      throw DomainError(
          fmt::format("{}: the mode of the latent values was not found in {} steps.", o_.name, o_.max_steps));
  }

  Index latent() const { return k_.rows(); }
  Index others() const { return x_.size() - latent(); }
  double log_marginal() const { return objective_ - factors_.log_det / 2; }
  const Matrix& covariance() const { return factors_.s; }
  Vector mode() const { return x_.head(latent()); }

  /// Gradient of the log marginal density by K and by phi.
  void pull_back(Eigen::Ref<Matrix> by_k, Eigen::Ref<Vector> by_phi) {
    const Vector moved = det_slope();  // ½ ∂ tr(S H) / ∂ [theta | phi], S held
    const Vector s = moved.head(latent());
    const Vector u = s - factors_.r * (k_ * s);
    by_k = (a_ * a_.transpose() - factors_.r + u * a_.transpose() + a_ * u.transpose()) / 2;
    if (others() == 0) return;
    Vector cross(x_.size());
    l_.gradient_along(view(x_), view(Vector(factors_.s * s)), 1, view(cross));
    by_phi = (grad_ + moved + cross).tail(others());
  }

 private:
  /// Objective log p(y | theta) - ½ theta' K⁻¹ theta at theta = K a; notes theta and the gradient.
  double evaluate(const Vector& a) {
    x_.head(latent()) = k_ * a;
    return l_.gradient(view(x_), view(grad_)) - a.dot(x_.head(latent())) / 2;
  }
  double residual() const { return (grad_.head(latent()) - a_).lpNorm<Eigen::Infinity>(); }

  /// W, one direction for each column of a block.
  void factor() {
    const Index n = latent(), block = o_.block_size;
    w_ = Matrix::Zero(n, n);
    for (Index j = 0; j < block; ++j) {
      Vector v = Vector::Zero(n), along(x_.size());
      for (Index at = j; at < n; at += block) v[at] = 1;
      l_.gradient_along(view(x_), view(v), 1, view(along));
      for (Index at = 0; at < n; at += block) w_.block(at, at + j, block, 1) = -along.segment(at, block);
    }
    w_ = ((w_ + w_.transpose()) / 2).eval();
    const std::size_t first = static_cast<std::size_t>(o_.solver - 1);
    for (std::size_t i = first; i < (o_.fall_through ? kSolvers.size() : first + 1); ++i) {
      std::optional<Factors> found = kSolvers[i](k_, w_, block);
      if (!found) continue;
      factors_ = *std::move(found);
      return;
    }
    throw DomainError(fmt::format(
        "{}: the curvature at the latent values tried is not that of a density; solver {} failed", o_.name, o_.solver));
  }

  /// Halves the step until the objective grows; false if it never does.
  bool newton_step() {
    factor();
    const Vector b = w_ * x_.head(latent()) + grad_.head(latent());
    const Vector step = b - factors_.r * (k_ * b) - a_;
    const Vector x = x_, grad = grad_;
    double length = 1;
    for (int halvings = 0; halvings <= o_.max_line_search; ++halvings, length /= 2) {
      const Vector a = a_ + length * step;
      if (a == a_) break;
      const double objective = try_at(a);
      if (!(objective >= objective_ - 1e-14 * std::abs(objective_))) continue;
      a_ = a;
      objective_ = objective;
      return true;
    }
    x_ = x;
    grad_ = grad;
    return false;
  }
  double try_at(const Vector& a) {
    try {
      return evaluate(a);
    } catch (const EvalError&) {
      return std::numeric_limits<double>::quiet_NaN();
    }
  }

  /// S is a covariance: by the eigenvectors of its blocks tr(S H) is a sum of second derivatives along one direction
  /// for each column of a block.
  Vector det_slope() {
    const Index n = latent(), block = o_.block_size;
    Matrix directions = Matrix::Zero(n, block);
    for (Index at = 0; at < n; at += block) {
      const Eigen::SelfAdjointEigenSolver<Matrix> e(factors_.s.block(at, at, block, block));
      directions.middleRows(at, block) = e.eigenvectors() * e.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
    }
    Vector sum = Vector::Zero(x_.size()), one(x_.size());
    for (Index j = 0; j < block; ++j) {
      l_.gradient_along(view(x_), view(Vector(directions.col(j))), 2, view(one));
      sum += one / 2;
    }
    return sum;
  }

  const LaplaceOptions& o_;
  LatentLikelihood& l_;
  Matrix k_, w_;
  Vector x_, grad_;  // [theta | phi], and the likelihood's gradient there
  Vector a_;         // K⁻¹ theta
  double objective_ = 0;
  Factors factors_{};
};

void check_operands(const LaplaceOptions& o, std::span<const KernelArg> in) {
  const std::uint32_t n = in[0].shape.rows;
  if (in[0].shape.cols != n)
    throw SizeError(fmt::format("{}: the covariance matrix has {} rows and {} columns, but must be square", o.name, n,
                                in[0].shape.cols));
  if (in[1].shape.size() != n)
    throw SizeError(
        fmt::format("{}: theta0 has {} elements, but there are {} latent values", o.name, in[1].shape.size(), n));
  const auto bad = [&](std::string_view what, double value, const std::string& rule) {
    throw DomainError(fmt::format("{}: {} is {}, but must be {}!", o.name, what, value, rule));
  };
  if (o.block_size < 1 || n % static_cast<std::uint32_t>(o.block_size) != 0)
    bad("hessian_block_size", o.block_size, fmt::format("a divisor of the number of latent values, {}", n));
  if (!(o.tolerance > 0)) bad("tolerance", o.tolerance, "positive");
  if (o.max_steps < 1) bad("max_num_steps", o.max_steps, "positive");
  if (o.max_line_search < 0) bad("max_steps_line_search", o.max_line_search, "nonnegative");
  if (o.solver < 1 || o.solver > 3) bad("solver", o.solver, "1, 2 or 3");
}

/// Scratch: the gradient by K, then by phi.
class LaplaceCall final : public SolverCall {
 public:
  LaplaceCall(const LaplaceOptions& options, std::shared_ptr<const LikelihoodSource> likelihood)
      : options_(options), likelihood_(std::move(likelihood)) {}

  Plan plan(const KernelCall& call) const override {
    check_operands(options_, call.in);
    std::uint64_t numbers = 0;
    for (std::size_t i = 0; i < call.in.size(); ++i)
      if (i != 1) numbers += call.in[i].shape.size();
    return {Shape::scalar(), differentiated(call) ? numbers : 0};
  }
  void forward(const KernelCall& call) const override {
    require_finite(options_.name, "covariance matrix", call.in[0]);
    const auto run = likelihood_->start();
    Search search(options_, *run, call.in);
    search.run();
    *call.out = search.log_marginal();
    if (!differentiated(call)) return;
    const Index n = search.latent();
    search.pull_back(Eigen::Map<Matrix>(call.scratch, n, n), Eigen::Map<Vector>(call.scratch + n * n, search.others()));
  }
  void reverse(const KernelCall& call) const override {
    const double* grad = call.scratch;
    for (std::size_t i = 0; i < call.in.size(); ++i) {
      if (i == 1) continue;
      for (std::uint32_t k = 0; k < call.in[i].shape.size(); ++k) add_adjoint(call.in[i], k, *call.out_a * grad[k]);
      grad += call.in[i].shape.size();
    }
  }

 private:
  static bool differentiated(const KernelCall& call) {
    return std::ranges::any_of(call.in, [](const KernelArg& arg) { return arg.autodiff; });
  }
  LaplaceOptions options_;
  std::shared_ptr<const LikelihoodSource> likelihood_;
};

}  // namespace

std::shared_ptr<const SolverCall> make_laplace_call(const LaplaceOptions& options,
                                                    std::shared_ptr<const LikelihoodSource> likelihood) {
  return std::make_shared<const LaplaceCall>(options, std::move(likelihood));
}

LatentNormal laplace_latent(const LaplaceOptions& options, const LikelihoodSource& likelihood,
                            std::span<const KernelArg> operands) {
  check_operands(options, operands);
  require_finite(options.name, "covariance matrix", operands[0]);
  const auto run = likelihood.start();
  Search search(options, *run, operands);
  search.run();
  const Matrix& s = search.covariance();
  const Vector mode = search.mode();
  const Eigen::SelfAdjointEigenSolver<Matrix> e(s);
  const Matrix root = e.eigenvectors() * e.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
  return {{mode.begin(), mode.end()},
          {s.reshaped().begin(), s.reshaped().end()},
          {root.reshaped().begin(), root.reshaped().end()}};
}

}  // namespace fermiac::ad
