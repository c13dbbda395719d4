// A short run of the MIR reader's fuzzer that is the same every time: what the golden programs become, mutations of it,
// and deep nesting of everything that nests.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <string>
#include <vector>

#include "frontend/check/check.h"
#include "frontend/parse/parse.h"
#include "mir/lower/lower.h"
#include "mir/text/text.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/mutate.h"

namespace fermiac {
namespace {

constexpr const char* kPieces[] = {"(",
                                   ")",
                                   "()",
                                   " ",
                                   "\"",
                                   "\\",
                                   "1",
                                   "100000000000",
                                   "x",
                                   "(pattern",
                                   "(meta",
                                   "Skip",
                                   "(type_ UInt)",
                                   "(UArray UReal)",
                                   "(UTuple(UInt))",
                                   "(UFun()Void)",
                                   "UMatrix",
                                   "SMatrix",
                                   "SComplexVector",
                                   "(TupleAD(AutoDiffable))",
                                   "DataOnly",
                                   "All",
                                   "Single",
                                   "FnCheck",
                                   "FnReadParam",
                                   "FnLpdf true",
                                   "StanLib",
                                   "UserDefined",
                                   "CompilerInternal",
                                   "TupleProjection",
                                   "LTupleProjection",
                                   "LowerUpper",
                                   "TupleTransformation",
                                   "Sized",
                                   "Unsized",
                                   "Block"};

/// What the golden programs become, as text; large ones are left out.
std::vector<std::string> seeds() {
  constexpr std::size_t kLargest = 20'000;
  std::vector<std::string> result;
  for (const std::string& text : fuzz::golden_programs()) {
    SourceMap sources;
    Diagnostics diagnostics;
    auto program = parse_program(sources, sources.add("fuzz.stan", text), {}, diagnostics);
    if (!program || !check_program(*program, {}, diagnostics)) continue;
    std::string mir = mir::to_text(mir::lower(*program, "fuzz_model", "fuzz.stan"));
    if (mir.size() <= kLargest) result.push_back(std::move(mir));
  }
  return result;
}

TEST(MirReaderFuzz, GoldenProgramsAndTheirMutations) {
  const std::vector<std::string> all = seeds();
  ASSERT_GT(all.size(), 100u);
  for (const std::string& seed : all) fuzz::mir_reader(seed);
  const std::string input = testing::TempDir() + "/mir_reader_fuzz_input.txt";
  fuzz::Mutator mutator(1, kPieces);
  for (int i = 0, runs = fuzz::wanted_runs(2000); i < runs; ++i) {
    const std::string text = mutator.mutate(all[mutator.below(all.size())], all);
    std::ofstream(input, std::ios::binary) << text;  // a failed check aborts; this is what it was about
    fuzz::mir_reader(text);
  }
}

/// A program of which only the statements of one section are given.
std::string with_log_prob(const std::string& statements) {
  return "((functions_block())(input_vars())(prepare_data())(log_prob(" + statements +
         "))(reverse_mode_log_prob())(generate_quantities())(transform_inits())(unconstrain_array())(output_vars())"
         "(prog_name x)(prog_path x))";
}

TEST(MirReaderFuzz, DeepNestingNeverFaults) {
  const std::string meta = "(meta((type_ UInt)(loc <opaque>)(adlevel DataOnly)))";
  struct Row {
    std::string before, open, middle, close, after;
  };
  const Row rows[] = {{"", "(", "", ")", ""},
                      {"((pattern(TargetPE ", "((pattern(Promotion ", "((pattern(Lit Int 1))" + meta + ")",
                       " UReal DataOnly))" + meta + ")", "))(meta <opaque>))"},
                      {"", "((pattern(Block(", "((pattern Skip)(meta <opaque>))", ")))(meta <opaque>))", ""},
                      {"((pattern(TargetPE((pattern(Lit Int 1))(meta((type_ ", "(UArray ", "UInt", ")",
                       ")(loc <opaque>)(adlevel DataOnly))))))(meta <opaque>))"},
                      {"((pattern(TargetPE((pattern(Lit Int 1))(meta((type_ ", "(UTuple(", "UInt", "))",
                       ")(loc <opaque>)(adlevel DataOnly))))))(meta <opaque>))"},
                      {"((pattern(TargetPE((pattern(Lit Int 1))(meta((type_ UInt)(loc <opaque>)(adlevel ", "(TupleAD(",
                       "DataOnly", "))", "))))))(meta <opaque>))"},
                      {"((pattern(Assignment ", "((LTupleProjection ", "((LVariable x)())", " 1)())",
                       " UInt((pattern(Lit Int 1))" + meta + ")))(meta <opaque>))"}};
  for (const Row& row : rows)
    for (const int depth : {100, 1000, 2000, 3900, 100'000}) {
      SCOPED_TRACE(row.open + " " + std::to_string(depth));
      const std::string deep = row.before + fuzz::repeated(row.open, depth) + row.middle;
      fuzz::mir_reader(with_log_prob(deep));
      fuzz::mir_reader(with_log_prob(deep + fuzz::repeated(row.close, depth) + row.after));
    }
}

/// `model { open(0) open(1) … middle close close … }`.
std::string nested(std::string (*open)(int), const std::string& middle, const std::string& close) {
  constexpr int kDepth = 900;  // the parser allows 1000
  std::string text = "model {";
  for (int i = 0; i < kDepth; ++i) text += open(i);
  return text + middle + fuzz::repeated(close, kDepth) + "}";
}

TEST(MirReaderFuzz, TheDeepestProgramsReadBack) {
  const std::string programs[] = {
      nested([](int) { return std::string("{"); }, "", "}"),
      nested([](int) { return std::string("if (1) "); }, ";", ""),
      nested([](int i) { return "for (i" + std::to_string(i) + " in {1}) "; }, ";", ""),
      "model { target += " + fuzz::repeated("(1.0 + ", 900) + "1" + fuzz::repeated(")", 900) + "; }"};
  for (const std::string& text : programs) {
    SCOPED_TRACE(text.substr(0, 40));
    SourceMap sources;
    Diagnostics diagnostics;
    auto program = parse_program(sources, sources.add("deep.stan", text), {}, diagnostics);
    ASSERT_TRUE(program && check_program(*program, {}, diagnostics));
    const std::string written = mir::to_text(mir::lower(*program, "deep_model", "deep.stan"));
    const mir::ReadResult read = mir::read_text(written);
    ASSERT_TRUE(read.program) << read.error;
    EXPECT_EQ(mir::to_text(*read.program), written);
  }
}

}  // namespace
}  // namespace fermiac
