// Draws come back from files with the digits that were printed: sums of simplexes, ends of intervals and the like are off by as much.
#include <gtest/gtest.h>

#include "tests/shared/programs.h"
#include "tests/shared/runs_programs.h"

namespace fermiac {
namespace {

using testing::Words;
using testing::kFermiac;

class CliPrintedDraws : public testing::RunsPrograms {
 protected:
  void SetUp() override {
    write("m.stan",
          "data { int N; array[N] int y; vector[N] z; }\n"
          "parameters { simplex[5] p; unit_vector[4] u; ordered[4] o; positive_ordered[3] q; sum_to_zero_vector[4] s;\n"
          "  sum_to_zero_matrix[3, 4] m; cholesky_factor_corr[3] l; corr_matrix[3] r; cov_matrix[2] v; row_stochastic_matrix[2, 3] a;\n"
          "  real<lower=0, upper=1> b; real<lower=0.123456789> c; array[2] tuple(simplex[3], real) t; }\n"
          "model { p ~ dirichlet(rep_vector(2, 5)); o ~ std_normal(); q ~ normal(3, 1); s ~ normal(0, 100); to_vector(m) ~ std_normal();\n"
          "  l ~ lkj_corr_cholesky(2); r ~ lkj_corr(2); v ~ wishart(4, identity_matrix(2)); b ~ beta(0.02, 5); c ~ exponential(100);\n"
          "  t[1].2 ~ std_normal(); t[2].2 ~ std_normal(); y ~ categorical(p); z ~ normal(u[1] + s[1] / 100, 1); }\n"
          "generated quantities { real g = normal_rng(b, 1); }\n");
    write("d.json", R"({"N": 6, "y": [1, 2, 5, 5, 3, 4], "z": [0.1, -1, 0.3, 1, 2, -0.4]})");
    for (const std::string digits : {"4", "6", "8", "18"})
      runs({kFermiac, "sample", at("m.stan"), "--data", at("d.json"), "--seed", "3", "--chains", "1", "--warmup", "150", "--samples", "100",
            "--refresh", "0", "--no-summary", "--sig-figs", digits, "--output", at("run" + digits)});
  }
  Words asks(const char* command, const std::string& digits) const {
    const Words begin = {kFermiac, command, at("m.stan"), "--data", at("d.json")};
    const auto with = [&](Words more) { return more.insert(more.begin(), begin.begin(), begin.end()), more; };
    if (command == std::string("loo")) return with({at("run" + digits)});
    if (command == std::string("generate-quantities")) return with({"--fitted", at("run" + digits + "/m_1.csv"), "--output", at("generate-quantities" + digits)});
    return with({"--draws", at("run" + digits + "/m_1.csv"), "--output", at(command + digits)});
  }
};

TEST_F(CliPrintedDraws, AreReadByEveryCommand) {
  for (const char* command : {"generate-quantities", "log-lik", "predict", "loo"})
    for (const char* digits : {"4", "6", "8", "18"}) {
      SCOPED_TRACE(std::string(command) + " " + digits);
      runs(asks(command, digits));
    }
}

TEST_F(CliPrintedDraws, WrongValuesAreStillRefused) {
  std::string text = read("run8/m_1.csv");
  const std::size_t header = text.find("lp__,"), first = text.find('\n', text.find("# Diagonal elements", header));
  const std::size_t row = text.find_first_not_of("# \n", text.find('\n', first + 1));
  ASSERT_NE(row, std::string::npos);
  std::size_t field = row;
  const std::string names = text.substr(header, text.find('\n', header) - header);
  for (std::size_t k = 0, at = 0; names.substr(at, 4) != "p.1,"; at = names.find(',', at) + 1, ++k) field = text.find(',', field) + 1;
  text.replace(field, text.find(',', field) - field, "0.999");
  write("wrong.csv", text);
  refuses({kFermiac, "generate-quantities", at("m.stan"), "--data", at("d.json"), "--fitted", at("wrong.csv"), "--output", at("out")}, "p is not a valid simplex. sum(p) = ");
}

}  // namespace
}  // namespace fermiac
