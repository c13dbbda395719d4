// The factors of a log density and the variables that each of them touches.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace fermiac::mir {

class FactorGraph {
 public:
  /// `touched`: by factor. `data`: the variables that are none of the parameters.
  FactorGraph(const std::vector<std::set<std::string>>& touched, const std::set<std::string>& data);

  const std::vector<std::size_t>& factors_of(const std::string& variable) const;
  /// Whether a factor of `without` touches data, or shares a variable other than `without` with one that does, and so
  /// on.
  bool reaches_data(std::size_t factor, const std::string& without) const;

 private:
  void search();

  // Nodes: 0 stands for the data, then come the factors, then the parameters.
  std::size_t node_of(const std::string& variable);
  std::vector<std::vector<std::size_t>> neighbours_;
  std::map<std::string, std::size_t> nodes_;
  std::map<std::string, std::vector<std::size_t>> factors_;
  // A depth-first search from the data: when each node was found (from 1; 0: never), the earliest that its subtree has
  // an edge to, and its children in the order they were found.
  std::vector<std::size_t> found_, low_, end_;
  std::vector<std::vector<std::size_t>> children_;
};

}  // namespace fermiac::mir
