// Functions with a callback first and any number of further arguments of its own: differential equations, roots, integrals.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace fermiac::check {

struct VariadicShape {
  std::size_t required;  // arguments that every callback takes
  std::size_t control;   // arguments of the function between the callback and the callback's further arguments
};
/// Nothing for other functions.
std::optional<VariadicShape> variadic_shape(std::string_view name);

}  // namespace fermiac::check
