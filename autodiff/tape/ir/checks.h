// Checks of bounds, at once and as operations of a tape that do nothing but throw.
#pragma once

#include <span>
#include <string_view>

#include "autodiff/kernels/kernel.h"

namespace fermiac::ad {

/// Throws DomainError, which names element i of the variable.
[[noreturn]] void fail_bound(bool lower, std::string_view variable, const Shape& shape, std::uint32_t i, double x, double bound);
/// The same unless x >= bound (or x <= bound); NaN fails.
inline void check_bound(bool lower, std::string_view variable, const Shape& shape, std::uint32_t i, double x, double bound) {
  if (!(lower ? x >= bound : x <= bound)) [[unlikely]]
    fail_bound(lower, variable, shape, i, x, bound);
}

/// The same for all elements of a container of reals or ints, with one bound or one for each.
template <class X>
void check_bounds(bool lower, std::string_view variable, const Shape& shape, const X* x, std::span<const double> bounds);

/// The check as a kernel: the elements of the first operand are not below (above) the second, one bound or one for each. The
/// name of the call is the variable's.
extern const Kernel kCheckLower, kCheckUpper;

}  // namespace fermiac::ad
