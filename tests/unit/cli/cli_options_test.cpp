// Every option of every subcommand that takes a number, as --help lists them: a value out of range is refused with status 2
// and a message that names option, value and range; a value in range runs and ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <regex>
#include <set>

#include "tests/shared/child_process.h"
#include "tests/shared/own_folder.h"
#include "tests/shared/programs.h"

namespace fermiac {
namespace {

namespace fs = std::filesystem;
using testing::Child;
using testing::ChildEnd;
using testing::Words;
using testing::kFermiac;

constexpr std::uint64_t kSeed = 20260103;
constexpr const char* kCommands[] = {"sample", "optimize", "pathfinder", "laplace", "variational", "generate-quantities", "diagnose", "summary", "check-draws",
                                     "log-prob", "bench", "check-model", "eval", "repl", "functions", "sites", "terms", "explain", "inspect-draw", "query",
                                     "discrete-marginals", "log-lik", "predict", "loo", "sbc", "sensitivity"};

struct Option {
  std::string name, type;
};

std::vector<Option> numeric_options(const std::string& command) {
  const std::string help = testing::run_child({.command = {kFermiac, command, "--help"}}).out;
  static const std::regex row(R"(\n\s+(--[a-z0-9-]+) (UINT|INT|FLOAT|SECONDS|N)\b)");
  std::vector<Option> out;
  for (std::sregex_iterator it(help.begin(), help.end(), row), end; it != end; ++it) out.push_back({(*it)[1], (*it)[2]});
  return out;
}

class Options : public testing::InOwnFolder {
 protected:
  void SetUp() override {
    write("m.stan", "parameters { real x; real<lower=0> s; }\nmodel { x ~ normal(0, s); s ~ lognormal(0, 1); }\n"
                    "generated quantities { real y = normal_rng(x, s); }\n");
    write("points.json", "[[0.5, 1]]");
    write("mode.csv", "lp__,x,s\n-1,0,0.5\n");
    write("draws.csv", "lp__,x,s\n-1,0,0.5\n-2,1,0.5\n-1.5,0.3,0.7\n-1.2,0.1,0.6\n-1.4,0.2,0.9\n");
  }

  /// The command with what it cannot do without.
  /// `chosen`: an option that is going to be given.
  Words command(const std::string& name, const std::string& chosen = {}) const {
    Words out = {kFermiac, name};
    if (name == "summary" || name == "check-draws") out.push_back(at("draws.csv"));
    else if (name == "eval") out.push_back("1 + 1");
    else if (name == "functions") out.push_back("--signatures");
    else if (name == "inspect-draw") out.push_back(at("none"));
    else if (name != "repl") out.push_back(at("m.stan"));
    if (name == "laplace") out.insert(out.end(), {"--mode", at("mode.csv")});
    if (name == "generate-quantities") out.insert(out.end(), {"--fitted", at("draws.csv")});
    if (name == "log-prob") out.insert(out.end(), {"--at", at("points.json")});
    if (name == "terms" || name == "predict" || name == "discrete-marginals") out.insert(out.end(), {"--draws", at("draws.csv")});
    if (name == "log-lik" || name == "sensitivity") out.insert(out.end(), {"--draws", at("draws.csv")});
    if (name == "query") out.push_back("logprob s = 1");
    const auto small = [&](const char* option, const char* value) {
      if (chosen != option) out.insert(out.end(), {option, value});
    };
    if (name == "inspect-draw") small("--draw", "1");
    if (name == "loo") out.push_back("--waic"), small("--samples", "20"), small("--warmup", "20");
    if (name == "sbc") small("--simulations", "2"), small("--draws", "5"), small("--warmup", "20");
    if (writes_files(name)) out.insert(out.end(), {"--output", at("out"), "--overwrite"});
    return out;
  }
  static bool writes_files(const std::string& name) {
    static const Words kThese = {"sample", "optimize", "pathfinder", "laplace", "variational", "generate-quantities", "diagnose", "log-lik", "predict"};
    return std::ranges::find(kThese, name) != kThese.end();
  }
};

TEST_F(Options, OutOfRangeIsRefused) {
  std::size_t options = 0;
  std::set<std::string> seen;  // in other commands, which mostly share what an option means
  for (const std::string name : kCommands)
    for (const Option& option : numeric_options(name)) {
      ++options;
      Words bad = {"nan", "inf", "-inf", "1e999", "99999999999999999999", "abc", "0x10", "-5", "1 ", "1,5"};
      if (option.type != "FLOAT" && option.type != "SECONDS") bad.insert(bad.end(), {"1.5", "1e2"});
      if (!seen.insert(option.name).second) {
#if defined(__SANITIZE_ADDRESS__)
        continue;  // each start takes some tenths of a second
#endif
        bad = {"nan", "-5"};
      }
      if (option.type == "FLOAT" || option.type == "SECONDS") std::erase(bad, "99999999999999999999");
#if defined(__SANITIZE_ADDRESS__)
      std::rotate(bad.begin(), bad.begin() + static_cast<std::ptrdiff_t>(options % bad.size()), bad.end());
      bad.resize(3);  // others for the next option
#endif
      for (const std::string& value : bad) {
        Words words = command(name, option.name);
        words.insert(words.end(), {option.name, value});
        const Child c{.command = words};
        const ChildEnd e = testing::run_child(c);
        EXPECT_EQ(e.status, 2) << describe(c, e);
        EXPECT_NE(e.err.find(option.name), std::string::npos) << describe(c, e);
        EXPECT_NE(e.err.find("'" + value + "'"), std::string::npos) << describe(c, e);
        EXPECT_NE(e.err.find("must be"), std::string::npos) << describe(c, e);
      }
      Words words = command(name, option.name);
      words.push_back(option.name + "=");
      const Child c{.command = words};
      const ChildEnd e = testing::run_child(c);
      EXPECT_EQ(e.status, 2) << describe(c, e);
      EXPECT_NE(e.err.find(option.name), std::string::npos) << describe(c, e);
    }
  EXPECT_GT(options, 80U) << "the help was not understood";
}

TEST_F(Options, UsageNamesTheProgram) {
  for (const char* command : kCommands)
    EXPECT_NE(testing::run_child({.command = {kFermiac, command, "--help"}}).out.find("Usage: fermiac " + std::string(command) + " "), std::string::npos) << command;
  const std::string version = testing::run_child({.command = {kFermiac, "--version"}}).out;
  for (const char* flag : {"-v", "-V"}) EXPECT_EQ(testing::run_child({.command = {kFermiac, flag}}).out, version);
}

TEST_F(Options, TheEndsOfTheRangesRun) {
  struct Case {
    std::string name;
    Option option;
    std::string value;
  };
  std::vector<Case> cases;
  for (const std::string name : kCommands)
    for (const Option& option : numeric_options(name)) {
      if (name == "repl") continue;
      const bool whole = option.type != "FLOAT" && option.type != "SECONDS";
      const Words values = whole ? Words{"0", "1", "2147483647"} : Words{"0", "5e-324", "0.9999999", "1e308"};
      for (const std::string& value : values) cases.push_back({name, option, value});
    }
  std::mt19937_64 random(kSeed);
  std::ranges::shuffle(cases, random);
  cases.resize(std::min<std::size_t>(cases.size(), 20));
  for (const Case& a : cases) {
    Words words = command(a.name);
    words.insert(words.end(), {a.option.name, a.value});
    if (a.option.name != "--timeout" && a.name != "summary" && a.name != "check-draws" && a.name != "functions")
      words.insert(words.end(), {"--timeout", "0.1"});
    const Child c{.command = words, .patience = 20};
    const ChildEnd e = testing::run_child(c);
    EXPECT_FALSE(e.hung) << describe(c, e);
    EXPECT_LE(e.status, 2) << describe(c, e);
  }
}

TEST_F(Options, NamesAndChoices) {
  const auto refused = [&](const std::string& name, const Words& more, const Words& parts) {
    Words words = command(name);
    words.insert(words.end(), more.begin(), more.end());
    const Child c{.command = words};
    const ChildEnd e = testing::run_child(c);
    EXPECT_EQ(e.status, 2) << describe(c, e);
    for (const std::string& part : parts) EXPECT_NE(e.err.find(part), std::string::npos) << part << describe(c, e);
  };
  refused("sample", {"--metric", "round"}, {"--metric", "round", "low_rank, fisher_diag, diag_e, dense_e or unit_e"});
  refused("sample", {"--metric", "2"}, {"--metric", "2"});
  refused("optimize", {"--algorithm", "climb"}, {"--algorithm", "climb", "lbfgs, bfgs or newton"});
  refused("variational", {"--algorithm", "climb"}, {"--algorithm", "meanfield or fullrank"});
  refused("log-prob", {"--evaluator", "steam"}, {"--evaluator", "steam", "interp"});
  for (const char* radius : {"-1", "nan", "inf", "1e999"}) refused("sample", {"--init", radius}, {"--init", radius, "at least 0"});
  for (const char* empty : {"--data", "--output-name", "--metric-file", "--init"}) refused("sample", {empty, ""}, {empty});
  refused("eval", {"--timout", "3"}, {"--timout"});
}

TEST_F(Options, NamesOfEarlierVersionsMeanThePresentOnes) {
  const auto output = [&](const Words& words) { return testing::run_child({.command = words}).out; };
  const auto same = [&](Words former, Words present) {
    for (Words* words : {&former, &present}) words->insert(words->begin(), kFermiac);
    const std::string expected = output(present);
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(output(former), expected) << former[1];
  };
  same({"log-prob", at("m.stan"), "--at", at("points.json"), "--engine=interp", "--context", "prior"},
       {"log-prob", at("m.stan"), "--at", at("points.json"), "--evaluator=interp", "--density", "prior"});
  same({"trace", at("m.stan"), "--draws", at("draws.csv"), "--missing-columns", "only"},
       {"terms", at("m.stan"), "--draws", at("draws.csv"), "--missing-output", "missing"});
  same({"check", at("draws.csv")}, {"check-draws", at("draws.csv")});
  same({"help", "build"}, {"bundle", "--help"});
  same({"eval", "--", "1 + 1"}, {"eval", "1 + 1"});
  const Child unknown{.command = {kFermiac, "summary", "--engine", "interp", at("draws.csv")}};
  EXPECT_NE(testing::run_child(unknown).err.find("summary has no option --engine"), std::string::npos);
}

TEST_F(Options, SeedsAreWhatTheySay) {
  const auto draw = [&](const std::string& seed) {
    return testing::run_child({.command = {kFermiac, "eval", "--seed", seed, "normal_rng(0, 1)"}}).out;
  };
  EXPECT_NE(draw("18446744073709551615"), draw("1"));
  EXPECT_NE(draw("18446744073709551615"), draw("18446744073709551614"));
  EXPECT_EQ(draw("18446744073709551616"), "");
  EXPECT_EQ(draw("-1"), "");
}

TEST_F(Options, TextsAreTakenAsTheyAre) {
  const auto eval = [&](Words words) {
    words.insert(words.begin(), {kFermiac, "eval"});
    return testing::run_child({.command = words}).out;
  };
  EXPECT_EQ(eval({"[1,2,3]"}), "[1,2,3]\n");
  EXPECT_EQ(eval({"[[1,2],[3,4]]"}), "[[1,2],[3,4]]\n");
  EXPECT_EQ(eval({"-(1)"}), "-1\n");
  EXPECT_EQ(eval({"-1", "-1e3", "--2"}), "-1\n-1000\n2\n");
  EXPECT_EQ(eval({"--seed", "3", "--", "-(2)", "[1]"}), "-2\n[1]\n");
  EXPECT_EQ(eval({"{1, 2}", "\"\" == \"\" ? 1 : 2", "1 // eval"}).substr(0, 6), "[1,2]\n");
  EXPECT_EQ(eval({"int x = 3;", "x", "--seed=4"}), "3\n");
  fs::rename(at("draws.csv"), at("[a]"));
  const Child c{.command = {"/bin/sh", "-c", "cd '" + folder_.path().string() + "' && exec '" + kFermiac + "' summary '[a]'"}};
  EXPECT_EQ(testing::run_child(c).status, 0);
}

}  // namespace
}  // namespace fermiac
