// Names, operators and facts of built-in functions by their numbers.
#include "frontend/builtins/builtin.h"

#include <algorithm>

#include "frontend/builtins/table.h"

namespace fermiac {
namespace {

constexpr OperatorRow operator_of(Builtin id, std::string_view spelling, int level, std::initializer_list<Builtin> functions,
                          std::string_view infix) {
  OperatorRow out{id, spelling, level, {}, functions.size(), infix};
  std::ranges::copy(functions, out.function_list.begin());
  return out;
}

/// By id.
constexpr auto kOperators = [] {
  using enum Builtin;
  return std::to_array<OperatorRow>({
#define BINARY(name, token, spelling, level, functions, infix) operator_of(name, spelling, level, {FERMIAC_LIST functions}, infix),
#define UNARY(op, name, token, spelling, function) operator_of(name, spelling, 0, {function}, ""),
#include "frontend/builtins/operators.def"
  });
}();
constexpr std::size_t kUnary = static_cast<std::size_t>(Builtin::PPlus);

std::size_t index(Builtin fn) {
  return static_cast<std::size_t>(fn);
}

bool is_elementwise(const BuiltinRow& row) {
  constexpr std::string_view kSchemes[] = {"@lift", "@elementwise", "@int_then_real", "@real_then_int"};
  return std::ranges::any_of(kSchemes, [&](std::string_view scheme) { return row.scheme.starts_with(scheme); });
}

}  // namespace

std::string_view name_of(Builtin fn) {
  return builtin_entries()[index(fn)].name;
}

std::optional<Builtin> builtin_named(std::string_view name) {
  const auto name_at = [](std::uint16_t i) { return builtin_entries()[i].name; };
  const auto found = std::ranges::lower_bound(entries_by_name(), name, {}, name_at);
  if (found == entries_by_name().end() || name_at(*found) != name) return std::nullopt;
  return static_cast<Builtin>(*found);
}

const OperatorRow& operator_row(BinaryOp op) {
  return kOperators[static_cast<std::size_t>(op)];
}
const OperatorRow& operator_row(UnaryOp op) {
  return kOperators[kUnary + static_cast<std::size_t>(op)];
}

const OperatorRow* find_operator(Builtin fn) {
  return index(fn) < kOperators.size() ? &kOperators[index(fn)] : nullptr;
}

Builtin library_function(Builtin fn) {
  const OperatorRow* op = find_operator(fn);
  return op ? op->functions().back() : fn;
}

bool has(Builtin fn, Fact facts) {
  const BuiltinRow* row = builtin_entries()[index(library_function(fn))].row;
  if (!row) return false;
  const auto all = static_cast<unsigned>(row->facts) | (is_elementwise(*row) ? static_cast<unsigned>(Fact::Elementwise) : 0u);
  return (all & static_cast<unsigned>(facts)) != 0;
}

}  // namespace fermiac
