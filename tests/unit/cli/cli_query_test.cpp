// `fermiac query`: shares of draws, and intervals between declared bounds, against closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "tests/shared/own_folder.h"
#include "tests/shared/run_fermiac.h"
#include "tests/shared/run_files.h"

namespace fermiac::testing {
namespace {

double number_after(const std::string& text, const std::string& key) {
  const std::size_t at = text.find("\"" + key + "\": ");
  return at == std::string::npos ? std::nan("") : std::strtod(text.c_str() + at + key.size() + 4, nullptr);
}

class Query : public ::testing::Test {
 protected:
  std::string ask(const std::string& program, const std::string& data, const std::string& arguments) {
    folder_.write("m.stan", program);
    folder_.write("m.json", data);
    return run_fermiac("query " + folder_.at("m.stan") + " --data " + folder_.at("m.json") + " " + arguments).text;
  }
  OwnFolder folder_;
};

double half_cauchy(double x, double scale) { return 2 / M_PI * std::atan(x / scale); }

TEST_F(Query, IntervalsKeepToDeclaredBounds) {
  const std::string program = "data { real u; } parameters { real<lower=0> tau; real<lower=-1, upper=u> x; real<lower=tau> z; ordered[2] o; real m; }"
                              "model { tau ~ cauchy(0, 5); x ~ normal(0, 1); z ~ exponential(1); o ~ normal(0, 1); m ~ normal(0, 2); }";
  const auto normal = [](double v) { return 0.5 * std::erfc(-v / std::sqrt(2.0)); };
  const double whole = normal(2) - normal(-1);
  const std::pair<const char*, double> cases[] = {
      {"tau <= 0", 0}, {"tau < -3", 0}, {"tau > -1", 1}, {"tau >= 0", 1}, {"tau <= 5", 0.5}, {"tau > 1.", 1 - half_cauchy(1, 5)}, {"tau < .5", half_cauchy(0.5, 5)},
      {"tau == 1", 0}, {"tau != 1", 1}, {"x <= -1", 0}, {"x <= 2", 1}, {"x > 3", 0}, {"x <= 0", (0.5 - normal(-1)) / whole}, {"x >= 1", (normal(2) - normal(1)) / whole},
      {"z <= 2 | tau = 1", 1 - std::exp(-1.0)}, {"z <= 1 | tau = 1", 0}, {"m <= 0", 0.5}, {"m <= 0, x <= 0", 0.5 * (0.5 - normal(-1)) / whole}};
  for (const auto& [event, right] : cases) EXPECT_NEAR(number_after(ask(program, R"({"u": 2})", std::string("'prob ") + event + "'"), "prob"), right, 1e-12) << event;
  EXPECT_NE(ask(program, R"({"u": 2})", "'prob o[1] <= 0'").find("o[1] is a number of an ordered vector"), std::string::npos);
  EXPECT_NE(ask(program, R"({"u": 2})", "'prob m + x <= 0'").find("an expression"), std::string::npos);
  EXPECT_NEAR(number_after(ask(program, R"({"u": 2})", "--normalised 'logprob x = 0'"), "logprob"), -0.5 * std::log(2 * M_PI) - std::log(whole), 1e-12);
}

TEST_F(Query, IntsAndDataKeepToTheirBounds) {
  const std::string program = "data { int<lower=1> k; real<lower=0> y; } parameters { real m; } model { m ~ normal(0, 1); k ~ poisson(2); y ~ normal(m, 1); }";
  const double none = std::exp(-2.0), one = 2 * none, two = 2 * none;
  const std::pair<const char*, double> cases[] = {{"k < 2", one / (1 - none)}, {"k <= 2", (one + two) / (1 - none)}, {"k == 2", two / (1 - none)}, {"k >= 1", 1},
                                                  {"k < 1", 0}, {"k > 2", 1 - (one + two) / (1 - none)}, {"y <= 0 | m = 0", 0}, {"y <= 1 | m = 0", std::erf(1 / std::sqrt(2.0))}};
  for (const auto& [event, right] : cases) EXPECT_NEAR(number_after(ask(program, R"({"k": 3, "y": 1})", std::string("'prob ") + event + "'"), "prob"), right, 1e-12) << event;
}

TEST_F(Query, BoundsThatWeighWhatIsAskedAreIntegrals) {
  const std::string program = "parameters { real mu; real<lower=0> s; real<lower=0> tau; } model { mu ~ normal(0, 1); s ~ exponential(1); tau ~ normal(mu, s); }";
  EXPECT_NE(ask(program, "{}", "'prob mu <= 0 | s = 1'").find("the constraint declared for tau cuts"), std::string::npos);
  EXPECT_NE(ask(program, "{}", "'prob mu <= 0, tau <= 1 | s = 1'").find("of which an interval is asked for"), std::string::npos);
  EXPECT_NEAR(number_after(ask(program, "{}", "'prob tau <= 1 | mu = 0, s = 1'"), "prob"), std::erf(1 / std::sqrt(2.0)), 1e-12);
  const std::string constant = "parameters { real<lower=0> s; real<lower=0> tau; } model { s ~ exponential(1); tau ~ normal(0, s); }";
  EXPECT_NEAR(number_after(ask(constant, "{}", "'prob s <= 1'"), "prob"), 1 - std::exp(-1.0), 1e-12);
}

TEST_F(Query, WithDrawsAnEventHasItsShare) {
  std::string csv = "a,b,v.1,v.2\n";
  for (int i = 0; i < 100; ++i) csv += std::to_string(i * 37 % 100) + "," + std::to_string(i * 11 % 7) + "," + std::to_string(i % 2) + ",0.5\n";
  folder_.write("d.csv", csv);
  const std::string program = "functions { real twice(real x) { return 2 * x; } } data { int N; real y; } parameters { real a; real b; vector[2] v; }"
                              "model { a ~ normal(0, 1); b ~ normal(0, 1); v ~ normal(0, 1); y ~ normal(a, 1); }";
  const auto share = [&](auto holds) {
    int n = 0;
    for (int i = 0; i < 100; ++i) n += holds(i * 37 % 100, i * 11 % 7, i % 2) ? 1 : 0;
    return n / 100.0;
  };
  const std::pair<const char*, double> cases[] = {
      {"prob a > 50", 0.49}, {"prob a >= 50.", 0.5}, {"prob a < 50", 0.5}, {"prob a <= 50", 0.51}, {"prob a == 7", 0.01}, {"prob a != 7", 0.99},
      {"prob a + b > N", share([](int a, int b, int) { return a + b > 20; })}, {"prob twice(a) > 50, b <= 3", share([](int a, int b, int) { return 2 * a > 50 && b <= 3; })},
      {"prob a > 90 || b > 5", share([](int a, int b, int) { return a > 90 || b > 5; })}, {"prob v[1] > v[2]", 0.5}, {"prob v > 0.25", 0.5}, {"prob v == [1, .5]", 0.5},
      {"prob v != [1, .5]", 0.5}, {"prob a > y", 0.98}, {"prob a > 50 | y", 0.49}};
  for (const auto& [query, right] : cases)
    EXPECT_NEAR(number_after(ask(program, R"({"N": 20, "y": 1})", "--draws " + folder_.at("d.csv") + " '" + query + "'"), "prob"), right, 1e-12) << query;
  const double given = share([](int a, int b, int) { return a > 50 && b > 3; }) / share([](int, int b, int) { return b > 3; });
  EXPECT_NEAR(number_after(ask(program, R"({"N": 20, "y": 1})", "'prob a > 50 | b > 3' --draws " + folder_.at("d.csv")), "prob"), given, 1e-12);
  const std::string twice = folder_.at("d.csv") + " " + folder_.at("e.csv");
  folder_.write("e.csv", "a,b,v.1,v.2\n1,1,1,1\n2,2,2,2\n3,3,3,3\n4,4,4,4\n");
  EXPECT_NEAR(number_after(ask(program, R"({"N": 20, "y": 1})", "--draws " + twice + " 'prob a > 50'"), "prob"), 49 / 104.0, 1e-12);
  EXPECT_NE(ask(program, R"({"N": 20, "y": 1})", "'prob a = 5' --draws " + folder_.at("d.csv")).find("a has its value from the draws"), std::string::npos);
  EXPECT_NE(ask(program, R"({"N": 20, "y": 1})", "'prob a > 5 | b = 3' --draws " + folder_.at("d.csv")).find("the draws were not made given b = 3"), std::string::npos);
}

/// Ints of draws are ints in expressions: missing data, generated quantities, arrays, indexes.
TEST_F(Query, ExpressionsOfDrawnInts) {
  std::string csv = "m,z.1,z.2,g,h.1,h.2\n";
  for (int i = 0; i < 100; ++i)
    csv += fmt::format("{},{},{},{},{},{}\n", 0.01 * i, i * 7 % 2 + 1, i * 3 % 5 > 1 ? 2 : 1, i % 12, i % 3 - 1, i % 2);
  folder_.write("i.csv", csv);
  const std::string program = "data { array[2] int<lower=1, upper=2> z; vector[2] w; } parameters { real m; }"
                              "model { m ~ normal(0, 1); for (n in 1:2) z[n] ~ categorical([0.5, 0.5]'); }"
                              "generated quantities { int g = poisson_rng(3); array[2] int h = {g - 1, 2}; }";
  const auto share = [&](auto holds) {
    int n = 0;
    for (int i = 0; i < 100; ++i) n += holds(0.01 * i, std::array{i * 7 % 2 + 1, i * 3 % 5 > 1 ? 2 : 1}, i % 12, std::array{i % 3 - 1, i % 2}) ? 1 : 0;
    return n / 100.0;
  };
  using Two = std::array<int, 2>;
  const std::pair<const char*, double> cases[] = {
      {"g >= 2 && g <= 5", share([](double, Two, int g, Two) { return g >= 2 && g <= 5; })},
      {"g + 0 > 5", share([](double, Two, int g, Two) { return g > 5; })},
      {"!(g == 3)", share([](double, Two, int g, Two) { return g != 3; })},
      {"g % 2 == 0", share([](double, Two, int g, Two) { return g % 2 == 0; })},
      {"g %/% 5 == 1", share([](double, Two, int g, Two) { return g / 5 == 1; })},
      {"(g > 5 ? m : -m) > 0", share([](double m, Two, int g, Two) { return (g > 5 ? m : -m) > 0; })},
      {"z[1] == 1 && z[2] == 2", share([](double, Two z, int, Two) { return z[0] == 1 && z[1] == 2; })},
      {"z[1] + z[2] == 3", share([](double, Two z, int, Two) { return z[0] + z[1] == 3; })},
      {"w[z[1]] > 0", share([](double, Two z, int, Two) { return z[0] == 2; })},
      {"sum(h) > 0", share([](double, Two, int, Two h) { return h[0] + h[1] > 0; })},
      {"h[1] < h[2] || m > 0.5", share([](double m, Two, int, Two h) { return h[0] < h[1] || m > 0.5; })},
      {"max(h) == 1, g < 6", share([](double, Two, int g, Two h) { return std::max(h[0], h[1]) == 1 && g < 6; })}};
  for (const auto& [event, right] : cases)
    EXPECT_NEAR(number_after(ask(program, R"({"z": [null, null], "w": [-1, 1]})", "--draws " + folder_.at("i.csv") + " 'prob " + event + "'"), "prob"), right, 1e-12) << event;
  folder_.write("i.csv", "m,z.1,z.2,g,h.1,h.2\n0,1,1,1.5,0,0\n");
  EXPECT_NE(ask(program, R"({"z": [null, null], "w": [-1, 1]})", "--draws " + folder_.at("i.csv") + " 'prob g + 1 > 0'").find("draw 1 of g: the value 1.5 of an int variable is not an int"),
            std::string::npos);
}

/// The folder of `predict` holds draws: two values that share a mean are both positive with probability 1/4 + asin(1/2) / (2 pi).
TEST_F(Query, PredictionsAreDraws) {
  folder_.write("m.stan", "data { int N; array[N] real y; } parameters { real mu; } model { mu ~ normal(0, 1); y ~ normal(mu, 1); }");
  folder_.write("m.json", R"({"N": 2})");
  const std::string model = folder_.at("m.stan") + " --data " + folder_.at("m.json");
  ASSERT_EQ(run_fermiac("predict " + model + " --prior --num-draws 4000 --seed 1 --output " + folder_.at("new")).status, 0);
  const std::string answer = run_fermiac("query " + model + " --missing y --draws " + folder_.at("new") + " 'prob y[1] > 0 && y[2] > 0'").text;
  EXPECT_NEAR(number_after(answer, "prob"), 1 / 3.0, 5 * std::sqrt(2 / 9.0 / 4000)) << answer;
}

/// Parameters that a prior draw of some elements does not need are not among its columns.
TEST_F(Query, PredictionsHoldWhatWasDrawn) {
  folder_.write("m.stan", "data { int N; vector[N] y; } parameters { real mu; vector[N] theta; matrix[2, 2] M; } model { mu ~ normal(0, 1); theta ~ normal(mu, 1);"
                          "for (i in 1:2) M[i] ~ normal(0, 1); y ~ normal(theta, 1); }");
  folder_.write("m.json", R"({"N": 3, "y": [1, 2, 3]})");
  for (const auto& [what, header] : {std::pair{"y[2]", "mu,theta.2,y.1,y.2,y.3"}, {"M[1,2]", "M.1.2"}, {"M[2]", "M.2.1,M.2.2"}, {"theta[3],M[2,1]", "mu,theta.3,M.2.1"}}) {
    ASSERT_EQ(run_fermiac("predict " + folder_.at("m.stan") + " --data " + folder_.at("m.json") + " --prior --num-draws 3 --seed 1 --overwrite --output " + folder_.at("p") + " --variables '" + what + "'").status, 0);
    EXPECT_NE(text_of(folder_.at("p/m_predict_1.csv")).find(std::string("\n") + header + "\n"), std::string::npos) << what << "\n" << text_of(folder_.at("p/m_predict_1.csv"));
  }
}

TEST_F(Query, DataInAnExpressionAreTheObserved) {
  std::string csv = "a\n";
  for (int i = 0; i < 100; ++i) csv += std::to_string(i * 37 % 4) + "\n";
  folder_.write("o.csv", csv);
  const std::string program = "data { vector[2] y; } parameters { real a; } model { a ~ normal(0, 1); y ~ normal(a, 1); }", data = R"({"y": [1, 2]})";
  const auto asked = [&](const std::string& event) { return ask(program, data, "--draws " + folder_.at("o.csv") + " 'prob " + event + "'"); };
  EXPECT_NE(asked("y[1] > 0 && y[2] > 3").find("reads the observed y, which is the same in all draws; separate events with a comma"), std::string::npos);
  EXPECT_NE(asked("y[1] > y[2]").find("compares a new y[1] with the observed y"), std::string::npos);
  EXPECT_EQ(asked("a > y[1]").find("observed"), std::string::npos);
}

TEST_F(Query, ATraceShowsTheRangeOfWeights) {
  folder_.write("w.stan", "data { int N; vector[N] y; } parameters { real a; } model { a ~ normal(0, 1); y ~ normal(a, 1); }");
  folder_.write("w.json", R"({"N": 4, "y": [1, 2, 3, 4]})");
  folder_.write("at.json", R"({"a": 0})");
  const auto trace = [&](const std::string& weights) { return run_fermiac("terms " + folder_.at("w.stan") + " --data " + folder_.at("w.json") + " --at " + folder_.at("at.json") + weights).text; };
  EXPECT_NE(trace(" --weight y=0 --weight 'y[3]=1'").find("4 elements  weights 0 to 1"), std::string::npos);
  EXPECT_NE(trace(" --weight y=0.5").find("4 elements  weight 0.5\n"), std::string::npos);
  EXPECT_EQ(trace("").find("weight"), std::string::npos);
}

TEST_F(Query, ChainedComparisonsAreRefused) {
  const std::string program = "data { real y; } parameters { real a; real b; } model { a ~ normal(0, 1); b ~ normal(0, 1); y ~ normal(a, 1); }";
  folder_.write("c.csv", "a,b\n1,1\n2,0\n3,1\n4,5\n");
  const auto answer = [&](const std::string& event) { return ask(program, R"({"y": 1})", "--draws " + folder_.at("c.csv") + " 'prob " + event + "'"); };
  for (const char* event : {"2 <= a <= 3", "a < b < 4", "a > 1 && 0 <= b <= 1", "a == b == 1", "1 < a <= 3, b > 0"})
    EXPECT_NE(answer(event).find("compares the truth value of its first comparison"), std::string::npos) << event;
  const std::pair<const char*, double> cases[] = {{"2 <= a && a <= 3", 0.5}, {"(a > 1) == (b > 0)", 0.5}, {"a > 1 && 0 <= b && b <= 1", 0.5}, {"1 < a && a <= 3, b > 0", 0.25}};
  for (const auto& [event, right] : cases) EXPECT_NEAR(number_after(answer(event), "prob"), right, 1e-12) << event;
  EXPECT_NE(answer("y > a").find("y > a compares a new y with a, which differs between draws"), std::string::npos) << answer("y > a");
}

}  // namespace
}  // namespace fermiac::testing
