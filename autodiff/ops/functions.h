// Slopes of functions of one number that lanes and dual numbers share. From a row are made a functor of lanes, which calls
// what simd.h and the family know by the function's name, and the function of dual numbers (dual.h), which calls that of
// doubles (special_scalar.h, the C library).
#pragma once

// x is the operand, v the value.
//   name        function    slope

/// Of the family arithmetic.
#define FERMIAC_FREQUENT_FUNCTIONS(X)               \
  X(InvLogit,    inv_logit,  v * (1.0 - v))         \
  X(Log1pFree,   log1p,      1.0 / (1.0 + x))       \
  X(Expm1,       expm1,      v + 1.0)               \
  X(Log1pExp,    log1p_exp,  inv_logit(x))

/// Of the family elementary.
#define FERMIAC_ELEMENTARY_FUNCTIONS(X)             \
  X(Log1mExp,    log1m_exp,  -1.0 / expm1(-x))      \
  X(Sin,         sin,        cos(x))                \
  X(Cos,         cos,        -sin(x))               \
  X(Atan,        atan,       1.0 / (1.0 + x * x))   \
  X(PhiFree,     Phi,        std_normal_density(x)) \
  X(Lgamma,      lgamma,     digamma(x))            \
  X(Digamma,     digamma,    trigamma(x))
