// `fermiac bench`: what its line of JSON says.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>

#include <simdjson.h>

#include "tests/shared/run_fermiac.h"

namespace fermiac {
namespace {

std::string example(const std::string& name) {
  const std::string stem = FERMIAC_SOURCE_DIR "/examples/" + name + "/" + name;
  return " '" + stem + ".stan' --data '" + stem + ".json' --seconds 0.02 ";
}

/// Numbers of the line by name.
std::map<std::string, double> numbers(const testing::ProgramRun& run) {
  std::map<std::string, double> out;
  simdjson::dom::parser parser;
  simdjson::dom::object line;
  EXPECT_FALSE(parser.parse(run.text).get(line)) << run.text;
  for (const auto& [key, value] : line)
    if (double x = 0; !value.get(x)) out[std::string(key)] = x;
  return out;
}

TEST(CliBench, Gradients) {
  const auto said = numbers(testing::run_fermiac("bench" + example("eight_schools")));
  EXPECT_GT(said.at("us_per_grad"), 0);
  EXPECT_EQ(said.at("params"), 10);
}

TEST(CliBench, DrawsByATape) {
  auto said = numbers(testing::run_fermiac("bench --draws" + example("eight_schools")));
  EXPECT_GT(said.at("us_values"), 0);
  EXPECT_GT(said.at("us_text"), 0);
  EXPECT_EQ(said.at("columns"), 26);
  EXPECT_GT(said.at("statements_by_tape"), 0);
  EXPECT_EQ(said.at("statements_by_nodes"), 0);
  EXPECT_GT(said.at("ops"), 0);
}

TEST(CliBench, DrawsByNodes) {
  auto said = numbers(testing::run_fermiac("bench --draws --evaluator interp" + example("eight_schools")));
  EXPECT_GT(said.at("us_values"), 0);
  EXPECT_EQ(said.at("statements_by_tape"), 0);
  EXPECT_EQ(said.at("ops"), 0);
}

TEST(CliBench, ADrawThatFails) {
  const std::string file = ::testing::TempDir() + "failing.stan";
  std::ofstream(file) << "parameters { real a; } generated quantities { real b = normal_rng(0, -exp(a)); }";
  const testing::ProgramRun run = testing::run_fermiac("bench --draws --seconds 0.02 '" + file + "'");
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.text.find("fermiac: a draw fails at the benchmark's point: normal_rng"), 0u) << run.text;
}

}  // namespace
}  // namespace fermiac
