// How much of a thread's stack is left: recursion that user programs control ends by an error instead of a fault.
#pragma once

#include <cstddef>

namespace fermiac {

/// Stack that threads are given which run models: more than a thousand calls of ordinary functions need.
inline constexpr std::size_t kThreadStack = std::size_t{32} << 20;

/// Whether a function that recurses must stop now: what is left is for everything that does not recurse (kernels, solvers,
/// messages).
bool stack_runs_out();

/// The thread goes on on the stack of `size` bytes from `low` on; size 0: on its own.
void use_stack(const void* low, std::size_t size);

}  // namespace fermiac
