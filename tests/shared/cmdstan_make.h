// The folder that clients take for CmdStan's, and a folder of the test's own to make programs in.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace fermiac {

namespace fs = std::filesystem;

inline const std::string kFolder = FERMIAC_BINARY_DIR "/cmdstan";

struct Outcome {
  int status;
  std::string out;  // standard output and error
};

class CmdstanFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    work_ = fs::path(::testing::TempDir()) / ("cmdstan_folder." + std::to_string(getpid()));
    fs::create_directories(work_);
    fs::copy(kFolder + "/examples/bernoulli", work_);
  }
  void TearDown() override { fs::remove_all(work_); }

  Outcome run(const std::string& command) const {
    const std::string file = (work_ / "out.txt").string();
    const int status = std::system(("(" + command + ") >" + file + " 2>&1").c_str());
    std::ifstream in(file, std::ios::binary);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, {std::istreambuf_iterator<char>(in), {}}};
  }
  Outcome make(const std::string& words) const { return run("cd " + kFolder + " && make " + words); }
  std::string at(const char* name) const { return (work_ / name).string(); }

  fs::path work_;
};

}  // namespace fermiac
