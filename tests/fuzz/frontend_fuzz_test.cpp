// A short run of the fuzzers that is the same every time: the golden programs, and mutations of them. Deep nesting of
// everything that nests is tried as well.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/rng.h"
#include "tests/fuzz/fuzz.h"

namespace fermiac {
namespace {

std::vector<std::string> seeds() {
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

/// Pieces that are likely to lead somewhere.
constexpr const char* kPieces[] = {"{",      "}",    "(",      ")",       "[",     "]",      ";",      ",",    "|",
                                   "~",      "=",    "+=",     "<-",      "'",     ":",      "?",      ".1",   "\n",
                                   " ",      "//",   "/*",     "*/",      "#",     "\"",     "@a",     "T[,]", "1",
                                   "1e9",    "2i",   "real",   "vector[", "int",   "array[", "tuple(", "for",  "if",
                                   "else",   "data", "target", "return",  "print", "x",      "<",      ">",    "<lower=0>",
                                   "#include", "\xff", "model {", "functions {", "real f(real a);", "_lpdf", "normal"};

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : rng_(seed) {}

  std::string mutate(std::string text, const std::vector<std::string>& all) {
    for (std::size_t i = 0, n = 1 + below(4); i < n; ++i) step(text, all);
    return text;
  }
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(rng_() % n); }

 private:
  void step(std::string& text, const std::vector<std::string>& all) {
    const std::size_t at = below(text.size() + 1), length = below(std::min<std::size_t>(text.size() - at, 12) + 1);
    switch (below(5)) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, kPieces[below(std::size(kPieces))]); break;
      case 2: text.insert(at, text.substr(below(text.size() + 1), length)); break;
      case 3: text.replace(at, length, kPieces[below(std::size(kPieces))]); break;
      default: {
        const std::string& other = all[below(all.size())];
        text.insert(at, other.substr(below(other.size() + 1), 40));
      }
    }
  }
  Rng rng_;
};

void everything(const std::string& text) {
  fuzz::lexer(text);
  fuzz::parser(text);
  fuzz::checker(text);
  fuzz::formatter(text);
}

TEST(FrontendFuzz, GoldenPrograms) {
  for (const std::string& seed : seeds()) everything(seed);
}

TEST(FrontendFuzz, MutatedGoldenPrograms) {
  const char* wanted = std::getenv("FERMIAC_FUZZ_RUNS");
  const int runs = wanted ? std::atoi(wanted) : 4000;
  const std::vector<std::string> all = seeds();
  const std::string input = testing::TempDir() + "/frontend_fuzz_input.stan";
  Mutator mutator(1);
  for (int i = 0; i < runs; ++i) {
    const std::string text = mutator.mutate(all[mutator.below(all.size())], all);
    std::ofstream(input, std::ios::binary) << text;  // a failed check aborts; this is what it was about
    everything(text);
  }
}

std::string repeated(const std::string& piece, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += piece;
  return result;
}

TEST(FrontendFuzz, DeepNestingNeverFaults) {
  struct Row {
    std::string before, open, middle, close, after;
  };
  const Row rows[] = {
      {"model { print(", "(", "1", ")", "); }"},  {"model {", "{", "", "}", "}"},
      {"model { print(", "1 + ", "1", "", "); }"}, {"model { print(", "1 ^ ", "1", "", "); }"},
      {"model { print(", "-", "1", "", "); }"},    {"model { print(x", "[1]", "", "", "); }"},
      {"model { print(", "x[", "1", "]", "); }"},  {"model { print(", "1 ? 1 : ", "1", "", "); }"},
      {"model { print(", "1 ?", "1", ": 1", "); }"}, {"model {", "if (1) ", ";", "", "}"},
      {"model {", "if (1) {} else ", ";", "", "}"}, {"model {", "for (i in 1:2) ", ";", "", "}"},
      {"model { print(", "{", "1", "}", "); }"},   {"model { print(", "[", "1", "]", "); }"},
      {"data {", "tuple(", "real,", ")", "x; }"},  {"model { print(", "f(", "1", ")", "); }"},
      {"model { print(x", ".1", "", "", "); }"},   {"model { print(x", "'", "", "", "); }"},
      {"model {", "profile(\"a\") {", "", "}", "}"}, {"model { ", "(", "x", ",)", "= 1; }"}};
  constexpr int kDepth = 100'000;
  for (const Row& row : rows) {
    SCOPED_TRACE(row.open);
    const std::string deep = row.before + repeated(row.open, kDepth) + row.middle;
    for (const std::string& text : {deep, deep + repeated(row.close, kDepth) + row.after}) {
      fuzz::parser(text);
      fuzz::checker(text);
    }
  }
}

}  // namespace
}  // namespace fermiac
