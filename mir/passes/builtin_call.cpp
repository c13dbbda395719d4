// Type checking of built-in calls that a pass wants to build.
#include <algorithm>
#include <array>

#include "frontend/builtins/builtins.h"
#include "mir/passes/pass_tools.h"

namespace fermiac::mir {
namespace {

struct OperatorRow {
  std::string_view op;
  std::array<std::string_view, 2> functions;
};
constexpr std::array<OperatorRow, 21> kOperators = {{{"Plus__", {"add"}},
                                                     {"Minus__", {"subtract"}},
                                                     {"Times__", {"multiply"}},
                                                     {"Divide__", {"mdivide_right", "divide"}},
                                                     {"IntDivide__", {"divide"}},
                                                     {"Modulo__", {"modulus"}},
                                                     {"LDivide__", {"mdivide_left"}},
                                                     {"EltTimes__", {"elt_multiply"}},
                                                     {"EltDivide__", {"elt_divide"}},
                                                     {"Pow__", {"pow"}},
                                                     {"EltPow__", {"pow"}},
                                                     {"Equals__", {"logical_eq"}},
                                                     {"NEquals__", {"logical_neq"}},
                                                     {"Less__", {"logical_lt"}},
                                                     {"Leq__", {"logical_lte"}},
                                                     {"Greater__", {"logical_gt"}},
                                                     {"Geq__", {"logical_gte"}},
                                                     {"PMinus__", {"minus"}},
                                                     {"PPlus__", {"plus"}},
                                                     {"PNot__", {"logical_negation"}},
                                                     {"Transpose__", {"transpose"}}}};

// Cost of one conversion, none if there is none.
std::optional<int> conversion(const Type& from, const Type& to) {
  if (from == to) return 0;
  if (from.array_dims() != to.array_dims()) return std::nullopt;
  const BaseType a = from.base(), b = to.base();
  if (a == BaseType::Tuple && b == BaseType::Tuple) {
    if (from.slots().size() != to.slots().size()) return std::nullopt;
    int total = 0;
    for (std::size_t i = 0; i < from.slots().size(); ++i) {
      const auto cost = conversion(from.slots()[i], to.slots()[i]);
      if (!cost) return std::nullopt;
      total += *cost;
    }
    return total;
  }
  struct Row {
    BaseType from, to;
    int cost;
  };
  constexpr Row kRows[] = {{BaseType::Int, BaseType::Real, 1},
                           {BaseType::Real, BaseType::Complex, 1},
                           {BaseType::Int, BaseType::Complex, 2},
                           {BaseType::Vector, BaseType::ComplexVector, 1},
                           {BaseType::RowVector, BaseType::ComplexRowVector, 1},
                           {BaseType::Matrix, BaseType::ComplexMatrix, 1}};
  for (const Row& row : kRows)
    if (row.from == a && row.to == b) return row.cost;
  return std::nullopt;
}

std::optional<int> total_cost(const Signature& signature, const std::vector<ExprPtr>& args) {
  if (signature.formals.size() != args.size()) return std::nullopt;
  int total = 0;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (signature.formals[i].data_only && args[i]->ad.any()) return std::nullopt;
    const auto cost = conversion(args[i]->type, signature.formals[i].type);
    if (!cost) return std::nullopt;
    total += *cost;
  }
  return total;
}

const Signature* best(std::string_view function, const std::vector<ExprPtr>& args) {
  const Signature* found = nullptr;
  int least = 0;
  for (const Signature& signature : signatures(function)) {
    const auto cost = total_cost(signature, args);
    if (!cost || (found && *cost >= least)) continue;
    found = &signature;
    least = *cost;
  }
  return found;
}

const Signature* resolve(std::string_view name, const std::vector<ExprPtr>& args) {
  const auto targets = operator_targets(name);
  if (targets.empty()) return best(name, args);
  for (const std::string_view function : targets)
    if (const Signature* signature = best(function, args)) return signature;
  return nullptr;
}

}  // namespace

std::vector<std::string_view> operator_targets(std::string_view name) {
  const auto row = std::ranges::find(kOperators, name, &OperatorRow::op);
  if (row == kOperators.end()) return {};
  std::vector<std::string_view> out;
  for (const std::string_view function : row->functions)
    if (!function.empty()) out.push_back(function);
  return out;
}

std::optional<Type> builtin_result(std::string_view name, const std::vector<ExprPtr>& args) {
  const Signature* signature = resolve(name, args);
  if (!signature) return std::nullopt;
  return signature->result;
}

bool builtin_supports_soa(std::string_view name, const std::vector<ExprPtr>& args) {
  const Signature* signature = resolve(name, args);
  return signature && supports_soa(*signature);
}

}  // namespace fermiac::mir
