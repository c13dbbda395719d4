// Constraining transforms at extreme points of the free scale: constrained values are numbers or infinite, log Jacobians
// and gradients their limits, none is NaN.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "autodiff/kernels/isa.h"
#include "autodiff/kernels/kernel.h"
#include "autodiff/kernels/map_op.h"
#include "autodiff/transforms/transforms.h"

namespace fermiac::ad {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kExtremes[] = {0, 1e-300, 1, 37, 700, 710, 745, 1e4, 1e16, 1e154, 1e300, 1.7e308};

/// All points of up to three numbers from the grid with both signs; longer ones repeat two.
std::vector<std::vector<double>> points(std::size_t n) {
  std::vector<double> grid;
  for (const double x : kExtremes) grid.push_back(x), grid.push_back(-x);
  std::vector<std::vector<double>> all;
  const std::size_t free = n <= 3 ? n : 2;
  std::size_t count = 1;
  for (std::size_t i = 0; i < free; ++i) count *= grid.size();
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<double> p(n);
    std::size_t rest = k;
    for (std::size_t i = 0; i < free; ++i, rest /= grid.size()) p[i] = grid[rest % grid.size()];
    for (std::size_t i = free; i < n; ++i) p[i] = p[i - free];
    all.push_back(std::move(p));
  }
  return all;
}

std::string text(const std::vector<double>& x) { return fmt::format("({})", fmt::join(x, ", ")); }
bool has_nan(const std::vector<double>& x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    if (std::isnan(x[i])) return true;
  return false;
}

/// A structured transform of one size, with and without its Jacobian.
class Structure {
 public:
  Structure(const std::string& stem, const Shape& free, std::vector<std::int32_t> sizes)
      : stem_(stem), free_(free), sizes_(std::move(sizes)) {}

  /// Value, log Jacobian and the gradient of one of: x, log J, both.
  struct Result {
    std::vector<double> x, gradient;
  };
  Result run(const char* suffix, const std::vector<double>& y, double x_adjoint, double jacobian_adjoint) const {
    const Kernel* kernel = find_kernel(stem_ + suffix);
    Result r{{}, std::vector<double>(y.size())};
    std::vector<KernelArg> in{{.shape = free_, .v = y.data(), .a = r.gradient.data(), .autodiff = true}};
    for (const std::int32_t& n : sizes_) in.push_back({.shape = Shape::scalar(), .i = &n});
    KernelCall call{.name = kernel->name, .in = in};
    const Plan plan = kernel->plan(call);
    r.x.resize(plan.out.size());
    std::vector<double> adjoints(plan.out.size(), x_adjoint), scratch(plan.scratch + 1);
    if (std::string_view(suffix) == "_jacobian__") adjoints.back() = jacobian_adjoint;
    call.out_shape = plan.out;
    call.out = r.x.data();
    call.out_a = adjoints.data();
    call.scratch = scratch.data();
    kernel->forward(call);
    kernel->reverse(call);
    return r;
  }
  const std::string& stem() const { return stem_; }
  std::size_t size() const { return free_.size(); }

 private:
  std::string stem_;
  Shape free_;
  std::vector<std::int32_t> sizes_;
};

std::vector<Structure> structures() {
  std::vector<Structure> all;
  for (std::uint32_t k = 1; k <= 5; ++k) {
    const auto size = static_cast<std::int32_t>(k);
    for (const char* stem : {"ordered", "positive_ordered", "unit_vector"}) all.emplace_back(stem, Shape::vector(k), std::vector<std::int32_t>{});
    for (const char* stem : {"simplex", "simplex_stick_breaking", "sum_to_zero"})
      all.emplace_back(stem, Shape::vector(k - 1), std::vector<std::int32_t>{});
    for (const char* stem : {"cholesky_factor_corr", "corr_matrix"})
      all.emplace_back(stem, Shape::vector(k * (k - 1) / 2), std::vector<std::int32_t>{size});
    all.emplace_back("cov_matrix", Shape::vector(k * (k + 1) / 2), std::vector<std::int32_t>{size});
    all.emplace_back("cholesky_factor_cov", Shape::vector(k * (k + 1) / 2 + k), std::vector<std::int32_t>{size + 1, size});
    all.emplace_back("stochastic_column", Shape::matrix(k - 1, 2), std::vector<std::int32_t>{});
    all.emplace_back("stochastic_row", Shape::matrix(2, k - 1), std::vector<std::int32_t>{});
    all.emplace_back("sum_to_zero", Shape::matrix(k - 1, 2), std::vector<std::int32_t>{});
  }
  return all;
}

TEST(TransformLimits, StructuredTransformsAreNeverNan) {
  int failures = 0, evaluations = 0;
  for (const Structure& s : structures())
    for (const std::vector<double>& y : points(s.size())) {
      for (const double x_adjoint : {0.0, 1.0}) {
        const auto r = s.run("_jacobian__", y, x_adjoint, 1);
        ++evaluations;
        if (has_nan(r.x, r.x.size()) || has_nan(r.gradient, y.size())) {
          if (++failures < 20)
            ADD_FAILURE() << s.stem() << "_jacobian at " << text(y) << ": " << text(r.x) << ", gradient " << text(r.gradient);
        }
      }
      const auto r = s.run("_constrain", y, 1, 0);
      if (has_nan(r.x, r.x.size()) || has_nan(r.gradient, y.size())) {
        if (++failures < 20)
          ADD_FAILURE() << s.stem() << "_constrain at " << text(y) << ": " << text(r.x) << ", gradient " << text(r.gradient);
      }
    }
  EXPECT_EQ(failures, 0) << "of " << evaluations;
}

TEST(TransformLimits, ElementwiseTransformsAreNeverNan) {
  struct Row {
    const char* stem;
    std::vector<double> bounds;
  };
  const Row rows[] = {{"lower_bound", {0}}, {"lower_bound", {-1e300}}, {"lower_bound", {-kInf}}, {"upper_bound", {5}},
                      {"upper_bound", {kInf}}, {"lower_upper_bound", {-1, 2}}, {"lower_upper_bound", {-kInf, 2}},
                      {"lower_upper_bound", {-1, kInf}}, {"lower_upper_bound", {-kInf, kInf}}, {"offset_multiplier", {1, 3}}};
  for (const Row& row : rows)
    for (const char* what : {"_constrain", "_log_jacobian__"}) {
      const MapOp& f = map_op(find_map(std::string(row.stem) + what));
      for (const std::vector<double>& y : points(1))
        for (const double g : {0.0, 1.0}) {
          alignas(64) double x[kMaxMapArity][8] = {}, a[kMaxMapArity][8] = {}, out[8] = {}, out_a[8] = {};
          MapArgs m{.out = out, .out_a = out_a, .n = 1, .vector_mask = 1};
          x[0][0] = y[0];
          for (std::size_t j = 0; j < row.bounds.size(); ++j) x[j + 1][0] = row.bounds[j];
          for (int j = 0; j < f.arity; ++j) m.x[j] = x[j], m.a[j] = a[j];
          f.map(m);
          out_a[0] = g;
          f.map_reverse(m);
          EXPECT_FALSE(std::isnan(out[0])) << row.stem << what << text(y);
          EXPECT_FALSE(std::isnan(a[0][0])) << row.stem << what << text(y) << " adjoint " << g;
        }
    }
}

struct Limit {
  const char* stem;
  std::vector<double> y, x;
  double log_jacobian;
  std::vector<double> jacobian_gradient;
};

/// By hand: what the formulas of the reference manual tend to.
TEST(TransformLimits, Values) {
  const double half_log_2 = 0.5 * std::log(2.0);
  const Limit limits[] = {
      {"positive_ordered", {1.7e308}, {kInf}, 1.7e308, {1}},
      {"positive_ordered", {-1.7e308, -1.7e308, 1.7e308}, {0, 0, kInf}, -1.7e308, {1, 1, 1}},
      {"ordered", {-1e300, 1e4}, {-1e300, kInf}, 1e4, {0, 1}},
      {"unit_vector", {3e300, 4e300}, {0.6, 0.8}, -kInf, {-3e300, -4e300}},
      {"unit_vector", {3e-300, 4e-300}, {0.6, 0.8}, 0, {-3e-300, -4e-300}},
      {"unit_vector", {0, 0}, {1, 0}, 0, {0, 0}},
      {"simplex", {1.7e308}, {1, 0}, -kInf, {-std::sqrt(2.0)}},
      {"simplex", {-1e4}, {0, 1}, -2 * 1e4 / std::sqrt(2.0) + half_log_2, {std::sqrt(2.0)}},
      {"simplex_stick_breaking", {1e4, 1e4}, {1, 0, 0}, -3e4 + 2 * std::log(2.0), {-2, -1}},
      {"cov_matrix", {1e4, 1.7e308, -1e4}, {kInf, kInf, kInf, kInf}, 2 * std::log(2.0) + 1e4, {3, 0, 2}},
      {"cov_matrix", {-1e4, 2, -1e4}, {0, 0, 0, 4}, 2 * std::log(2.0) - 5e4, {3, 0, 2}},
      {"cholesky_factor_corr", {1.7e308}, {1, 1, 0, 0}, -kInf, {-2}},
  };
  for (const Limit& l : limits) {
    SCOPED_TRACE(std::string(l.stem) + text(l.y));
    std::vector<std::int32_t> sizes;
    if (std::string_view(l.stem).starts_with("c")) sizes = {2};
    const auto r = Structure(l.stem, Shape::vector(static_cast<std::uint32_t>(l.y.size())), sizes).run("_jacobian__", l.y, 0, 1);
    for (std::size_t i = 0; i < l.x.size(); ++i) EXPECT_DOUBLE_EQ(r.x[i], l.x[i]) << i;
    EXPECT_DOUBLE_EQ(r.x.back(), l.log_jacobian);
    for (std::size_t i = 0; i < l.y.size(); ++i) EXPECT_DOUBLE_EQ(r.gradient[i], l.jacobian_gradient[i]) << i;
  }
}

}  // namespace
}  // namespace fermiac::ad
