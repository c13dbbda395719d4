// From any double to an int: scalar functions are total, and casting a double that does not fit an int is undefined.
#pragma once

namespace fermiac::ad {

/// x towards zero, held within [low, high]; NaN gives `low`.
inline int to_int(double x, int low, int high) {
  if (!(x > low)) return low;
  return x < high ? static_cast<int>(x) : high;
}

}  // namespace fermiac::ad
