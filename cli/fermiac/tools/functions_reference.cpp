// The reference page of built-in functions, made from the function table and the laws of distributions.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "autodiff/distributions/detail/law.h"
#include "autodiff/distributions/detail/rng.h"
#include "autodiff/kernels/kernel.h"
#include "autodiff/kernels/map_op.h"
#include "autodiff/multivariate/rng.h"
#include "cli/fermiac/shared/commands.h"
#include "frontend/builtins/builtins.h"
#include "frontend/builtins/table.h"

namespace fermiac::cli {
namespace {

constexpr std::size_t kShown = 4;  // signatures of one function

std::string rule_text(const ad::DomainRule& r) {
  switch (r.rule) {
    case ad::Rule::NotNan:
      return "not NaN";
    case ad::Rule::Finite:
      return "finite";
    case ad::Rule::Positive:
      return "positive";
    case ad::Rule::PositiveFinite:
      return "positive and finite";
    case ad::Rule::NonNegative:
      return "nonnegative";
    case ad::Rule::NonNegativeFinite:
      return "nonnegative and finite";
    case ad::Rule::Probability:
      return "in [0, 1]";
    case ad::Rule::Bounded01Open:
      return "in (0, 1)";
    case ad::Rule::GreaterOrEqual:
      return fmt::format("at least {}", r.other_label ? r.other_label : "the bound");
    case ad::Rule::LessOrEqual:
      return fmt::format("at most {}", r.other_label ? r.other_label : "the bound");
    case ad::Rule::Less:
      return fmt::format("less than {}", r.other_label ? r.other_label : "the bound");
    case ad::Rule::Greater:
      return fmt::format("greater than {}", r.other_label ? r.other_label : "the bound");
    case ad::Rule::NotBelow:
      return fmt::format("at least {:.6g}", r.bound);
    case ad::Rule::NotAbove:
      return fmt::format("at most {:.6g}", r.bound);
  }
  return "";
}

std::span<const ad::DomainRule> rules_of(std::string_view name) {
  const ad::MapCode code = ad::find_map(name);
  return code == ad::kNoMap ? std::span<const ad::DomainRule>{} : ad::map_op(code).rules;
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  return fmt::format("{}", fmt::join(parts, between));
}

std::string domain(std::string_view name) {
  std::vector<std::string> parts;
  for (const ad::DomainRule& r : rules_of(name)) {
    std::string part = fmt::format("{} {}", r.label, rule_text(r));
    if (std::ranges::find(parts, part) == parts.end()) parts.push_back(std::move(part));
  }
  return parts.empty() ? "" : fmt::format("- Domain: {}\n", joined(parts, "; "));
}

template <class Table>
bool has_name(const Table& table, std::string_view name) {
  return std::ranges::any_of(table, [&](const auto& op) { return op.name == name; });
}

std::string source(std::string_view name) {
  if (ad::find_map(name) != ad::kNoMap) return "element-wise map (`autodiff/kernels`, `autodiff/distributions`)";
  if (ad::find_kernel(name)) return "kernel (`autodiff/linalg`, `autodiff/multivariate`, `autodiff/transforms`)";
  if (has_name(ad::all_rngs(), name) || has_name(ad::all_multi_rngs(), name))
    return "random number generator (`autodiff/distributions`, `autodiff/multivariate`)";
  const auto all = signatures(name);
  const bool calls = std::ranges::any_of(all, [](const Signature& s) {
    return std::ranges::any_of(s.formals, [](const Formal& f) { return f.type.base() == BaseType::Function; });
  });
  return calls ? "calls user functions (`interp/exec`, `autodiff/solvers`)" : "chooses or rearranges (`interp/exec`)";
}

std::string derivatives(std::string_view name) {
  const auto all = signatures(name);
  if (name.ends_with("_rng")) return "none: a draw";
  if (std::ranges::all_of(all, [](const Signature& s) { return s.result.is_discrete(); }))
    return "none: the result is an int";
  const ad::MapCode code = ad::find_map(name);
  if (code != ad::kNoMap && ad::map_op(code).flat) return "zero wherever they exist";
  const ad::Kernel* kernel = code == ad::kNoMap ? ad::find_kernel(name) : nullptr;
  if (kernel && !kernel->reverse) return "none";
  const bool data = std::ranges::any_of(all, [](const Signature& s) {
    return std::ranges::any_of(s.formals, [](const Formal& f) { return f.data_only; });
  });
  return data ? "in every argument that is not marked `data`" : "in every argument that is not an int";
}

std::string signature_list(std::string_view name) {
  const auto all = signatures(name);
  std::string out = fmt::format("- Signatures: {}\n", all.size());
  for (std::size_t i = 0; i < std::min(kShown, all.size()); ++i)
    out += fmt::format("  - `{}`\n", signature_text(all[i]));
  return out;
}

std::string entry(std::string_view name) {
  return signature_list(name) + domain(name) +
         fmt::format("- Derivatives: {}\n- Source: {}\n", derivatives(name), source(name));
}

std::string argument_table(const BuiltinRow& row) {
  std::string out;
  for (const ArgumentDoc& a : argument_docs(row)) {
    out += fmt::format("- `{}`", a.name);
    if (!a.role.empty()) out += fmt::format(": {}", a.role);
    if (!a.domain.empty()) out += fmt::format(" ({})", a.domain);
    out += "\n";
  }
  return out;
}

std::vector<std::string> members(const BuiltinRow& row) {
  std::vector<std::string> out;
  for (const std::string& name : builtin_names())
    if (find_builtin(name) == &row) out.push_back(name);
  return out;
}

}  // namespace

std::string functions_reference() {
  std::string out =
      "# Built-in functions\n\n"
      "Made by `fermiac functions --reference > docs/reference/functions.md` from the function table\n"
      "(`frontend/builtins`) and the laws of distributions (`autodiff/distributions/defs`). Of each function at most four\n"
      "signatures are shown; `fermiac functions --signatures` prints all of them. Functions that take other functions\n"
      "and any further arguments (`ode_rk45`, `reduce_sum`, `laplace_marginal` …) are described in\n"
      "[solvers](../phases/solvers.md).\n\n"
      "## Functions\n";
  for (const BuiltinRow& row : function_rows())
    out += fmt::format("\n### {}\n\n{}\n\n{}", row.name, row.doc, entry(row.name));
  out += "\n## Distributions\n";
  for (const BuiltinRow& row : distribution_rows()) {
    const ad::Law* law = ad::find_law(row.name);
    out += fmt::format("\n### {}\n\n{}\n\n`{}`\n\n{}", row.name, row.doc, law ? law->formula : "", argument_table(row));
    for (const std::string& name : members(row)) out += fmt::format("\n`{}`\n\n{}", name, entry(name));
  }
  return out;
}

}  // namespace fermiac::cli
