// Runs CmdStan's command line on a program in memory, in a folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "cli/cmdstan/cmdstan.h"
#include "inference/output/csv.h"
#include "tests/shared/own_folder.h"

namespace fermiac::testing {

struct CmdstanRun {
  int status = 0;
  std::string out, err;
};

class CmdstanFolder : public OwnFolder {
 public:
  /// Words of the command line separated by blanks; `@` in them is this folder and a slash.
  CmdstanRun run(const std::string& program, const std::string& words, bool threads = true) const {
    cmdstan::ModelSource source;
    source.program = {.text = program, .path = "m.stan", .name = "m_model"};
    source.threads = threads;
    source.stancflags = "--O1";
    std::vector<std::string> args;
    std::istringstream in(words);
    for (std::string word; in >> word;) {
      for (std::size_t at; (at = word.find('@')) != std::string::npos;) word.replace(at, 1, path().string() + "/");
      args.push_back(word);
    }
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    CmdstanRun run;
    run.status = cmdstan::cmdstan_main(source, args);
    run.out = ::testing::internal::GetCapturedStdout();
    run.err = ::testing::internal::GetCapturedStderr();
    return run;
  }
};

/// The lines of a text that begin like this.
inline std::vector<std::string> lines_with(const std::string& text, const std::string& start) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(start)) out.push_back(line);
  return out;
}

/// Lines that are no comments: the header and the rows of a file of draws.
inline std::vector<std::string> rows_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (!line.starts_with('#') && !line.empty()) out.push_back(line);
  return out;
}

/// The draws in a file.
inline inference::CsvDraws draws_of(const std::string& path) {
  inference::CsvDraws draws;
  const Status result = inference::read_csv(path, &draws);
  EXPECT_TRUE(result) << result.message;
  return draws;
}

inline constexpr char kNormal[] = R"(
parameters { real mu; real<lower=0> sigma; }
model { mu ~ normal(1, 2); sigma ~ lognormal(0, 0.5); }
generated quantities { real y = normal_rng(mu, sigma); array[2] real z = {mu, sigma}; }
)";
inline constexpr char kNothing[] = R"(
generated quantities { real y = normal_rng(0, 1); }
)";
inline constexpr char kData[] = R"(
data { int N; array[N] real y; }
parameters { real mu; }
model { y ~ normal(mu, 1); }
)";

}  // namespace fermiac::testing
