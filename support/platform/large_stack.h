// Compiling walks trees by recursion, and `a + b + c + …` is a tree as high as it is long. What walks trees of programs
// runs on a stack of its own that is large enough for the highest the parser lets pass.
#pragma once

#include <cstddef>
#include <functional>

namespace fermiac {

/// Trees are this high at most where nobody provides for more: any stack suffices.
inline constexpr int kPlainTreeHeight = 1000;

/// Runs `work` to its end on a large stack, of which only what is used takes memory; what it throws is thrown here.
/// It gets the height of the trees that the stack suffices for.
void on_large_stack(const std::function<void(int height)>& work);

}  // namespace fermiac
