// Samples every example and compares posterior means and standard deviations with reference values within four Monte
// Carlo standard errors of the difference. The references (data/examples_reference.json) come from long runs with another
// seed; those of the eight schools agree with the public reference draws of that model.
#include <simdjson.h>

#include <cmath>
#include <map>

#include "inference/sample.h"
#include "tests/differential/example_models.h"

namespace fermiac::interp {
namespace {

using inference::ChainSet;

/// mean and its standard error, standard deviation and its standard error, by column name.
struct Reference {
  double mean = 0, mean_se = 0, sd = 0, sd_se = 0;
};
using References = std::map<std::string, std::map<std::string, Reference>>;

References load_references() {
  simdjson::dom::parser parser;
  const simdjson::dom::element file = parser.load(FERMIAC_SOURCE_DIR "/tests/differential/data/examples_reference.json");
  References all;
  for (const auto [example, columns] : simdjson::dom::object(file))
    for (const auto [column, numbers] : simdjson::dom::object(columns)) {
      const simdjson::dom::array v = numbers;
      all[std::string(example)][std::string(column)] = {v.at(0), v.at(1), v.at(2), v.at(3)};
    }
  return all;
}

const References& references() {
  static const References all = load_references();
  return all;
}

inference::SampleRun sample_example(const std::string& name) {
  const auto model = load_example(name);
  inference::SampleOptions options;
  options.seed = 20;
  options.adapt.delta = 0.9;
  options.refresh = 0;
  options.output_dir = testing::TempDir() + "fermiac_posterior_" + name;
  options.overwrite = true;
  options.summary = false;
  std::FILE* quiet = std::fopen("/dev/null", "w");
  inference::SampleRun run = inference::sample(*model, options, {.out = quiet, .err = quiet});
  std::fclose(quiet);
  return run;
}

/// Standard error of the sample sd, from the effective size of the squared deviations (delta method).
double sd_error(const inference::ChainVecs& chains, double mean, double sd) {
  inference::ChainVecs squares = chains;
  double fourth = 0;
  std::size_t n = 0;
  for (auto& chain : squares)
    for (double& x : chain) {
      x = (x - mean) * (x - mean);
      fourth += (x - sd * sd) * (x - sd * sd);
      ++n;
    }
  const double ess = inference::ess_mean(squares);
  return std::sqrt(fourth / static_cast<double>(n) / ess) / (2 * sd);
}

class Posterior : public testing::TestWithParam<std::string> {};

TEST_P(Posterior, MatchesReference) {
  const auto& expected = references().at(GetParam());
  const inference::SampleRun run = sample_example(GetParam());
  ASSERT_EQ(run.exit_code, 0);
  ASSERT_TRUE(run.has_draws);
  const auto summary = inference::summarise(run.chains);
  std::size_t compared = 0;
  for (std::size_t c = 0; c < summary.size(); ++c) {
    const auto& s = summary[c];
    const auto it = expected.find(s.name);
    if (it == expected.end()) continue;
    const Reference& e = it->second;
    EXPECT_LE(std::fabs(s.mean - e.mean), 4 * std::hypot(s.mcse, e.mean_se))
        << s.name << ": mean " << s.mean << ", reference " << e.mean;
    const double error = std::hypot(sd_error(run.chains.column(c), s.mean, s.sd), e.sd_se);
    EXPECT_LE(std::fabs(s.sd - e.sd), 4 * error) << s.name << ": sd " << s.sd << ", reference " << e.sd;
    ++compared;
  }
  EXPECT_EQ(compared, expected.size());
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& [name, columns] : references()) all.push_back(name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Examples, Posterior, testing::ValuesIn(names()));

}  // namespace
}  // namespace fermiac::interp
