#include "frontend/builtins/table.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace fermiac {
namespace {

#define ALL_SOA "*"
#define NOT_COMPLEX "!(complex)"
#define GLM_VARIANTS(Y_MATRIX, REST)                \
  "(" Y_MATRIX ", matrix, real|vector, vector" REST \
  ") => real; (array[] int, row_vector|matrix, real|vector, vector" REST ") => real"
#define TEXT(...) #__VA_ARGS__

using enum Fact;

constexpr BuiltinRow kFunctions[] = {
#define FUNCTION(name, scheme, soa, doc, ...) {#name, "", scheme, soa, doc, "" __VA_OPT__(, __VA_ARGS__)},
#include "frontend/builtins/functions.def"
};

constexpr BuiltinRow kDistributions[] = {
#define DISTRIBUTION(stem, kinds, ...) {#stem, TEXT kinds, __VA_ARGS__},
#include "frontend/builtins/distributions.def"
};

static_assert(std::ranges::is_sorted(kFunctions, {}, &BuiltinRow::name));
static_assert(std::ranges::is_sorted(kDistributions, {}, &BuiltinRow::name));

// ---------------------------------------------------------------- by number

enum class Stem : std::uint16_t {
#define DISTRIBUTION(stem, ...) stem,
#include "frontend/builtins/distributions.def"
};

constexpr std::size_t kOperators = 0
#define BINARY(...) +1
#define UNARY(...) +1
#include "frontend/builtins/operators.def"
    ;

/// In the order of Builtin.
constexpr BuiltinEntry kEntries[] = {
#define BINARY(name, ...) {#name "__"},
#define UNARY(op, name, ...) {#name "__"},
#include "frontend/builtins/operators.def"
#define FUNCTION(name, ...) {#name, &kFunctions[static_cast<std::size_t>(Builtin::name) - kOperators]},
#include "frontend/builtins/functions.def"
#define MEMBER(stem, suffix) {#stem "_" #suffix, &kDistributions[static_cast<std::size_t>(Stem::stem)], #suffix},
#define DISTRIBUTION(stem, kinds, ...) FERMIAC_MEMBERS(MEMBER, stem, kinds)
#include "frontend/builtins/distributions.def"
#define FORM(name) {#name},
#define VARIADIC(name, ...) {#name},
#define LAPLACE(name, ...) {#name},
#include "frontend/builtins/special_forms.def"
};

constexpr auto kByName = [] {
  std::array<std::uint16_t, std::size(kEntries)> all{};
  std::iota(all.begin(), all.end(), std::uint16_t{0});
  std::ranges::sort(all, {}, [](std::uint16_t i) { return kEntries[i].name; });
  return all;
}();

}  // namespace

std::span<const BuiltinRow> function_rows() {
  return kFunctions;
}
std::span<const BuiltinRow> distribution_rows() {
  return kDistributions;
}
std::span<const BuiltinEntry> builtin_entries() {
  return kEntries;
}
std::span<const std::uint16_t> entries_by_name() {
  return kByName;
}

}  // namespace fermiac
