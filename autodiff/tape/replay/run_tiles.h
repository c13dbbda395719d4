// Only for *.isa.cpp files.
#pragma once

#include "autodiff/kernels/simd.h"

namespace fermiac::ad {

struct BoundTiles;
struct Sweep;

namespace FERMIAC_ISA_NAMESPACE {

/// An op Tiles, forward and, where a gradient is wanted, back. False if an op broke a rule: Sweep::stopped_in_tile.
bool run_tiles(Sweep& s, BoundTiles& tiles);
/// x[i] += number.
void add_number(double* x, std::uint32_t n, double number);

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
