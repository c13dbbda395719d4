#include "inference/mcmc/chain_plan.h"

#include <algorithm>

namespace fermiac::inference {

ChainPlan::ChainPlan(int processes, std::vector<unsigned> ids)
    : processes_(processes), drawers_(static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(processes), ids.size()))), ids_(std::move(ids)) {}

std::vector<int> ChainPlan::group_of(int drawer) const {
  std::vector<int> out;
  for (int process = 0; process < processes_; ++process)
    if (drawer_of(process) == drawer) out.push_back(process);
  return out;
}

std::vector<unsigned> ChainPlan::ids_of(int drawer) const {
  const auto begin = [&](int k) { return ids_.begin() + static_cast<std::ptrdiff_t>(ids_.size()) * k / drawers_; };
  return {begin(drawer), begin(drawer + 1)};
}

}  // namespace fermiac::inference
