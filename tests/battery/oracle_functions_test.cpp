// Every built-in function against files of known values, in every way that it can be evaluated and on every instruction
// set; transforms, random draws. Where a file is known to be wrong (tests/conformance/known_differences.inc), what is right
// instead.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "autodiff/kernels/isa.h"
#include "autodiff/kernels/kernel.h"
#include "tests/conformance/oracle.h"
#include "tests/conformance/oracle_values.h"
#include "tests/shared/on_instruction_set.h"
#include "tests/shared/unzipped.h"

namespace fermiac::selfcheck {
namespace {

const std::string kData = std::string(FERMIAC_SOURCE_DIR) + "/tests/battery/data/";

using Kind = OracleOutcome::Kind;

/// Runs a file and prints what was not compared as it stands there.
OracleReport check(const std::string& file, std::size_t least) {
  const OracleReport report = check_oracle_text(unzipped(kData + file));
  EXPECT_GE(report.outcomes.size(), least);
  for (const OracleOutcome& o : report.outcomes)
    EXPECT_TRUE(o.kind == Kind::Passed || o.kind == Kind::FileWrong) << o.id << ": " << o.message;
  fmt::print("{}, {}: {}\n{}", file, ad::isa_name(ad::active_isa()), report.summary(), report.leniencies());
  return report;
}

/// How many cases of functions.jsonl.gz may need each leniency, on any instruction set: more is a loss.
struct Limit {
  Rule rule;
  std::size_t cases;
};
constexpr Limit kLimits[] = {{Rule::SuspectValue, 174},   {Rule::SuspectGradient, 409},   {Rule::ErrorOrValue, 7},
                             {Rule::IntResult, 2},        {Rule::RoundedProbability, 28}, {Rule::LaneRounding, 8},
                             {Rule::UnfusedProduct, 1},   {Rule::NanInFile, 29},          {Rule::InfiniteInFile, 133},
                             {Rule::ValueNotFinite, 559}, {Rule::NoGradientRequired, 42}, {Rule::UniqueUpToSign, 42},
                             {Rule::UniqueUpToPhase, 20}, {Rule::MirroredGradient, 4},    {Rule::RaggedArray, 40},
                             {Rule::Cancellation, 0},     {Rule::SampleMean, 0},          {Rule::HeavyTail, 0}};
static_assert(std::size(kLimits) == static_cast<std::size_t>(Rule::kCount));

TEST(Oracle, Functions) {
  const OracleReport report = check("functions.jsonl.gz", 11000);
  for (const Limit& l : kLimits) EXPECT_LE(report.count(l.rule), l.cases) << rule_text(l.rule).name;
  check("functions_more.jsonl.gz", 17);
}

/// In child processes that are held to the other instruction sets.
TEST(Oracle, FunctionsOnEveryInstructionSet) {
  testing::expect_passes_on_other_instruction_sets("Oracle.Functions");
}

TEST(Oracle, Transforms) {
  check("transforms.jsonl.gz", 242);
}
TEST(Oracle, RandomDraws) {
  check("rng.jsonl.gz", 25);
  check("rng_univariate.jsonl.gz", 50);
}

/// Kernels that other test programs cover, by what their names begin or end with.
bool covered_elsewhere(std::string_view name) {
  for (const std::string_view suffix : {"_constrain", "_jacobian__", "_unconstrain"})
    if (name.ends_with(suffix)) return true;
  return name.starts_with("complex_") || name == "running_sum__" || name == "linear_recurrence__";  // of loops: long_loops_test, recurrences_test
}

TEST(Oracle, EveryKernelHasACase) {
  std::set<std::string, std::less<>> tested;
  for (const char* file : {"functions.jsonl.gz", "functions_more.jsonl.gz"})
    for (const OracleOutcome& o : check_oracle_text(unzipped(kData + file)).outcomes) tested.insert(o.function);
  for (const ad::Kernel* k : ad::all_kernels()) {
    if (covered_elsewhere(k->name)) continue;
    EXPECT_TRUE(tested.contains(k->name)) << k->name;
  }
}

constexpr const char* kKnown =
    R"({{"id":"inc_beta/7","fn":"inc_beta","kind":"scalar","args":[{{"type":"real","value":2}},{{"type":"real","value":3}},{{"type":"real","value":1}}],"result":{{"type":"real","value":{}}},"grad":[[{}],["-Infinity"],[0]],"tol":1e-8,"grad_tol":1e-6}})";

TEST(Oracle, KnownDifferences) {
  const OracleOutcome known = check_oracle_case(fmt::format(kKnown, 1, 0.583333));
  EXPECT_EQ(known.kind, Kind::FileWrong) << known.message;
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

TEST(Oracle, EveryKnownDifferenceIsOfACase) {
  std::string files;
  for (const char* file : {"functions.jsonl.gz", "transforms.jsonl.gz", "rng.jsonl.gz"}) files += unzipped(kData + file);
  for (const std::string& id : oracle::known_difference_ids())
    EXPECT_NE(files.find(fmt::format("\"id\":\"{}\"", id)), std::string::npos) << id;
}

constexpr const char* kSuspect =
    R"({{"id":"s","fn":"exp","kind":"scalar","args":[{{"type":"real","value":0}}],"result":{{"type":"real","value":{}}},"suspect":1,"grad":[[1]],"tol":1e-12}})";

TEST(Oracle, CountsLeniencies) {
  const OracleReport exact = check_oracle_text(fmt::format(kSuspect, 1));
  EXPECT_EQ(exact.count(Rule::SuspectValue), 0u);
  EXPECT_EQ(exact.leniencies(), "");
  const OracleReport suspect = check_oracle_text(fmt::format(kSuspect, 2));
  EXPECT_EQ(suspect.count(Rule::SuspectValue), 1u);
  EXPECT_EQ(suspect.leniencies(), "     1 suspect value: agrees with the true value in the file, not with its result\n");
  EXPECT_EQ(suspect.summary(), "1 passed, 0 failed, 0 unsupported, 0 where the file is wrong");
}

TEST(Oracle, ReportsDifferences) {
  const OracleOutcome good = check_oracle_case(
      R"({"id":"a","fn":"exp","kind":"scalar","args":[{"type":"real","value":0}],"result":{"type":"real","value":1},"grad":[[1]],"tol":1e-12})");
  EXPECT_EQ(good.kind, Kind::Passed) << good.message;
  const OracleOutcome value = check_oracle_case(
      R"({"id":"b","fn":"exp","kind":"scalar","args":[{"type":"real","value":0}],"result":{"type":"real","value":2},"grad":[[1]],"tol":1e-12})");
  EXPECT_EQ(value.message, "value 1, expected 2");
  const OracleOutcome gradient = check_oracle_case(
      R"({"id":"c","fn":"exp","kind":"scalar","args":[{"type":"real","value":0}],"result":{"type":"real","value":1},"grad":[[3]],"tol":1e-12})");
  EXPECT_EQ(gradient.message, "gradient of argument 1, entry 1 is 1, expected 3");
  const OracleOutcome silent = check_oracle_case(
      R"({"id":"d","fn":"exp","kind":"edge","args":[{"type":"real","value":0}],"throws":true,"exception":"domain_error"})");
  EXPECT_EQ(silent.kind, Kind::Failed);
  const OracleOutcome unknown = check_oracle_case(R"({"id":"e","fn":"no_such","kind":"edge","args":[],"throws":true})");
  EXPECT_EQ(unknown.kind, Kind::Unsupported);
}

}  // namespace
}  // namespace fermiac::selfcheck
