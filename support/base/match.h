// match(): std::visit over a set of lambdas, one per alternative. Use it without an `auto` arm, so that a new
// alternative breaks every match that has to think about it.
#pragma once

#include <utility>
#include <variant>

namespace fermiac {

template <class... Arms>
struct Overload : Arms... {
  using Arms::operator()...;
};

template <class Variant, class... Arms>
decltype(auto) match(Variant&& variant, Arms&&... arms) {
  return std::visit(Overload<std::decay_t<Arms>...>{std::forward<Arms>(arms)...}, std::forward<Variant>(variant));
}

}  // namespace fermiac
