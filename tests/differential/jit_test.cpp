// Machine code made while programs run against their nodes: the same numbers bit for bit, the same messages with the same
// places. Programs written by hand for every construct, the examples, random ones, and hostile ones. FERMIAC_JIT_PROGRAMS and
// FERMIAC_JIT_SEED make the run longer or another one:
//   FERMIAC_JIT_PROGRAMS=300 FERMIAC_JIT_SEED=5000 build/tests/jit_test
#include <fstream>

#include "interp/eval/jit_unit.h"
#include "support/render.h"
#include "tests/differential/engine_cases.h"
#include "tests/differential/example_models.h"
#include "tests/fuzz/programs/generate.h"

namespace fermiac::interp {
namespace {

std::shared_ptr<const CompiledModel> compiled(const std::string& text, Jit jit) {
  auto out = compile_model({.text = text, .path = "m.stan", .name = "m_model", .jit = jit});
  EXPECT_TRUE(*out) << render_errors(out->sources, out->diagnostics) << text;
  return out;
}

/// As many units as that must become machine code.
void expect_same(const std::string& text, const std::string& data, std::size_t least_units = 0) {
  const auto nodes = compiled(text, Jit::Never), code = compiled(text, Jit::Always);
  if (!*nodes || !*code) return;
  EXPECT_EQ(nodes->code->jit_units.size(), 0u);
  EXPECT_GE(code->code->jit_units.size(), jit::has_machine_code() ? least_units : 0) << text;
  EXPECT_EQ(told(nodes, data), told(code, data)) << text << data;
  SCOPED_TRACE(text + data);
  for (const bool propto : {false, true}) expect_near(evaluated(nodes, data, propto), evaluated(code, data, propto));
}

class Jits : public testing::TestWithParam<Case> {};
TEST_P(Jits, SayWhatTheNodesSay) {
  expect_same(GetParam().text, GetParam().data);
}
INSTANTIATE_TEST_SUITE_P(Programs, Jits, testing::ValuesIn(kCases), [](const auto& it) { return std::string(it.param.name); });
INSTANTIATE_TEST_SUITE_P(WithDerivatives, Jits, testing::ValuesIn(kTracedCases), [](const auto& it) { return std::string(it.param.name); });

class JitExamples : public testing::TestWithParam<std::string> {};
TEST_P(JitExamples, SayWhatTheNodesSay) {
  const std::string stem = FERMIAC_SOURCE_DIR "/examples/" + GetParam() + "/" + GetParam();
  std::ifstream program(stem + ".stan"), data(stem + ".json");
  expect_same({std::istreambuf_iterator<char>(program), {}}, {std::istreambuf_iterator<char>(data), {}});
}
INSTANTIATE_TEST_SUITE_P(All, JitExamples, testing::ValuesIn(example_names()), [](const auto& it) { return it.param; });

TEST(JitPrograms, SayWhatTheNodesSay) {
  const std::uint64_t first = setting("FERMIAC_JIT_SEED", 1), count = setting("FERMIAC_JIT_PROGRAMS", 60);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE(seed);
    const fuzz::GeneratedProgram program = fuzz::generate_program(seed);
    expect_same(program.source, program.data);
  }
}

}  // namespace
}  // namespace fermiac::interp
