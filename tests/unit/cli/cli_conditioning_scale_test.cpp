// Questions about programs whose statements read large data: the data are looked at once for a statement, not once for each outcome.
#include <gtest/gtest.h>

#include "tests/shared/programs.h"
#include "tests/shared/runs_programs.h"

namespace fermiac {
namespace {

using testing::kFermiac;
using testing::Words;

class CliConditioningScale : public testing::RunsPrograms {
 protected:
  static constexpr int kRows = 1500, kColumns = 150;

  /// Every 30th outcome is unknown where `missing` is.
  void SetUp() override {
    write("m.stan",
          "data { int N; int K; matrix[N, K] X; array[N] int<lower=0, upper=1> y; }\n"
          "parameters { real a; vector[K] b; }\n"
          "model { a ~ normal(0, 1); b ~ normal(0, 0.1); y ~ bernoulli_logit(a + X * b); }\n");
    write("p.json", R"({"a": 0.1, "b": )" + list(kColumns, [](int) { return std::string("0.1"); }) + "}");
    const std::string x = list(kRows, [](int i) { return list(kColumns, [i](int j) { return std::to_string((i * 7 + j * 3) % 5 - 2); }); });
    const auto data = [&](bool missing) {
      const std::string y = list(kRows, [&](int i) { return missing && i % 30 == 0 ? std::string("null") : std::to_string(i % 2); });
      return "{\"N\": " + std::to_string(kRows) + ", \"K\": " + std::to_string(kColumns) + ", \"X\": " + x + ", \"y\": " + y + "}";
    };
    write("d.json", data(false));
    write("missing.json", data(true));
  }
  template <class Text>
  static std::string list(int n, Text text) {
    std::string out;
    for (int i = 0; i < n; ++i) out += (i > 0 ? "," : "[") + text(i);
    return out + "]";
  }
  /// A copy of the names of X for each outcome would be 2.7 GB.
  std::string ask(const Words& words, const char* data = "d.json") {
    Words all = {kFermiac, words[0], at("m.stan"), "--data", at(data), "--max-memory", "600M"};
    all.insert(all.end(), words.begin() + 1, words.end());
    return runs(all).out;
  }
};

TEST_F(CliConditioningScale, SitesAndPredictions) {
  EXPECT_NE(ask({"sites"}).find("bernoulli_logit"), std::string::npos);
  ask({"predict", "--prior", "--num-draws", "3", "--seed", "1", "--output", at("prior")});
  ask({"predict", "--at", at("p.json"), "--num-draws", "3", "--seed", "1", "--output", at("at")});
  EXPECT_NE(read("at/m_predict_1.csv").find(",y.1500\n"), std::string::npos);
}

TEST_F(CliConditioningScale, Queries) {
  EXPECT_NE(ask({"query", "logprob y | a = 0.1, b = rep_vector(0.1, 150)"}).find("\"logprob\""), std::string::npos);
}

TEST_F(CliConditioningScale, MissingInts) {
  const std::string rows = ask({"discrete-marginals", "--at", at("p.json")}, "missing.json");
  EXPECT_EQ(std::ranges::count(rows, '\n'), kRows / 30);
}

}  // namespace
}  // namespace fermiac
