// Loops that end early and expressions that fail, at every level of optimisation.
#include <gtest/gtest.h>

#include "tests/shared/program_runner.h"

namespace fermiac {
namespace {

using mir::OptLevel;

class Levels : public ::testing::TestWithParam<OptLevel> {
 protected:
  static testing::Outcome run(const std::string& quantities, const std::string& data = "") {
    testing::Outcome out;
    const auto compiled = interp::compile_model(
        {.text = data + "generated quantities {" + quantities + "}", .path = "m.stan", .level = GetParam()});
    EXPECT_TRUE(*compiled) << render_errors(compiled->sources(), compiled->diagnostics);
    const interp::InterpModel model(compiled, interp::DataSource::parse(R"({"n": 4})", "data"), 1);
    out.names = model.names(true, true);
    std::vector<double> numbers(out.names.size());
    Rng rng(1);
    out.error = model.workspace()->write_array({}, true, true, rng, numbers).message;
    for (std::size_t i = 0; i < numbers.size(); ++i) out.values[out.names[i]] = numbers[i];
    return out;
  }
  static double value(const std::string& statements) {
    const testing::Outcome out = run("int r = 0; { matrix[3, 2] M = [[1, 2], [3, 4], [5, 6]];" + statements + "}");
    EXPECT_EQ(out.error, "");
    return out.values.at("r");
  }
};

TEST_P(Levels, BreakLeavesALoopOverAMatrix) {
  EXPECT_EQ(value("for (x in M) { r += 1; break; }"), 1);
  EXPECT_EQ(value("for (x in M) { if (x == 4) break; r += 1; }"), 3);
  EXPECT_EQ(value("for (x in M) if (x == 3) break; else r += 1;"), 2);
  EXPECT_EQ(value("for (x in M * 2) { { r += 1; { if (x == 6) break; } } }"), 3);
  EXPECT_EQ(value("for (i in 1:2) for (x in M) { r += 1; if (x == 4) break; }"), 8);
  EXPECT_EQ(value("for (x in M) { r += 10; for (y in M) { r += 1; if (y == 3) break; } if (x == 2) break; }"), 26);
  EXPECT_EQ(value("for (x in M) { for (i in 1:5) { if (i == 2) break; r += 1; } while (1) break; }"), 6);
  EXPECT_EQ(value("for (x in M) { for (y in [1, 2]) { r += 1; break; } }"), 6);
}

TEST_P(Levels, ContinueGoesOnWithTheNextElement) {
  EXPECT_EQ(value("for (x in M) { if (x == 3) continue; r += 1; }"), 5);
  EXPECT_EQ(value("for (x in M) { if (x == 2) continue; if (x == 5) break; r += 1; }"), 3);
}

INSTANTIATE_TEST_SUITE_P(All, Levels, ::testing::Values(OptLevel::O0, OptLevel::O1, OptLevel::Oexperimental));

// docs/phases/mir.md, "Errors of what nobody uses".
TEST_P(Levels, FailuresOfWhatIsUsedStay) {
  const std::string data = "data { int n; }";
  EXPECT_NE(run("array[3] int a = {1, 2, 3}; int r = a[n];", data).error, "");
  EXPECT_NE(run("int r = 0; { array[3] int a = {1, 2, 3}; int x = a[n]; r = x; }", data).error, "");
  EXPECT_NE(run("int r = 0; { if (n > 3) reject(\"no\"); }", data).error, "");
}

TEST_P(Levels, FailuresOfWhatNobodyUsesMayGo) {
  const std::string error = run("int r = 0; { array[3] int a = {1, 2, 3}; int x = a[n]; }", "data { int n; }").error;
  EXPECT_EQ(error.empty(), GetParam() != OptLevel::O0) << error;
}

}  // namespace
}  // namespace fermiac
