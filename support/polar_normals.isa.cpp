#include "support/polar_normals.h"

#include <cstdint>
#include <cstring>

namespace fermiac::FERMIAC_ISA_NAMESPACE {

void polar_normals(DiscPoints& points, std::size_t n);

namespace {

#define FERMIAC_INLINE inline __attribute__((always_inline))

#if defined(__AVX512F__)
constexpr std::size_t kLanes = 8;
#elif defined(__AVX__)
constexpr std::size_t kLanes = 4;
#else
constexpr std::size_t kLanes = 2;
#endif
using V = double __attribute__((vector_size(kLanes * 8)));
using Bits = std::uint64_t __attribute__((vector_size(kLanes * 8)));

FERMIAC_INLINE V root(V x) {
  V r;
  for (std::size_t i = 0; i < kLanes; ++i) r[i] = __builtin_sqrt(x[i]);
  return r;
}

/// log(s 2^-104) for 1 <= s < 2^104. With s = 2^k m, m from sqrt(1/2) to sqrt(2), f = m - 1 and t = f / (2 + f), log(m) is the series
/// 2 (t + t^3 / 3 + t^5 / 5 + ...) = f - t (f - R), R = 2 t^2 / 3 + 2 t^4 / 5 + ..., of which nine terms are within 2^-54 of it.
FERMIAC_INLINE V log_of(V s) {
  constexpr std::uint64_t kRootOfHalf = 0x3fe6a09e667f3bcd, kBitsOf2To52 = 0x4330000000000000;
  constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;  // the first times an exponent is exact
  const Bits bits = reinterpret_cast<Bits>(s), k = (bits - kRootOfHalf) >> 52;
  const V exponent = reinterpret_cast<V>(k | kBitsOf2To52) - 0x1p52 - 104;
  const V f = reinterpret_cast<V>(bits - (k << 52)) - 1.0;
  const V t = f / (2.0 + f), z = t * t, z2 = z * z, z4 = z2 * z2;
  const V r = ((2.0 / 3 + z * (2.0 / 5)) + z2 * (2.0 / 7 + z * (2.0 / 9))) +
              z4 * (((2.0 / 11 + z * (2.0 / 13)) + z2 * (2.0 / 15 + z * (2.0 / 17))) + z4 * (2.0 / 19));
  return exponent * kLn2High - ((t * (f - z * r) - exponent * kLn2Low) - f);
}

}  // namespace

void polar_normals(DiscPoints& points, std::size_t n) {
  for (std::size_t i = 0; i < n; i += kLanes) {
    V u, s;
    std::memcpy(&u, &points.u[i], sizeof u);
    std::memcpy(&s, &points.s[i], sizeof s);
    u = u * 0x1p-52 * root(-2.0 * log_of(s) / (s * 0x1p-104));
    std::memcpy(&points.u[i], &u, sizeof u);
  }
}

}  // namespace fermiac::FERMIAC_ISA_NAMESPACE
