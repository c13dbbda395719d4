// Slopes by differences that know how far off they may be, to judge gradients by.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace fermiac::inference {

struct DifferenceSlope {
  double slope = 0;
  double doubt = 0;  // how far from the true slope it may be: other steps give so much else, and values are rounded
};

inline constexpr double kQuickSteps[] = {1e-3};
/// Small ones for functions that bend, large ones for values that are off themselves, those of solvers.
inline constexpr double kAllSteps[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6};

/// The slope at 0 of `value` by central differences of fourth order: of the steps, each times `unit`, that which is least in doubt. NaN,
/// and a doubt of NaN, where values around are not finite at any step. 12 values a step, and one more.
DifferenceSlope difference_slope(const std::function<double(double)>& value, double unit, std::span<const double> steps);

/// The same of a function of several numbers along coordinate i of `theta`, whose size is the unit.
DifferenceSlope difference_along(const std::function<double(std::span<const double>)>& value, std::span<const double> theta, std::size_t i,
                                 std::span<const double> steps);

/// Whether a gradient of `slope` is as the differences say, but for `tolerance`.
inline bool agrees(double slope, const DifferenceSlope& d, double tolerance) {
  return std::fabs(slope - d.slope) <= tolerance + d.doubt;
}

/// What a slope is that is not as differences at some step say.
enum class Judgement : std::uint8_t {
  Difference,  // right: the difference is off itself, its step too small or too large
  Solver,      // off by what the tolerances of a solver inside leave: where those are smaller, both come together
  Slope        // wrong
};

inline constexpr double kStricter = 1e-4;  // of the tolerances of solvers

struct Judged {
  Judgement judgement = Judgement::Difference;
  double difference = 0;  // the best
};

/// `best`: difference_slope over kAllSteps. `stricter`: with what it gives alive, solvers have kStricter of their tolerances; null where
/// there are none. `again`: the slope once more.
Judged judge(double slope, double tolerance, const std::function<DifferenceSlope()>& best, const std::function<std::shared_ptr<void>()>& stricter,
             const std::function<double()>& again);

}  // namespace fermiac::inference
