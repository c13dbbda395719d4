// Every built-in function against files of known values: values plainly and recorded, gradients through the tape, transforms,
// random draws. Cases in oracle_exceptions.txt are known to differ, for the reason given there; the list may only shrink.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "interp/io/oracle.h"

namespace fermiac::interp {
namespace {

const std::string kData = std::string(FERMIAC_SOURCE_DIR) + "/tests/battery/data/";

std::string unzipped(const std::string& path) {
  std::string text;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(("gzip -dc '" + path + "'").c_str(), "r"), pclose);
  char chunk[65536];
  while (const std::size_t n = std::fread(chunk, 1, sizeof chunk, pipe.get())) text.append(chunk, n);
  return text;
}

/// Case ids and why they differ. Lines: `id  reason`; `#` starts a comment.
std::map<std::string, std::string> exceptions() {
  std::map<std::string, std::string> out;
  std::ifstream file(kData + "oracle_exceptions.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t blank = line.find(' ');
    out[line.substr(0, blank)] = line.substr(line.find_first_not_of(' ', blank));
  }
  return out;
}

void check(const std::string& file, std::size_t least) {
  const auto known = exceptions();
  const OracleReport report = check_oracle_text(unzipped(kData + file));
  ASSERT_GE(report.outcomes.size(), least);
  for (const OracleOutcome& o : report.outcomes) {
    const bool good = o.kind == OracleOutcome::Kind::Passed;
    if (known.contains(o.id)) EXPECT_FALSE(good) << o.id << " passes now: take it off the list of exceptions";
    else EXPECT_TRUE(good) << o.id << ": " << o.message;
  }
}

TEST(Oracle, Functions) { check("functions.jsonl.gz", 11000); }
TEST(Oracle, Transforms) { check("transforms.jsonl.gz", 200); }
TEST(Oracle, RandomDraws) {
  check("rng.jsonl.gz", 20);
  check("rng_univariate.jsonl.gz", 50);
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
}  // namespace fermiac::interp
