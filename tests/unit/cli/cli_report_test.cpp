// `fermiac report` as a user runs it: from a run to a page, what it refuses, and, where there is a browser, what it shows.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "tests/shared/own_folder.h"
#include "tests/shared/run_fermiac.h"

namespace fermiac::testing {
namespace {

namespace fs = std::filesystem;

class CliReport : public InOwnFolder {
 protected:
  void SetUp() override {
    write("m.stan", kProgram);
  }
  std::string text_of(const std::string& name) const {
    std::ifstream in(at(name));
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void sample() const {
    const ProgramRun run = run_fermiac("sample " + at("m.stan") + " --seed 3 --samples 200 --warmup 200 --chains 2 --no-summary --refresh 0");
    ASSERT_EQ(run.status, 0) << run.text;
  }
  void refuses(const std::string& arguments, const std::string& why, int status = 1) const {
    const ProgramRun run = run_fermiac("report " + arguments);
    EXPECT_EQ(run.status, status) << run.text;
    EXPECT_NE(run.text.find(why), std::string::npos) << run.text;
  }

  static constexpr const char* kProgram =
      "parameters { real mu; vector[3] theta; real<lower=0> tau; }\n"
      "model { mu ~ normal(0, 1); tau ~ lognormal(0, 1); theta ~ normal(mu, tau); }\n"
      "generated quantities { int n = poisson_rng(3); real constant = 2; }\n";
};

TEST_F(CliReport, OfAFolderHasDrawsAndProgram) {
  sample();
  const ProgramRun run = run_fermiac("report " + at("m-output"));
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.text, "The report is in '" + at("m-output/report.html") + "'.\n");
  const std::string page = text_of("m-output/report.html");
  for (const char* part : {"\"shown\":\"theta[3]\"", "\"shown\":\"constant\"", "theta ~ normal(mu, tau)", "\"method.sample.num_samples\"", "<title>m</title>"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_EQ(run_fermiac("report " + at("m-output")).status, 0) << "an earlier report is replaced";
}

TEST_F(CliReport, RefusesWhatMakesNoReport) {
  fs::create_directories(at("empty"));
  refuses(at("empty"), "fermiac: the folder '" + at("empty") + "' has no files of draws");
  refuses(at("missing.csv"), "cannot open '" + at("missing.csv") + "': No such file or directory");
  write("header.csv", "# method = sample\nlp__,x\n");
  refuses(at("header.csv"), "'" + at("header.csv") + "' has no draws after the warm-up");
  write("a.csv", "lp__,x\n1,2\n2,3\n");
  write("b.csv", "lp__,y\n1,2\n2,3\n");
  refuses(at("a.csv") + " " + at("b.csv"), "has other columns than");
  write("text.csv", "# nothing\n");
  refuses(at("text.csv"), "it is not a file of draws");
  refuses("", "report needs", 2);
}

TEST_F(CliReport, ADamagedChainOfAFolderIsNamed) {
  sample();
  write("m-output/m_2.csv", "garbage\n\x02\xff\n");
  refuses(at("m-output"), "m_2.csv:2: '\\x02\\xff' is not a number");
  write("m-output/m_2.csv", "");  // of a run that was killed before this chain began
  EXPECT_EQ(run_fermiac("report " + at("m-output")).status, 0);
}

TEST_F(CliReport, OverwritesReportsAlone) {
  write("a.csv", "lp__,x\n1,2\n2,3\n1,2\n2,4\n");
  write("notes.html", "<p>mine</p>");
  refuses(at("a.csv") + " -o " + at("notes.html"), "exists already and is no report; choose another --output, or allow --overwrite");
  EXPECT_EQ(text_of("notes.html"), "<p>mine</p>");
  EXPECT_EQ(run_fermiac("report " + at("a.csv") + " --overwrite -o " + at("notes.html")).status, 0);
  EXPECT_EQ(run_fermiac("report " + at("a.csv") + " -o " + at("notes.html")).status, 0);
  refuses(at("a.csv") + " -o " + at("no/where.html"), "cannot write '" + at("no/where.html") + "'");
  refuses(at("a.csv") + " -o " + at(""), "it is a folder");
  refuses(at("a.csv") + " --model " + at("gone.stan"), "gone.stan");
}

TEST_F(CliReport, SummaryAndCheckTakeAFolderToo) {
  sample();
  const ProgramRun folder = run_fermiac("summary " + at("m-output")), files = run_fermiac("summary " + at("m-output/m_1.csv") + " " + at("m-output/m_2.csv"));
  EXPECT_EQ(folder.status, 0) << folder.text;
  EXPECT_EQ(folder.text, files.text);
  EXPECT_EQ(run_fermiac("check-draws " + at("m-output")).status, 0);
}

/// What a browser makes of the page; empty without a browser. Figures are drawn when they come into view, which a browser without a
/// window may not get to on a machine that has other things to do: then it is asked again.
std::string rendered(const std::string& page, int attempts = 4) {
  const ProgramRun run = shell("command -v chromium >/dev/null && timeout 100 chromium --headless=new --no-sandbox --disable-gpu --window-size=1400,6000 "
                               "--virtual-time-budget=20000 --dump-dom 'file://" + page + "' 2>/dev/null");
  if (run.status != 0) return "";
  const bool drawn = run.text.find("class=\"dots\"") != std::string::npos;
  return drawn || attempts == 1 ? run.text : rendered(page, attempts - 1);
}

std::size_t count_of(const std::string& text, const std::string& pattern) {
  const std::regex form(pattern);
  return static_cast<std::size_t>(std::distance(std::sregex_iterator(text.begin(), text.end(), form), std::sregex_iterator()));
}

TEST_F(CliReport, ShowsInABrowser) {
  sample();
  ASSERT_EQ(run_fermiac("report " + at("m-output")).status, 0);
  const std::string page = rendered(at("m-output/report.html"));
  if (page.empty()) GTEST_SKIP() << "no browser";
  EXPECT_NE(page.find("data-ready=\"yes\""), std::string::npos) << "a script failed";
  EXPECT_EQ(count_of(page, "<tr class=\"quantity( open)?\" data"), 8u);  // lp__, mu, three of theta, tau, n, constant
  EXPECT_EQ(count_of(page, "class=\"trace\""), 2u);       // of the quantity that is open, a line for each chain
  EXPECT_EQ(count_of(page, "class=\"dots\""), 6u);        // the pairs of four quantities
  EXPECT_NE(page.find("<li>model {"), std::string::npos);
  EXPECT_EQ(count_of(page, " d=\"[^\"]*NaN"), 0u);  // places in figures
  EXPECT_EQ(count_of(page, "class=\"shapes\""), 0u);  // no log likelihoods
}

TEST_F(CliReport, ShowsACalibrationInABrowser) {
  std::string rows = "# fermiac sbc\n# seed = 1\n# draws = 9\nsimulation,quantity,truth,rank,ess,divergences\n";
  for (int i = 1; i <= 50; ++i) rows += std::to_string(i) + ",mu," + std::to_string(i) + "," + std::to_string(i % 10) + ",200,0\n" + std::to_string(i) + ",log_lik,1,0,nan,0\n";
  write("m_sbc.csv", rows);
  const ProgramRun run = run_fermiac("report " + at("m_sbc.csv"));
  ASSERT_EQ(run.status, 0) << run.text;
  EXPECT_EQ(run.text, "The report is in '" + at("report.html") + "'.\n");
  write("empty_sbc.csv", "# fermiac sbc\n# seed = 1\n# draws = 9\n");
  refuses(at("empty_sbc.csv"), "has no simulation that is over");
  const std::string page = rendered(at("report.html"), 1);
  if (page.empty()) GTEST_SKIP() << "no browser";
  EXPECT_NE(page.find("data-ready=\"yes\""), std::string::npos) << "a script failed";
  EXPECT_EQ(count_of(page, "class=\"bar\" x=\"[0-9]"), 20u);  // of two quantities
  EXPECT_NE(page.find("Outside of the band of probability 0.95: log_lik."), std::string::npos);
  EXPECT_EQ(count_of(page, " d=\"[^\"]*NaN"), 0u);
}

/// Of six observations, the last one far off or like the others: circles above the limit, dots below.
TEST_F(CliReport, ShowsTailShapesInABrowser) {
  write("n.stan", "data { int N; vector[N] y; } parameters { real mu; } model { mu ~ normal(0, 10); y ~ normal(mu, 1); }\n");
  for (const bool far : {true, false}) {
    write("n.json", std::string(R"({"N": 6, "y": [0.1, -0.3, 0.2, 0.4, -0.2, )") + (far ? "1e2]}" : "0.3]}"));
    ASSERT_EQ(run_fermiac("sample " + at("n.stan") + " --data " + at("n.json") + " --log-lik --seed 3 --samples 200 --no-summary --refresh 0 --overwrite --output " + at("out")).status, 0);
    ASSERT_EQ(run_fermiac("report " + at("out")).status, 0);
    const std::string page = rendered(at("out/report.html"));
    if (page.empty()) GTEST_SKIP() << "no browser";
    EXPECT_NE(page.find("data-ready=\"yes\""), std::string::npos) << "a script failed";
    EXPECT_EQ(count_of(page, "<title>log_lik.[0-9].: k [0-9]"), far ? 6u : 0u);
    EXPECT_EQ(count_of(page, "class=\"shapes\""), far ? 0u : 1u);
    EXPECT_EQ(count_of(page, "<section id=\"loo\" hidden"), 0u);
    EXPECT_EQ(count_of(page, " d=\"[^\"]*NaN"), 0u);
  }
}

}  // namespace
}  // namespace fermiac::testing
