// Gradients of whole programs against differences.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "interp/model/interp_model.h"

namespace fermiac::testing {

struct Point {
  double lp = 0;
  std::vector<double> grad;
  std::string error;
};

inline Point evaluate(ModelWorkspace& workspace, const std::vector<double>& theta) {
  Point p{.lp = 0, .grad = std::vector<double>(theta.size()), .error = ""};
  const EvalStatus status = workspace.log_density_gradient(theta, {.propto = false, .jacobian = false}, &p.lp, p.grad);
  p.error = status ? "" : status.message;
  return p;
}
inline Point evaluate(interp::InterpModel& model, const std::vector<double>& theta) {
  return evaluate(*model.workspace(), theta);
}

/// Gradient against central differences of order six.
inline void expect_gradient(interp::InterpModel& model, std::vector<double> theta, double tolerance,
                            double h = 5e-3) {
  const Point at = evaluate(model, theta);
  ASSERT_EQ(at.error, "");
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const double x = theta[i];
    const auto lp = [&](double shift) {
      theta[i] = x + shift;
      const double value = evaluate(model, theta).lp;
      theta[i] = x;
      return value;
    };
    const double slope = (45 * (lp(h) - lp(-h)) - 9 * (lp(2 * h) - lp(-2 * h)) + lp(3 * h) - lp(-3 * h)) / (60 * h);
    EXPECT_NEAR(at.grad[i], slope, tolerance * (1 + std::abs(slope))) << "parameter " << i;
  }
}

}  // namespace fermiac::testing
