// Posterior means and standard deviations of the examples without sampling: makes data/posterior_integrals.json.
//
// Each posterior is written out by hand, from examples/NAME/NAME.stan; nothing of the project is used. Latent variables
// are integrated out, normal ones in closed form, others one by one; the at most five parameters left, on the whole
// line, by the trapezoidal rule on a lattice along the principal axes of the mode, as far out as the density is above a
// cutoff. Only irt_2pl leaves ten, which importance sampling integrates; there standard errors are not zero.
//
//     cmake --build build --target posterior_integrals && build/tests/posterior_integrals > FILE
// A number as argument multiplies the lattice's steps: results that do not change are integrated well enough.
#include <fmt/format.h>
#include <simdjson.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kCutoff = 24;  // logarithm of the density's ratio to the mode
constexpr double kNever = -std::numeric_limits<double>::infinity();

/// Log density at a point, and the conditional means of every column and of its square.
struct Point {
  double lp = 0;
  std::vector<double> mean, square;

  void add(double exact) { add(exact, 0); }
  void add(double m, double variance) {
    mean.push_back(m);
    square.push_back(m * m + variance);
  }
};

struct Posterior {
  std::string name;
  std::vector<std::string> columns;
  VectorXd start;
  std::function<void(const VectorXd&, Point&)> density;
  double step = 0.8;  // of the lattice, in standard deviations at the mode

  double lp(const VectorXd& x) const {
    Point p;
    density(x, p);
    return std::isnan(p.lp) ? kNever : p.lp;
  }
};

struct Moments {
  double mean, mean_error, sd, sd_error;
};

// ---- data

class Data {
 public:
  explicit Data(const std::string& example)
      : text_(simdjson::padded_string::load(fmt::format(FERMIAC_SOURCE_DIR "/examples/{0}/{0}.json", example)).value()),
        root_(parser_.parse(text_)) {}
  VectorXd vector(const char* name) const { return list(root_[name]); }
  double number(const char* name) const { return root_[name].get_double(); }
  std::vector<VectorXd> rows(const char* name) const {
    std::vector<VectorXd> out;
    for (const auto row : root_[name].get_array()) out.push_back(list(row));
    return out;
  }

 private:
  static VectorXd list(simdjson::dom::element e) {
    std::vector<double> x;
    for (const auto item : e.get_array()) x.push_back(item.get_double());
    return Eigen::Map<VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
  }
  simdjson::padded_string text_;
  simdjson::dom::parser parser_;
  simdjson::dom::element root_;
};

double sd_of(const VectorXd& x) {
  return std::sqrt((x.array() - x.mean()).square().sum() / static_cast<double>(x.size() - 1));
}
VectorXd standardised(const VectorXd& x) {
  return (x.array() - x.mean()) / sd_of(x);
}

// ---- pieces of densities, without constants

double square(double x) {
  return x * x;
}
double normal(double x, double sd) {
  return -0.5 * square(x / sd);
}
double inv_logit(double x) {
  return 1 / (1 + std::exp(-x));
}
/// log inv_logit(x)
double log_inv_logit(double x) {
  return x > 0 ? -std::log1p(std::exp(-x)) : x - std::log1p(std::exp(x));
}
/// Logarithm of the derivative of inv_logit.
double logit_jacobian(double x) {
  return log_inv_logit(x) + log_inv_logit(-x);
}

/// The normal distribution with precision P and P * mean = b: log of its integral without constants, mean and
/// covariance.
struct Gaussian {
  VectorXd mean;
  MatrixXd covariance;
  double log_integral;
  Gaussian(const MatrixXd& precision, const VectorXd& b) {
    const Eigen::LLT<MatrixXd> factor(precision);
    mean = factor.solve(b);
    covariance = factor.solve(MatrixXd::Identity(b.size(), b.size()));
    log_integral = 0.5 * b.dot(mean) - factor.matrixL().toDenseMatrix().diagonal().array().log().sum();
  }
};

// ---- the examples

/// mu and theta are normal given tau.
Posterior eight_schools() {
  const Data data("eight_schools");
  Posterior p{.name = "eight_schools",
              .columns = {"mu", "tau"},
              .start = VectorXd::Constant(1, 1),
              .density = {},
              .step = 0.05};
  const VectorXd y = data.vector("y"), s2 = data.vector("sigma").array().square();
  for (int j = 1; j <= y.size(); ++j) p.columns.push_back(fmt::format("theta.{}", j));
  p.density = [=](const VectorXd& x, Point& out) {
    const double tau = std::exp(x[0]);
    const VectorXd v = s2.array() + square(tau);
    const double precision = 1 / 25.0 + v.cwiseInverse().sum(), mu = y.cwiseQuotient(v).sum() / precision;
    out.lp = -0.5 * v.array().log().sum() - 0.5 * y.cwiseAbs2().cwiseQuotient(v).sum() + 0.5 * precision * square(mu) -
             0.5 * std::log(precision) - std::log1p(square(tau / 5)) + x[0];
    out.add(mu, 1 / precision);
    out.add(tau);
    for (int j = 0; j < y.size(); ++j) {
      const double pooled = s2[j] / v[j];
      out.add((1 - pooled) * y[j] + pooled * mu, (1 - pooled) * s2[j] + square(pooled) / precision);
    }
  };
  return p;
}

/// Coefficients are normal given sigma.
Posterior ar() {
  const Data data("ar");
  const int order = static_cast<int>(data.number("K"));
  const VectorXd z = data.vector("trapped").array().log10();
  const Eigen::Index n = z.size() - order;
  Posterior p{.name = "ar", .columns = {"alpha"}, .start = VectorXd::Constant(1, -1), .density = {}, .step = 0.1};
  MatrixXd predictors(n, order + 1);
  predictors.col(0).setOnes();
  for (int k = 1; k <= order; ++k) {
    predictors.col(k) = z.segment(order - k, n);
    p.columns.push_back(fmt::format("beta.{}", k));
  }
  p.columns.push_back("sigma");
  const VectorXd y = z.tail(n);
  VectorXd prior = VectorXd::Constant(order + 1, 1 / square(2));
  prior[0] = 1 / square(5);
  p.density = [=](const VectorXd& x, Point& out) {
    const double sigma = std::exp(x[0]), weight = 1 / square(sigma);
    MatrixXd precision = weight * predictors.transpose() * predictors;
    precision.diagonal() += prior;
    const Gaussian g(precision, weight * predictors.transpose() * y);
    out.lp = -static_cast<double>(n) * x[0] - 0.5 * weight * y.squaredNorm() + g.log_integral - sigma + x[0];
    for (int k = 0; k <= order; ++k) out.add(g.mean[k], g.covariance(k, k));
    out.add(sigma);
  };
  return p;
}

Posterior kidiq() {
  const Data data("kidiq");
  const VectorXd iq = standardised(data.vector("mom_iq")), hs = data.vector("mom_hs"), y = data.vector("kid_score");
  const Eigen::Index n = y.size();
  MatrixXd predictors(n, 4);
  predictors << VectorXd::Ones(n), iq, hs, iq.cwiseProduct(hs);
  MatrixXd centred = predictors.rightCols(3);
  centred.rowwise() -= centred.colwise().mean().eval();
  const MatrixXd spread = centred.transpose() * centred / static_cast<double>(n - 1);
  const MatrixXd cross = predictors.transpose() * predictors;
  const VectorXd products = predictors.transpose() * y;
  const double total = y.squaredNorm();
  Posterior p{.name = "kidiq",
              .columns = {"alpha", "beta.1", "beta.2", "beta.3", "sigma", "r_squared"},
              .start = VectorXd(5),
              .density = {}};
  p.start << 85, 10, 2, -5, 3;
  p.density = [=](const VectorXd& x, Point& out) {
    const VectorXd b = x.head(4);
    const double sigma = std::exp(x[4]), rest = total - 2 * b.dot(products) + b.dot(cross * b);
    out.lp = -static_cast<double>(n) * x[4] - 0.5 * rest / square(sigma) + normal(x[0] - 90, 30) - 0.05 * sigma + x[4];
    for (int k = 1; k < 4; ++k) out.lp += normal(x[k], 20);
    const double explained = b.tail(3).dot(spread * b.tail(3));
    for (int k = 0; k < 4; ++k) out.add(x[k]);
    out.add(sigma);
    out.add(explained / (explained + square(sigma)));
  };
  return p;
}

/// Sums over the observations of one county: Z = (1, floor) are the predictors that vary by county, W = (1, uranium,
/// floor) all of them.
struct County {
  double n = 0, yy = 0;
  Eigen::Matrix2d zz = Eigen::Matrix2d::Zero();
  Eigen::Matrix<double, 2, 3> zw = Eigen::Matrix<double, 2, 3>::Zero();
  Eigen::Matrix3d ww = Eigen::Matrix3d::Zero();
  Eigen::Vector2d zy = Eigen::Vector2d::Zero();
  Eigen::Vector3d wy = Eigen::Vector3d::Zero();
};

/// Everything but the three standard deviations is normal given them.
Posterior radon() {
  const Data data("radon");
  const VectorXd county = data.vector("county"), f = data.vector("floor_measure"), u = data.vector("log_uranium"),
                 y = data.vector("log_radon");
  std::vector<County> counties(static_cast<std::size_t>(data.number("J")));
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    County& c = counties[static_cast<std::size_t>(county[i]) - 1];
    const Eigen::Vector2d z(1, f[i]);
    const Eigen::Vector3d w(1, u[i], f[i]);
    c.n += 1, c.yy += square(y[i]), c.zz += z * z.transpose(), c.zw += z * w.transpose(), c.ww += w * w.transpose();
    c.zy += z * y[i], c.wy += w * y[i];
  }
  Posterior p{.name = "radon",
              .columns = {"mu_alpha", "gamma", "mu_beta", "sigma_alpha", "sigma_beta", "sigma", "alpha.1", "beta.70"},
              .start = VectorXd(3),
              .density = {},
              .step = 0.5};
  p.start << -2, -1, -0.3;
  p.density = [=](const VectorXd& x, Point& out) {
    const Eigen::Vector2d spread(std::exp(x[0]), std::exp(x[1]));
    const double sigma = std::exp(x[2]), weight = 1 / square(sigma);
    MatrixXd precision = MatrixXd::Identity(3, 3) / 25;
    VectorXd b = VectorXd::Zero(3);
    out.lp = normal(spread[0], 2) + normal(spread[1], 2) + normal(sigma, 2) + x.sum();
    const auto gain = [&](const County& c) -> Eigen::Matrix2d {  // covariance of the county's effects given all others
      const Eigen::Matrix2d m = Eigen::Matrix2d::Identity() + weight * spread.asDiagonal() * c.zz * spread.asDiagonal();
      return spread.asDiagonal() * m.inverse() * spread.asDiagonal();
    };
    for (const County& c : counties) {
      const Eigen::Matrix2d k = gain(c);
      const Eigen::Matrix2d m = Eigen::Matrix2d::Identity() + weight * spread.asDiagonal() * c.zz * spread.asDiagonal();
      precision += weight * (c.ww - weight * c.zw.transpose() * k * c.zw);
      b += weight * (c.wy - weight * c.zw.transpose() * k * c.zy);
      out.lp += -c.n * x[2] - 0.5 * std::log(m.determinant()) - 0.5 * weight * (c.yy - weight * c.zy.dot(k * c.zy));
    }
    const Gaussian g(precision, b);
    out.lp += g.log_integral;
    for (int j = 0; j < 3; ++j) out.add(g.mean[j], g.covariance(j, j));
    out.add(spread[0]), out.add(spread[1]), out.add(sigma);
    Eigen::Matrix<double, 2, 3> common = Eigen::Matrix<double, 2, 3>::Zero();
    common(0, 0) = common(1, 2) = 1;
    for (const auto& [j, effect] : {std::pair{0, 0}, std::pair{69, 1}}) {
      const County& c = counties[static_cast<std::size_t>(j)];
      const Eigen::Matrix2d k = gain(c);
      const Eigen::Matrix<double, 2, 3> slope = common - weight * k * c.zw;
      const Eigen::Vector2d mean = weight * k * c.zy + slope * g.mean;
      const Eigen::Matrix2d covariance = k + slope * g.covariance * slope.transpose();
      out.add(mean[effect], covariance(effect, effect));
    }
  };
  return p;
}

Posterior gp() {
  const Data data("gp");
  const VectorXd t = standardised(data.vector("t")), y = standardised(data.vector("accel"));
  const Eigen::Index n = y.size();
  Posterior p{.name = "gp", .columns = {"alpha", "rho", "sigma"}, .start = VectorXd(3), .density = {}, .step = 0.6};
  p.start << 0, -1, -1;
  MatrixXd squared_distances(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) squared_distances(i, j) = square(t[i] - t[j]);
  p.density = [=](const VectorXd& x, Point& out) {
    const double alpha = std::exp(x[0]), rho = std::exp(x[1]), sigma = std::exp(x[2]);
    MatrixXd k = square(alpha) * (squared_distances.array() * (-0.5 / square(rho))).exp();
    k.diagonal().array() += square(sigma) + 1e-9;
    const Eigen::LLT<MatrixXd> factor(k);
    const MatrixXd lower = factor.matrixL();
    out.lp = -0.5 * y.dot(factor.solve(y)) - lower.diagonal().array().log().sum() + normal(alpha, 2) +
             normal(sigma, 1) - 6 * x[1] - 2 / rho + x.sum();
    out.add(alpha), out.add(rho), out.add(sigma);
  };
  return p;
}

/// Coefficients of a logistic regression; rows with the same predictors together.
struct LogisticRegression {
  MatrixXd predictors;
  VectorXd ones, zeros;  // how many outcomes of each kind

  double lp(const VectorXd& b, double* mean_probability = nullptr) const {
    const VectorXd eta = predictors * b;
    double sum = 0, probability = 0;
    for (Eigen::Index i = 0; i < eta.size(); ++i) {
      const double e = std::exp(-std::abs(eta[i])), l = std::log1p(e);
      sum -= ones[i] * (l + std::max(-eta[i], 0.0)) + zeros[i] * (l + std::max(eta[i], 0.0));
      probability += (ones[i] + zeros[i]) * (eta[i] > 0 ? 1 : e) / (1 + e);
    }
    if (mean_probability) *mean_probability = probability / (ones.sum() + zeros.sum());
    return sum;
  }
};

Posterior dogs() {
  const Data data("dogs");
  std::map<std::pair<int, int>, std::array<double, 2>> counts;  // avoided and shocked so far: outcomes
  for (const VectorXd& dog : data.rows("y")) {
    int shocked = 0;
    for (Eigen::Index t = 0; t < dog.size(); ++t) {
      const int outcome = static_cast<int>(dog[t]);
      counts[{static_cast<int>(t) - shocked, shocked}][static_cast<std::size_t>(outcome)] += 1;
      shocked += outcome;
    }
  }
  const auto n = static_cast<Eigen::Index>(counts.size());
  LogisticRegression r{MatrixXd(n, 3), VectorXd(n), VectorXd(n)};
  Eigen::Index row = 0;
  for (const auto& [history, outcomes] : counts) {
    r.predictors.row(row) << 1, history.first, history.second;
    r.zeros[row] = outcomes[0];
    r.ones[row++] = outcomes[1];
  }
  Posterior p{.name = "dogs",
              .columns = {"beta.1", "beta.2", "beta.3"},
              .start = VectorXd::Zero(3),
              .density = {},
              .step = 0.5};
  p.density = [=](const VectorXd& x, Point& out) {
    out.lp = r.lp(x) - 0.5 * x.squaredNorm() / square(10);
    for (int k = 0; k < 3; ++k) out.add(x[k]);
  };
  return p;
}

Posterior wells() {
  const Data data("wells");
  const VectorXd dist = data.vector("dist"), log_arsenic = data.vector("arsenic").array().log(),
                 educ = data.vector("educ");
  const VectorXd d = (dist.array() - dist.mean()) / 100, a = log_arsenic.array() - log_arsenic.mean();
  const Eigen::Index n = d.size();
  LogisticRegression r{MatrixXd(n, 5), data.vector("switched"), VectorXd()};
  r.zeros = 1 - r.ones.array();
  r.predictors << VectorXd::Ones(n), d, a, (educ.array() - educ.mean()) / 4, d.cwiseProduct(a);
  Posterior p{.name = "wells",
              .columns = {"alpha", "beta.1", "beta.2", "beta.3", "beta.4", "mean_switch"},
              .start = VectorXd::Zero(5),
              .density = {},
              .step = 0.9};
  p.density = [=](const VectorXd& x, Point& out) {
    double mean_switch = 0;
    out.lp = r.lp(x, &mean_switch) - 0.5 * x.squaredNorm() / square(2.5);
    for (int k = 0; k < 5; ++k) out.add(x[k]);
    out.add(mean_switch);
  };
  return p;
}

Posterior garch() {
  const Data data("garch");
  const VectorXd r = data.vector("r");
  const double first = data.number("sigma1");
  Posterior p{.name = "garch",
              .columns = {"mu", "alpha0", "alpha1", "beta1", fmt::format("sigma.{}", r.size())},
              .start = VectorXd(4),
              .density = {},
              .step = 0.6};
  p.start << 0, -1, -2, 1;
  p.density = [=](const VectorXd& x, Point& out) {
    const double mu = x[0], alpha0 = std::exp(x[1]), alpha1 = inv_logit(x[2]), beta1 = (1 - alpha1) * inv_logit(x[3]);
    out.lp =
        normal(mu, 1) + normal(alpha0, 1) + x[1] + logit_jacobian(x[2]) + std::log1p(-alpha1) + logit_jacobian(x[3]);
    double variance = square(first);
    for (Eigen::Index t = 0; t < r.size(); ++t) {
      if (t > 0) variance = alpha0 + alpha1 * square(r[t - 1] - mu) + beta1 * variance;
      out.lp -= 0.5 * std::log(variance) + 0.5 * square(r[t] - mu) / variance;
    }
    out.add(mu), out.add(alpha0), out.add(alpha1), out.add(beta1), out.add(std::sqrt(variance));
  };
  return p;
}

Posterior hmm() {
  const VectorXd y = Data("hmm").vector("y");
  Posterior p{.name = "hmm",
              .columns = {"p_long.1", "p_long.2", "Gamma.1.1", "Gamma.2.1"},
              .start = VectorXd(4),
              .density = {},
              .step = 0.6};
  p.start << -3, 1, -1, 4;
  p.density = [=](const VectorXd& x, Point& out) {
    const double stay = inv_logit(x[0]), back = inv_logit(x[1]), p1 = inv_logit(x[2]), p2 = inv_logit(x[3]);
    out.lp = x[2] < x[3] ? normal(x[2], 2.5) + normal(x[3], 2.5) + 2 * logit_jacobian(x[0]) + 2 * logit_jacobian(x[1])
                         : kNever;
    double a1 = 0.5, a2 = 0.5;  // probabilities of the states given the past
    for (Eigen::Index t = 0; t < y.size(); ++t) {
      if (t > 0) {
        const double next = a1 * stay + a2 * back;
        a2 = a1 * (1 - stay) + a2 * (1 - back);
        a1 = next;
      }
      a1 *= y[t] == 2 ? p1 : 1 - p1;
      a2 *= y[t] == 2 ? p2 : 1 - p2;
      const double total = a1 + a2;
      out.lp += std::log(total);
      a1 /= total;
      a2 /= total;
    }
    out.add(p1), out.add(p2), out.add(stay), out.add(back);
  };
  return p;
}

Posterior mixture() {
  const VectorXd y = Data("mixture").vector("y");
  Posterior p{.name = "mixture",
              .columns = {"theta", "mu.1", "mu.2", "sigma.1", "sigma.2"},
              .start = VectorXd(5),
              .density = {}};
  p.start << -0.5, 2, 4.3, -1.4, -0.8;
  p.density = [=](const VectorXd& x, Point& out) {
    const double theta = inv_logit(x[0]), s1 = std::exp(x[3]), s2 = std::exp(x[4]);
    out.lp = x[1] < x[2] ? 2 * logit_jacobian(x[0]) + normal(x[1] - 3, 2) + normal(x[2] - 3, 2) + normal(s1, 1) +
                               normal(s2, 1) + x[3] + x[4]
                         : kNever;
    for (Eigen::Index i = 0; i < y.size(); ++i)
      out.lp += std::log(theta / s1 * std::exp(normal(y[i] - x[1], s1)) +
                         (1 - theta) / s2 * std::exp(normal(y[i] - x[2], s2)));
    out.add(theta), out.add(x[1]), out.add(x[2]), out.add(s1), out.add(s2);
  };
  return p;
}

/// Nodes of the trapezoidal rule for a standard normal variable.
std::vector<std::pair<double, double>> normal_nodes(double step) {
  std::vector<std::pair<double, double>> nodes;
  for (int k = -static_cast<int>(8 / step); k * step <= 8; ++k)
    nodes.emplace_back(k * step, step * std::exp(normal(k * step, 1)) / std::sqrt(2 * M_PI));
  return nodes;
}

/// The effect of each plate is integrated on its own.
Posterior seeds() {
  const Data data("seeds");
  const VectorXd n = data.vector("n"), trials = data.vector("N"), x1 = data.vector("x1"), x2 = data.vector("x2");
  Posterior p{.name = "seeds",
              .columns = {"alpha0", "alpha1", "alpha2", "alpha12", "sigma", "b.1"},
              .start = VectorXd(5),
              .density = {}};
  p.start << -0.5, 0, 1.3, -0.8, -1;
  const auto nodes = normal_nodes(0.5);
  p.density = [=](const VectorXd& x, Point& out) {
    const double sigma = std::exp(x[4]);
    out.lp = normal(sigma, 1) + x[4] - 0.5 * x.head(4).squaredNorm() / 4;
    for (int k = 0; k < 4; ++k) out.add(x[k]);
    out.add(sigma);
    for (Eigen::Index i = 0; i < n.size(); ++i) {
      const double eta = x[0] + x[1] * x1[i] + x[2] * x2[i] + x[3] * x1[i] * x2[i];
      const double at_zero = n[i] * log_inv_logit(eta) + (trials[i] - n[i]) * log_inv_logit(-eta);
      double sum = 0, first = 0, second = 0;
      for (const auto& [z, weight] : nodes) {
        const double shifted = eta + sigma * z;  // log(1 - p) = log(p) - eta
        const double w = weight * std::exp(trials[i] * log_inv_logit(shifted) - (trials[i] - n[i]) * shifted - at_zero);
        sum += w, first += w * sigma * z, second += w * square(sigma * z);
      }
      out.lp += at_zero + std::log(sum);
      if (i == 0) out.add(first / sum, second / sum - square(first / sum));
    }
  };
  return p;
}

/// Abilities are integrated one by one; people with the same answers share the integral. Parameters are the intercepts
/// -discrimination * difficulty, of which the density is nearly normal, and the logarithms of the discriminations.
Posterior irt_2pl() {
  const std::vector<VectorXd> y = Data("irt_2pl").rows("y");
  std::map<unsigned, double> counts;
  const auto answers = [&](Eigen::Index person) {
    unsigned bits = 0;
    for (std::size_t i = 0; i < y.size(); ++i) bits |= (y[i][person] > 0 ? 1u : 0u) << i;
    return bits;
  };
  for (Eigen::Index j = 0; j < y[0].size(); ++j) counts[answers(j)] += 1;
  const unsigned first = answers(0);
  Posterior p{.name = "irt_2pl",
              .columns = {"difficulty.1", "difficulty.5", "discrimination.1", "discrimination.3", "theta.1"},
              .start = VectorXd(10),
              .density = {}};
  p.start << 3, 1, 0.3, 1.5, 3, 0, 0, 0, 0, 0;
  const auto nodes = normal_nodes(0.5);
  p.density = [=](const VectorXd& x, Point& out) {
    double slope[5], difficulty[5];
    out.lp = 0;
    for (int i = 0; i < 5; ++i) {
      slope[i] = std::exp(x[5 + i]);
      difficulty[i] = -x[i] / slope[i];
      out.lp += normal(difficulty[i], 3) - x[5 + i] + normal(x[5 + i], 0.5);
    }
    std::map<unsigned, std::array<double, 3>> sums;
    for (const auto& [theta, weight] : nodes) {
      double yes[5];
      for (int i = 0; i < 5; ++i) yes[i] = inv_logit(slope[i] * theta + x[i]);
      for (const auto& [bits, count] : counts) {
        double w = weight;
        for (unsigned i = 0; i < 5; ++i) w *= bits >> i & 1u ? yes[i] : 1 - yes[i];
        auto& s = sums[bits];
        s[0] += w, s[1] += w * theta, s[2] += w * square(theta);
      }
    }
    for (const auto& [bits, count] : counts) out.lp += count * std::log(sums[bits][0]);
    out.add(difficulty[0]), out.add(difficulty[4]), out.add(slope[0]), out.add(slope[2]);
    const auto& s = sums[first];
    out.add(s[1] / s[0], s[2] / s[0] - square(s[1] / s[0]));
  };
  return p;
}

// ---- integration

/// Newton steps on differences, halved until they go up.
struct Mode {
  VectorXd at;
  MatrixXd axes;  // columns: standard deviations along the axes of the density at the mode
  double lp;
};

MatrixXd hessian(const Posterior& p, const VectorXd& x, double h, VectorXd& gradient) {
  const Eigen::Index n = x.size();
  MatrixXd out(n, n);
  const auto at = [&](Eigen::Index i, double a, Eigen::Index j, double b) {
    VectorXd y = x;
    y[i] += a, y[j] += b;
    return p.lp(y);
  };
  const double middle = p.lp(x);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double up = at(i, h, i, 0), down = at(i, -h, i, 0);
    gradient[i] = (up - down) / (2 * h);
    out(i, i) = (up - 2 * middle + down) / (h * h);
    for (Eigen::Index j = 0; j < i; ++j)
      out(i, j) = out(j, i) = (at(i, h, j, h) - at(i, h, j, -h) - at(i, -h, j, h) + at(i, -h, j, -h)) / (4 * h * h);
  }
  return out;
}

Mode find_mode(const Posterior& p) {
  VectorXd x = p.start, gradient(x.size());
  MatrixXd axes;
  for (int round = 0; round < 200; ++round) {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(-hessian(p, x, 1e-3, gradient));
    const VectorXd curvature = eigen.eigenvalues().cwiseAbs().cwiseMax(1e-3);
    axes = eigen.eigenvectors() * curvature.cwiseSqrt().cwiseInverse().asDiagonal();
    VectorXd step = axes * (axes.transpose() * gradient);
    const double here = p.lp(x);
    while (!(p.lp(x + step) >= here) && step.norm() > 1e-9) step /= 2;
    x += step;
    if (step.norm() < 1e-7) break;
  }
  return {x, axes, p.lp(x)};
}

class Sums {
 public:
  explicit Sums(std::size_t columns) : first_(columns), second_(columns) {}
  void add(double w, const Point& p) {
    total_ += w;
    for (std::size_t c = 0; c < first_.size(); ++c) first_[c] += w * p.mean[c], second_[c] += w * p.square[c];
  }
  Moments moments(std::size_t c) const {
    const double mean = first_[c] / total_;
    return {mean, 0, std::sqrt(second_[c] / total_ - mean * mean), 0};
  }
  double total() const { return total_; }

 private:
  double total_ = 0;
  std::vector<double> first_, second_;
};

using Lattice = std::array<std::int16_t, 5>;
struct LatticeHash {
  std::size_t operator()(const Lattice& at) const {
    std::size_t h = 0;
    for (const std::int16_t k : at) h = h * 1000003 + static_cast<std::size_t>(k + 40000);
    return h;
  }
};

/// From the mode outwards to neighbours, as far as the density is above the cutoff.
std::vector<Moments> integrate_on_lattice(const Posterior& p, double step) {
  const Mode mode = find_mode(p);
  std::unordered_set<Lattice, LatticeHash> seen;
  std::deque<Lattice> open{Lattice{}};
  seen.insert(Lattice{});
  Sums sums(p.columns.size());
  for (; !open.empty(); open.pop_front()) {
    const Lattice at = open.front();
    VectorXd z(mode.at.size());
    for (Eigen::Index k = 0; k < z.size(); ++k) z[k] = step * at[static_cast<std::size_t>(k)];
    Point point;
    p.density(mode.at + mode.axes * z, point);
    if (!(point.lp > mode.lp - kCutoff)) continue;
    sums.add(std::exp(point.lp - mode.lp), point);
    for (std::size_t k = 0; k < static_cast<std::size_t>(z.size()); ++k)
      for (const int way : {-1, 1}) {
        Lattice next = at;
        next[k] = static_cast<std::int16_t>(next[k] + way);
        if (seen.insert(next).second) open.push_back(next);
      }
  }
  std::vector<Moments> out;
  for (std::size_t c = 0; c < p.columns.size(); ++c) out.push_back(sums.moments(c));
  fmt::print(stderr, "{}: {} points\n", p.name, seen.size());
  return out;
}

/// Importance sampling from a multivariate t distribution with eight degrees of freedom around the mode.
std::vector<Moments> integrate_by_importance(const Posterior& p, int draws) {
  const Mode mode = find_mode(p);
  const auto n = static_cast<double>(mode.at.size());
  constexpr double kDegrees = 8;
  std::mt19937_64 engine(1);
  std::normal_distribution<double> gauss;
  std::gamma_distribution<double> chi_square(kDegrees / 2, 2);
  std::vector<Point> points(static_cast<std::size_t>(draws));
  Sums sums(p.columns.size());
  for (Point& point : points) {
    VectorXd z(mode.at.size());
    for (double& x : z) x = gauss(engine);
    z *= std::sqrt(kDegrees / chi_square(engine));
    p.density(mode.at + mode.axes * z, point);
    point.lp =
        std::exp(point.lp - mode.lp + 0.5 * (kDegrees + n) * std::log1p(z.squaredNorm() / kDegrees));  // the weight
    sums.add(point.lp, point);
  }
  std::vector<Moments> out;
  for (std::size_t c = 0; c < p.columns.size(); ++c) {
    Moments m = sums.moments(c);
    double of_mean = 0, of_variance = 0;
    for (const Point& point : points) {
      of_mean += square(point.lp * (point.mean[c] - m.mean));
      of_variance += square(point.lp * (point.square[c] - 2 * m.mean * point.mean[c] + square(m.mean) - square(m.sd)));
    }
    m.mean_error = std::sqrt(of_mean) / sums.total();
    m.sd_error = std::sqrt(of_variance) / sums.total() / (2 * m.sd);
    out.push_back(m);
  }
  return out;
}

void print(const Posterior& p, const std::vector<Moments>& moments) {
  fmt::print(",\n \"{}\": {{\n", p.name);
  for (std::size_t c = 0; c < moments.size(); ++c) {
    const Moments& m = moments[c];
    fmt::print("  \"{}\": [{:.8g}, {:.2g}, {:.8g}, {:.2g}]{}\n", p.columns[c], m.mean, m.mean_error, m.sd, m.sd_error,
               c + 1 < moments.size() ? "," : "");
  }
  fmt::print(" }}");
}

}  // namespace

int main(int argc, char** argv) {
  const double fineness = argc > 1 ? std::stod(argv[1]) : 1;
  fmt::print(
      "{{\n \"about\": \"posterior mean, its standard error, standard deviation, its standard error by column of the "
      "examples; integrals, made by posterior_integrals.cpp\"");
  for (const auto make : {ar, dogs, eight_schools, garch, gp, hmm, kidiq, mixture, radon, seeds, wells}) {
    const Posterior p = make();
    print(p, integrate_on_lattice(p, p.step * fineness));
  }
  const Posterior p = irt_2pl();
  print(p, integrate_by_importance(p, 1000000));
  fmt::print("\n}}\n");
}
