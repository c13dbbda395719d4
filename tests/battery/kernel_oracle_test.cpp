// Values, gradients and errors of every kernel against recorded cases, and adjoints against finite differences.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string_view>

#include "tests/battery/kernel_battery.inl"

namespace fermiac::battery {
namespace {

const std::string kData = std::string(FERMIAC_SOURCE_DIR) + "/tests/battery/data/";

const std::vector<Case>& cases() {
  static const std::vector<Case> all = read_cases(kData + "kernels.jsonl.gz");
  return all;
}

TEST(KernelOracle, EveryCaseHasItsKernel) {
  ASSERT_GT(cases().size(), 500u);
  for (const Case& c : cases()) EXPECT_NE(ad::find_kernel(c.fn), nullptr) << c.id;
}

/// Kernels that other test programs cover, by what their names begin or end with.
bool covered_elsewhere(std::string_view name) {
  for (const std::string_view suffix : {"_constrain", "_jacobian__", "_unconstrain"})
    if (name.ends_with(suffix)) return true;
  return name.starts_with("complex_") || name == "eigenvectors" || name == "running_sum__";  // of loops: long_loops_test
}

TEST(KernelOracle, EveryKernelHasACase) {
  std::set<std::string_view> tested;
  for (const Case& c : cases()) tested.insert(c.fn);
  for (const ad::Kernel* k : ad::all_kernels()) {
    if (covered_elsewhere(k->name)) continue;
    EXPECT_TRUE(tested.contains(k->name)) << k->name;
  }
}

TEST(KernelOracle, ValuesGradientsAndErrors) {
  std::map<std::string, int> bad;
  for (const Case& c : cases()) {
    const ad::Kernel* k = ad::find_kernel(c.fn);
    if (k == nullptr) continue;
    const std::string difference = compare(*k, c);
    if (!difference.empty()) ++bad[c.fn];
    EXPECT_EQ(difference, "") << c.id;
  }
  for (const auto& [fn, n] : bad) std::printf("FAILED %s %d\n", fn.c_str(), n);
  std::printf("%zu cases\n", cases().size());
}

TEST(KernelOracle, AdjointsAgreeWithDifferences) {
  for (const Case& c : cases()) {
    const ad::Kernel* k = ad::find_kernel(c.fn);
    if (k == nullptr) continue;
    EXPECT_EQ(compare_with_differences(*k, c), "") << c.id;
  }
}

}  // namespace
}  // namespace fermiac::battery
