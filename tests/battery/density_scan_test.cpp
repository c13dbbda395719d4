// Log densities and their gradients along each parameter from e^-40 to e^42, and along rays on which large terms cancel, against
// formulas with 160 digits (tests/golden/density_scan.py).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "autodiff/kernels/isa.h"
#include "tests/conformance/oracle.h"
#include "tests/shared/unzipped.h"

namespace fermiac::selfcheck {
namespace {

TEST(DensityScan, AgreesWithManyDigits) {
  const OracleReport report = check_oracle_text(unzipped(std::string(FERMIAC_SOURCE_DIR) + "/tests/golden/density_scan.jsonl.gz"));
  EXPECT_EQ(report.outcomes.size(), 7218u);
  for (const OracleOutcome& o : report.outcomes) EXPECT_EQ(o.kind, OracleOutcome::Kind::Passed) << o.id << ": " << o.message;
}

/// In child processes that are held to the other instruction sets.
TEST(DensityScan, OnEveryInstructionSet) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  for (const std::string_view isa : ad::isa_names()) {
    if (isa == ad::isa_name(ad::active_isa())) continue;
    const std::string command = fmt::format("FERMIAC_ISA={} '{}' --gtest_filter=DensityScan.AgreesWithManyDigits", isa, self);
    EXPECT_EQ(std::system(command.c_str()), 0) << isa;
  }
}

}  // namespace
}  // namespace fermiac::selfcheck
