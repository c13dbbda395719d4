// The version that clients compare with their own.
#pragma once

namespace fermiac::capi {

struct Version {
  int major, minor, patch;
};

/// Of the entry points.
inline constexpr Version kAbiVersion{2, 9, 0};

}  // namespace fermiac::capi
