// Scalar ops that the replay writes out. Their codes are the first rows of the arithmetic family, in this order;
// active_sweeps() checks that; OpKind lists them in the same order.
#pragma once

#include <cstdint>

namespace fermiac::ad {

enum class Hot : std::uint16_t { Add, Subtract, Multiply, Divide, Minus, Fma, Exp, Log, Sqrt, Square, Inv };
inline constexpr const char* kHotNames[] = {"add", "subtract", "multiply", "divide", "minus", "fma",
                                            "exp", "log",      "sqrt",     "square", "inv"};

}  // namespace fermiac::ad
