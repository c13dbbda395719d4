// `diagnose`: what differs from finite differences, and is right all the same.
#include <gtest/gtest.h>

#include "tests/shared/programs.h"
#include "tests/shared/runs_programs.h"

namespace fermiac {
namespace {

using testing::kFermiac;

class CliDiagnose : public testing::RunsPrograms {
 protected:
  testing::ChildEnd diagnose(const std::string& program) {
    write("m.stan", program);
    write("init.json", R"({"a": 0.8, "b": 0.4})");
    return testing::run_child({.command = {kFermiac, "diagnose", at("m.stan"), "--init", at("init.json"), "--output", at("out"), "--overwrite"}});
  }
};

TEST_F(CliDiagnose, TolerancesOfSolversAreNoErrors) {
  const std::string begin =
      "functions { vector f(real t, vector z, real a, real b) { return [ (a - b * z[2]) * z[1], (-a + b * z[1]) * z[2] ]'; } }\n"
      "parameters { real<lower=0> a; real<lower=0> b; }\n"
      "transformed parameters { array[3] vector[2] z = ";
  const std::string end = "; }\nmodel { z[3] ~ normal([1, 2]', 1e-3); }\n";
  const testing::ChildEnd loose = diagnose(begin + "ode_rk45_tol(f, [3, 1]', 0, {2, 5, 9}, 1e-4, 1e-4, 10000, a, b)" + end);
  EXPECT_EQ(loose.status, 0) << loose.err;
  EXPECT_NE((loose.out + loose.err).find("2 of 2 gradients differ from finite differences by what the tolerances of the program's solvers leave"), std::string::npos)
      << loose.out << loose.err;
}

TEST_F(CliDiagnose, DifferencesThatRoundingHidesAreNoErrors) {
  EXPECT_EQ(diagnose("parameters { real a; real<lower=0> b; } model { target += 1e12 + 3 * a - 2 * square(b); }").status, 0);
}

}  // namespace
}  // namespace fermiac
