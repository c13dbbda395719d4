// Double exponential formulas (H. Takahasi and M. Mori, "Double exponential formulas for numerical integration", 1974) and
// adaptive Gauss-Kronrod. The integral and its derivatives with respect to theta are computed together, as one
// integral of a vector: [f | df/dtheta].
#include "autodiff/solvers/quadrature.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kHalfPi = 1.57079632679489661923;

/// The vector that is integrated.
class Integrand {
 public:
  Integrand(const QuadratureOptions& options, FunctionRun& f, double a, double b, const KernelArg& theta)
      : options_(options), f_(f), a_(a), b_(b), k_(theta.autodiff ? theta.shape.size() : 0),
        x_(2 + theta.shape.size()), gradient_(x_.size()) {
    std::copy_n(theta.v, theta.shape.size(), x_.begin() + 2);
  }
  std::size_t size() const { return 1 + k_; }
  /// At x, `from_a` behind the lower and `from_b` before the upper limit: the values, or false where f is not finite.
  bool evaluate(double x, double from_a, double from_b, double* out) {
    x_[0] = x;
    x_[1] = std::isinf(a_) && std::isinf(b_) ? std::numeric_limits<double>::quiet_NaN()
                                             : (from_a < from_b ? -from_a : from_b);
    const double one = 1;
    if (k_ > 0) f_.value_and_pull_back(x_.data(), out, &one, gradient_.data());
    else f_.value(x_.data(), out);
    bool finite = std::isfinite(out[0]);
    if (k_ > 0) {
      std::copy_n(gradient_.begin() + 2, k_, out + 1);
      for (std::size_t i = 1; i <= k_; ++i) {
        if (out[0] == 0 && !std::isfinite(out[i])) out[i] = 0;  // underflow far out: 0 times something large
        finite = finite && std::isfinite(out[i]);
      }
    }
    return finite;
  }
  [[noreturn]] void not_finite(double x) const {
    throw DomainError(fmt::format("{}: the integrand is not finite at {}", options_.name, x));
  }
  const QuadratureOptions& options() const { return options_; }
  double lower() const { return a_; }
  double upper() const { return b_; }

 private:
  const QuadratureOptions& options_;
  FunctionRun& f_;
  double a_, b_;
  std::size_t k_;
  std::vector<double> x_, gradient_;
};

struct Estimate {
  std::vector<double> integral, norm, error;  // norm: of the absolute value
  explicit Estimate(std::size_t n) : integral(n), norm(n), error(n) {}
  /// Largest excess of an error over what is allowed; at most 1: good enough.
  double excess(const QuadratureOptions& o) const {
    double worst = 0;
    for (std::size_t i = 0; i < integral.size(); ++i) {
      const double allowed = std::max(o.abs_tol, o.rel_tol * norm[i]);
      if (error[i] > 0) worst = std::max(worst, error[i] / allowed);
    }
    return worst;
  }
};

// ---------------------------------------------------------------- double exponential

struct Node {
  double x, weight;
  double from_a, from_b;  // distances to the limits of the whole interval
};

/// Maps t in (-inf, inf) to one piece of the interval.
class Piece {
 public:
  Piece(const Integrand& f, double a, double b) : a_(a), b_(b), whole_a_(f.lower()), whole_b_(f.upper()) {}
  double range() const { return std::isinf(a_) || std::isinf(b_) ? 6.8 : 6.11; }
  Node at(double t) const {
    const double u = kHalfPi * std::sinh(t), du = kHalfPi * std::cosh(t);
    if (std::isinf(b_)) return half_line(t, a_, 1);
    if (std::isinf(a_)) return half_line(t, b_, -1);
    const double width = b_ - a_, side = width * std::exp(-std::abs(u)) / (2 * std::cosh(u));
    const double weight = width / 2 * du / std::cosh(u) / std::cosh(u);
    if (t < 0) return {a_ + side, weight, side + (a_ - whole_a_), (whole_b_ - b_) + (width - side)};
    return {b_ - side, weight, (width - side) + (a_ - whole_a_), side + (whole_b_ - b_)};
  }

 private:
  Node half_line(double t, double end, double direction) const {
    const double d = std::exp(kHalfPi * std::sinh(t));
    const double x = end + direction * d, weight = kHalfPi * std::cosh(t) * d;
    return {x, weight, direction > 0 ? d + (a_ - whole_a_) : kInf, direction > 0 ? kInf : d + (whole_b_ - b_)};
  }
  double a_, b_, whole_a_, whole_b_;
};

class DoubleExponential {
 public:
  DoubleExponential(Integrand& f, Piece piece)
      : f_(f), piece_(piece), values_(f.size()), sum_(f.size()), norm_(f.size()), from_(-piece.range()), to_(piece.range()) {}

  Estimate run() {
    Estimate out(f_.size());
    double h = 1;
    for (int level = 0; level <= f_.options().max_refinements; ++level, h /= 2) {
      add_level(level, h);
      for (std::size_t i = 0; i < f_.size(); ++i) {
        const double now = sum_[i] * h;
        out.error[i] = std::abs(now - out.integral[i]);
        out.integral[i] = now;
        out.norm[i] = norm_[i] * h;
      }
      if (level == kTrimLevel) trim(h);
      if (level > kTrimLevel && out.excess(f_.options()) <= 1) break;
    }
    return out;
  }

 private:
  static constexpr int kTrimLevel = 3;

  void add_level(int level, double h) {
    const double first = level == 0 ? 0 : h, stride = level == 0 ? h : 2 * h;
    for (double t = first; t <= to_; t += stride) add(t);
    for (double t = level == 0 ? -h : -first; t >= from_; t -= stride) add(t);
  }
  void add(double t) {
    const Node node = piece_.at(t);
    const bool at_limit = node.x == f_.lower() || node.x == f_.upper() || std::isinf(node.x);
    if (node.weight == 0 || (std::isinf(node.weight) && std::isinf(node.x))) return;
    if (!f_.evaluate(node.x, node.from_a, node.from_b, values_.data())) {
      if (at_limit) return;  // x has lost the distance to a singular limit
      f_.not_finite(node.x);
    }
    double largest = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const double term = values_[i] == 0 ? 0 : values_[i] * node.weight;
      sum_[i] += term;
      norm_[i] += std::abs(term);
      largest = std::max(largest, std::abs(term));
    }
    if (!std::isfinite(largest)) f_.not_finite(node.x);
    if (trimming_) terms_.push_back({t, largest});
  }
  /// Later levels stay where the terms of the first ones were not negligible.
  void trim(double h) {
    double total = 0;
    for (const auto& [t, term] : terms_) total += term;
    double low = kInf, high = -kInf;
    for (const auto& [t, term] : terms_) {
      if (term <= 1e-20 * total) continue;
      low = std::min(low, t);
      high = std::max(high, t);
    }
    trimming_ = false;
    if (low > high) return;
    from_ = std::max(from_, low - 2 * h);
    to_ = std::min(to_, high + 2 * h);
  }

  Integrand& f_;
  Piece piece_;
  std::vector<double> values_, sum_, norm_;
  double from_, to_;
  bool trimming_ = true;
  std::vector<std::pair<double, double>> terms_;
};

void add(Estimate& to, const Estimate& part) {
  for (std::size_t i = 0; i < to.integral.size(); ++i) {
    to.integral[i] += part.integral[i];
    to.norm[i] += part.norm[i];
    to.error[i] += part.error[i];
  }
}

/// An interval with zero inside is split there.
Estimate double_exponential(Integrand& f) {
  const double a = f.lower(), b = f.upper();
  if (!(a < 0 && b > 0)) return DoubleExponential(f, Piece(f, a, b)).run();
  Estimate sum = DoubleExponential(f, Piece(f, a, 0)).run();
  add(sum, DoubleExponential(f, Piece(f, 0, b)).run());
  return sum;
}

// ---------------------------------------------------------------- Gauss-Kronrod, 7 and 15 points

constexpr std::array<double, 8> kNodes{0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
                                       0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
                                       0.586087235467691130294144838258730, 0.405845151377397166906606412076961,
                                       0.207784955007898467600689403773245, 0.0};
constexpr std::array<double, 8> kKronrod{0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
                                         0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
                                         0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
                                         0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
constexpr std::array<double, 4> kGauss{0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
                                       0.381830050505118944950369775488975, 0.417959183673469387755102040816327};

class GaussKronrod {
 public:
  explicit GaussKronrod(Integrand& f) : f_(f), values_(f.size()), gauss_(f.size()), total_norm_(f.size()) {}
  Estimate run() {
    const bool infinite = std::isinf(f_.lower()) || std::isinf(f_.upper());
    const double low = std::isinf(f_.lower()) ? -1 : (infinite ? 0 : f_.lower());
    const double high = std::isinf(f_.upper()) ? 1 : (infinite ? 0 : f_.upper());
    Estimate whole = panel(low, high);
    total_norm_ = whole.norm;
    return refine(std::move(whole), low, high, 0);
  }

 private:
  /// s in the finite interval that stands for the real one: x = a + s / (1 - s) and the like.
  Node node(double s) const {
    const double a = f_.lower(), b = f_.upper();
    if (!std::isinf(a) && !std::isinf(b)) return {s, 1, s - a, b - s};
    if (std::isinf(a) && std::isinf(b)) {
      const double r = 1 / (1 - s * s);
      return {s * r, (1 + s * s) * r * r, kInf, kInf};
    }
    const double r = 1 / (1 - std::abs(s)), d = std::abs(s) * r;
    return std::isinf(b) ? Node{a + d, r * r, d, kInf} : Node{b - d, r * r, kInf, d};
  }
  void add(Estimate& out, double s, double half, double kronrod, double gauss) {
    const Node n = node(s);
    if (!f_.evaluate(n.x, n.from_a, n.from_b, values_.data())) f_.not_finite(n.x);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const double term = half * n.weight * values_[i];
      out.integral[i] += kronrod * term;
      out.norm[i] += kronrod * std::abs(term);
      gauss_[i] += gauss * term;
    }
  }
  Estimate panel(double low, double high) {
    Estimate out(f_.size());
    std::fill(gauss_.begin(), gauss_.end(), 0.0);
    const double centre = (low + high) / 2, half = (high - low) / 2;
    for (std::size_t j = 0; j < kNodes.size(); ++j) {
      const double gauss = j % 2 == 1 ? kGauss[j / 2] : 0;
      add(out, centre + half * kNodes[j], half, kKronrod[j], gauss);
      if (kNodes[j] > 0) add(out, centre - half * kNodes[j], half, kKronrod[j], gauss);
    }
    for (std::size_t i = 0; i < out.error.size(); ++i)
      out.error[i] = std::max(std::abs(out.integral[i] - gauss_[i]), std::abs(out.integral[i]) * 2e-16);
    return out;
  }
  /// Halves the interval while its error is above its share.
  Estimate refine(Estimate whole, double low, double high, int depth) {
    bool good = true;
    for (std::size_t i = 0; i < whole.error.size(); ++i) {
      const double allowed = std::max({f_.options().abs_tol, f_.options().rel_tol * total_norm_[i], whole.norm[i] * 4e-16});
      good = good && whole.error[i] <= allowed;
    }
    if (good) std::fill(whole.error.begin(), whole.error.end(), 0.0);  // only what is above its share counts in the end
    if (good || depth >= f_.options().max_refinements) return whole;
    const double middle = (low + high) / 2;
    Estimate left = panel(low, middle), right = panel(middle, high);
    for (std::size_t i = 0; i < total_norm_.size(); ++i)  // a peak that the larger interval missed
      total_norm_[i] = std::max(total_norm_[i], left.norm[i] + right.norm[i]);
    Estimate sum = refine(std::move(left), low, middle, depth + 1);
    fermiac::ad::add(sum, refine(std::move(right), middle, high, depth + 1));
    return sum;
  }

  Integrand& f_;
  std::vector<double> values_, gauss_, total_norm_;
};

// ---------------------------------------------------------------- the call

/// Scratch: f at both limits, then the derivatives.
class QuadratureCall final : public SolverCall {
 public:
  QuadratureCall(const QuadratureOptions& options, std::shared_ptr<const FunctionSource> f)
      : options_(options), f_(std::move(f)) {}

  Plan plan(const KernelCall& call) const override {
    if (!(options_.rel_tol >= 0)) throw DomainError(fmt::format("{}: relative_tolerance is {}, but must be nonnegative!", options_.name, options_.rel_tol));
    if (!(options_.abs_tol >= 0)) throw DomainError(fmt::format("{}: absolute_tolerance is {}, but must be nonnegative!", options_.name, options_.abs_tol));
    return {Shape::scalar(), 2 + std::uint64_t{call.in[2].shape.size()}};
  }

  void forward(const KernelCall& call) const override {
    const double a = call.in[0].scalar(), b = call.in[1].scalar();
    if (!(a <= b)) throw DomainError(fmt::format("{}: left limit is {}, but must be less than or equal to {}", options_.name, a, b));
    if (std::isinf(a) && a == b) throw DomainError(fmt::format("{}: both limits are {}", options_.name, a));
    require_finite(options_.name, "parameters", call.in[2]);
    auto run = runs_.take([&] { return std::make_unique<FunctionRun>(*f_); });
    Integrand f(options_, *run, a, b, call.in[2]);
    const Estimate estimate = integrate(f, a, b);
    *call.out = estimate.integral[0];
    std::copy(estimate.integral.begin() + 1, estimate.integral.end(), call.scratch + 2);
    std::vector<double> values(f.size());
    for (std::size_t j = 0; j < 2; ++j) {
      call.scratch[j] = 0;
      const double x = call.in[j].scalar();
      if (!call.in[j].autodiff || std::isinf(x)) continue;
      f.evaluate(x, j == 0 ? 0 : b - a, j == 0 ? b - a : 0, values.data());
      call.scratch[j] = j == 0 ? -values[0] : values[0];
    }
    runs_.give_back(std::move(run));
  }

  void reverse(const KernelCall& call) const override {
    const double g = *call.out_a;
    for (std::size_t j = 0; j < 2; ++j) add_adjoint(call.in[j], 0, g * call.scratch[j]);
    for (std::size_t j = 0; j < call.in[2].shape.size(); ++j) add_adjoint(call.in[2], j, g * call.scratch[2 + j]);
  }

 private:
  Estimate integrate(Integrand& f, double a, double b) const {
    if (a == b) return Estimate(f.size());
    Estimate out = options_.rule == QuadratureRule::DoubleExponential ? double_exponential(f) : GaussKronrod(f).run();
    if (out.excess(options_) > 1 && out.error[0] > 1e-13 * out.norm[0])
      throw DomainError(fmt::format("{}: error estimate of integral {} exceeds the given relative tolerance times norm "
                                    "of integral", options_.name, out.error[0]));
    return out;
  }

  QuadratureOptions options_;
  std::shared_ptr<const FunctionSource> f_;
  Pool<FunctionRun> runs_;
};

}  // namespace

std::shared_ptr<const SolverCall> make_quadrature_call(const QuadratureOptions& options,
                                                       std::shared_ptr<const FunctionSource> f) {
  return std::make_shared<const QuadratureCall>(options, std::move(f));
}

}  // namespace fermiac::ad
