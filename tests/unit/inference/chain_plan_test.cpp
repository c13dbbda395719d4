#include "inference/mcmc/chain_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace fermiac::inference {
namespace {

using Ids = std::vector<unsigned>;

Ids first(unsigned n) {
  Ids out(n);
  std::iota(out.begin(), out.end(), 1U);
  return out;
}

TEST(ChainPlan, ChainsInARowForEachProcess) {
  const ChainPlan plan(3, first(8));
  EXPECT_EQ(plan.drawers(), 3);
  EXPECT_EQ(plan.ids_of(0), (Ids{1, 2}));
  EXPECT_EQ(plan.ids_of(1), (Ids{3, 4, 5}));
  EXPECT_EQ(plan.ids_of(2), (Ids{6, 7, 8}));
  EXPECT_EQ(ChainPlan(2, {5, 9, 11}).ids_of(1), (Ids{9, 11}));
}

TEST(ChainPlan, ProcessesThatAreLeftServe) {
  const ChainPlan plan(7, first(2));
  EXPECT_EQ(plan.drawers(), 2);
  EXPECT_EQ(plan.group_of(0), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(plan.group_of(1), (std::vector<int>{4, 5, 6}));
  for (int process = 0; process < 7; ++process) EXPECT_EQ(plan.draws(process), process == 0 || process == 4) << process;
}

TEST(ChainPlan, EveryChainOnceAndEveryProcessSomewhere) {
  for (int processes = 1; processes < 20; ++processes)
    for (unsigned chains = 1; chains < 20; ++chains) {
      const ChainPlan plan(processes, first(chains));
      Ids ids;
      std::vector<int> members;
      for (int drawer = 0; drawer < plan.drawers(); ++drawer) {
        const Ids own = plan.ids_of(drawer);
        const std::vector<int> group = plan.group_of(drawer);
        ASSERT_FALSE(own.empty());
        ASSERT_FALSE(group.empty());
        EXPECT_TRUE(plan.draws(group.front()));
        for (std::size_t k = 1; k < group.size(); ++k) EXPECT_FALSE(plan.draws(group[k]));
        ids.insert(ids.end(), own.begin(), own.end());
        members.insert(members.end(), group.begin(), group.end());
      }
      EXPECT_EQ(ids, first(chains));
      ASSERT_EQ(members.size(), static_cast<std::size_t>(processes));
      EXPECT_TRUE(std::ranges::is_sorted(members));
    }
}

}  // namespace
}  // namespace fermiac::inference
