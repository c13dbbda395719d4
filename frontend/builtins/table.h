// The rows behind builtins.h. Both spans are sorted by name.
#pragma once

#include <span>

#include "frontend/builtins/builtins.h"

namespace fermiac {

std::span<const BuiltinRow> function_rows();
std::span<const BuiltinRow> distribution_rows();

/// Family members that the kinds would give but that do not exist.
bool is_missing_member(std::string_view name);

}  // namespace fermiac
