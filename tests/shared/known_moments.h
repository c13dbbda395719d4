// Runs of samplers on posteriors whose moments are known.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "inference/diagnostics/ess.h"
#include "inference/methods/sample.h"
#include "inference/output/run_io.h"
#include "support/platform/text_streams.h"
#include "tests/shared/analytic_models.h"

namespace fermiac::testing {

using inference::ChainVecs;
using inference::ColumnSummary;
using inference::RunIo;
using inference::SampleOptions;
using inference::SampleRun;
using inference::Vec;

struct Quiet {
  TextStream out, err;
  RunIo io() { return {.out = out.file(), .err = err.file(), .terminal = false, .stop = nullptr}; }
};

inline SampleOptions options_in(const OwnFolder& dir) {
  SampleOptions options;
  options.output_dir = dir.path().string();
  options.seed = 4711;
  options.refresh = 0;
  options.threads = 2;
  return options;
}

/// Mean and sd of every coordinate within four Monte Carlo standard errors of the truth.
inline void expect_moments(const SampleRun& run, const std::vector<std::pair<double, double>>& truth) {
  ASSERT_TRUE(run.status);
  const std::vector<ColumnSummary> columns = inference::summarise(run.chains, 2);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const std::size_t at = run.chains.find("x." + std::to_string(i + 1));
    const ColumnSummary& c = columns[at];
    const auto [mean, sd] = truth[i];
    EXPECT_NEAR(c.mean, mean, 4 * c.mcse) << c.name;
    ChainVecs squares = run.chains.column(at);
    double second = 0, count = 0;
    for (Vec& chain : squares)
      for (double& x : chain) {
        x = (x - mean) * (x - mean);
        second += x;
        ++count;
      }
    const double spread = std::sqrt(2.0) * sd * sd * 1.5;  // at least the sd of the square of a normal
    EXPECT_NEAR(second / count, sd * sd, 4 * spread / std::sqrt(inference::ess_mean(squares))) << c.name;
    EXPECT_LT(c.rhat, 1.02) << c.name;
    EXPECT_GT(c.ess_bulk, 400) << c.name;
  }
}

inline SampleRun run_with(const Model& model, SampleOptions options) {
  Quiet quiet;
  SampleRun run = inference::sample(model, options, quiet.io());
  EXPECT_TRUE(run.status) << quiet.err.text();
  return run;
}

}  // namespace fermiac::testing
