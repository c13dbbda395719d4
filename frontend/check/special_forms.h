// Built-in functions with argument rules of their own (higher_order.cpp, laplace.cpp), without signatures (builtins/special_forms.def):
// those with a callback first and any number of further arguments of its own (differential equations, roots, integrals),
// reduce_sum, and those of the embedded Laplace approximation.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace fermiac::check {

/// A function with a callback first.
struct VariadicShape {
  std::size_t required;  // arguments that every callback takes
  std::size_t control;   // arguments of the function between the callback and the callback's further arguments
};
/// Nothing for other functions.
std::optional<VariadicShape> variadic_shape(std::string_view name);

/// Built in with dedicated argument rules; not in the table of built-ins.
bool is_special_form(std::string_view name);
std::vector<std::string_view> special_form_names();
bool is_laplace(std::string_view name);

}  // namespace fermiac::check
