// Tests of tables in tests/golden whose lines are scans of a function along its arguments.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/conformance/oracle.h"
#include "tests/shared/on_instruction_set.h"
#include "tests/shared/unzipped.h"

namespace fermiac::selfcheck {

/// Every line of tests/golden/FILE passes.
inline void expect_scan_passes(std::string_view file, std::size_t lines) {
  const OracleReport report = check_oracle_text(unzipped(fmt::format("{}/tests/golden/{}", FERMIAC_SOURCE_DIR, file)));
  EXPECT_EQ(report.outcomes.size(), lines);
  for (const OracleOutcome& o : report.outcomes) EXPECT_EQ(o.kind, OracleOutcome::Kind::Passed) << o.id << ": " << o.message;
}

using testing::expect_passes_on_other_instruction_sets;

}  // namespace fermiac::selfcheck
