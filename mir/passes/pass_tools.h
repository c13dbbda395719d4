// Functions that several passes share: types of built-in calls, names and sizes of the program, partial evaluation, inlining.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mir/ir/ir.h"
#include "mir/ir/symbols.h"

namespace fermiac::mir {

// ---- built-in calls that a pass wants to build

/// The result type of a built-in with arguments of these types and levels by the language's conversions; none if no
/// overload fits. An operator has the overloads of its functions.
std::optional<Type> builtin_result(Builtin fn, const std::vector<ExprPtr>& args);
/// Whether the overload that these arguments choose keeps them as structs of arrays.
bool builtin_supports_soa(Builtin fn, const std::vector<ExprPtr>& args);

// ---- names that passes over whole programs must leave alone

/// Outputs, inputs, everything declared anywhere in prepare_data, and the target.
std::set<std::string> global_names(const Program& program);

// ---- sizes that vectorization compares loop bounds with

/// Outer sizes of the variables that live as long as the program.
using OuterSizes = std::map<std::string, ExprPtr>;
OuterSizes outer_sizes(const Program& program);

/// The elements `lower : upper` of a container: the container itself where that is known to be all of it.
ExprPtr elements(const OuterSizes& sizes, const ExprPtr& container, const ExprPtr& lower, const ExprPtr& upper);

// ---- folding of literals, and replacement of calls by better ones with the same value

/// The expression with everything folded and replaced that can be, from the leaves up.
ExprPtr partially_evaluated(const ExprPtr& expr);
/// The same for an int expression that must stay as it is unless it becomes a literal.
bool is_literal_or_promoted(const Expr& expr);

/// The result of the first rewrite rule (rewrite_rules.cpp) whose pattern matches, with suffix and propto of the matched call; null if
/// no rule matches or the result would not type-check to the same type.
ExprPtr apply_rewrite_rules(const ExprPtr& expr);

// ---- inlining of some functions, also for callers that need the statements of a program without optimization

/// Replaces calls of the functions that are `wanted` by their bodies, in log_prob alone. Functions that call themselves, and very
/// large ones, stay.
void inline_functions(Program& program, Symbols& symbols, const std::function<bool(const Function&)>& wanted);

}  // namespace fermiac::mir
