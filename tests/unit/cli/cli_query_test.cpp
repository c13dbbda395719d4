// `fermiac query`: shares of draws, and intervals between declared bounds, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/shared/own_folder.h"
#include "tests/shared/run_fermiac.h"

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

}  // namespace
}  // namespace fermiac::testing
