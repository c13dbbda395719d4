#include "mir/warnings/factor_graph.h"

#include <algorithm>
#include <iterator>

namespace fermiac::mir {

FactorGraph::FactorGraph(const std::vector<std::set<std::string>>& touched, const std::set<std::string>& data)
    : neighbours_(touched.size() + 1) {
  const auto connect = [&](std::size_t a, std::size_t b) {
    neighbours_[a].push_back(b);
    neighbours_[b].push_back(a);
  };
  for (std::size_t f = 0; f < touched.size(); ++f)
    for (const std::string& name : touched[f]) {
      factors_[name].push_back(f);
      connect(f + 1, data.contains(name) ? 0 : node_of(name));
    }
  search();
}

std::size_t FactorGraph::node_of(const std::string& variable) {
  const auto [at, fresh] = nodes_.try_emplace(variable, neighbours_.size());
  if (fresh) neighbours_.emplace_back();
  return at->second;
}

const std::vector<std::size_t>& FactorGraph::factors_of(const std::string& variable) const {
  static const std::vector<std::size_t> kNone;
  const auto found = factors_.find(variable);
  return found == factors_.end() ? kNone : found->second;
}

/// Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1 (1972), without recursion.
void FactorGraph::search() {
  const std::size_t count = neighbours_.size();
  found_.assign(count, 0);
  low_ = end_ = found_;
  children_.resize(count);
  std::vector<std::size_t> path = {0}, next(count, 0);
  std::size_t clock = found_[0] = low_[0] = 1;
  while (!path.empty()) {
    const std::size_t at = path.back();
    if (next[at] < neighbours_[at].size()) {
      const std::size_t to = neighbours_[at][next[at]++];
      if (found_[to] != 0) {
        low_[at] = std::min(low_[at], found_[to]);
        continue;
      }
      found_[to] = low_[to] = ++clock;
      children_[at].push_back(to);
      path.push_back(to);
      continue;
    }
    end_[at] = clock;
    path.pop_back();
    if (!path.empty()) low_[path.back()] = std::min(low_[path.back()], low_[at]);
  }
}

bool FactorGraph::reaches_data(std::size_t factor, const std::string& without) const {
  const std::size_t at = factor + 1, gone = nodes_.at(without);
  if (found_[at] == 0) return false;
  if (found_[at] < found_[gone] || found_[at] > end_[gone]) return true;  // no descendant
  // The child whose subtree it is in still reaches the data if an edge leads from there past the variable.
  const auto behind =
      std::ranges::upper_bound(children_[gone], found_[at], {}, [&](std::size_t c) { return found_[c]; });
  return low_[*std::prev(behind)] < found_[gone];
}

}  // namespace fermiac::mir
