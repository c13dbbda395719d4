// How much of a thread's stack is left: recursion that user programs control ends by an error instead of a fault.
#pragma once

#include <cstddef>

namespace fermiac {

/// Stack that threads are given which run models: more than a thousand calls of ordinary functions need.
inline constexpr std::size_t kThreadStack = std::size_t{32} << 20;

/// Whether a function that recurses must stop now: what is left is for everything that does not recurse (kernels, solvers,
/// messages).
bool stack_runs_out();

}  // namespace fermiac
