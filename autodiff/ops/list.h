// The elementary scalar ops that several engines know: lanes, the replay, tangents, evaluation without a tape,
// intervals. One row has all that is known of one; enums, switches and functions (scalar.h) are made from the rows.
#pragma once

#include <cstdint>

// x, y, z are the operands, v is the value, g its adjoint. zero_at(v, s) is s, but 0 where v is 0: an infinite slope there times an
// inner derivative of 0 would be NaN. The adjoints are the partials times g, in the order that takes
// least time for one number; lanes and evaluation without a tape multiply the partials.
//   name      map         n  value      partials           adjoints

/// Binary operators of the language.
#define FERMIAC_OPERATORS(X)                                                 \
  X(Add,      "add",      2, x + y,     (1.0, 1.0),        (g, g))           \
  X(Subtract, "subtract", 2, x - y,     (1.0, -1.0),       (g, -g))          \
  X(Multiply, "multiply", 2, x * y,     (y, x),            (g * y, g * x))   \
  X(Divide,   "divide",   2, x / y,     (1.0 / y, -v / y), (g / y, -(g / y * v)))

/// All: the first rows of the table of maps, in this order.
#define FERMIAC_SCALAR_OPS(X)                                                \
  FERMIAC_OPERATORS(X)                                                       \
  X(Minus,    "minus",    1, -x,        (-1.0),            (-g))             \
  X(Fma,      "fma",      3, x * y + z, (y, x, 1.0),       (g * y, g * x, g)) \
  X(Exp,      "exp",      1, exp(x),    (v),               (g * v))          \
  X(Log,      "log",      1, log(x),    (1.0 / x),         (g / x))          \
  X(Sqrt,     "sqrt",     1, sqrt(x),   (zero_at(v, 0.5 / v)), (zero_at(v, 0.5 * g / v))) \
  X(Square,   "square",   1, square(x), (2.0 * x),         (2.0 * g * x))    \
  X(Inv,      "inv",      1, 1.0 / x,   (-v * v),          (-(g * v * v)))

/// What guards and maps `compare(x, y) ? yes : no` compare by: name, sign, map.
#define FERMIAC_COMPARES(X)                          \
  X(Less,        <,  "select_less__")                \
  X(LessOrEqual, <=, "select_less_or_equal__")       \
  X(Equal,       ==, "select_equal__")

/// Comparisons of the language: name, the guard, whether of y and x, whether its opposite.
#define FERMIAC_COMPARISONS(X)                       \
  X(Less,           Less,        false, false)       \
  X(LessOrEqual,    LessOrEqual, false, false)       \
  X(Greater,        Less,        true,  false)       \
  X(GreaterOrEqual, LessOrEqual, true,  false)       \
  X(Equal,          Equal,       false, false)       \
  X(NotEqual,       Equal,       false, true)

/// The name and a comma, for enums.
#define FERMIAC_ENUMERATOR(Name, ...) Name,

namespace fermiac::ad {

enum class Compare : std::uint8_t { FERMIAC_COMPARES(FERMIAC_ENUMERATOR) };

}  // namespace fermiac::ad
