// Functions of the program as templates over the types of their arguments, and as function objects.
#pragma once

#include <string>

#include "codegen/code.h"
#include "codegen/stan_math/unit.h"

namespace fermiac::codegen::stan_math {

/// Declarations of all functions with a body: in front of every use, so that any order and recursion work.
void declare_functions(Lines& out, const Unit& unit);
void define_functions(Lines& out, Unit& unit);
/// The objects that Unit::use() was asked for.
void define_functors(Lines& out, const Unit& unit);
/// The same functions on plain numbers, for other languages.
void define_wrappers(Lines& out, const Unit& unit);

}  // namespace fermiac::codegen::stan_math
