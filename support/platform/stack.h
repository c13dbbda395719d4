// How much of a thread's stack is left: recursion that user programs control ends by an error instead of a fault.
#pragma once

#include <cstddef>
#include <functional>

namespace fermiac {

/// Stack that threads are given which run models: more than a thousand calls of ordinary functions need.
inline constexpr std::size_t kThreadStack = std::size_t{32} << 20;

/// Whether a function that recurses must stop now: what is left is for everything that does not recurse (kernels, solvers,
/// messages).
bool stack_runs_out();

/// The thread goes on on the stack of `size` bytes from `low` on; size 0: on its own.
void use_stack(const void* low, std::size_t size);

// Compiling walks trees by recursion, and `a + b + c + …` is a tree as high as it is long. What walks trees of programs
// runs on a stack of its own that is large enough for the highest the parser lets pass.

/// Trees are this high at most where nobody provides for more: any stack suffices.
inline constexpr int kPlainTreeHeight = 1000;

/// Runs `work` to its end on a large stack, of which only what is used takes memory; what it throws is thrown here.
/// It gets the height of the trees that the stack suffices for.
void on_large_stack(const std::function<void(int height)>& work);

}  // namespace fermiac
