// Inputs for the short runs of the fuzzers: the golden programs, and mutations that are the same every time.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/base/rng.h"

namespace fermiac::fuzz {

/// The golden programs without their expected output.
inline std::vector<std::string> golden_programs() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(FERMIAC_SOURCE_DIR "/tests/golden/programs"))
    if (entry.is_regular_file()) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> result;
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    result.push_back(text.substr(0, text.find("//|exit")));
  }
  return result;
}

class Mutator {
 public:
  Mutator(std::uint64_t seed, std::span<const char* const> pieces) : rng_(seed), pieces_(pieces) {}

  std::string mutate(std::string text, const std::vector<std::string>& all) {
    for (std::size_t i = 0, n = 1 + below(4); i < n; ++i) step(text, all);
    return text;
  }
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(rng_() % n); }

 private:
  void step(std::string& text, const std::vector<std::string>& all) {
    const std::size_t at = below(text.size() + 1), length = below(std::min<std::size_t>(text.size() - at, 12) + 1);
    switch (below(5)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, pieces_[below(pieces_.size())]);
        break;
      case 2:
        text.insert(at, text.substr(below(text.size() + 1), length));
        break;
      case 3:
        text.replace(at, length, pieces_[below(pieces_.size())]);
        break;
      default: {
        const std::string& other = all[below(all.size())];
        text.insert(at, other.substr(below(other.size() + 1), 40));
      }
    }
  }
  Rng rng_;
  std::span<const char* const> pieces_;  // that are likely to lead somewhere
};

/// How many mutations to try: `FERMIAC_FUZZ_RUNS`, or `few`.
inline int wanted_runs(int few) {
  const char* wanted = std::getenv("FERMIAC_FUZZ_RUNS");
  return wanted ? std::atoi(wanted) : few;
}

/// `piece` many times.
inline std::string repeated(const std::string& piece, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += piece;
  return result;
}

}  // namespace fermiac::fuzz
