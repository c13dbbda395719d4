#include "frontend/check/scope.h"

#include <algorithm>
#include <array>

#include "frontend/check/conversions.h"

namespace fermiac::check {

const VariableInfo* Scope::find(std::string_view name) const {
  auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &variables_[found->second];
}

void Scope::declare(VariableInfo variable) {
  by_name_.emplace(variable.name, variables_.size());
  variables_.push_back(std::move(variable));
}

void Scope::release(std::size_t mark) {
  for (; variables_.size() > mark; variables_.pop_back()) by_name_.erase(variables_.back().name);
}

bool Scope::forget(std::string_view name) {
  auto found = by_name_.find(name);
  if (found == by_name_.end()) return false;
  const std::size_t at = found->second;
  by_name_.erase(found);
  variables_.erase(variables_.begin() + static_cast<std::ptrdiff_t>(at));
  for (auto& [other, index] : by_name_)
    if (index > at) --index;
  return true;
}

bool FunctionTable::forget(std::string_view name) {
  auto found = by_name_.find(name);
  if (found == by_name_.end()) return false;
  by_name_.erase(found);
  return true;
}

std::span<const UserFunction> FunctionTable::find(std::string_view name) const {
  auto found = by_name_.find(name);
  if (found == by_name_.end()) return {};
  return found->second;
}

UserFunction* FunctionTable::find_same_types(std::string_view name, std::span<const Formal> formals) {
  auto found = by_name_.find(name);
  if (found == by_name_.end()) return nullptr;
  auto same =
      std::ranges::find_if(found->second, [&](const auto& other) { return same_types(other.formals, formals); });
  return same == found->second.end() ? nullptr : &*same;
}

std::vector<std::string_view> FunctionTable::names() const {
  std::vector<std::string_view> out;
  for (const auto& [name, overloads] : by_name_) out.push_back(name);
  std::ranges::sort(out);
  return out;
}

namespace {

struct Ending {
  std::string_view text;
  Suffix suffix;
  bool conditional = false;
};
constexpr std::array<Ending, 10> kEndings = {{{"_rng", Suffix::Rng},
                                              {"_lpdf", Suffix::Lpdf, true},
                                              {"_lupdf", Suffix::Lpdf, true},
                                              {"_lpmf", Suffix::Lpmf, true},
                                              {"_lupmf", Suffix::Lpmf, true},
                                              {"_lcdf", Suffix::Plain, true},
                                              {"_lccdf", Suffix::Plain, true},
                                              {"_cdf", Suffix::Plain, true},
                                              {"_lp", Suffix::Target},
                                              {"_jacobian", Suffix::Jacobian}}};

const Ending* ending_of(std::string_view name) {
  auto found = std::ranges::find_if(kEndings, [&](const Ending& ending) { return name.ends_with(ending.text); });
  return found == kEndings.end() ? nullptr : &*found;
}

}  // namespace

Suffix suffix_of(std::string_view name) {
  const Ending* ending = ending_of(name);
  return ending ? ending->suffix : Suffix::Plain;
}

bool is_conditional(std::string_view name) {
  const Ending* ending = ending_of(name);
  return ending && ending->conditional;
}

bool is_unnormalised(std::string_view name) {
  return name.ends_with("_lupdf") || name.ends_with("_lupmf");
}

std::string normalised(std::string_view name) {
  std::string out(name);
  if (is_unnormalised(name)) out.erase(out.size() - 4, 1);  // the u
  return out;
}

std::string_view stem_of(std::string_view name) {
  const Ending* ending = ending_of(name);
  return ending ? name.substr(0, name.size() - ending->text.size()) : name;
}

}  // namespace fermiac::check
