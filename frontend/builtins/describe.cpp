// Built-in functions in words, for help of every kind.
#include <algorithm>
#include <utility>

#include "frontend/builtins/builtins.h"

namespace fermiac {
namespace {

int cost(const Signature& signature) {
  int sum = 0;
  for (const Formal& f : signature.formals) sum += f.type.is(BaseType::Real) ? 0 : f.type.is_scalar() ? 1 : f.type.is_array() ? 100 : 10;
  return sum;
}

}  // namespace

std::string domain_text(std::string_view domain) {
  static constexpr std::pair<std::string_view, std::string_view> kDomains[] = {
      {"+", "positive"}, {">=0", "not negative"}, {"[0,1]", "from 0 to 1"}, {"(0,1)", "between 0 and 1"},
      {"simplex", "simplex"}, {"ordered", "ordered"}, {"corr", "correlation matrix"}, {"cov", "covariance matrix"},
      {"chol_corr", "Cholesky factor of a correlation matrix"}, {"chol_cov", "Cholesky factor of a covariance matrix"}};
  for (const auto& [key, text] : kDomains)
    if (key == domain) return std::string(text);
  return std::string(domain);
}

std::vector<const Signature*> plainest_first(std::string_view name) {
  std::vector<const Signature*> out;
  for (const Signature& signature : signatures(name)) out.push_back(&signature);
  std::ranges::stable_sort(out, {}, [](const Signature* signature) { return cost(*signature); });
  return out;
}

std::vector<std::string> members_of(const BuiltinRow& family) {
  std::vector<std::string> out;
  for (const std::string_view suffix : {"_lpdf", "_lpmf", "_cdf", "_lcdf", "_lccdf", "_rng"})
    if (std::string name = std::string(family.name) + std::string(suffix); is_builtin(name)) out.push_back(std::move(name));
  return out;
}

}  // namespace fermiac
