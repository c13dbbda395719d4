// The last step of the polar method (Marsaglia & Bray 1964) for many points at once, compiled for every instruction set
// (polar_normals.isa.cpp). Additions, products, quotients and square roots alone, none of them contracted: the same bits from
// every instruction set and every mathematical library.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace fermiac {

/// Points inside the unit disc but not at its centre: first coordinates in units of 2^-52, squares of distances in units of 2^-104.
struct DiscPoints {
  static constexpr std::size_t kMost = 128, kLanes = 8;
  alignas(64) std::array<double, kMost> u, s;
};

/// u of the first n points, which is a multiple of kLanes, become standard normals u sqrt(-2 log(s) / s), within 4 units in the last place.
using PolarNormals = void (*)(DiscPoints& points, std::size_t n);

/// That of the active instruction set (support/isa.h).
PolarNormals polar_normals();
/// Those of every instruction set of this build, from the least on; the processor may lack what the later ones need.
std::span<const PolarNormals> all_polar_normals();

}  // namespace fermiac
