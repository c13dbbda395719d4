// Stands for boost/math/tools/promotion.hpp where Boost is not there: the type of a result by those of the operands.
#pragma once

#include <type_traits>
#include <utility>

namespace boost::math::tools {

template <class... T>
struct promote_args {
  using type = decltype((0.0 + ... + std::declval<std::conditional_t<std::is_integral_v<std::decay_t<T>>, double, std::decay_t<T>>>()));
};
template <class... T>
using promote_args_t = typename promote_args<T...>::type;

}  // namespace boost::math::tools
