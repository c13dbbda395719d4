// How the adjoints of a gather go back. Number by number, every addition to a source waits for the one before it; groups
// that come in runs, and gathers from few sources, are sums on lanes instead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad {

inline constexpr std::size_t kMostSources = 8;

/// Sets scatter, x[2] and x[3] of a gather of index[table()…]. By runs: x[3] pairs (slot, length) at index[x[2]]. From few
/// sources: their slots at index[x[2]], and which of them each number is at codes[x[3]].
void plan_gather(TapeOp& op, std::vector<std::uint32_t>& index, std::vector<double>& codes);

}  // namespace fermiac::ad
