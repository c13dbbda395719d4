// Which values may stand for which: implicit conversions and their costs, common types, levels of derivatives.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "frontend/types.h"

namespace fermiac::check {

/// What converting `from` to `to` implicitly costs in overload resolution; none if it cannot be done. Functions and
/// void convert to nothing, a poisoned type to and from everything at no cost.
std::optional<int> conversion_cost(const Type& from, const Type& to);
inline bool converts(const Type& from, const Type& to) {
  return conversion_cost(from, to).has_value();
}

/// The smallest type that both convert to.
std::optional<Type> common_type(const Type& a, const Type& b);

/// The level of a value of `type`: discrete parts never carry derivatives.
AdLevel level_of(const Type& type, bool autodiff);
/// Autodiff wherever one of the two is.
AdLevel join(const AdLevel& a, const AdLevel& b);

/// The function that converts `from` to `to` explicitly: "to_vector"; empty if none does.
std::string_view explicit_conversion(const Type& from, const Type& to);

/// Equal but for `data` marks.
bool same_types(std::span<const Formal> a, std::span<const Formal> b);

bool is_void(const Type& type);
bool is_function(const Type& type);
bool contains_int(const Type& type);
}  // namespace fermiac::check
