// The table of built-in functions: one row per function or per distribution, everything else is derived from it — the
// overloads the checker resolves against, the signature dumps, completion and help, argument domains, memory patterns.
// Signatures are expanded per name on first use; looking up nothing costs nothing.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/builtins/expand.h"
#include "frontend/builtins/table.h"
#include "frontend/types.h"

namespace fermiac {

/// What is known of one argument of a density.
struct ArgumentDoc {
  std::string_view name;  // "sigma"
  std::string_view role;  // "a scale parameter"; may be empty
  std::string_view
      domain;  // "", "+", ">=0", "[0,1]", "(0,1)", "simplex", "ordered", "corr", "cov", "chol_corr", "chol_cov"
};

/// All overloads of a name, sorted as the dump sorts them; empty for unknown names. Thread-safe, and the span stays
/// valid.
std::span<const Signature> signatures(std::string_view name);

/// The row that defines `name` ("normal_lpdf" and "normal_rng" both give the row "normal"); null for unknown names.
const BuiltinRow* find_builtin(std::string_view name);
/// The row of a distribution, by stem; null if there is none.
const BuiltinRow* find_distribution(std::string_view stem);
inline bool is_builtin(std::string_view name) {
  return find_builtin(name) != nullptr;
}

/// Every function name, in byte order.
std::vector<std::string> builtin_names();
std::vector<ArgumentDoc> argument_docs(const BuiltinRow& row);

/// Whether the memory-pattern pass may keep the arguments of this overload as structs of arrays.
bool supports_soa(const Signature& signature);

/// `name(T, T) => R`.
std::string signature_text(const Signature& signature);
/// One line per overload of every function.
std::string dump_signatures();
/// One line per distribution: `normal: lpdf, rng, ccdf, cdf`.
std::string dump_distributions();

// ---- in words, for help of every kind

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
