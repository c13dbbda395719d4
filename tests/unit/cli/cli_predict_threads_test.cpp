// Predictions of several threads are those of one, byte for byte, rejected attempts included.
#include <gtest/gtest.h>

#include "tests/shared/programs.h"
#include "tests/shared/runs_programs.h"

namespace fermiac {
namespace {

using testing::kFermiac;
using testing::Words;

class CliPredictThreads : public testing::RunsPrograms {
 protected:
  /// Rows and the share of attempts that were kept, of 203 draws: neither a multiple of the threads nor of a piece of text.
  std::string predicted(const std::string& threads, const Words& more) {
    Words words = {kFermiac, "predict", at("m.stan"), "--data", at("d.json"), "--seed", "5", "--threads", threads, "--output", at("out"), "--overwrite"};
    words.insert(words.end(), more.begin(), more.end());
    runs(words);
    std::string text = read("out/m_predict_1.csv");
    const std::size_t acceptance = text.find("acceptance"), rows = text.find('\n', text.rfind('#'));
    return text.substr(acceptance, text.find('\n', acceptance) - acceptance) + text.substr(rows);
  }
};

TEST_F(CliPredictThreads, ChangeNothing) {
  write("m.stan",
        "data { int N; vector[N] x; vector[N] y; }\n"
        "parameters { real a; real<lower=0> s; }\n"
        "transformed parameters { real b = a + s; if (b < 0.1) reject(\"too small\"); }\n"
        "model { a ~ normal(0, 1); s ~ exponential(1); y ~ normal(a * x, s); }\n");
  std::string x = "0";
  for (int i = 1; i < 200; ++i) x += "," + std::to_string(i);
  write("d.json", R"({"N": 200, "x": [)" + x + R"(], "y": [)" + x + "]}");
  write("p.json", R"({"a": 1, "s": 0.5})");
  for (const Words& from : {Words{"--prior", "--num-draws", "203"}, Words{"--at", at("p.json"), "--num-draws", "203"}}) {
    const std::string one = predicted("1", from);
    EXPECT_EQ(std::ranges::count(one, '\n'), 205);
    for (const char* threads : {"2", "3", "7"}) EXPECT_EQ(predicted(threads, from), one) << threads << from[0];
  }
}

}  // namespace
}  // namespace fermiac
