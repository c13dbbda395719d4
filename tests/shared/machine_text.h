// How a product reads in the instructions of this machine.
#pragma once

namespace fermiac::testing {

#if defined(__aarch64__)
inline constexpr auto kMultiply = "fmul";
#else
inline constexpr auto kMultiply = "mulsd";
#endif

}  // namespace fermiac::testing
