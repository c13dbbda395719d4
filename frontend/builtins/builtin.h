// The names of built-in functions and operators as numbers, and facts that hold of a function for all arguments. Enumerators are
// spelled as in the language (`Builtin::inv_logit`, `Builtin::normal_lpdf`); operators as in operators.def.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace fermiac {

/// M(stem, suffix) for every member of a distribution: `kinds` is a list in parentheses.
#define FERMIAC_MEMBERS(M, stem, kinds) FERMIAC_KINDS(M, stem, FERMIAC_LIST kinds)
#define FERMIAC_LIST(...) __VA_ARGS__
#define FERMIAC_KINDS(M, stem, ...) FERMIAC_FIFTH(__VA_ARGS__, FERMIAC_4, FERMIAC_3, FERMIAC_2, FERMIAC_1)(M, stem, __VA_ARGS__)
#define FERMIAC_FIFTH(a, b, c, d, macro, ...) macro
#define FERMIAC_4(M, stem, kind, ...) FERMIAC_KIND_##kind(M, stem) FERMIAC_3(M, stem, __VA_ARGS__)
#define FERMIAC_3(M, stem, kind, ...) FERMIAC_KIND_##kind(M, stem) FERMIAC_2(M, stem, __VA_ARGS__)
#define FERMIAC_2(M, stem, kind, ...) FERMIAC_KIND_##kind(M, stem) FERMIAC_1(M, stem, __VA_ARGS__)
#define FERMIAC_1(M, stem, kind) FERMIAC_KIND_##kind(M, stem)
#define FERMIAC_KIND_lpdf(M, stem) M(stem, lpdf)
#define FERMIAC_KIND_lpmf(M, stem) M(stem, lpmf)
#define FERMIAC_KIND_rng(M, stem) M(stem, rng)
#define FERMIAC_KIND_cdf(M, stem) M(stem, cdf)
#define FERMIAC_KIND_ccdf(M, stem) M(stem, lcdf) M(stem, lccdf)

enum class Builtin : std::uint16_t {
#define BINARY(name, ...) name,
#define UNARY(op, name, ...) name,
#include "frontend/builtins/operators.def"
#define FUNCTION(name, ...) name,
#include "frontend/builtins/functions.def"
#define FERMIAC_MEMBER(stem, suffix) stem##_##suffix,
#define DISTRIBUTION(stem, kinds, ...) FERMIAC_MEMBERS(FERMIAC_MEMBER, stem, kinds)
#include "frontend/builtins/distributions.def"
#undef FERMIAC_MEMBER
#define FORM(name) name,
#define VARIADIC(name, ...) name,
#define LAPLACE(name, ...) name,
#include "frontend/builtins/special_forms.def"
};

/// As MIR spells it: `inv_logit`, `normal_lpdf`, `Plus__`.
std::string_view name_of(Builtin fn);
std::optional<Builtin> builtin_named(std::string_view name);

// ---- operators

enum class BinaryOp : std::uint8_t {
#define BINARY(name, ...) name,
#include "frontend/builtins/operators.def"
};
enum class UnaryOp : std::uint8_t {
#define BINARY(...)
#define UNARY(name, ...) name,
#include "frontend/builtins/operators.def"
};

/// A row of operators.def, which explains the columns.
struct OperatorRow {
  Builtin id;
  std::string_view spelling;
  int level;  // 0: unary
  std::array<Builtin, 2> function_list;
  std::size_t function_count;
  std::string_view infix;

  std::string_view name() const { return name_of(id).substr(0, name_of(id).size() - 2); }  // `Plus`
  constexpr std::span<const Builtin> functions() const { return std::span(function_list).first(function_count); }
};
const OperatorRow& operator_row(BinaryOp op);
const OperatorRow& operator_row(UnaryOp op);
/// Null for functions.
const OperatorRow* find_operator(Builtin fn);
/// The function that computes an operator of scalars (`add` for `Plus`); every function itself.
Builtin library_function(Builtin fn);

// ---- facts

/// The last column of functions.def.
enum class Fact : std::uint16_t {
  None = 0,
  Linear = 1,        // linear in every argument, all others fixed
  Product = 2,       // linear if at most one of the first two arguments varies, and in all others
  Elementwise = 4,   // element n of the result is computed from element n of every container; implied by @lift… and @elementwise
  Moves = 8,         // elements of the first argument in another arrangement
  Joins = 16,        // elements of all arguments
  Repeats = 32,      // copies of the first argument
  Within = 64,       // results lie among the elements of the first argument, but are not one of Moves, Joins and Repeats
  Measures = 128,    // depends on the sizes of the argument alone
  Forwards = 256,    // may return the object that it is given
  FirstOrder = 512,  // without second derivatives
};
constexpr Fact operator|(Fact a, Fact b) {
  return static_cast<Fact>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

/// Whether one of `facts` holds of the function, or of the function of an operator.
bool has(Builtin fn, Fact facts);

}  // namespace fermiac
