// Random programs, every engine (programs/differential.h). FERMIAC_FUZZ_PROGRAMS and FERMIAC_FUZZ_SEED make the run
// longer or another one: FERMIAC_FUZZ_PRINT=STEM writes STEM.stan and STEM.json.
//   FERMIAC_FUZZ_PROGRAMS=2000 FERMIAC_FUZZ_SEED=5000 build/tests/program_fuzz_test
// FERMIAC_FUZZ_DEVICE=cpu (gpu, like-gpu: tests/shared/device_choice.h) evaluates them on a device too, which takes a second or more each.
// FERMIAC_FUZZ_LONG=100 gives all of them vectors of 65 to 90 numbers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "autodiff/kernels/isa.h"
#include "autodiff/kernels/map_op.h"
#include "tests/fuzz/programs/differential.h"
#include "tests/shared/device_choice.h"
#include "tests/shared/on_instruction_set.h"
#include "tests/shared/setting.h"

namespace fermiac::fuzz {
namespace {

using testing::setting;

const int kShown = std::getenv("FERMIAC_FUZZ_SHOWN") ? std::atoi(std::getenv("FERMIAC_FUZZ_SHOWN")) : 5;

std::uint64_t first_seed() {
  return setting("FERMIAC_FUZZ_SEED", 1);
}

std::uint64_t count() {
  return setting("FERMIAC_FUZZ_PROGRAMS", 150);
}

GeneratedProgram program_of(std::uint64_t seed) {
  return generate_program(seed, static_cast<int>(setting("FERMIAC_FUZZ_LONG", kLongPrograms)));
}

TEST(ProgramFuzz, TheSameSeedGivesTheSameProgram) {
  const GeneratedProgram a = generate_program(42), b = generate_program(42);
  EXPECT_EQ(a.source, b.source);
  EXPECT_EQ(a.data, b.data);
  EXPECT_NE(a.source, generate_program(43).source);
}

bool runs(const Difference& difference) {  // else the generator is wrong
  return difference.check != "compile" && difference.check != "plain: bind";
}

void report(std::uint64_t seed, const GeneratedProgram& program, const Difference& difference, const CheckOptions& options) {
  const GeneratedProgram small = runs(difference) ? shrunk(program, difference, options) : program;
  ADD_FAILURE() << "seed " << seed << "\n"
                << difference.check << ": " << difference.detail << "\nin the program\n"
                << small.source << "with the data\n"
                << small.data;
}

/// Null where none is asked for.
std::shared_ptr<ad::device::DeviceUse> device_asked_for() {
  const char* const choice = std::getenv("FERMIAC_FUZZ_DEVICE");
  if (!choice) return nullptr;
  OpenedDevice opened = open_test_device(choice);
  EXPECT_TRUE(opened.device) << opened.problem;
  if (!opened.device) return nullptr;
  return std::make_shared<ad::device::DeviceUse>(std::move(opened.device), ad::device::Placing::All, [](const std::string& told) { ADD_FAILURE() << told; });
}

// Looks at every program, whatever the ones before it gave; only the first differences are shrunk and shown in full.
TEST(ProgramFuzz, AllWaysAgree) {
  std::string differences;
  int shown = 0;
  CheckOptions options;
  options.device = device_asked_for();
  for (std::uint64_t seed = first_seed(); seed < first_seed() + count(); ++seed) {
    const GeneratedProgram program = program_of(seed);
    const auto difference = first_difference(program, options);
    if (!difference) continue;
    differences += fmt::format("seed {}: {}: {}\n", seed, difference->check, difference->detail);
    if (shown++ < kShown) report(seed, program, *difference, options);
  }
  EXPECT_EQ(differences, "");
  fmt::print("{} programs from seed {}, {} differ\n", count(), first_seed(), shown);
}

// What shrinking makes of a loop whose counter no longer counts.
TEST(ProgramFuzz, EndlessLoopsEndAndAreNoDifference) {
  const GeneratedProgram endless{
      "parameters { real p; } model { int i = 0; while (i < 1) { target += normal_lpdf(p | 0, 1); } }", "{}"};
  EXPECT_FALSE(first_difference(endless, {.seconds = 0.2}));
}

// 1 - inv_logit(31) has lost its digits, and not because of a parameter: bernoulli_logit may give others.
TEST(ProgramFuzz, RoundingOfTheTextIsNoDifference) {
  const std::string model = "parameters { real p; } model { p ~ normal(0, 1); target += bernoulli_lpmf(0 | inv_logit(";
  EXPECT_FALSE(first_difference({"data { real x; } " + model + "x)); }", R"({"x": 31.4})"}));
  EXPECT_FALSE(first_difference({model + "31.4)); }", "{}"}));
}

/// Prints the program of the first seed, for use with other tools.
TEST(ProgramFuzz, Print) {
  const char* stem = std::getenv("FERMIAC_FUZZ_PRINT");
  if (!stem) GTEST_SKIP() << "only on demand";
  const GeneratedProgram program = program_of(first_seed());
  std::ofstream(std::string(stem) + ".stan") << program.source;
  std::ofstream(std::string(stem) + ".json") << program.data;
}

/// Not a check of its own: a run of this test with another instruction set writes here what InstructionSetsAgree reads.
TEST(ProgramFuzz, WriteReplays) {
  const char* path = std::getenv("FERMIAC_FUZZ_REPLAYS");
  if (!path) GTEST_SKIP() << "only for the other tests";
  std::ofstream out(path);
  for (std::uint64_t seed = first_seed(); seed < first_seed() + count(); ++seed)
    out << "seed " << seed << "\n" << replayed(program_of(seed));
}

std::string replays_on(const std::string& isa) {
  const std::string path = ::testing::TempDir() + "fuzz_replays_" + isa;
  const std::string command =
      "FERMIAC_FUZZ_REPLAYS='" + path + "' " + testing::command_on(isa, "ProgramFuzz.WriteReplays") + " >/dev/null 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ifstream in(path);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  std::remove(path.c_str());
  return text;
}

/// Numbers of one line: the density, then the gradient.
std::vector<double> numbers(const std::string& line) {
  std::istringstream in(line);
  std::vector<double> out;
  for (std::string word; in >> word;) out.push_back(std::strtod(word.c_str(), nullptr));
  return out;
}

void expect_close(const std::string& seed, const std::string& a, const std::string& b) {
  const std::vector<double> x = numbers(a), y = numbers(b);
  ASSERT_EQ(x.size(), y.size()) << seed;
  double scale = 1;
  for (const double v : y)
    if (std::isfinite(v)) scale = std::max(scale, std::fabs(v));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool same = x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i]));
    EXPECT_TRUE(same || std::fabs(x[i] - y[i]) <= 1e-9 * scale) << seed << ": " << x[i] << " and " << y[i];
  }
}

TEST(ProgramFuzz, InstructionSetsAgree) {
  const auto names = ad::isa_names();
  if (names.size() == 1) GTEST_SKIP() << "there is one alone";
  const std::string baseline = replays_on(std::string(names[0]));
  for (const std::string_view name : names.subspan(1)) {
    SCOPED_TRACE(name);
    const std::string other = replays_on(std::string(name));
    std::istringstream x(baseline), y(other);
    std::string seed;
    for (std::string a, b; std::getline(x, a) && std::getline(y, b);) {
      if (a.starts_with("seed"))
        EXPECT_EQ(seed = a, b);
      else
        expect_close(seed, a, b);
    }
  }
}

}  // namespace
}  // namespace fermiac::fuzz
