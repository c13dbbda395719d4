// Every example, several points: plain evaluator against tape (as recorded, with each rewriting pass left out, with all
// of them), and the gradient against central differences of the plain evaluator.
#include <cmath>

#include "autodiff/tape/rewrite/rewrite.h"
#include "tests/differential/example_models.h"

namespace fermiac::interp {
namespace {

std::vector<double> point(std::size_t n, int k) {
  std::vector<double> theta(n);
  for (std::size_t i = 0; i < n; ++i) theta[i] = 0.3 * std::sin(1 + 0.7 * static_cast<double>(i) + 1.3 * k);
  return theta;
}

struct Evaluation {
  double lp = 0;
  std::vector<double> gradient;
};

Evaluation on_tape(const InterpModel& model, const std::vector<double>& theta) {
  Evaluation e{0, std::vector<double>(theta.size())};
  const auto workspace = model.workspace();
  for (int twice = 0; twice < 2; ++twice) {
    const EvalStatus status =
        workspace->log_density_gradient(theta, {.propto = false, .jacobian = true}, &e.lp, e.gradient);
    EXPECT_TRUE(status) << status.message;
  }
  return e;
}

double largest(const std::vector<double>& v) {
  double m = 0;
  for (const double x : v) m = std::max(m, std::fabs(x));
  return m;
}

class Examples : public testing::TestWithParam<std::string> {};

TEST_P(Examples, EnginesAgree) {
  const auto model = load_example(GetParam());
  ASSERT_TRUE(model);
  std::vector<std::vector<std::string>> skips{{}};
  for (const ad::RewritePass& pass : ad::rewrite_passes()) skips.push_back({std::string(pass.name)});
  for (int k = 0; k < 3; ++k) {
    const std::vector<double> theta = point(model->unconstrained_size(), k);
    double plain = 0;
    const EvalStatus status = model->log_density_plain(theta, true, &plain);
    ASSERT_TRUE(status) << status.message;
    const Evaluation recorded = on_tape(*model->with_settings({.rewrite = false}), theta);
    EXPECT_NEAR(recorded.lp, plain, 1e-11 * std::fabs(plain));
    for (const auto& skip : skips) {
      SCOPED_TRACE(skip.empty() ? "all passes" : "without " + skip[0]);
      const Evaluation rewritten = on_tape(*model->with_settings({.skipped_passes = skip}), theta);
      EXPECT_NEAR(rewritten.lp, plain, 1e-11 * std::fabs(plain));
      const double scale = largest(recorded.gradient);
      for (std::size_t i = 0; i < theta.size(); ++i)
        EXPECT_NEAR(rewritten.gradient[i], recorded.gradient[i], 1e-10 * scale) << "entry " << i;
    }
  }
}

TEST_P(Examples, GradientMatchesDifferences) {
  const auto model = load_example(GetParam());
  ASSERT_TRUE(model);
  const std::vector<double> theta = point(model->unconstrained_size(), 0);
  const Evaluation e = on_tape(*model, theta);
  const double scale = largest(e.gradient);
  const std::size_t step = std::max<std::size_t>(1, theta.size() / 20);  // of many parameters, some
  for (std::size_t i = 0; i < theta.size(); i += step) {
    const double h = 1e-5;
    const auto at = [&](double shift) {
      std::vector<double> moved = theta;
      moved[i] += shift;
      double lp = 0;
      EXPECT_TRUE(model->log_density_plain(moved, true, &lp));
      return lp;
    };
    const double slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    EXPECT_NEAR(e.gradient[i], slope, 1e-6 * std::max(1.0, scale)) << "entry " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Examples, testing::ValuesIn(example_names()));

}  // namespace
}  // namespace fermiac::interp
