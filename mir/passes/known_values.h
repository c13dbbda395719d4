// What a forward walk knows of variables: expressions that have the same value. Going back to an earlier state costs
// what has changed since, and forgetting a variable what mentions it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mir/ir/ir.h"

namespace fermiac::mir {

class KnownValues {
 public:
  using Values = std::map<std::string, ExprPtr>;
  using Mark = std::size_t;

  const Values& values() const { return values_; }
  void learn(const std::string& variable, const ExprPtr& value);
  /// Nothing is known of the variable, nor of any whose value mentions it.
  void forget(const std::string& variable);

  Mark mark() const { return changes_.size(); }
  /// Back to how things were; gives the variables that had changed since and what was known of them (null: nothing).
  Values go_back(Mark mark);
  /// What is known, changed to what `go_back` gave.
  void change_to(const Values& changed);
  /// After two paths from `mark`, the other of which `go_back` gave: what both know to be the very same.
  void meet(const Values& other, Mark mark);

 private:
  void set(const std::string& variable, ExprPtr value);
  ExprPtr find(const std::string& variable) const;
  Values changed_since(Mark mark) const;

  Values values_;
  std::map<std::string, std::set<std::string>> mentioned_by_;
  std::vector<std::pair<std::string, ExprPtr>> changes_;  // what was known before each
};

}  // namespace fermiac::mir
