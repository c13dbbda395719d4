// Where the ops of a trace stand in its dependence graph.
#pragma once

#include <cstdint>
#include <vector>

#include "autodiff/tape/trace.h"

namespace fermiac::ad {

/// Per op: length of the longest chain of ops that ends with it (1 if it reads parameters only).
std::vector<std::uint32_t> depths(const Trace& trace);
/// Per op: length of the longest chain of ops that read its result, one after the other (0 if nothing does).
std::vector<std::uint32_t> heights(const Trace& trace);

}  // namespace fermiac::ad
