// --portable: the same numbers, whatever instructions the machine has and whatever the environment chooses of them.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/shared/own_folder.h"
#include "tests/shared/programs.h"
#include "tests/shared/shell.h"

namespace fermiac::testing {
namespace {

constexpr const char* kPlainLibrary = "GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-FMA_Usable,-FMA4_Usable,-AVX2_Usable";

std::string rows_of(const std::string& csv) {
  std::istringstream in(csv);
  std::string out;
  for (std::string line; std::getline(in, line);)
    if (!line.starts_with("#")) out += line + "\n";
  return out;
}

class CliPortable : public InOwnFolder {
 protected:
  void SetUp() override {
    write("m.stan", "functions { real f(real x) { return sin(x) + pow(abs(x) + 2, 1.25); } }\n"
                    "parameters { vector[20] x; real<lower=0> s; }\n"
                    "model { x ~ normal(sin(s), exp(0.1 * s)); s ~ gamma(2, 1); target += -f(x[1]) ^ 2; }\n"
                    "generated quantities { real y = normal_rng(f(x[2]), lgamma(s + 2) + 1); }\n");
  }
  /// The rows of one chain.
  std::string draws(const std::string& environment, const std::string& options) const {
    const ProgramRun run = shell("env " + environment + " " + kFermiac + " sample " + at("m.stan") + " " + options +
                                 " --seed 3 --chains 1 --samples 150 --warmup 150 --no-summary --refresh 0 --overwrite --output " + at("out"));
    EXPECT_EQ(run.status, 0) << run.text;
    EXPECT_NE(read("out/m_1.csv").find("\n# instruction_set = sse2\n"), std::string::npos);
    return rows_of(read("out/m_1.csv"));
  }
};

TEST_F(CliPortable, DrawsDoNotDependOnTheInstructions) {
  const std::string plain = draws(std::string("FERMIAC_ISA=sse2 ") + kPlainLibrary, "");
  EXPECT_GT(plain.size(), 150U * 20U * 5U);
  EXPECT_EQ(draws("-u FERMIAC_ISA", "--portable"), plain);
  EXPECT_EQ(draws("FERMIAC_ISA=avx2", "--portable"), plain);
  EXPECT_EQ(draws("FERMIAC_ISA=portable", ""), plain);
}

TEST_F(CliPortable, OtherMethodsTakeTheOption) {
  const auto rows = [&](const std::string& method, const std::string& file, const std::string& environment, const std::string& options) {
    const ProgramRun run = shell("env " + environment + " " + kFermiac + " " + method + " " + at("m.stan") + " --seed 3 --refresh 0 --overwrite --output " + at("out") + " " + options);
    EXPECT_EQ(run.status, 0) << run.text;
    EXPECT_NE(read("out/" + file).find("\n# instruction_set = sse2\n"), std::string::npos) << method;
    return rows_of(read("out/" + file));
  };
  for (const auto& [method, file] : {std::pair{"pathfinder", "m_pathfinder.csv"}, {"optimize", "m_optimize.csv"}})
    EXPECT_EQ(rows(method, file, "-u FERMIAC_ISA", "--portable --no-jit"), rows(method, file, std::string("FERMIAC_ISA=sse2 ") + kPlainLibrary, "")) << method;
}

TEST_F(CliPortable, TheLibrarysFunctionsAreThePlainOnes) {
  // The last bit of the power is another one with fused multiply-add.
  EXPECT_EQ(shell("FERMIAC_ISA=portable " + kFermiac + " eval '75.62 ^ 1.25 == 222.99536758401098'").text, "1\n");
}

TEST_F(CliPortable, ProgramsWithModelsAre) {
  ASSERT_EQ(shell(kFermiac + " bundle " + at("m.stan") + " --output " + at("bundle")).status, 0);
  const auto rows = [&](const std::string& environment) {
    const ProgramRun run = shell(environment + " " + at("bundle") + " sample num_samples=50 num_warmup=50 random seed=1 output file=" + at("b.csv"));
    EXPECT_EQ(run.status, 0) << run.text;
    return rows_of(read("b.csv"));
  };
  EXPECT_EQ(rows("FERMIAC_ISA=portable"), rows(std::string("FERMIAC_ISA=sse2 ") + kPlainLibrary));
}

TEST_F(CliPortable, OtherNamesAreRefused) {
  EXPECT_NE(shell("FERMIAC_ISA=nonsense " + kFermiac + " eval 1").status, 0);
  EXPECT_EQ(shell("FERMIAC_ISA=portable " + kFermiac + " --version | grep kernels").text, "kernels: sse2\n");
}

}  // namespace
}  // namespace fermiac::testing
