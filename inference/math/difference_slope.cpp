#include "inference/math/difference_slope.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace fermiac::inference {
namespace {

using Function = std::function<double(double)>;

double central(const Function& value, double h) {
  return (value(-2 * h) - 8 * value(-h) + 8 * value(h) - value(2 * h)) / (12 * h);
}

/// A solver inside is off by other amounts at other points, so three steps that agree are right.
DifferenceSlope at_step(const Function& value, double h, double rounding) {
  constexpr double kOthers[] = {0.7, 0.45}, kDoubts = 5;
  const double slope = central(value, h);
  double doubt = rounding / h;
  for (const double other : kOthers) doubt += kDoubts * std::fabs(central(value, other * h) - slope);
  return {slope, doubt};
}

}  // namespace

DifferenceSlope difference_slope(const Function& value, double unit, std::span<const double> steps) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::fabs(value(0));
  DifferenceSlope best{kNan, kNan};
  for (const double step : steps)
    if (const DifferenceSlope d = at_step(value, step * unit, rounding); !std::isnan(d.doubt) && !(d.doubt >= best.doubt)) best = d;
  return best;
}

DifferenceSlope difference_along(const std::function<double(std::span<const double>)>& value, std::span<const double> theta, std::size_t i,
                                 std::span<const double> steps) {
  std::vector<double> x(theta.begin(), theta.end());
  const auto moved = [&](double t) {
    x[i] = theta[i] + t;
    return value(x);
  };
  return difference_slope(moved, std::max(1.0, std::fabs(theta[i])), steps);
}

Judged judge(double slope, double tolerance, const std::function<DifferenceSlope()>& best, const std::function<std::shared_ptr<void>()>& stricter,
             const std::function<double()>& again) {
  constexpr double kNearer = 1e-2;  // that is how much they come together at least
  const DifferenceSlope d = best();
  if (agrees(slope, d, tolerance)) return {Judgement::Difference, d.slope};
  const std::shared_ptr<void> scope = stricter();
  const double near = tolerance + kNearer * std::fabs(slope - d.slope);
  return {scope && agrees(again(), best(), near) ? Judgement::Solver : Judgement::Slope, d.slope};
}

}  // namespace fermiac::inference
