// Machine code against the interpreter: the same numbers bit for bit, the same messages with the same places. Programs
// written by hand for every construct, the examples, and random ones. FERMIAC_NATIVE_PROGRAMS and FERMIAC_NATIVE_SEED make
// the run longer or another one:
//   FERMIAC_NATIVE_PROGRAMS=300 FERMIAC_NATIVE_SEED=5000 build/tests/native_test
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "interp/native/machine_code.h"
#include "interp/native/module.h"
#include "support/base/render.h"
#include "support/base/rng.h"
#include "support/platform/run_program.h"
#include "tests/differential/engine_cases.h"
#include "tests/differential/example_models.h"
#include "tests/fuzz/programs/generate.h"

namespace fermiac::interp {
namespace {

/// Compiled code goes to a folder of the tests.
struct Cache {
  Cache() { setenv("XDG_CACHE_HOME", (std::string(FERMIAC_BINARY_DIR) + "/native_cache").c_str(), 1); }
};
const Cache kCache;

struct Both {
  std::shared_ptr<const CompiledModel> nodes, code;
  std::uint32_t pieces = 0;  // of machine code
};

Both both(const std::string& text) {
  Both out;
  out.nodes = compile_model({.text = text, .path = "m.stan", .name = "m_model"}, {.jit = Jit::Never});
  EXPECT_TRUE(*out.nodes) << render_errors(out.nodes->sources(), out.nodes->diagnostics) << text;
  if (!*out.nodes) return {};
  const auto native = machine_code(machine_code_text(*out.nodes, "a test"));
  out.pieces = native->region_count + native->user_function_count;
  out.code = prepare_model(out.nodes->compilation, {.native = native});
  EXPECT_TRUE(*out.code) << render_errors(out.code->sources(), out.code->diagnostics);
  return out;
}

void expect_same(const std::string& text, const std::string& data, std::uint32_t least_pieces = 0) {
  const Both models = both(text);
  if (!models.code) return;
  EXPECT_GE(models.pieces, least_pieces) << text;
  EXPECT_EQ(told(models.nodes, data), told(models.code, data)) << text << data;
  SCOPED_TRACE(text + data);
  for (const bool propto : {false, true}) expect_near(evaluated(models.nodes, data, propto), evaluated(models.code, data, propto));
}

class Native : public ::testing::TestWithParam<Case> {};
TEST_P(Native, SaysWhatTheInterpreterSays) {
  expect_same(GetParam().text, GetParam().data, GetParam().pieces);
}
INSTANTIATE_TEST_SUITE_P(Programs, Native, ::testing::ValuesIn(kCases), [](const auto& it) { return std::string(it.param.name); });
INSTANTIATE_TEST_SUITE_P(WithDerivatives, Native, ::testing::ValuesIn(kTracedCases), [](const auto& it) { return std::string(it.param.name); });

class NativeExamples : public ::testing::TestWithParam<std::string> {};
TEST_P(NativeExamples, SayWhatTheInterpreterSays) {
  const std::string stem = FERMIAC_SOURCE_DIR "/examples/" + GetParam() + "/" + GetParam();
  std::ifstream program(stem + ".stan"), data(stem + ".json");
  expect_same({std::istreambuf_iterator<char>(program), {}}, {std::istreambuf_iterator<char>(data), {}});
}
INSTANTIATE_TEST_SUITE_P(All, NativeExamples, ::testing::ValuesIn(example_names()), [](const auto& it) { return it.param; });

TEST(NativePrograms, SayWhatTheInterpreterSays) {
  const std::uint64_t first = setting("FERMIAC_NATIVE_SEED", 1), count = setting("FERMIAC_NATIVE_PROGRAMS", 20);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE(seed);
    const fuzz::GeneratedProgram program = fuzz::generate_program(seed);
    expect_same(program.source, program.data);
  }
}

TEST(NativeCode, OfAnotherProgramIsRefused) {
  const auto compiled = compile_model({.text = "parameters { real x; }", .name = "m"});
  const auto native = machine_code(machine_code_text(*compiled, "a test"));
  const auto other = compile_model({.text = "parameters { real y; }", .name = "m"}, {.native = native});
  EXPECT_FALSE(*other);
  EXPECT_NE(render_errors(other->sources(), other->diagnostics).find("another program"), std::string::npos);
}

TEST(NativeCode, FilesThatAreNoneAreRefused) {
  EXPECT_THROW(load_native("/nowhere.so"), NativeError);
  EXPECT_THROW(load_native_bytes("no machine code"), NativeError);
}

TEST(NativeCode, ACompilerThatIsNotThereOrFailsIsAnError) {
  const char* before = std::getenv("CXX");
  const std::string kept = before ? before : "";
  for (const char* compiler : {"/nowhere/c++", "false"}) {
    setenv("CXX", compiler, 1);
    EXPECT_THROW(machine_code_bytes("// a text that no other test has"), MachineCodeError) << compiler;
  }
  before ? setenv("CXX", kept.c_str(), 1) : unsetenv("CXX");
}

/// Under every compiler that is here.
TEST(NativeCode, CompilesWithoutWarnings) {
  std::vector<Case> all(std::begin(kCases), std::end(kCases));
  all.insert(all.end(), std::begin(kTracedCases), std::end(kTracedCases));
  for (const Case& c : all) {
    const auto compiled = compile_model({.text = c.text, .path = "m.stan", .name = "m_model"});
    const std::string file = ::testing::TempDir() + "native_" + c.name + ".cpp";
    std::ofstream(file) << machine_code_text(*compiled, "a test");
    for (const char* compiler : {"g++", "clang++"}) {
      if (!has_program(compiler)) continue;
      const ProgramRun run = run_program({compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", file});
      EXPECT_EQ(run.status, 0) << c.name << "\n" << run.output;
    }
    std::filesystem::remove(file);
  }
}

}  // namespace
}  // namespace fermiac::interp
