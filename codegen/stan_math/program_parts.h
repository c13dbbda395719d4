// The parts of an emitted program: functions, the class that represents the model, and members of that class.
#pragma once

#include <string>

#include "codegen/code.h"
#include "codegen/stan_math/stan_math.h"
#include "codegen/stan_math/unit.h"

namespace fermiac::codegen::stan_math {

struct EmitOptions;

// ---- functions of the program as templates over the types of their arguments, and as function objects

/// Declarations of all functions with a body: in front of every use, so that any order and recursion work.
void declare_functions(Lines& out, const Unit& unit);
void define_functions(Lines& out, Unit& unit);
/// The objects that Unit::use() was asked for.
void define_functors(Lines& out, const Unit& unit);
/// The same functions on plain numbers, for other languages.
void define_wrappers(Lines& out, const Unit& unit);

// ---- the class

Lines model_class(Unit& unit, const EmitOptions& options);

/// get_param_names, get_dims, constrained_param_names, unconstrained_param_names and the two that give types as JSON.
void output_members(Lines& out, Unit& unit);

/// How many numbers the outputs of a block have, unconstrained or constrained, as one flat sum of products.
Code count_of(Unit& unit, mir::BlockKind block, bool unconstrained);

/// Members that are alike in all models: overloads that forward to the templates, as the base class calls them. The counts are C++
/// expressions: how many numbers write_array() puts out for each block.
std::string fixed_members(const std::string& parameters, const std::string& transformed, const std::string& generated);

}  // namespace fermiac::codegen::stan_math
