// One rule of what counts as missing, for all commands that bind a program; columns beside it, and bounds that values break.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/shared/own_folder.h"
#include "tests/shared/run_fermiac.h"

namespace fermiac::testing {
namespace {

constexpr const char* kProgram = R"(data { int N; vector[N] x; vector[N] y; }
parameters { real a; real b; real<lower=0> s; }
model { a ~ normal(0, 5); b ~ normal(0, 2); s ~ exponential(1); y ~ normal(a + b * x, s); }
)";

class MissingData : public InOwnFolder {
 protected:
  void SetUp() override {
    write("m.stan", kProgram);
    write("null.json", R"({"N": 4, "x": [-1, 0, 1, 2], "y": [-1.1, null, 0.5, 2.4]})");
    write("nan.json", R"({"N": 4, "x": [-1, 0, 1, 2], "y": [-1.1, NaN, 0.5, 2.4]})");
    write("na.csv", "x,y\n-1,-1.1\n0,NA\n1,0.5\n2,2.4\n");
    write("absent.json", R"({"N": 4, "x": [-1, 0, 1, 2]})");
    write("full.json", R"({"N": 4, "x": [-1, 0, 1, 2], "y": [-1.1, 0, 0.5, 2.4]})");
    write("points.json", "[0.1, 0.2, 0.3, 0.1]");
    write("at.json", R"({"a": 0.1, "b": 0.2, "s": 0.3, "y": [null, 0.1, null, null]})");
  }
  ProgramRun run(const std::string& command, const std::string& data) const {
    const std::size_t blank = command.find(' ');
    return run_fermiac(command.substr(0, blank) + " " + at("m.stan") + " --data " + data + " " +
                       (blank == std::string::npos ? "" : command.substr(blank + 1)));
  }
  std::string out(const std::string& name) const { return " --seed 1 --refresh 0 --overwrite --output " + at(name); }
  /// Commands that bind the program, with as little work as can be.
  std::vector<std::string> commands() const {
    return {"sample --chains 1 --warmup 20 --samples 20 --no-summary" + out("s"), "optimize" + out("o"), "laplace --draws 10" + out("l"), "variational --iter 100" + out("v"),
            "log-prob --at " + at("points.json"), "check-model", "loo --chains 1 --warmup 50 --samples 50 --seed 1", "bench --seconds 0.01", "explain --at " + at("at.json"),
            "trace --at " + at("at.json"), "sites", "query 'prob a <= 0'"};
  }
};

TEST_F(MissingData, AllCommandsTakeTheSame) {
  const std::string given[] = {at("null.json"), at("na.csv"), at("nan.json") + " --nan-is-missing", at("full.json") + " --missing 'y[2]'"};
  for (const std::string& data : given)
    for (const std::string& command : commands()) {
      const ProgramRun r = run(command, data);
      EXPECT_EQ(r.status, 0) << command << " " << data << "\n" << r.text;
      EXPECT_EQ(r.text.find("fermiac:"), std::string::npos) << command << " " << data << "\n" << r.text;
    }
}

TEST_F(MissingData, ComplexNumbersCannotBeMissing) {
  write("c.stan", "data { complex c; array[2] complex a; complex_vector[2] v; } parameters { real m; } model { m ~ normal(get_real(c), 1); }");
  const char* const parts[] = {R"("c": null, "a": [[1, 2], [3, 4]], "v": [[1, 2], [3, 4]])", R"("c": [1, null], "a": [[1, 2], [3, 4]], "v": [[1, 2], [3, 4]])",
                               R"("c": [1, 2], "a": null, "v": [[1, 2], [3, 4]])", R"("c": [1, 2], "a": [[1, 2], [null, 4]], "v": [[1, 2], [3, 4]])",
                               R"("c": [1, 2], "a": [[1, 2], [3, 4]], "v": null)", R"("c": [1, 2], "a": [[1, 2], [3, 4]], "v": [[1, 2], null])"};
  for (const char* part : parts) {
    write("c.json", std::string("{") + part + "}");
    const ProgramRun r = run_fermiac("sample " + at("c.stan") + " --data " + at("c.json") + out("c"));
    EXPECT_NE(r.status, 0) << part;
    EXPECT_NE(r.text.find("but must be"), std::string::npos) << r.text;
  }
}

TEST_F(MissingData, AbsentIsAnErrorUnlessItIsNamedOrDrawn) {
  for (const std::string& command : commands()) {
    const ProgramRun r = run(command, at("absent.json"));
    EXPECT_NE(r.status, 0) << command;
    EXPECT_NE(r.text.find("the variable 'y' is missing; it is declared as vector[4]"), std::string::npos) << command << "\n" << r.text;
  }
  for (const char* command : {"check-model", "sites", "query 'prob a <= 0'"}) EXPECT_EQ(run(command, at("absent.json") + " --missing y").status, 0) << command;
  EXPECT_EQ(run("predict --prior --num-draws 2 --seed 1 --output " + at("p"), at("absent.json")).status, 0);
  EXPECT_EQ(run("sbc --simulations 1 --draws 9 --seed 1 --output " + at("c"), at("absent.json")).status, 0);
}

TEST_F(MissingData, LogLikelihoodsKeepTheIndexesOfTheData) {
  ASSERT_EQ(run("sample --chains 2 --warmup 50 --samples 50 --no-summary --log-lik" + out("s"), at("null.json")).status, 0);
  EXPECT_NE(read("s/m_1.csv").find(",log_lik.1,log_lik.3,log_lik.4\n"), std::string::npos);
  for (const char* reader : {"summary ", "loo "}) {
    const ProgramRun r = run_fermiac(reader + at("s"));
    EXPECT_EQ(r.status, 0) << r.text;
    EXPECT_NE(r.text.find("log_lik[4]"), std::string::npos) << r.text;
    EXPECT_EQ(r.text.find("log_lik[2]"), std::string::npos) << r.text;
  }
}

TEST_F(MissingData, ValuesGivenKeepToDeclaredBounds) {
  write("m.stan", "data { real m; } parameters { real<lower=0, upper=10> a; real<lower=a> b; vector<lower=0>[2] v; vector<upper=[1, 2]'>[2] w; real<lower=m> q; }"
                  "model { a ~ normal(0, 5); b ~ normal(a, 5); v ~ normal(0, 1); w ~ normal(0, 1); q ~ normal(0, 1); }");
  write("d.json", R"({"m": 1.5})");
  const std::pair<const char*, const char*> cases[] = {
      {"a=11", "a is 11, but must be less than or equal to 10"}, {"a=-1", "a is -1, but must be greater than or equal to 0"}, {"b=-1", "b is -1, but must be greater than or equal to"},
      {"v[2]=-1", "v[2] is -1, but must be greater than or equal to 0"}, {"v=[1, -3]", "v[2] is -3, but must be greater than or equal to 0"},
      {"w[1]=2", "w[1] is 2, but must be less than or equal to 1"}, {"q=1", "q is 1, but must be greater than or equal to 1.5"}};
  for (const auto& [given, message] : cases)
    for (const char* option : {"--fix", "--condition"}) {
      const ProgramRun r = run("optimize " + std::string(option) + " '" + given + "'" + out("o"), at("d.json"));
      EXPECT_NE(r.status, 0) << given;
      EXPECT_NE(r.text.find(message), std::string::npos) << given << "\n" << r.text;
    }
}

TEST_F(MissingData, BoundsOutOfReachEndADraw) {
  const std::pair<const char*, const char*> cases[] = {
      {"parameters { real<lower=6> x; } model { x ~ normal(0, 1); }", "x: lower=6"},
      {"parameters { vector<upper=-9>[2] x; } model { x ~ normal(0, 1); }", "x[1]: upper=-9"},
      {"parameters { real m; real<lower=m + 50> x; } model { m ~ normal(0, 1); x ~ normal(m, 1); }", "x: lower=m + 50"},
      {"parameters { real<lower=0> x; } transformed parameters { real<upper=-1> t = x; } model { x ~ normal(0, 1); }", "t: upper=-1"},
      {"data { int<lower=40> k; } parameters { real x; } model { x ~ normal(0, 1); k ~ poisson(1); }", "k: lower=40"}};
  write("d.json", "{}");
  for (const auto& [program, bound] : cases) {
    write("m.stan", program);
    const ProgramRun r = run("predict --prior --num-draws 3 --seed 1 --output " + at("p"), at("d.json"));
    EXPECT_EQ(r.status, 1) << program;
    EXPECT_NE(r.text.find(std::string("none of 100000 draws kept to the constraints; the last failed at ") + bound), std::string::npos) << r.text;
  }
}

/// Draws made with other data are spoken of by every command that reads them beside data.
TEST_F(MissingData, DrawsOfOtherDataAreSpokenOf) {
  ASSERT_EQ(run("sample --chains 1 --warmup 50 --samples 50 --no-summary" + out("d"), at("full.json")).status, 0);
  for (const char* command : {"loo", "log-lik", "sensitivity", "query 'prob a > 0'"}) {
    std::string words = command;
    const std::string given = words == "loo" ? words + " " + at("d") : words + " --draws " + at("d");
    const std::string with_output = words == "log-lik" ? given + " --overwrite --output " + at("ll") : given;
    write("same.json", R"({"N": 4, "x": [-1, 0, 1, 2], "y": [-1.1, 0, 0.5, 2.4]})");
    EXPECT_EQ(run(with_output, at("same.json")).text.find("other data"), std::string::npos) << command;
    write("other.json", R"({"N": 4, "x": [-1, 0, 1, 2], "y": [-1.1, 0, 0.5, 9.4]})");
    EXPECT_NE(run(with_output, at("other.json")).text.find("were made with other data than these"), std::string::npos) << command;
  }
}

}  // namespace
}  // namespace fermiac::testing
