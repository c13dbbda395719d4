// A call of each built-in function that can be tried as it stands.
#pragma once

#include <string>
#include <string_view>

namespace fermiac {

/// `normal_lpdf(0.5 | 1.5, 2.5)`: the plainest overload with arguments in its domain. Empty for unknown names, for functions that
/// take functions (language.h has some), and for `…_jacobian`, which a session has no place for.
std::string example_call(std::string_view name);

}  // namespace fermiac
