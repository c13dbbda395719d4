// Built-in functions in words, for help of every kind.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/builtins/builtins.h"

namespace fermiac {

/// `positive` for `+`: what ArgumentDoc::domain stands for.
std::string domain_text(std::string_view domain);

/// The overloads of a function, those on single real numbers first, then by how little they are containers.
std::vector<const Signature*> plainest_first(std::string_view name);

/// The members of a distribution that exist: `normal_lpdf`, `normal_rng`, …
std::vector<std::string> members_of(const BuiltinRow& family);

/// `normal_lpdf(0.5 | 1.5, 2.5)`: the plainest overload with arguments in its domain. Empty for unknown names, for functions that
/// take functions (language.h has some), and for `…_jacobian`, which a session has no place for.
std::string example_call(std::string_view name);

}  // namespace fermiac
