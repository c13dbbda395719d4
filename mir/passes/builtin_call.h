// Type checking of built-in calls that a pass wants to build.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "mir/ir/ir.h"

namespace fermiac::mir {

/// The result type of a built-in with arguments of these types and levels by the language's conversions; none if no
/// overload fits. `name` may be an operator (`Plus__`).
std::optional<Type> builtin_result(std::string_view name, const std::vector<ExprPtr>& args);
/// Whether the overload that these arguments choose keeps them as structs of arrays.
bool builtin_supports_soa(std::string_view name, const std::vector<ExprPtr>& args);
/// The language functions an operator stands for, in the order they are tried; empty if `name` is no operator.
std::vector<std::string_view> operator_targets(std::string_view name);

}  // namespace fermiac::mir
