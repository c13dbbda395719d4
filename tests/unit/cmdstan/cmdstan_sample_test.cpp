// `sample` under CmdStan's command line: its files, its console, its rules.
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "inference/output/csv.h"
#include "tests/shared/cmdstan_run.h"

namespace fermiac::cmdstan {
namespace {

using testing::CmdstanFolder;
using testing::CmdstanRun;
using testing::draws_of;
using testing::kData;
using testing::kNormal;
using testing::kNothing;
using testing::lines_with;
using testing::rows_of;

/// The file with the time of its start, which differs from run to run, left out.
std::string without_time(const std::string& text) {
  return std::regex_replace(text, std::regex("start_datetime = [-0-9: ]*UTC"), "start_datetime = T");
}

TEST(CmdstanSample, CommentsOfTheFileInOrder) {
  const CmdstanFolder folder;
  const CmdstanRun run =
      folder.run(kNormal, "sample num_samples=50 num_warmup=100 random seed=1 output file=@short.csv refresh=50");
  ASSERT_EQ(run.status, 0) << run.err;
  const std::string text = folder.read("short.csv");
  EXPECT_EQ(without_time(text.substr(0, text.find("lp__"))), R"(# stan_version_major = 2
# stan_version_minor = 39
# stan_version_patch = 0
# model = m_model
# start_datetime = T
# method = sample (Default)
#   sample
#     num_samples = 50
#     num_warmup = 100
#     save_warmup = false (Default)
#     thin = 1 (Default)
#     adapt
#       engaged = true (Default)
#       gamma = 0.05 (Default)
#       delta = 0.8 (Default)
#       kappa = 0.75 (Default)
#       t0 = 10 (Default)
#       init_buffer = 75 (Default)
#       term_buffer = 50 (Default)
#       window = 25 (Default)
#       save_metric = false (Default)
#     algorithm = hmc (Default)
#       hmc
#         engine = nuts (Default)
#           nuts
#             max_depth = 10 (Default)
#         metric = diag_e (Default)
#         metric_file =  (Default)
#         stepsize = 1 (Default)
#         stepsize_jitter = 0 (Default)
#     num_chains = 1 (Default)
# id = 1 (Default)
# data
#   file =  (Default)
# init = 2 (Default)
# random
#   seed = 1
# output
#   file = )" + folder.at("short.csv") + R"(
#   diagnostic_file =  (Default)
#   refresh = 50
#   sig_figs = 8 (Default)
#   profile_file = profile.csv (Default)
#   save_cmdstan_config = false (Default)
# num_threads = 1 (Default)
# stanc_version = stanc3 v2.39.0
# stancflags = --O1
)");
  EXPECT_EQ(rows_of(text).size(), 51u);
  EXPECT_EQ(rows_of(text)[0],
            "lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__,mu,sigma,y,z.1,z.2");
  EXPECT_NE(text.find("# Adaptation terminated\n# Step size = "), std::string::npos);
  EXPECT_NE(text.find("\n# Diagonal elements of inverse mass matrix:\n# "), std::string::npos);
  EXPECT_TRUE(std::regex_search(text, std::regex("# \n#  Elapsed Time: [0-9.e-]+ seconds \\(Warm-up\\)\n"
                                                 "#                [0-9.e-]+ seconds \\(Sampling\\)\n"
                                                 "#                [0-9.e-]+ seconds \\(Total\\)\n# \n$")));
}

TEST(CmdstanSample, ConsoleHasTheEchoThenProgressThenTimes) {
  const CmdstanFolder folder;
  const CmdstanRun run =
      folder.run(kNormal, "sample num_samples=50 num_warmup=100 random seed=1 output file=@short.csv refresh=50");
  EXPECT_EQ(run.err, "");
  EXPECT_TRUE(run.out.starts_with("method = sample (Default)\n  sample\n    num_samples = 50\n")) << run.out;
  EXPECT_NE(run.out.find("num_threads = 1 (Default)\n\n\nGradient evaluation took "), std::string::npos) << run.out;
  EXPECT_EQ(
      lines_with(run.out, "Iteration:"),
      (std::vector<std::string>{"Iteration:   1 / 150 [  0%]  (Warmup)", "Iteration:  50 / 150 [ 33%]  (Warmup)",
                                "Iteration: 100 / 150 [ 66%]  (Warmup)", "Iteration: 101 / 150 [ 67%]  (Sampling)",
                                "Iteration: 150 / 150 [100%]  (Sampling)"}));
  EXPECT_EQ(lines_with(run.out, " Elapsed Time: ").size(), 1u);
  EXPECT_EQ(run.out.find("Draws are in"), std::string::npos);
}

TEST(CmdstanSample, TimesAreToldWithoutProgress) {
  const CmdstanFolder folder;
  const CmdstanRun run = folder.run(kNormal, "sample num_samples=5 num_warmup=5 output file=@a.csv refresh=0");
  EXPECT_TRUE(lines_with(run.out, "Iteration:").empty());
  EXPECT_EQ(lines_with(run.out, " Elapsed Time: ").size(), 1u);
}

TEST(CmdstanSample, SeveralChainsInOneProcess) {
  const CmdstanFolder folder;
  const CmdstanRun run = folder.run(kNormal,
                                    "sample num_samples=20 num_warmup=100 save_warmup=1 num_chains=2 adapt "
                                    "save_metric=1 id=4 random seed=1 output file=@out.csv "
                                    "diagnostic_file=@d.csv save_cmdstan_config=1 num_threads=2");
  ASSERT_EQ(run.status, 0) << run.err;
  for (const char* name :
       {"out_4.csv", "out_5.csv", "out_metric_4.json", "out_metric_5.json", "d_4.csv", "d_5.csv", "out_config.json"})
    EXPECT_TRUE(folder.has(name)) << name;
  EXPECT_FALSE(folder.has("out.csv"));
  EXPECT_EQ(draws_of(folder.at("out_5.csv")).rows, 120u);
  EXPECT_NE(folder.read("out_5.csv").find("#   file = " + folder.at("out.csv") + "\n"), std::string::npos);
  EXPECT_EQ(lines_with(run.out, "Chain [4] Iteration:").size(), 4u);
  EXPECT_EQ(lines_with(run.out, "Chain [5]  Elapsed Time: ").size(), 1u);
  const std::string metric = folder.read("out_metric_4.json");
  EXPECT_TRUE(std::regex_search(
      metric, std::regex("\"stepsize\" : [0-9.]+,\n  \"metric_type\" : \"diag_e\",\n  \"inv_metric\" : \\[ ")));
  const std::string config = folder.read("out_config.json");
  for (const char* part :
       {"\"stan_minor_version\" : \"39\"", "\"model_name\" : \"m_model\"", "\"num_chains\" : 2", "\"id\" : 4",
        "\"stancflags\" : \"--O1\"", "\"mpi_enabled\" : false", "\"save_warmup\" : true"})
    EXPECT_NE(config.find(part), std::string::npos) << part;
}

TEST(CmdstanSample, AListNamesTheFilesOfTheChains) {
  const CmdstanFolder folder;
  const CmdstanRun run = folder.run(kNormal,
                                    "sample num_samples=3 num_warmup=30 num_chains=2 adapt save_metric=1 output "
                                    "file=@x.csv,@y save_cmdstan_config=1");
  ASSERT_EQ(run.status, 0) << run.err;
  for (const char* name : {"x.csv", "y", "x_metric.json", "y_metric.json", "x_config.json"})
    EXPECT_TRUE(folder.has(name)) << name;
  EXPECT_EQ(folder.run(kNormal, "sample num_chains=3 output file=@x.csv,@y").status, 1);
}

TEST(CmdstanSample, DiagnosticFile) {
  const CmdstanFolder folder;
  ASSERT_EQ(folder.run(kNormal, "sample num_samples=5 num_warmup=20 output file=@a.csv diagnostic_file=@d.csv").status,
            0);
  const std::string text = folder.read("d.csv");
  EXPECT_EQ(text.find("start_datetime"), std::string::npos);
  EXPECT_EQ(text.find("stanc_version"), std::string::npos);
  EXPECT_EQ(
      rows_of(text)[0],
      "lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__,mu,sigma,p_mu,p_sigma,g_mu,g_sigma");
  const inference::CsvDraws d = draws_of(folder.at("d.csv")), a = draws_of(folder.at("a.csv"));
  ASSERT_EQ(d.rows, 5u);
  for (std::size_t row = 0; row < d.rows; ++row) {
    const double mu = d.at(row, d.column("mu"));
    EXPECT_NEAR(mu, a.at(row, a.column("mu")), 1e-6);
    EXPECT_NEAR(d.at(row, d.column("g_mu")), (1 - mu) / 4, 1e-6);
    EXPECT_NEAR(std::exp(d.at(row, d.column("sigma"))), a.at(row, a.column("sigma")), 1e-5);
  }
}

TEST(CmdstanSample, TheEngineAndTheMetricAreThoseAskedFor) {
  const CmdstanFolder folder;
  ASSERT_EQ(
      folder.run(kNormal, "sample num_samples=5 algorithm=hmc engine=static int_time=2 output file=@s.csv").status, 0);
  EXPECT_TRUE(rows_of(folder.read("s.csv"))[0].starts_with("lp__,accept_stat__,stepsize__,int_time__,energy__,mu"));
  ASSERT_EQ(folder.run(kNormal, "sample num_samples=5 algorithm=hmc metric=unit_e output file=@u.csv").status, 0);
  EXPECT_NE(folder.read("u.csv").find("\n# No free parameters for unit metric\n"), std::string::npos);
  ASSERT_EQ(folder.run(kNormal, "sample num_samples=5 algorithm=hmc metric=dense_e output file=@d.csv").status, 0);
  EXPECT_NE(folder.read("d.csv").find("\n# Elements of inverse mass matrix:\n"), std::string::npos);
}

TEST(CmdstanSample, FixedParamDrawsWithoutWarmup) {
  const CmdstanFolder folder;
  const CmdstanRun run =
      folder.run(kNormal, "sample num_samples=10 algorithm=fixed_param adapt engaged=1 output file=@f.csv");
  ASSERT_EQ(run.status, 0) << run.err;
  const std::string text = folder.read("f.csv");
  EXPECT_TRUE(rows_of(text)[0].starts_with("lp__,accept_stat__,mu,"));
  EXPECT_EQ(rows_of(text).size(), 11u);
  EXPECT_EQ(text.find("Adaptation"), std::string::npos);
  EXPECT_EQ(lines_with(text, "#  Elapsed Time: ").size(), 1u);
  EXPECT_EQ(lines_with(run.out, "Iteration:").back(), "Iteration: 10 / 10 [100%]  (Sampling)");
}

TEST(CmdstanSample, AModelWithoutParametersKeepsItsEngine) {
  const CmdstanFolder folder;
  const CmdstanRun run = folder.run(kNothing, "sample num_samples=4 num_warmup=2 save_warmup=1 output file=@n.csv");
  ASSERT_EQ(run.status, 0) << run.err;
  const std::string text = folder.read("n.csv");
  EXPECT_EQ(rows_of(text)[0], "lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__,y");
  ASSERT_EQ(rows_of(text).size(), 7u);
  for (std::size_t i = 1; i < 7; ++i) EXPECT_TRUE(rows_of(text)[i].starts_with("0,1,nan,1,1,0,0,")) << rows_of(text)[i];
  EXPECT_NE(text.find("# Step size = nan\n# Diagonal elements of inverse mass matrix:\n# \n"), std::string::npos)
      << text;
  EXPECT_EQ(lines_with(run.out, "Iteration:").back(), "Iteration: 6 / 6 [100%]  (Sampling)");
}

TEST(CmdstanSample, TheSameSeedAndChainGiveTheSameDraws) {
  const CmdstanFolder folder;
  folder.run(kNormal, "sample num_samples=9 num_warmup=50 num_chains=2 random seed=3 output file=@a.csv");
  folder.run(kNormal, "sample num_samples=9 num_warmup=50 id=2 random seed=3 output file=@b.csv");
  EXPECT_EQ(rows_of(folder.read("a_2.csv")), rows_of(folder.read("b.csv")));
}

TEST(CmdstanSample, InitialValues) {
  const CmdstanFolder folder;
  folder.write("i_1.json", R"({"mu": 1.5, "sigma": 2.5})");
  folder.write("i_2.json", R"({"mu": -1.5, "sigma": 0.5})");
  folder.write("i.json", R"({"mu": 9, "sigma": 9})");
  const std::string fixed = "sample num_samples=1 algorithm=fixed_param ";
  ASSERT_EQ(folder.run(kNormal, fixed + "num_chains=2 init=@i.json output file=@a.csv").status, 0);
  EXPECT_TRUE(rows_of(folder.read("a_1.csv"))[1].starts_with("0,0,1.5,2.5,"));
  EXPECT_TRUE(rows_of(folder.read("a_2.csv"))[1].starts_with("0,0,-1.5,0.5,"));
  ASSERT_EQ(folder.run(kNormal, fixed + "init=@i.json output file=@b.csv").status, 0);
  EXPECT_TRUE(rows_of(folder.read("b.csv"))[1].starts_with("0,0,9,9,"));
  ASSERT_EQ(folder.run(kNormal, fixed + "num_chains=2 id=7 init=@i.json output file=@c.csv").status, 0);
  EXPECT_TRUE(rows_of(folder.read("c_8.csv"))[1].starts_with("0,0,9,9,"));
  ASSERT_EQ(folder.run(kNormal, fixed + "num_chains=2 init=@i_2.json,@i_1.json output file=@d.csv").status, 0);
  EXPECT_TRUE(rows_of(folder.read("d_1.csv"))[1].starts_with("0,0,-1.5,0.5,"));
  std::filesystem::remove(folder.at("i_2.json"));
  const CmdstanRun missing = folder.run(kNormal, fixed + "num_chains=2 init=@i.json output file=@e.csv");
  EXPECT_EQ(missing.status, 1);
  EXPECT_EQ(missing.err, "Cannot open specified file, \"" + folder.at("i_2.json") + "\"\n");
}

TEST(CmdstanSample, AMetricFromAFile) {
  const CmdstanFolder folder;
  folder.write("m.json", R"({"inv_metric": [0.25, 4]})");
  ASSERT_EQ(folder
                .run(kNormal,
                     "method=sample num_samples=3 num_warmup=0 algorithm=hmc metric_file=@m.json adapt engaged=0 "
                     "output file=@a.csv")
                .status,
            0);
  EXPECT_NE(folder.read("a.csv").find("# Diagonal elements of inverse mass matrix:\n# 0.25, 4\n"), std::string::npos);
  EXPECT_EQ(folder.run(kNormal, "method=sample algorithm=hmc metric_file=@none.json output file=@a.csv").status, 1);
}

TEST(CmdstanSample, SignificantDigits) {
  const CmdstanFolder folder;
  const std::string fixed = "sample num_samples=1 algorithm=fixed_param init=@i.json output file=@a.csv sig_figs=";
  folder.write("i.json", R"({"mu": 1.23456789012, "sigma": 1})");
  const auto mu = [&](const std::string& digits) {
    EXPECT_EQ(folder.run(kNormal, fixed + digits).status, 0);
    const std::string row = rows_of(folder.read("a.csv"))[1];
    return row.substr(4, row.find(',', 4) - 4);
  };
  EXPECT_EQ(mu("8"), "1.2345679");
  EXPECT_EQ(mu("-1"), "1.23457");
  EXPECT_EQ(mu("11"), "1.2345678901");
}

struct BrokenRule {
  const char *words, *text;
};

TEST(CmdstanSample, RulesBetweenValues) {
  const CmdstanFolder folder;
  for (const BrokenRule& rule : {
           BrokenRule{"sample num_chains=2 algorithm=hmc engine=static",
                      "num_chains can currently only be used with NUTS and fixed_param\n"},
           BrokenRule{
               "sample num_warmup=0",
               "The number of warmup samples (num_warmup) must be greater than zero if adaptation is enabled.\n"},
           BrokenRule{"sample adapt save_metric=1 engaged=0", "save_metric=1 needs adaptation: set adapt engaged=1\n"},
           BrokenRule{"sample output file=a/", "Ill-formed output filename a/\n"},
           BrokenRule{"sample output file=a/.", "Ill-formed output filename a/.\n"},
           BrokenRule{"sample output file=..", "Ill-formed output filename ..\n"},
       }) {
    const CmdstanRun run = folder.run(kNormal, rule.words);
    EXPECT_EQ(run.status, 1) << rule.words;
    EXPECT_EQ(run.err, rule.text);
    EXPECT_TRUE(run.out.starts_with("method = sample")) << run.out;
  }
  EXPECT_EQ(folder.run(kNormal, "sample num_warmup=0 num_samples=2 algorithm=fixed_param output file=@a.csv").status,
            0);
}

TEST(CmdstanSample, ThreadsOfTheEnvironmentAndOfTheCommandLineAgree) {
  const CmdstanFolder folder;
  const std::string words = "sample num_samples=2 num_warmup=5 output file=@a.csv ";
  setenv("STAN_NUM_THREADS", "2", 1);
  const CmdstanRun differ = folder.run(kNormal, words + "num_threads=3");
  EXPECT_EQ(differ.status, 1);
  EXPECT_EQ(differ.err,
            "STAN_NUM_THREADS=2 but argument num_threads=3. Please either only set one or make sure they are equal.\n");
  EXPECT_EQ(folder.run(kNormal, words + "num_threads=2").status, 0);
  EXPECT_EQ(folder.run(kNormal, words).status, 0);
  EXPECT_EQ(folder.run(kNormal, words, false).status, 0);  // made without threads: the variable does not count
  setenv("STAN_NUM_THREADS", "1", 1);
  EXPECT_EQ(folder.run(kNormal, words + "num_threads=3").status, 0);
  setenv("STAN_NUM_THREADS", "many", 1);
  EXPECT_EQ(folder.run(kNormal, words).status, 1);
  unsetenv("STAN_NUM_THREADS");
}

TEST(CmdstanSample, DataThatCannotBeUsed) {
  const CmdstanFolder folder;
  const CmdstanRun missing = folder.run(kData, "sample data file=@missing.json output file=@a.csv");
  EXPECT_EQ(missing.status, 1);
  EXPECT_EQ(missing.err, "Cannot open specified file, \"" + folder.at("missing.json") + "\"\n");
  EXPECT_FALSE(folder.has("a.csv"));
  folder.write("bad.json", R"({"N": 3, "y": [1, 2]})");
  const CmdstanRun bad = folder.run(kData, "sample data file=@bad.json output file=@a.csv");
  EXPECT_EQ(bad.status, 1);
  EXPECT_EQ(bad.err,
            "Exception: mismatch in dimension declared and found in context; processing stage=data initialization; variable "
            "name=y; position=0; dims declared=(3); dims found=(2) (in 'm.stan', line 2, column 14 to column 30)\n");
  EXPECT_EQ(folder.run("parameters { real x }", "sample output file=@a.csv").status, 1);
}

TEST(CmdstanSample, DataThatDoNotFitAreToldInCmdStansWords) {
  struct Case {
    const char* data;
    const char* message;
  };
  constexpr Case kCases[] = {
      {"{}", "variable does not exist; processing stage=data initialization; variable name=N; base type=int"},
      {R"({"N": 1})", "variable does not exist; processing stage=data initialization; variable name=y; base type=double"},
      {R"({"N": 1.5})", "int variable contained non-int values; processing stage=data initialization; variable name=N; "
                        "base type=int"},
      {R"({"N": 2, "y": [[1, 2], [3, 4]]})",
       "mismatch in number dimensions declared and found in context; processing stage=data initialization; variable name=y; "
       "dims declared=(2); dims found=(2,2)"},
      {R"({"N": 2, "y": 1})", "dims declared=(2); dims found=()"},
      {R"({"N": 2, "y": []})", "position=0; dims declared=(2); dims found=(0)"},
      {R"({"N": 2, "y": [1, "a"]})", "variable 'y', element [2] is the string \"a\""},
  };
  const CmdstanFolder folder;
  for (const auto& [data, message] : kCases) {
    folder.write("d.json", data);
    const CmdstanRun run = folder.run(kData, "sample data file=@d.json output file=@a.csv");
    EXPECT_EQ(run.status, 1) << data;
    EXPECT_TRUE(run.err.starts_with("Exception: ")) << run.err;
    EXPECT_NE(run.err.find(message), std::string::npos) << run.err;
  }
  const CmdstanRun none = folder.run(kData, "sample output file=@a.csv");
  EXPECT_NE(none.err.find("variable name=N"), std::string::npos) << none.err;
}

TEST(CmdstanSample, InitialValuesOutOfBoundsNameTheBound) {
  const CmdstanFolder folder;
  folder.write("i.json", R"({"mu": 0, "sigma": -1})");
  const CmdstanRun run = folder.run(kNormal, "sample init=@i.json output file=@a.csv");
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.err.find("sigma: Lower bounded variable is -1, but must be greater than or equal to 0"), std::string::npos)
      << run.err;
}

TEST(CmdstanSample, RejectedProposalsAndFailedDrawsAreExceptions) {
  constexpr char kRejects[] =
      "parameters { real x; } model { if (x > 1) reject(\"too big\"); x ~ normal(0, 1); }\n"
      "generated quantities { if (x > 0.5) reject(\"big enough\"); }";
  const CmdstanFolder folder;
  const CmdstanRun run = folder.run(kRejects, "sample num_warmup=100 num_samples=100 random seed=1 init=0 output file=@a.csv");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(run.err.starts_with("Informational Message: The current Metropolis proposal is about to be rejected because of "
                                  "the following issue:\nException: too big (in 'm.stan', line 1, "))
      << run.err;
  EXPECT_EQ(lines_with(run.err, "Exception: ").size(), 1u) << run.err;
  const auto told = lines_with(run.out, "Exception: ");
  ASSERT_EQ(told.size(), 1u) << run.out;
  EXPECT_TRUE(told[0].starts_with("Exception: big enough (in 'm.stan', line 2, ")) << told[0];
  const CmdstanRun two = folder.run(kRejects, "sample num_chains=2 random seed=1 init=0 output file=@b.csv refresh=0");
  EXPECT_EQ(lines_with(two.err, "Chain [2] Exception: too big").size(), 1u) << two.err;
}

TEST(CmdstanSample, ProfileBlocksAreMeasuredWhereAFileIsNamed) {
  constexpr char kProfiled[] = R"(
parameters { real x; vector[3] v; }
model {
  profile("all") {
    profile("prior") { x ~ normal(0, 1); }
    for (i in 1:3) v[i] ~ normal(exp(x) * sin(x), 1);
  }
}
generated quantities { real y; profile("draw") { y = normal_rng(x, 1); } }
)";
  const CmdstanFolder folder;
  const std::string words = "sample num_warmup=50 num_samples=40 random seed=1 output refresh=0 file=@a.csv";
  ASSERT_EQ(folder.run(kProfiled, words + " profile_file=@p.csv").status, 0);
  const std::vector<std::string> rows = rows_of(folder.read("p.csv"));
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0], "name,thread_id,total_time,forward_time,reverse_time,chain_stack,no_chain_stack,autodiff_calls,"
                     "no_autodiff_calls");
  std::vector<std::vector<std::string>> fields;
  for (const std::string& row : rows) {
    std::istringstream in(row);
    fields.emplace_back();
    for (std::string field; std::getline(in, field, ',');) fields.back().push_back(field);
    ASSERT_EQ(fields.back().size(), 9u) << row;
  }
  const auto number = [&](std::size_t row, std::size_t column) { return std::stod(fields[row][column]); };
  EXPECT_EQ(fields[1][0], "all");
  EXPECT_EQ(fields[2][0], "draw");
  EXPECT_EQ(fields[3][0], "prior");
  EXPECT_GT(number(1, 7), 100);                // a gradient at least for every iteration
  EXPECT_EQ(fields[1][7], fields[3][7]);       // both in every evaluation
  EXPECT_GT(number(1, 3), number(3, 3));       // the block inside is a part of the one around
  EXPECT_GT(number(1, 4), 0);
  EXPECT_GT(number(1, 5), number(3, 5));
  EXPECT_EQ(number(2, 7), 0);
  EXPECT_EQ(number(2, 8), 40);                 // once for every draw
  EXPECT_NEAR(number(1, 2), number(1, 3) + number(1, 4), 1e-4 * number(1, 2));
  const std::vector<std::string> draws = rows_of(folder.read("a.csv"));
  ASSERT_EQ(folder.run(kProfiled, words).status, 0);
  EXPECT_EQ(draws.size(), rows_of(folder.read("a.csv")).size());
  ASSERT_EQ(folder.run(kNormal, words + " profile_file=@none.csv").status, 0);
  EXPECT_FALSE(folder.has("none.csv"));
  EXPECT_EQ(folder.run(kProfiled, words + " profile_file=@no/p.csv").status, 1);
  EXPECT_EQ(folder.run(kProfiled, words + " profile_file=").status, 0);
}

TEST(CmdstanSample, FilesOfR) {
  const CmdstanFolder folder;
  folder.write("d.R", "N <- 2\ny <- c(1, 2)\n");
  folder.write("i.R", "mu <- 0.5\n");
  folder.write("m.R", "inv_metric <- structure(c(0.25), .Dim = c(1))\n");
  const CmdstanRun run = folder.run(kData,
                                    "method=sample num_samples=2 num_warmup=0 adapt engaged=0 algorithm=hmc "
                                    "metric_file=@m.R data file=@d.R init=@i.R output "
                                    "file=@a.csv");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(lines_with(run.err, "Warning: file '").size(), 3u);
  EXPECT_NE(folder.read("a.csv").find("# Diagonal elements of inverse mass matrix:\n# 0.25\n"), std::string::npos);
  folder.write("d.R", "N <- \n");
  EXPECT_NE(folder.run(kData, "sample data file=@d.R output file=@a.csv").err.find("d.R', line 2: expected a number"),
            std::string::npos);
}

TEST(CmdstanSample, FilesAreReplacedAndFoldersMustBeThere) {
  const CmdstanFolder folder;
  folder.write("a.csv", "old\n");
  ASSERT_EQ(folder.run(kNormal, "sample num_samples=2 num_warmup=5 output file=@a.csv").status, 0);
  EXPECT_EQ(folder.read("a.csv").find("old"), std::string::npos);
  const CmdstanRun run = folder.run(kNormal, "sample output file=@none/a.csv");
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.err.find("none/a.csv"), std::string::npos) << run.err;
}

TEST(CmdstanSample, TheSeedOfTheClockIsTold) {
  const CmdstanFolder folder;
  const CmdstanRun run = folder.run(kNormal, "sample num_samples=1 num_warmup=1 output file=@a.csv");
  std::smatch seed;
  ASSERT_TRUE(std::regex_search(run.out, seed, std::regex("  seed = ([0-9]+) \\(Default\\)\n"))) << run.out;
  EXPECT_NE(folder.read("a.csv").find("#   seed = " + seed[1].str() + " (Default)\n"), std::string::npos);
}

}  // namespace
}  // namespace fermiac::cmdstan
