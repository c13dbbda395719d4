// Operators of ints, which evaluation and the built-in functions share. One row has all that is known
// of one; enums, switches and structs are made from the rows.
#pragma once

#include <cstdint>

/// x and y are the operands in 64 bits. An operand that may be a variable plus a constant makes the result one too.
///   name      value  x may be  y may be
#define FERMIAC_INT_OPERATORS(X)     \
  X(Add,      x + y, true,     true)  \
  X(Subtract, x - y, true,     false) \
  X(Multiply, x * y, false,    false)

/// Those that need another divisor than 0, and the name for messages.
#define FERMIAC_INT_DIVISIONS(X)   \
  X(Divide,  x / y, "divide")      \
  X(Modulus, x % y, "modulus")

namespace fermiac::interp {

/// Overflow wraps, as machine arithmetic does.
constexpr std::int32_t wrap(std::int64_t x) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(x)));
}

namespace int_ops {

#define FERMIAC_DEFINE(Name, formula, ...)                                                         \
  struct Name {                                                                                    \
    static constexpr std::int32_t apply(std::int64_t x, std::int64_t y) { return wrap(formula); }  \
  };
FERMIAC_INT_OPERATORS(FERMIAC_DEFINE)
FERMIAC_INT_DIVISIONS(FERMIAC_DEFINE)
#undef FERMIAC_DEFINE

}  // namespace int_ops
}  // namespace fermiac::interp
