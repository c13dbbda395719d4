// Rewrite rules of partial evaluation, as a table of patterns. Private to mir/passes.
//
//   (f a b)      a built-in call; f may be an operator (Plus__)
//   x  X:matrix  a variable of the pattern, optionally with a type (matrix; scalar = int or real); the same variable
//   twice
//                must match equal expressions
//   @r           the remaining arguments
//   1  2         the literal, int or real, also inside a promotion;  2i the int literal 2 only;  0.5 the real literal
#pragma once

#include "mir/ir/ir.h"

namespace fermiac::mir {

/// The result of the first rule whose pattern matches, with suffix and propto of the matched call; null if no rule
/// matches or the result would not type-check to the same type.
ExprPtr apply_rewrite_rules(const ExprPtr& expr);

}  // namespace fermiac::mir
