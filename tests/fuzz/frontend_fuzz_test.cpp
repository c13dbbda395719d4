// A short run of the fuzzers that is the same every time: the golden programs, and mutations of them. Deep nesting of
// everything that nests is tried as well.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/mutate.h"

namespace fermiac {
namespace {

/// Pieces that are likely to lead somewhere.
constexpr const char* kPieces[] = {"{",        "}",     "(",       ")",           "[",
                                   "]",        ";",     ",",       "|",           "~",
                                   "=",        "+=",    "<-",      "'",           ":",
                                   "?",        ".1",    "\n",      " ",           "//",
                                   "/*",       "*/",    "#",       "\"",          "@a",
                                   "T[,]",     "1",     "1e9",     "2i",          "real",
                                   "vector[",  "int",   "array[",  "tuple(",      "for",
                                   "if",       "else",  "data",    "target",      "return",
                                   "print",    "x",     "<",       ">",           "<lower=0>",
                                   "#include", "\xff",  "model {", "functions {", "real f(real a);",
                                   "_lpdf",    "normal"};

void everything(const std::string& text) {
  fuzz::lexer(text);
  fuzz::parser(text);
  fuzz::checker(text);
  fuzz::formatter(text);
}

TEST(FrontendFuzz, GoldenPrograms) {
  for (const std::string& seed : fuzz::golden_programs()) everything(seed);
}

TEST(FrontendFuzz, MutatedGoldenPrograms) {
  const int runs = fuzz::wanted_runs(4000);
  const std::vector<std::string> all = fuzz::golden_programs();
  const std::string input = testing::TempDir() + "/frontend_fuzz_input.stan";
  fuzz::Mutator mutator(1, kPieces);
  for (int i = 0; i < runs; ++i) {
    const std::string text = mutator.mutate(all[mutator.below(all.size())], all);
    std::ofstream(input, std::ios::binary) << text;  // a failed check aborts; this is what it was about
    everything(text);
  }
}

TEST(FrontendFuzz, DeepNestingNeverFaults) {
  struct Row {
    std::string before, open, middle, close, after;
  };
  const Row rows[] = {{"model { print(", "(", "1", ")", "); }"},     {"model {", "{", "", "}", "}"},
                      {"model { print(", "1 + ", "1", "", "); }"},   {"model { print(", "1 ^ ", "1", "", "); }"},
                      {"model { print(", "-", "1", "", "); }"},      {"model { print(x", "[1]", "", "", "); }"},
                      {"model { print(", "x[", "1", "]", "); }"},    {"model { print(", "1 ? 1 : ", "1", "", "); }"},
                      {"model { print(", "1 ?", "1", ": 1", "); }"}, {"model {", "if (1) ", ";", "", "}"},
                      {"model {", "if (1) {} else ", ";", "", "}"},  {"model {", "for (i in 1:2) ", ";", "", "}"},
                      {"model { print(", "{", "1", "}", "); }"},     {"model { print(", "[", "1", "]", "); }"},
                      {"data {", "tuple(", "real,", ")", "x; }"},    {"model { print(", "f(", "1", ")", "); }"},
                      {"model { print(x", ".1", "", "", "); }"},     {"model { print(x", "'", "", "", "); }"},
                      {"model {", "profile(\"a\") {", "", "}", "}"}, {"model { ", "(", "x", ",)", "= 1; }"}};
  constexpr int kDepth = 100'000;
  for (const Row& row : rows) {
    SCOPED_TRACE(row.open);
    const std::string deep = row.before + fuzz::repeated(row.open, kDepth) + row.middle;
    for (const std::string& text : {deep, deep + fuzz::repeated(row.close, kDepth) + row.after}) {
      fuzz::parser(text);
      fuzz::checker(text);
    }
  }
}

}  // namespace
}  // namespace fermiac
