// Models whose posterior is known in closed form, written directly against the Model interface.
#pragma once

#include <atomic>
#include <cmath>
#include <filesystem>
#include <functional>
#include <string>

#include "inference/model/model.h"
#include "tests/shared/own_folder.h"

namespace fermiac::testing {

/// Log density and gradient; false refuses the point.
using Density = std::function<bool(std::span<const double> q, double* lp, std::span<double> gradient)>;
/// Constrained value of one coordinate.
using Constrain = std::function<double(double)>;

class AnalyticModel : public Model {
 public:
  AnalyticModel(std::string name, std::size_t n, Density density, Constrain constrain_with = {},
                Constrain unconstrain_with = {})
      : constrain(std::move(constrain_with)),
        unconstrain(std::move(unconstrain_with)),
        name_(std::move(name)),
        n_(n),
        density_(std::move(density)) {}

  std::string_view name() const override { return name_; }
  std::size_t unconstrained_size() const override { return n_; }
  std::vector<std::string> names(bool transformed, bool generated) const override {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < n_; ++i) out.push_back("x." + std::to_string(i + 1));
    if (transformed) out.push_back("sum");
    if (generated) out.push_back("noise");
    return out;
  }
  std::vector<std::string> unconstrained_names() const override { return names(false, false); }
  void set_print(PrintSink) override {}
  /// Accepts {"x": [..]} with n numbers or, partially, {"x.1": a} and the like.
  EvalStatus unconstrain_json(std::string_view json, GivenValues given, std::span<double> theta) const override {
    const std::string text(json);
    if (const std::size_t at = text.find("\"x\""); at != std::string::npos) {
      const char* p = text.c_str() + text.find('[', at) + 1;
      for (double& x : theta) {
        char* end = nullptr;
        x = unconstrain ? unconstrain(std::strtod(p, &end)) : std::strtod(p, &end);
        p = end + 1;
      }
      return {};
    }
    if (!given.partial) return {EvalStatus::Kind::Rejected, "variable x is missing"};
    for (std::size_t i = 0; i < n_; ++i)
      if (const std::size_t at = text.find("\"x." + std::to_string(i + 1) + "\""); at != std::string::npos)
        theta[i] = std::strtod(text.c_str() + text.find(':', at) + 1, nullptr);
    return {};
  }
  EvalStatus unconstrain_array(std::span<const double> constrained, GivenValues, std::span<double> theta) const override {
    for (std::size_t i = 0; i < n_; ++i) theta[i] = unconstrain ? unconstrain(constrained[i]) : constrained[i];
    return {};
  }
  std::unique_ptr<ModelWorkspace> workspace() const override;

  Constrain constrain, unconstrain;  // identity when empty
  bool fail_generated = false;
  mutable std::atomic<long> evaluations{0};

 private:
  friend class AnalyticWorkspace;
  std::string name_;
  std::size_t n_;
  Density density_;
};

class AnalyticWorkspace final : public ModelWorkspace {
 public:
  explicit AnalyticWorkspace(const AnalyticModel& model) : model_(model), scratch_(model.unconstrained_size()) {}
  EvalStatus log_density(std::span<const double> theta, DensityOptions options, double* lp) override {
    return log_density_gradient(theta, options, lp, scratch_);
  }
  EvalStatus log_density_gradient(std::span<const double> theta, DensityOptions, double* lp,
                                  std::span<double> gradient) override {
    ++model_.evaluations;
    if (model_.density_(theta, lp, gradient)) return {};
    return {EvalStatus::Kind::Rejected, "test_lpdf: Scale is " + std::to_string(theta[0]) +
                                            ", but must be positive! (in 'test.stan', line 3, column 2 to column 20)"};
  }
  EvalStatus write_array(std::span<const double> theta, bool transformed, bool generated, Rng& rng,
                         std::span<double> out) override {
    double sum = 0;
    std::size_t i = 0;
    for (; i < theta.size(); ++i) sum += out[i] = model_.constrain ? model_.constrain(theta[i]) : theta[i];
    if (transformed) out[i++] = sum;
    if (generated && model_.fail_generated) return {EvalStatus::Kind::Rejected, "generated quantities failed"};
    if (generated) out[i++] = rng.normal();
    return {};
  }

 private:
  const AnalyticModel& model_;
  std::vector<double> scratch_;
};

inline std::unique_ptr<ModelWorkspace> AnalyticModel::workspace() const {
  return std::make_unique<AnalyticWorkspace>(*this);
}

inline AnalyticModel std_normal(std::size_t n) {
  return {"std_normal", n, [](std::span<const double> q, double* lp, std::span<double> g) {
            *lp = 0;
            for (std::size_t i = 0; i < q.size(); ++i) {
              *lp -= 0.5 * q[i] * q[i];
              g[i] = -q[i];
            }
            return true;
          }};
}

/// Independent normals with mean i and standard deviation 10^(i - 1), i from 0.
inline AnalyticModel scaled_normal(std::size_t n) {
  return {"scaled_normal", n, [](std::span<const double> q, double* lp, std::span<double> g) {
            *lp = 0;
            for (std::size_t i = 0; i < q.size(); ++i) {
              const double sd = std::pow(10.0, double(i) - 1), z = (q[i] - double(i)) / sd;
              *lp -= 0.5 * z * z;
              g[i] = -z / sd;
            }
            return true;
          }};
}

/// Two normals with standard deviations 1 and 2 and correlation 0.95.
inline AnalyticModel correlated_normal() {
  return {"correlated", 2, [](std::span<const double> q, double* lp, std::span<double> g) {
            const double r = 0.95, a = q[0], b = q[1] / 2, k = 1 / (1 - r * r);
            *lp = -0.5 * k * (a * a - 2 * r * a * b + b * b);
            g[0] = -k * (a - r * b);
            g[1] = -k * (b - r * a) / 2;
            return true;
          }};
}

/// Neal's funnel: v ~ normal(0, 3), x_i ~ normal(0, exp(v / 2)).
inline AnalyticModel funnel(std::size_t n) {
  return {"funnel", n, [](std::span<const double> q, double* lp, std::span<double> g) {
            const double v = q[0], precision = std::exp(-v);
            *lp = -0.5 * v * v / 9;
            g[0] = -v / 9;
            for (std::size_t i = 1; i < q.size(); ++i) {
              *lp -= 0.5 * q[i] * q[i] * precision + 0.5 * v;
              g[0] += 0.5 * q[i] * q[i] * precision - 0.5;
              g[i] = -q[i] * precision;
            }
            return true;
          }};
}

/// exponential(1) on x > 0 through x = exp(u): lp = -exp(u) + u with the Jacobian.
inline AnalyticModel log_exponential(std::size_t n) {
  return {"exponential", n,
          [](std::span<const double> q, double* lp, std::span<double> g) {
            *lp = 0;
            for (std::size_t i = 0; i < q.size(); ++i) {
              *lp += q[i] - std::exp(q[i]);
              g[i] = 1 - std::exp(q[i]);
            }
            return true;
          },
          [](double u) { return std::exp(u); }, [](double x) { return std::log(x); }};
}

}  // namespace fermiac::testing
