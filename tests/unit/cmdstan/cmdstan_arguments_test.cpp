// CmdStan's command line as words: what is understood, the echo, help, and every kind of mistake.
#include <gtest/gtest.h>

#include "cli/cmdstan/argument.h"
#include "cli/cmdstan/parse.h"
#include "inference/output/config.h"
#include "support/base/rng.h"
#include "tests/shared/cmdstan_run.h"

namespace fermiac::cmdstan {
namespace {

using testing::CmdstanFolder;
using testing::CmdstanRun;
using testing::kNormal;

struct Line {
  explicit Line(const std::string& words, const Build& build = {}) : tree(argument_tree(build)), parsed(of(words)) {}
  Parsed of(const std::string& words) {
    std::istringstream in(words);
    std::vector<std::string> list;
    for (std::string word; in >> word;) list.push_back(word);
    return parse(tree, "model", list);
  }
  std::string echo() const { return inference::config_text(parsed.settings.member_configs(), ""); }
  Argument tree;
  Parsed parsed;
};

std::string mistake(const std::string& words) {
  const Line line(words);
  EXPECT_EQ(line.parsed.outcome, Parsed::Outcome::Failed) << words;
  EXPECT_EQ(line.parsed.out, "");
  return line.parsed.err;
}

constexpr char kGiveUp[] = "Failed to parse command arguments, cannot run model.\n";

TEST(CmdstanArguments, EchoOfSample) {
  const Line line(
      "sample num_samples=200 save_warmup=1 num_chains=2 data file=data.json random seed=1 output file=out.csv "
      "refresh=50");
  ASSERT_EQ(line.parsed.outcome, Parsed::Outcome::Run) << line.parsed.err;
  EXPECT_EQ(line.echo(), R"(method = sample (Default)
  sample
    num_samples = 200
    num_warmup = 1000 (Default)
    save_warmup = true
    thin = 1 (Default)
    adapt
      engaged = true (Default)
      gamma = 0.05 (Default)
      delta = 0.8 (Default)
      kappa = 0.75 (Default)
      t0 = 10 (Default)
      init_buffer = 75 (Default)
      term_buffer = 50 (Default)
      window = 25 (Default)
      save_metric = false (Default)
    algorithm = hmc (Default)
      hmc
        engine = nuts (Default)
          nuts
            max_depth = 10 (Default)
        metric = diag_e (Default)
        metric_file =  (Default)
        stepsize = 1 (Default)
        stepsize_jitter = 0 (Default)
    num_chains = 2
id = 1 (Default)
data
  file = data.json
init = 2 (Default)
random
  seed = 1
output
  file = out.csv
  diagnostic_file =  (Default)
  refresh = 50
  sig_figs = 8 (Default)
  profile_file = profile.csv (Default)
  save_cmdstan_config = false (Default)
num_threads = 1 (Default)
)");
}

std::string method_part(const std::string& words) {
  const Line line(words);
  EXPECT_EQ(line.parsed.outcome, Parsed::Outcome::Run) << line.parsed.err;
  const std::string echo = line.echo();
  return echo.substr(0, echo.find("\nid ") + 1);
}

TEST(CmdstanArguments, EchoOfTheOtherMethods) {
  EXPECT_EQ(method_part("method=optimize save_iterations=1"), R"(method = optimize
  optimize
    algorithm = lbfgs (Default)
      lbfgs
        init_alpha = 0.001 (Default)
        tol_obj = 1e-12 (Default)
        tol_rel_obj = 10000 (Default)
        tol_grad = 1e-08 (Default)
        tol_rel_grad = 1e+07 (Default)
        tol_param = 1e-08 (Default)
        history_size = 5 (Default)
    jacobian = false (Default)
    iter = 2000 (Default)
    save_iterations = true
)");
  EXPECT_EQ(method_part("variational iter=200 output_samples=20 adapt iter=7"), R"(method = variational
  variational
    algorithm = meanfield (Default)
      meanfield
    iter = 200
    grad_samples = 1 (Default)
    elbo_samples = 100 (Default)
    eta = 1 (Default)
    adapt
      engaged = true (Default)
      iter = 7
    tol_rel_obj = 0.01 (Default)
    eval_elbo = 100 (Default)
    output_samples = 20
)");
  EXPECT_EQ(method_part("diagnose"), R"(method = diagnose
  diagnose
    test = gradient (Default)
      gradient
        epsilon = 1e-06 (Default)
        error = 1e-06 (Default)
)");
  EXPECT_EQ(method_part("generate_quantities fitted_params=short.csv"), R"(method = generate_quantities
  generate_quantities
    fitted_params = short.csv
    num_chains = 1 (Default)
)");
  EXPECT_EQ(method_part("pathfinder num_paths=2 num_draws=20"), R"(method = pathfinder
  pathfinder
    init_alpha = 0.001 (Default)
    tol_obj = 1e-12 (Default)
    tol_rel_obj = 10000 (Default)
    tol_grad = 1e-08 (Default)
    tol_rel_grad = 1e+07 (Default)
    tol_param = 1e-08 (Default)
    history_size = 5 (Default)
    num_psis_draws = 1000 (Default)
    num_paths = 2
    save_single_paths = false (Default)
    psis_resample = true (Default)
    calculate_lp = true (Default)
    max_lbfgs_iters = 1000 (Default)
    num_draws = 20
    num_elbo_draws = 25 (Default)
)");
  EXPECT_EQ(method_part("log_prob constrained_params=c.json"), R"(method = log_prob
  log_prob
    unconstrained_params =  (Default)
    constrained_params = c.json
    jacobian = true (Default)
)");
  EXPECT_EQ(method_part("laplace mode=optimize.csv draws=0"), R"(method = laplace
  laplace
    mode = optimize.csv
    jacobian = true (Default)
    draws = 0
    calculate_lp = true (Default)
)");
}

TEST(CmdstanArguments, ConfigurationAsJson) {
  const Line line("method=sample algorithm=hmc engine=static int_time=1.5 metric=dense_e adapt delta=0.9 id=3");
  EXPECT_EQ(inference::config_json(line.parsed.settings.member_configs()), R"({
  "method" : {
    "value" : "sample",
    "sample" : {
      "num_samples" : 1000,
      "num_warmup" : 1000,
      "save_warmup" : false,
      "thin" : 1,
      "adapt" : {
        "engaged" : true,
        "gamma" : 0.05,
        "delta" : 0.9,
        "kappa" : 0.75,
        "t0" : 10,
        "init_buffer" : 75,
        "term_buffer" : 50,
        "window" : 25,
        "save_metric" : false
      },
      "algorithm" : {
        "value" : "hmc",
        "hmc" : {
          "engine" : {
            "value" : "static",
            "static" : {
              "int_time" : 1.5
            }
          },
          "metric" : {
            "value" : "dense_e"
          },
          "metric_file" : "",
          "stepsize" : 1,
          "stepsize_jitter" : 0
        }
      },
      "num_chains" : 1
    }
  },
  "id" : 3,
  "data" : {
    "file" : ""
  },
  "init" : "2",
  "random" : {
    "seed" : -1
  },
  "output" : {
    "file" : "output.csv",
    "diagnostic_file" : "",
    "refresh" : 100,
    "sig_figs" : 8,
    "profile_file" : "profile.csv",
    "save_cmdstan_config" : false
  },
  "num_threads" : 1
}
)");
}

TEST(CmdstanArguments, NumbersHaveMoreDigitsInJson) {
  const Line line("method=sample algorithm=hmc engine=static");
  EXPECT_NE(line.echo().find("int_time = 6.28319 (Default)\n"), std::string::npos);
  EXPECT_NE(inference::config_json(line.parsed.settings.member_configs()).find("\"int_time\" : 6.283185307179586"),
            std::string::npos);
}

TEST(CmdstanArguments, WordsGoToTheNearestCategoryThatKnowsThem) {
  // As two clients order them.
  const Line python(
      "id=2 random seed=7 output file=a.csv sig_figs=9 method=sample num_samples=5 save_warmup=1 algorithm=hmc "
      "engine=nuts "
      "max_depth=9 stepsize=0.5 metric=unit_e adapt engaged=1 delta=0.95 init_buffer=1 num_chains=3");
  ASSERT_EQ(python.parsed.outcome, Parsed::Outcome::Run) << python.parsed.err;
  const Setting& s = python.parsed.settings;
  EXPECT_EQ(s.number("method.sample.algorithm.hmc.engine.nuts.max_depth"), 9);
  EXPECT_EQ(s.number("method.sample.algorithm.hmc.stepsize"), 0.5);
  EXPECT_EQ(s.text("method.sample.algorithm.hmc.metric"), "unit_e");
  EXPECT_EQ(s.number("method.sample.adapt.delta"), 0.95);
  EXPECT_EQ(s.number("method.sample.num_chains"), 3);
  EXPECT_EQ(s.number("id"), 2);
  const Line r("method=sample algorithm=fixed_param adapt engaged=1 output file=b.csv");
  EXPECT_EQ(r.parsed.outcome, Parsed::Outcome::Run) << r.parsed.err;
  EXPECT_EQ(r.parsed.settings.text("method.sample.algorithm"), "fixed_param");
}

TEST(CmdstanArguments, NumbersAreReadByPrefix) {
  const Line line("sample num_samples=3abc num_warmup=1.5 adapt window=0 random seed=4294967295");
  ASSERT_EQ(line.parsed.outcome, Parsed::Outcome::Run) << line.parsed.err;
  EXPECT_EQ(line.parsed.settings.text("method.sample.num_samples"), "3");
  EXPECT_EQ(line.parsed.settings.text("method.sample.num_warmup"), "1");
  EXPECT_EQ(line.parsed.settings.text("method.sample.adapt.window"), "0");
  EXPECT_EQ(line.parsed.settings.text("random.seed"), "4294967295");
}

TEST(CmdstanArguments, GivenDefaultsAreMarkedAsSuch) {
  EXPECT_NE(Line("sample num_samples=1000 adapt engaged=true").echo().find("num_samples = 1000 (Default)"),
            std::string::npos);
}

TEST(CmdstanArguments, ValuesThatAreNotValid) {
  EXPECT_EQ(mistake("sample num_samples=-1"),
            std::string("-1 is not a valid value for \"num_samples\"\n  Valid values: 0 <= num_samples\n") + kGiveUp);
  EXPECT_EQ(
      mistake("method=foo"),
      std::string("foo is not a valid value for \"method\"\n  Valid values: sample, optimize, variational, diagnose, "
                  "generate_quantities, pathfinder, log_prob, laplace\n") +
          kGiveUp);
  EXPECT_EQ(
      mistake("sample adapt delta=1.5"),
      std::string("1.5 is not a valid value for \"delta\"\n  Valid values: 0.100000 <= delta <= 1.000000\n") + kGiveUp);
  EXPECT_EQ(
      mistake("sample save_warmup=yes"),
      std::string("yes is not a valid value for \"save_warmup\"\n  Valid values: [0, 1, false, true]\n") + kGiveUp);
  for (const char* value : {"inf", "nan", "1e999"})
    EXPECT_TRUE(mistake(std::string("sample algorithm=hmc stepsize=") + value)
                    .starts_with(value + std::string(" is not a valid value for \"stepsize\"")));
  EXPECT_EQ(mistake("sample thin=0"),
            std::string("0 is not a valid value for \"thin\"\n  Valid values: 0 < thin\n") + kGiveUp);
  EXPECT_EQ(
      mistake("sample output sig_figs=19"),
      std::string("19 is not a valid value for \"sig_figs\"\n  Valid values: 0 <= sig_figs <= 18 || sig_figs == -1\n") +
          kGiveUp);
  EXPECT_EQ(mistake("sample num_threads=2"),
            std::string("2 is not a valid value for \"num_threads\"\n  Valid values: num_threads == 1\n") + kGiveUp);
  EXPECT_EQ(mistake("sample random seed=4294967296").substr(0, 42), "4294967296 is not a valid value for \"seed\"");
  EXPECT_EQ(mistake("sample num_samples=abc").substr(0, 42), "abc is not a valid value for \"num_samples\"");
}

TEST(CmdstanArguments, WordsThatDoNotBelong) {
  EXPECT_EQ(mistake("sample foo=1"), std::string("foo=1 is either mistyped or misplaced.\n") + kGiveUp);
  EXPECT_EQ(mistake("optimize max_depth=3"),
            std::string("max_depth=3 is either mistyped or misplaced.\n"
                        "Perhaps you meant one of the following valid configurations?\n"
                        "  method=sample sample algorithm=hmc hmc engine=nuts nuts max_depth=<int>\n") +
                kGiveUp);
  EXPECT_EQ(mistake("laplace iter=3"), std::string("iter=3 is either mistyped or misplaced.\n"
                                                   "Perhaps you meant one of the following valid configurations?\n"
                                                   "  method=optimize optimize iter=<int>\n"
                                                   "  method=variational variational iter=<int>\n"
                                                   "  method=variational variational adapt iter=<int>\n") +
                                           kGiveUp);
  EXPECT_NE(mistake("sample engine=nuts id=2 engine=nuts")
                .find("  method=sample sample algorithm=hmc hmc engine=<list_element>\n"),
            std::string::npos);
  EXPECT_NE(mistake("sample opencl device=0")
                .find("Re-compile the model with STAN_OPENCL to use OpenCL CmdStan arguments.\n"),
            std::string::npos);
}

TEST(CmdstanArguments, TheTopLevelTakesEachOnce) {
  EXPECT_NE(mistake("sample id=1 id=2").find("id=2 is either mistyped or misplaced."), std::string::npos);
  EXPECT_NE(mistake("sample data file=a data file=b").find("data is either mistyped or misplaced."), std::string::npos);
  EXPECT_NE(mistake("sample optimize").find("optimize is either mistyped or misplaced."), std::string::npos);
  EXPECT_NE(mistake("sample adapt adapt delta=0.9").find("adapt is either mistyped or misplaced."), std::string::npos);
}

TEST(CmdstanArguments, AMethodIsNeeded) {
  EXPECT_EQ(mistake("id=1"), std::string("A method must be specified!\n") + kGiveUp);
}

TEST(CmdstanArguments, HelpOfACategoryAndOfEverything) {
  const Line line("sample adapt help");
  EXPECT_EQ(line.parsed.outcome, Parsed::Outcome::Help);
  EXPECT_TRUE(line.parsed.out.starts_with(R"(adapt
  Warmup Adaptation
  Valid subarguments: engaged, gamma, delta, kappa, t0, init_buffer, term_buffer, window, save_metric

Usage: model <arg1> )"))
      << line.parsed.out;
  const std::string sample = Line("sample help-all").parsed.out;
  EXPECT_TRUE(sample.starts_with(
      "sample\n  Bayesian inference with Markov Chain Monte Carlo\n"
      "  Valid subarguments: num_samples, num_warmup, save_warmup, thin, adapt, algorithm, num_chains\n\n"
      "  num_samples=<int>\n    Number of sampling iterations\n    Valid values: 0 <= num_samples\n"
      "    Defaults to 1000\n\n"))
      << sample;
  EXPECT_NE(sample.find("  algorithm=<list element>\n    Sampling algorithm\n    Valid values: hmc, fixed_param\n"
                        "    Defaults to hmc\n\n    hmc\n      Hamiltonian Monte Carlo\n"),
            std::string::npos);
  const std::string all = Line("help-all").parsed.out;
  EXPECT_TRUE(all.starts_with("  method=<list element>\n    Analysis method\n")) << all;
  for (const char* part : {"\n  id=<int>\n", "      int_time=<double>\n", "Defaults to 6.28319\n", "<unsigned int>\n",
                           "    file=<string>\n      Output file\n", "    Defaults to \n", "  num_threads=<int>\n"})
    EXPECT_NE(all.find(part), std::string::npos) << part;
}

TEST(CmdstanArguments, UsageNamesEveryMethodAndArgument) {
  const std::string usage = Line("help").parsed.out;
  for (const char* name :
       {"sample ", "optimize ", "variational ", "diagnose ", "generate_quantities ", "pathfinder ", "log_prob ",
        "laplace ", "help ", "help-all ", "id ", "data ", "init ", "random ", "output ", "num_threads "})
    EXPECT_NE(usage.find("\n  " + std::string(name)), std::string::npos) << name;
  EXPECT_NE(usage.find("See model <arg1> [ help | help-all ] for details on individual arguments.\n"),
            std::string::npos);
}

void collect_names(const Argument& argument, std::vector<std::string>* out) {
  out->push_back(argument.name);
  for (const Argument& child : argument.children) collect_names(child, out);
}

TEST(CmdstanArguments, AnyWordsAreUnderstoodOrRefused) {
  const Argument tree = argument_tree({});
  std::vector<std::string> names;
  collect_names(tree, &names);
  const std::vector<std::string> values = {"",      "=",         "=1",   "=0",    "=-1", "=hmc",
                                           "=nuts", "=optimize", "=x=y", "=1e99", "=nan"};
  Rng rng(7, 1);
  const auto one_of = [&](const std::vector<std::string>& list) {
    return list[static_cast<std::size_t>(rng.uniform() * static_cast<double>(list.size()))];
  };
  std::size_t understood = 0;
  for (int i = 0; i < 20000; ++i) {
    std::vector<std::string> words = {tree.children[0].children[static_cast<std::size_t>(i) % 8].name};
    for (double n = 4 * rng.uniform(); n > 0; --n) words.push_back(one_of(names) + one_of(values));
    const Parsed parsed = parse(tree, "model", words);
    EXPECT_EQ(parsed.outcome == Parsed::Outcome::Failed, !parsed.err.empty());
    EXPECT_EQ(parsed.outcome == Parsed::Outcome::Help, !parsed.out.empty());
    if (parsed.outcome != Parsed::Outcome::Run) continue;
    ++understood;
    EXPECT_TRUE(inference::config_text(parsed.settings.member_configs(), "").starts_with("method = " + words[0]));
  }
  EXPECT_GT(understood, 100u);
}

TEST(CmdstanArguments, ExitStatus) {
  const CmdstanFolder folder;
  const CmdstanRun none = folder.run(kNormal, "");
  EXPECT_EQ(none.status, 1);
  EXPECT_TRUE(none.out.starts_with("Usage: model ")) << none.out;
  EXPECT_EQ(folder.run(kNormal, "help").status, 0);
  EXPECT_EQ(folder.run(kNormal, "sample help-all").status, 0);
  const CmdstanRun bad = folder.run(kNormal, "sample num_samples=-1");
  EXPECT_EQ(bad.status, 1);
  EXPECT_EQ(bad.out, "");
  EXPECT_TRUE(bad.err.starts_with("-1 is not a valid value")) << bad.err;
}

TEST(CmdstanArguments, Info) {
  const CmdstanFolder folder;
  const CmdstanRun threaded = folder.run(kNormal, "id=2 info");
  EXPECT_EQ(threaded.status, 0);
  EXPECT_EQ(
      threaded.out,
      "stan_version_major = 2\nstan_version_minor = 39\nstan_version_patch = 0\nSTAN_THREADS=true\nSTAN_MPI=false\n"
      "STAN_OPENCL=false\nSTAN_NO_RANGE_CHECKS=false\n");
  EXPECT_NE(folder.run(kNormal, "info", false).out.find("STAN_THREADS=false\n"), std::string::npos);
}

TEST(CmdstanArguments, ThreadsOfTheEnvironment) {
  const Build wish{true, "4"};
  EXPECT_NE(Line("sample", wish).echo().find("num_threads = 4 (Default)\n"), std::string::npos);
  EXPECT_NE(Line("sample num_threads=-1", wish).echo().find("num_threads = -1\n"), std::string::npos);
  EXPECT_NE(Line("sample", Build{false, "4"}).echo().find("num_threads = 1 (Default)\n"), std::string::npos);
  EXPECT_EQ(Line("sample num_threads=0", wish).parsed.outcome, Parsed::Outcome::Failed);
}

}  // namespace
}  // namespace fermiac::cmdstan
