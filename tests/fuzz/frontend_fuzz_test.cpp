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
  fuzz::names(text);
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

struct Nesting {
  std::string before, open, middle, close, after;

  std::string text(int depth, bool closed) const {
    const std::string opened = before + fuzz::repeated(open, depth) + middle;
    return closed ? opened + fuzz::repeated(close, depth) + after : opened;
  }
};
const Nesting kNestings[] = {{"model { print(", "(", "1", ")", "); }"},
                             {"model {", "{", "", "}", "}"},
                             {"model { print(", "1 + ", "1", "", "); }"},
                             {"model { print(", "1 ^ ", "1", "", "); }"},
                             {"model { print(", "-", "1", "", "); }"},
                             {"model { print(", "!", "1", "", "); }"},
                             {"transformed data { array[1] int x; print(x", "[1]", "", "", "); }"},
                             {"transformed data { array[1] int x; print(", "x[", "1", "]", "); }"},
                             {"model { print(", "1 ? 1 : ", "1", "", "); }"},
                             {"model { print(", "1 ? ", "1", ": 1", "); }"},
                             {"model { print(", "1 ? (", "1", ") : 1", "); }"},
                             {"model {", "if (1) ", ";", "", "}"},
                             {"model {", "if (1) {} else ", ";", "", "}"},
                             {"model {", "if (1) { } else { ", "", "}", "}"},
                             {"model {", "while (1) ", ";", "", "}"},
                             {"model {", "for (i in 1:2) ", ";", "", "}"},
                             {"model { print(", "{", "1", "}", "); }"},
                             {"model { print(", "[", "1", "]", "); }"},
                             {"data {", "tuple(", "real,", ")", "x; }"},
                             {"data {", "tuple(", "real, real", ")", "x; }"},
                             {"data {", "array[1] ", "real", "", "x; }"},
                             {"data { array[", "array[", "1", "]", "] real x; }"},
                             {"data { real<lower=", "(", "1", ")", "> x; }"},
                             {"data { real x", "[1]", ";", "", "}"},
                             {"data { real x", "[", "1", "]", "; }"},
                             {"model { print(", "f(", "1", ")", "); }"},
                             {"model { print(", "exp(", "1", ")", "); }"},
                             {"model { print(", "normal_lpdf(1 | ", "1", ", 1)", "); }"},
                             {"model { print(x", ".1", "", "", "); }"},
                             {"model { print(x", "'", "", "", "); }"},
                             {"model {", "profile(\"a\") {", "", "}", "}"},
                             {"model { ", "(", "x", ",)", "= 1; }"},
                             {"model { print(", "1 || ", "1", "", "); }"},
                             {"model { print(", "1 && ", "1", "", "); }"},
                             {"model { print(", "1 < ", "1", "", "); }"},
                             {"model { print(", ".5 .* ", "1", "", "); }"},
                             {"functions { real f(", "array[] ", "real x", "", ") { return 1; } }"},
                             {"functions { real f(", "tuple(", "real", ")", " x) { return 1; } }"},
                             {"functions {", "real f(real x) { return 1; }", "", "", "}"},
                             {"model {", "target += 1;", "", "", "}"},
                             {"data {", "int a,", "b", "", ";}"},
                             {"data { array[1", "", ",1", "", "] real x;}"},
                             {"", "model {", "", "}", ""},
                             {"@a", "(", "", ")", " data {}"},
                             {"", "/*", "", "*/", ""},
                             {"model { x ", "<- ", "1", "", "; }"},
                             {"model { 1 ~ f(1) ", "T[", "1", ",]", "; }"},
                             {"", "\"", "", "", ""},
                             {"model { x = ", "if_else(1, ", "1", ", 1)", "; }"},
                             {"model { reject(", "(1, ", "1", ")", "); }"}};

TEST(FrontendFuzz, DeepNestingNeverFaults) {
  for (const Nesting& nesting : kNestings) {
    SCOPED_TRACE(nesting.before + nesting.open);
    for (const bool closed : {false, true}) {
      fuzz::checker(nesting.text(100'000, closed));
      fuzz::names(nesting.text(1000, closed));
    }
  }
}

TEST(FrontendFuzz, TheDeepestProgramsAreFormatted) {
  for (const Nesting& nesting : kNestings) {
    SCOPED_TRACE(nesting.before + nesting.open);
    fuzz::formatter(nesting.text(300, true));
  }
}

}  // namespace
}  // namespace fermiac
