// The arc tangent on lanes. Include only from *.isa.cpp files.
#pragma once

#include "autodiff/kernels/simd.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

FERMIAC_INLINE double atan(double x) { return std::atan(x); }
/// S. Moshier, Methods and Programs for Mathematical Functions (1989): reduction to |x| <= 0.66, then a rational function.
FERMIAC_INLINE V atan(V x) {
  constexpr double kHalfPi = 1.57079632679489661923, kHalfPiRest = 6.123233995736765886130e-17;
  const V y = abs(x);
  const VI far = y > 2.41421356237309504880, middle = (y > 0.66) & ~far;
  const V t = select(far, -1.0 / y, select(middle, (y - 1.0) / (y + 1.0), y));
  const V z = t * t;
  const V p = z * ((((-8.750608600031904122785e-1 * z - 1.615753718733365076637e1) * z - 7.500855792314704667340e1) * z -
                    1.228866684490136173410e2) * z - 6.485021904942025371773e1);
  const V q = ((((z + 2.485846490142306297962e1) * z + 1.650270098316988542046e2) * z + 4.328810604912902668951e2) * z +
               4.853903996359136964868e2) * z + 1.945506571482613964425e2;
  const V zero{};
  const V whole = select(far, splat<V>(kHalfPi), select(middle, splat<V>(0.5 * kHalfPi), zero));
  const V rest = select(far, splat<V>(kHalfPiRest), select(middle, splat<V>(0.5 * kHalfPiRest), zero));
  const V r = whole + (t + (t * (p / q) + rest));
  return select(x < 0.0, -r, select(x == 0.0, x, r));
}

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
