#include "autodiff/solvers/laplace_likelihood.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "autodiff/kernels/special_scalar.h"
#include "autodiff/linalg/eigen.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

using Vector = Eigen::VectorXd;
using ConstMap = Eigen::Map<const Vector>;
using VectorMap = Eigen::Map<Vector>;

ConstMap as_vector(std::span<const double> x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}
VectorMap as_vector(std::span<double> x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

// ---------------------------------------------------------------- user functions

/// Weights of the values at 0, ±h … ±4h in central differences; `rough`: two orders fewer, to estimate the error.
struct Stencil {
  double centre, fine[4];
  double rough_centre, rough[4];
};
constexpr Stencil kStencils[] = {
    {0, {4. / 5, -1. / 5, 4. / 105, -1. / 280}, 0, {3. / 4, -3. / 20, 1. / 60, 0}},
    {-205. / 72, {8. / 5, -1. / 5, 8. / 315, -1. / 560}, -49. / 18, {3. / 2, -3. / 20, 1. / 90, 0}},
};
constexpr double kFirstStep = 0.1;  // relative to the largest element of the direction
constexpr int kMaxShrinks = 8;
constexpr double kGoodEnough = 1e-9;  // of the rough formula; the fine one is far better

class RecordedLikelihood final : public LatentLikelihood {
 public:
  RecordedLikelihood(std::string_view name, const FunctionSource& f) : name_(name), f_(f) {}

  double gradient(std::span<const double> x, std::span<double> grad) override {
    double value = 0;
    const double seed = 1;
    f_.value_and_pull_back(x.data(), &value, &seed, grad.data());
    return value;
  }

  void gradient_along(std::span<const double> x, std::span<const double> v, int order, std::span<double> out) override {
    const double length = as_vector(v).lpNorm<Eigen::Infinity>();
    VectorMap best = as_vector(out);
    best.setZero();
    if (length == 0) return;
    Vector direction = Vector::Zero(best.size());
    direction.head(static_cast<Eigen::Index>(v.size())) = as_vector(v) / length;
    double least = std::numeric_limits<double>::infinity();
    double h = kFirstStep;
    for (int k = 0; k < kMaxShrinks && least > 1; ++k, h /= 4) {
      const auto [fine, error] = difference(as_vector(x), direction, order, h);
      if (error >= least) break;  // rounding has taken over
      least = error;
      best = fine * std::pow(length, order);
    }
    if (!(least < 1 / kGoodEnough))
      throw DomainError(fmt::format("{}: the likelihood has no finite derivatives at the latent values tried", name_));
  }

 private:
  struct Estimate {
    Vector fine;
    double error;  // at most 1: as good as wanted; infinite: not to be used
  };
  Estimate difference(const ConstMap& x, const Vector& v, int order, double h) {
    const Stencil& s = kStencils[order - 1];
    const double sign = order == 1 ? -1 : 1, scale = std::pow(h, -order);
    try {
      const Vector centre = gradient_at(x);
      Vector fine = s.centre * centre, rough = s.rough_centre * centre;
      for (int k = 0; k < 4; ++k) {
        const Vector pair = gradient_at(x + (k + 1) * h * v) + sign * gradient_at(x - (k + 1) * h * v);
        fine += s.fine[k] * pair;
        rough += s.rough[k] * pair;
      }
      const double gap = (fine - rough).lpNorm<Eigen::Infinity>();
      const double wanted = kGoodEnough * fine.lpNorm<Eigen::Infinity>() + 1e-13 * centre.lpNorm<Eigen::Infinity>();
      if (!std::isfinite(gap)) return {fine, std::numeric_limits<double>::infinity()};
      return {fine * scale, gap <= wanted ? 0 : gap / wanted};
    } catch (const EvalError&) {  // too far: outside the likelihood's domain
      return {Vector(), std::numeric_limits<double>::infinity()};
    }
  }
  Vector gradient_at(const Vector& x) {
    Vector grad(x.size());
    gradient({x.data(), static_cast<std::size_t>(x.size())}, {grad.data(), static_cast<std::size_t>(grad.size())});
    return grad;
  }

  std::string_view name_;
  FunctionRun f_;
};

class RecordedSource final : public LikelihoodSource {
 public:
  RecordedSource(std::string_view name, std::shared_ptr<const FunctionSource> f) : name_(name), f_(std::move(f)) {}
  std::unique_ptr<LatentLikelihood> start() const override { return std::make_unique<RecordedLikelihood>(name_, *f_); }

 private:
  std::string_view name_;
  std::shared_ptr<const FunctionSource> f_;
};

// ---------------------------------------------------------------- counts with a log or logit link

/// The observations of one latent value.
struct Group {
  double n = 0, sum = 0;
  std::vector<std::int32_t> y;  // only where the dispersion needs them one by one
};

/// Log likelihood of one group at linear predictor x: derivatives by x, and by the dispersion phi.
struct Slopes {
  double value = 0, x = 0, xx = 0, xxx = 0;
  double phi = 0, x_phi = 0, xx_phi = 0;
};

Slopes bernoulli_logit(const Group& g, double x, double) {
  const double p = scalar::inv_logit(x), q = scalar::inv_logit(-x);
  return {.value = -g.sum * scalar::log1p_exp(-x) - (g.n - g.sum) * scalar::log1p_exp(x),
          .x = g.sum * q - (g.n - g.sum) * p,
          .xx = -g.n * p * q,
          .xxx = -g.n * p * q * (q - p)};
}
Slopes poisson_log(const Group& g, double x, double) {
  const double rate = g.n * std::exp(x);
  return {.value = g.sum * x - rate, .x = g.sum - rate, .xx = -rate, .xxx = -rate};
}
/// With p = mu / (mu + phi): sum log p + n phi log(1 - p) + log of the binomial coefficients.
Slopes neg_binomial_2_log(const Group& g, double x, double phi) {
  const double z = x - std::log(phi), p = scalar::inv_logit(z), q = scalar::inv_logit(-z), all = g.sum + g.n * phi;
  Slopes s{.value = -g.sum * scalar::log1p_exp(-z) - g.n * phi * scalar::log1p_exp(z),
           .x = g.sum * q - g.n * phi * p,
           .xx = -all * p * q,
           .xxx = -all * p * q * (q - p),
           .phi = -g.sum * q / phi - g.n * scalar::log1p_exp(z) + g.n * p,
           .x_phi = g.sum * p * q / phi - g.n * p * p,
           .xx_phi = g.sum * p * q * (q - p) / phi - 2 * g.n * p * p * q};
  for (const std::int32_t y : g.y) {
    s.value += scalar::lgamma_difference(phi, y);
    s.phi += scalar::digamma_difference(phi, y);
  }
  return s;
}

using GroupLikelihood = Slopes (*)(const Group&, double, double);
constexpr GroupLikelihood kFamilies[] = {bernoulli_logit, poisson_log, neg_binomial_2_log};

class CountLikelihood final : public LatentLikelihood {
 public:
  CountLikelihood(GroupLikelihood slopes, const std::vector<Group>& groups, std::size_t dispersions, double constant)
      : slopes_(slopes), groups_(groups), dispersions_(dispersions), constant_(constant) {}

  double gradient(std::span<const double> x, std::span<double> grad) override {
    std::ranges::fill(grad, 0.0);
    double value = constant_;
    for (std::size_t j = 0; j < groups_.size(); ++j) {
      const Slopes s = at(x, j);
      value += s.value;
      add(grad, j, s.x, s.phi);
    }
    return value;
  }
  void gradient_along(std::span<const double> x, std::span<const double> v, int order, std::span<double> out) override {
    std::ranges::fill(out, 0.0);
    for (std::size_t j = 0; j < groups_.size(); ++j) {
      const Slopes s = at(x, j);
      if (order == 1)
        add(out, j, s.xx * v[j], s.x_phi * v[j]);
      else
        add(out, j, s.xxx * v[j] * v[j], s.xx_phi * v[j] * v[j]);
    }
  }

 private:
  Slopes at(std::span<const double> x, std::size_t j) const {
    return slopes_(groups_[j], x[j] + x[groups_.size() + j], dispersions_ > 0 ? x[dispersion(j)] : 0);
  }
  std::size_t dispersion(std::size_t j) const { return 2 * groups_.size() + (dispersions_ > 1 ? j : 0); }
  void add(std::span<double> out, std::size_t j, double by_x, double by_phi) const {
    out[j] += by_x;
    out[groups_.size() + j] += by_x;
    if (dispersions_ > 0) out[dispersion(j)] += by_phi;
  }
  GroupLikelihood slopes_;
  const std::vector<Group>& groups_;
  std::size_t dispersions_;
  double constant_;
};

class CountSource final : public LikelihoodSource {
 public:
  explicit CountSource(const Counts& c)
      : slopes_(kFamilies[static_cast<std::size_t>(c.family)]), groups_(c.latent), dispersions_(c.dispersions) {
    for (std::size_t i = 0; i < c.y.size(); ++i) {
      Group& g = groups_[static_cast<std::size_t>(c.group[i] - 1)];
      g.n += 1;
      g.sum += c.y[i];
      if (c.family == CountFamily::NegBinomial2Log) g.y.push_back(c.y[i]);
      if (c.family != CountFamily::BernoulliLogit) constant_ -= scalar::log_factorial(c.y[i]);
    }
  }
  std::unique_ptr<LatentLikelihood> start() const override {
    return std::make_unique<CountLikelihood>(slopes_, groups_, dispersions_, constant_);
  }

 private:
  GroupLikelihood slopes_;
  std::vector<Group> groups_;
  std::size_t dispersions_;
  double constant_ = 0;
};

void check(const Counts& c) {
  if (c.y.size() != c.group.size())
    throw SizeError(fmt::format("{}: y has {} elements and y_index has {}, but they must have the same size", c.name,
                                c.y.size(), c.group.size()));
  for (std::size_t i = 0; i < c.y.size(); ++i) {
    if (c.group[i] < 1 || static_cast<std::size_t>(c.group[i]) > c.latent)
      throw IndexError(fmt::format("{}: y_index[{}] is {}, but must be in the interval [1, {}]", c.name, i + 1,
                                   c.group[i], c.latent));
    if (c.y[i] < 0 || (c.family == CountFamily::BernoulliLogit && c.y[i] > 1))
      throw DomainError(fmt::format("{}: y[{}] is {}, but must be {}!", c.name, i + 1, c.y[i],
                                    c.family == CountFamily::BernoulliLogit ? "0 or 1" : "nonnegative"));
  }
  if (c.family == CountFamily::NegBinomial2Log && c.dispersions != 1 && c.dispersions != c.latent)
    throw SizeError(fmt::format("{}: eta has {} elements, but must have 1 or as many as there are latent values, {}",
                                c.name, c.dispersions, c.latent));
}

}  // namespace

std::shared_ptr<const LikelihoodSource> recorded_likelihood(std::string_view name,
                                                            std::shared_ptr<const FunctionSource> f) {
  return std::make_shared<const RecordedSource>(name, std::move(f));
}

std::shared_ptr<const LikelihoodSource> count_likelihood(Counts counts) {
  check(counts);
  return std::make_shared<const CountSource>(counts);
}

}  // namespace fermiac::ad
