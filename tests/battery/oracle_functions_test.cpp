// Every built-in function against files of known values: values plainly and recorded, gradients through the tape,
// transforms, random draws. Where a file is known to be wrong (cli/selfcheck/known_differences.inc), what is right instead.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>

#include "cli/selfcheck/oracle.h"
#include "cli/selfcheck/oracle_values.h"
#include "tests/unzipped.h"

namespace fermiac::selfcheck {
namespace {

const std::string kData = std::string(FERMIAC_SOURCE_DIR) + "/tests/battery/data/";

void check(const std::string& file, std::size_t least) {
  const OracleReport report = check_oracle_text(unzipped(kData + file));
  ASSERT_GE(report.outcomes.size(), least);
  for (const OracleOutcome& o : report.outcomes)
    EXPECT_EQ(o.kind, OracleOutcome::Kind::Passed) << o.id << ": " << o.message;
}

TEST(Oracle, Functions) {
  check("functions.jsonl.gz", 11000);
  check("functions_far.jsonl.gz", 15);
}
TEST(Oracle, Transforms) {
  check("transforms.jsonl.gz", 242);
}
TEST(Oracle, RandomDraws) {
  check("rng.jsonl.gz", 25);
  check("rng_univariate.jsonl.gz", 50);
}

constexpr const char* kKnown =
    R"({{"id":"inc_beta/7","fn":"inc_beta","kind":"scalar","args":[{{"type":"real","value":2}},{{"type":"real","value":3}},{{"type":"real","value":1}}],"result":{{"type":"real","value":{}}},"grad":[[{}],["-Infinity"],[0]],"tol":1e-8,"grad_tol":1e-6}})";

TEST(Oracle, KnownDifferences) {
  const OracleOutcome known = check_oracle_case(fmt::format(kKnown, 1, 0.583333));
  EXPECT_EQ(known.kind, OracleOutcome::Kind::Passed) << known.message;
  EXPECT_TRUE(known.corrected);
  const OracleOutcome other = check_oracle_case(fmt::format(kKnown, 2, 0.583333));  // nothing is known of the value
  EXPECT_EQ(other.message, "value 1, expected 2 by the list of known differences");
  const OracleOutcome stale = check_oracle_case(fmt::format(kKnown, 1, 0));
  EXPECT_EQ(stale.message, "agrees with the file: take it off the list of known differences");
}

TEST(Oracle, EveryKnownDifferenceHasANumberAndAReason) {
  EXPECT_GE(oracle::known_difference_ids().size(), 70u);
  for (const std::string& id : oracle::known_difference_ids()) {
    const oracle::Json& row = *oracle::known_difference(id);
    EXPECT_GE(oracle::text_of(row, "reason").size(), 10u) << id;
    EXPECT_GE(row.members.size(), 3u) << id;  // besides id and reason
  }
}

TEST(Oracle, ReportsDifferences) {
  const OracleOutcome good = check_oracle_case(
      R"({"id":"a","fn":"exp","kind":"scalar","args":[{"type":"real","value":0}],"result":{"type":"real","value":1},"grad":[[1]],"tol":1e-12})");
  EXPECT_EQ(good.kind, OracleOutcome::Kind::Passed) << good.message;
  const OracleOutcome value = check_oracle_case(
      R"({"id":"b","fn":"exp","kind":"scalar","args":[{"type":"real","value":0}],"result":{"type":"real","value":2},"grad":[[1]],"tol":1e-12})");
  EXPECT_EQ(value.message, "value 1, expected 2");
  const OracleOutcome gradient = check_oracle_case(
      R"({"id":"c","fn":"exp","kind":"scalar","args":[{"type":"real","value":0}],"result":{"type":"real","value":1},"grad":[[3]],"tol":1e-12})");
  EXPECT_EQ(gradient.message, "gradient of argument 1, entry 1 is 1, expected 3");
  const OracleOutcome silent = check_oracle_case(
      R"({"id":"d","fn":"exp","kind":"edge","args":[{"type":"real","value":0}],"throws":true,"exception":"domain_error"})");
  EXPECT_EQ(silent.kind, OracleOutcome::Kind::Failed);
  const OracleOutcome unknown = check_oracle_case(R"({"id":"e","fn":"no_such","kind":"edge","args":[],"throws":true})");
  EXPECT_EQ(unknown.kind, OracleOutcome::Kind::Unsupported);
}

}  // namespace
}  // namespace fermiac::selfcheck
