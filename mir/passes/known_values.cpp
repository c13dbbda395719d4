#include "mir/passes/known_values.h"

#include "mir/ir/visit.h"

namespace fermiac::mir {

ExprPtr KnownValues::find(const std::string& variable) const {
  const auto found = values_.find(variable);
  return found == values_.end() ? nullptr : found->second;
}

void KnownValues::set(const std::string& variable, ExprPtr value) {
  const auto found = values_.find(variable);
  if (found != values_.end()) {
    for (const std::string& name : variables(*found->second)) mentioned_by_[name].erase(variable);
    values_.erase(found);
  }
  if (!value) return;
  for (const std::string& name : variables(*value)) mentioned_by_[name].insert(variable);
  values_[variable] = std::move(value);
}

void KnownValues::learn(const std::string& variable, const ExprPtr& value) {
  changes_.emplace_back(variable, find(variable));
  set(variable, value);
}

void KnownValues::forget(const std::string& variable) {
  std::set<std::string> gone;
  if (const auto readers = mentioned_by_.find(variable); readers != mentioned_by_.end()) gone = readers->second;
  gone.insert(variable);
  for (const std::string& name : gone)
    if (values_.contains(name)) learn(name, nullptr);
}

KnownValues::Values KnownValues::changed_since(Mark mark) const {
  Values changed;
  for (std::size_t i = mark; i < changes_.size(); ++i) changed.try_emplace(changes_[i].first, find(changes_[i].first));
  return changed;
}

KnownValues::Values KnownValues::go_back(Mark mark) {
  Values changed = changed_since(mark);
  for (; changes_.size() > mark; changes_.pop_back()) set(changes_.back().first, changes_.back().second);
  return changed;
}

void KnownValues::change_to(const Values& changed) {
  for (const auto& [variable, value] : changed) learn(variable, value);
}

void KnownValues::meet(const Values& other, Mark mark) {
  Values before;  // of what only this path has changed
  for (std::size_t i = mark; i < changes_.size(); ++i) before.try_emplace(changes_[i].first, changes_[i].second);
  for (const auto& [variable, value] : other) before[variable] = value;
  for (const auto& [variable, value] : before)
    if (find(variable) != value) learn(variable, nullptr);
}

}  // namespace fermiac::mir
