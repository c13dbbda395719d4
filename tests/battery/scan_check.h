// Tests of tables in tests/golden whose lines are scans of a function along its arguments.
#pragma once

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

/// Every line of tests/golden/FILE passes.
inline void expect_scan_passes(std::string_view file, std::size_t lines) {
  const OracleReport report = check_oracle_text(unzipped(fmt::format("{}/tests/golden/{}", FERMIAC_SOURCE_DIR, file)));
  EXPECT_EQ(report.outcomes.size(), lines);
  for (const OracleOutcome& o : report.outcomes) EXPECT_EQ(o.kind, OracleOutcome::Kind::Passed) << o.id << ": " << o.message;
}

/// Runs the tests that `filter` selects in child processes that are held to the other instruction sets.
inline void expect_passes_on_other_instruction_sets(std::string_view filter) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  for (const std::string_view isa : ad::isa_names()) {
    if (isa == ad::isa_name(ad::active_isa())) continue;
    EXPECT_EQ(std::system(fmt::format("FERMIAC_ISA={} '{}' --gtest_filter={}", isa, self, filter).c_str()), 0) << isa;
  }
}

}  // namespace fermiac::selfcheck
