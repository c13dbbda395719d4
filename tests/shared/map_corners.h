// Operands at which functions have poles, leave their domains, or do not converge; and some at which most have a value.
#pragma once

#include <limits>
#include <vector>

namespace fermiac::testing {

inline std::vector<std::vector<double>> corners(int arity) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
  std::vector<std::vector<double>> out;
  for (const double x : {-1.0, -0.5, 0.0, 0.3, 1.0, 2.0, 1e9, kNan, kInf, -kInf})
    for (const double y : {-1.0, 0.5, 3.0, 1e10}) {
      std::vector<double> point = {x, y, 1.5 * y, 0.5};
      point.resize(static_cast<std::size_t>(arity));
      out.push_back(point);
    }
  return out;
}

}  // namespace fermiac::testing
