// Every signature of the function table, called with made-up arguments: values, gradients, loops over elements.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/conformance/sweep.h"

namespace fermiac::selfcheck {
namespace {

/// FERMIAC_SEED chooses other arguments.
std::uint64_t seed() {
  const char* text = std::getenv("FERMIAC_SEED");
  return text ? std::stoull(text) : 1;
}

TEST(Sweep, EverySignature) {
  const SweepReport r = sweep_functions("", seed());
  for (const SweepFinding& f : r.findings) ADD_FAILURE() << f.signature << ": " << f.what << " (seed " << seed() << ")";
  EXPECT_EQ(r.signatures, 24246u);
  EXPECT_EQ(r.implemented + r.take_functions, r.signatures);
  EXPECT_EQ(r.called, r.implemented);
  EXPECT_EQ(r.too_deep, 0u);
  EXPECT_GT(r.differentiated, 20000u);
  EXPECT_GT(r.looped, 17000u);
}

}  // namespace
}  // namespace fermiac::selfcheck
