// The methods beside `sample` under CmdStan's command line: files, console, rules.
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "inference/output/csv.h"
#include "support/base/json_tree.h"
#include "tests/shared/cmdstan_run.h"

namespace fermiac::cmdstan {
namespace {

using testing::CmdstanFolder;
using testing::CmdstanRun;
using testing::draws_of;
using testing::kNormal;
using testing::kNothing;
using testing::lines_with;
using testing::rows_of;

/// A density without a maximum that any line search reaches: it has a kink which points the wrong way.
constexpr char kKink[] = "parameters { real x; } model { target += -fabs(x) * 1e10 - 1e-3 * x; }";
constexpr char kOnlyParameters[] = "parameters { real mu; } model { mu ~ normal(0, 1); }";

// --- optimize -------------------------------------------------------------------------------------------------------

TEST(CmdstanOptimize, TheFileSaysHowItEnded) {
  const CmdstanFolder folder;
  const CmdstanRun run = folder.run(kNormal, "method=optimize random seed=1 output file=@o.csv");
  ASSERT_EQ(run.status, 0) << run.err;
  const std::string text = folder.read("o.csv");
  EXPECT_EQ(rows_of(text)[0], "lp__,converged__,mu,sigma,y,z.1,z.2");
  ASSERT_EQ(rows_of(text).size(), 2u);
  const inference::CsvDraws d = draws_of(folder.at("o.csv"));
  EXPECT_NEAR(d.at(0, d.column("mu")), 1, 1e-4);
  EXPECT_NEAR(d.at(0, d.column("sigma")), std::exp(-0.25), 1e-4);
  EXPECT_GE(d.at(0, d.column("converged__")), 10);
  EXPECT_LE(d.at(0, d.column("converged__")), 31);
  EXPECT_EQ(text.find("Optimization terminated"), std::string::npos);
  EXPECT_NE(run.out.find("Optimization terminated normally: \n  Convergence detected: "), std::string::npos);
}

TEST(CmdstanOptimize, EveryIterationAndTheLimit) {
  const CmdstanFolder folder;
  ASSERT_EQ(folder.run(kNormal, "optimize iter=2 save_iterations=1 random seed=1 output file=@o.csv").status, 0);
  const inference::CsvDraws d = draws_of(folder.at("o.csv"));
  ASSERT_EQ(d.rows, 3u);
  EXPECT_EQ(d.at(0, 1), 0);
  EXPECT_EQ(d.at(1, 1), 0);
  EXPECT_EQ(d.at(2, 1), 40);
}

TEST(CmdstanOptimize, TheOtherAlgorithms) {
  const CmdstanFolder folder;
  for (const char* algorithm : {"bfgs", "newton"}) {
    ASSERT_EQ(
        folder.run(kNormal, std::string("optimize jacobian=1 algorithm=") + algorithm + " output file=@o.csv").status,
        0);
    const inference::CsvDraws d = draws_of(folder.at("o.csv"));
    EXPECT_NEAR(d.at(0, d.column("sigma")), 1, 1e-4);
    EXPECT_EQ(std::string(d.setting("optimize.algorithm")), algorithm);
  }
  EXPECT_EQ(lines_with(folder.read("o.csv"), "#     algorithm = newton").size(), 1u);
}

TEST(CmdstanOptimize, AFailedLineSearchStillWritesItsFile) {
  const CmdstanFolder folder;
  const CmdstanRun run = folder.run(kKink, "optimize init=0.5 random seed=1 output file=@o.csv");
  const inference::CsvDraws d = draws_of(folder.at("o.csv"));
  ASSERT_EQ(d.rows, 1u);
  if (d.at(0, 1) != -1) GTEST_FAIL() << "the line search was to fail: " << run.out;
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.out.find("Optimization terminated with error"), std::string::npos);
}

/// The scale goes to zero with what it scales: the density grows for ever.
TEST(CmdstanOptimize, ADensityWithoutAMode) {
  const CmdstanFolder folder;
  const CmdstanRun run = folder.run("parameters { real<lower=0> tau; vector[8] theta; } model { theta ~ normal(0, tau); }",
                                    "optimize random seed=1 output file=@o.csv");
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.out.find("Line search failed to achieve a sufficient decrease: log density and gradient grow without bound, there is no mode to be found"), std::string::npos) << run.out;
  EXPECT_EQ(draws_of(folder.at("o.csv")).at(0, 1), -1);
}

// --- chains that fail -----------------------------------------------------------------------------------------------

TEST(CmdstanMethods, AChainWithoutAStartLeavesTheCommentsOfItsFile) {
  const CmdstanFolder folder;
  const CmdstanRun run = folder.run("parameters { real y; } model { y ~ normal(1 / 0.0, 1); }", "sample output file=@s.csv");
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(folder.read("s.csv").find("# model = "), std::string::npos) << folder.read("s.csv");
}

// --- generate_quantities --------------------------------------------------------------------------------------------

TEST(CmdstanGenerate, EveryRowOfTheFile) {
  const CmdstanFolder folder;
  ASSERT_EQ(folder.run(kNormal, "sample num_samples=6 num_warmup=30 save_warmup=1 output file=@s.csv").status, 0);
  const CmdstanRun run =
      folder.run(kNormal, "generate_quantities fitted_params=@s.csv random seed=2 output file=@g.csv");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(rows_of(folder.read("g.csv"))[0], "y,z.1,z.2");
  const inference::CsvDraws s = draws_of(folder.at("s.csv")), g = draws_of(folder.at("g.csv"));
  ASSERT_EQ(g.rows, 36u);
  for (std::size_t row = 0; row < g.rows; ++row) EXPECT_NEAR(g.at(row, 1), s.at(row, s.column("mu")), 1e-6);
  std::smatch on_console, in_file;
  const std::regex time("Elapsed Time: ([0-9.e-]+) seconds \\(Generated Quantities\\)\n");
  const std::string file = folder.read("g.csv");
  ASSERT_TRUE(std::regex_search(run.out, on_console, time)) << run.out;
  ASSERT_TRUE(std::regex_search(file, in_file, time)) << file;
  EXPECT_EQ(on_console[1], in_file[1]);
  EXPECT_GT(std::stod(in_file[1]), 0);
}

TEST(CmdstanGenerate, OfOtherMethodsAndOfFilesThatClientsWrite) {
  const CmdstanFolder folder;
  folder.run(kNormal, "variational output_samples=5 output file=@v.csv random seed=4");
  ASSERT_EQ(folder.run(kNormal, "generate_quantities fitted_params=@v.csv output file=@g.csv").status, 0);
  EXPECT_EQ(rows_of(folder.read("g.csv")).size(), 7u);  // the mean too
  folder.write("c.csv", "# num_samples = 2\nlp__,accept_stat__,mu,sigma,other\n0,1,0.5,2,9\n0,1,-0.5,3,9\n");
  const CmdstanRun run = folder.run(kNormal, "generate_quantities fitted_params=@c.csv output file=@h.csv");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(draws_of(folder.at("h.csv")).at(1, 2), 3);
}

TEST(CmdstanGenerate, SeveralChainsAndTheirNames) {
  const CmdstanFolder folder;
  folder.run(kNormal, "sample num_samples=4 num_warmup=20 num_chains=2 output file=@s.csv random seed=1");
  const CmdstanRun run =
      folder.run(kNormal, "generate_quantities num_chains=2 fitted_params=@s.csv output file=@g.csv");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(draws_of(folder.at("g_2.csv")).rows, 4u);
  EXPECT_EQ(folder.run(kNormal, "generate_quantities num_chains=3 fitted_params=@s.csv output file=@g.csv").err,
            "Cannot open specified file, \"" + folder.at("s_3.csv") + "\"\n");
}

TEST(CmdstanGenerate, AModelThatGeneratesNothing) {
  const CmdstanFolder folder;
  folder.run(kOnlyParameters, "sample num_samples=4 num_warmup=20 output file=@s.csv");
  const CmdstanRun run = folder.run(kOnlyParameters, "generate_quantities fitted_params=@s.csv output file=@g.csv");
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(run.out.ends_with("\nModel doesn't generate any quantities of interest.\n")) << run.out;
  EXPECT_TRUE(folder.has("g.csv"));
}

TEST(CmdstanGenerate, Rules) {
  const CmdstanFolder folder;
  folder.write("c.csv", "lp__,sigma,mu\n0,1,2\n");
  const auto error = [&](const std::string& words) {
    const CmdstanRun run = folder.run(kNormal, "generate_quantities " + words);
    EXPECT_EQ(run.status, 1) << words;
    return run.err;
  };
  EXPECT_EQ(error(""), "Argument fitted_params file - found empty string, expecting filename.\n");
  EXPECT_EQ(error("fitted_params=a.txt"), "Fitted params file must be a CSV file, found: a.txt\n");
  EXPECT_TRUE(
      error("fitted_params=a.csv output file=a.csv").starts_with("Filename conflict, fitted_params file a.csv "));
  EXPECT_TRUE(error("fitted_params=@c.csv output file=@./c.csv").starts_with("Filename conflict, "));
  EXPECT_EQ(error("fitted_params=@none.csv output file=@o.csv"),
            "Cannot open specified file, \"" + folder.at("none.csv") + "\"\n");
  EXPECT_NE(error("fitted_params=@c.csv output file=@o.csv").find("expected column mu, found sigma"),
            std::string::npos);
}

// --- log_prob -------------------------------------------------------------------------------------------------------

TEST(CmdstanLogProb, PointsOnBothScales) {
  const CmdstanFolder folder;
  folder.write("c.json", R"({"mu": 2, "sigma": 1})");
  folder.write("u.json", R"({"params_r": [[2, 0], [3, 0]]})");
  ASSERT_EQ(folder.run(kNormal, "log_prob constrained_params=@c.json output file=@c.csv").status, 0);
  EXPECT_EQ(rows_of(folder.read("c.csv"))[0], "lp__,g_mu,g_sigma");
  const inference::CsvDraws c = draws_of(folder.at("c.csv"));
  EXPECT_NEAR(c.at(0, 1), -0.25, 1e-8);
  ASSERT_EQ(folder.run(kNormal, "log_prob unconstrained_params=@u.json jacobian=0 output file=@u.csv").status, 0);
  const inference::CsvDraws u = draws_of(folder.at("u.csv"));
  ASSERT_EQ(u.rows, 2u);
  EXPECT_NEAR(u.at(1, 1), -0.5, 1e-8);
  EXPECT_NEAR(u.at(0, 2), c.at(0, 2) - 1, 1e-8);  // the Jacobian's part
}

TEST(CmdstanLogProb, PointsAsRDump) {
  const CmdstanFolder folder;
  folder.write("u.R", "params_r <- structure(c(2, 3, 0, 0), .Dim = c(2, 2))\n");
  const CmdstanRun run = folder.run(kNormal, "log_prob unconstrained_params=@u.R output file=@u.csv");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_NEAR(draws_of(folder.at("u.csv")).at(1, 1), -0.5, 1e-8);
  EXPECT_TRUE(run.err.starts_with("Warning: file '")) << run.err;
}

TEST(CmdstanLogProb, Rules) {
  const CmdstanFolder folder;
  EXPECT_EQ(folder.run(kNormal, "log_prob").err,
            "Must supply either a file of constrained or of unconstrained parameters: constrained_params or "
            "unconstrained_params.\n");
  EXPECT_EQ(folder.run(kNormal, "log_prob constrained_params=a unconstrained_params=b").err,
            "Cannot supply both constrained_params and unconstrained_params.\n");
  EXPECT_EQ(folder.run(kNormal, "log_prob constrained_params=@none.json").status, 1);
  folder.write("p.json", R"({"mu": 1})");
  const CmdstanRun lacks = folder.run(kNormal, "log_prob constrained_params=@p.json output file=@a.csv");
  EXPECT_EQ(lacks.status, 1);
  EXPECT_NE(lacks.err.find("variable does not exist; processing stage=parameter initialization; variable name=sigma; base "
                           "type=double"),
            std::string::npos)
      << lacks.err;
  EXPECT_TRUE(folder.run(kNormal, "log_prob constrained_params=@a.csv output file=@a.csv")
                  .err.starts_with("Filename conflict, constrained_params file "));
}

// --- variational, pathfinder, laplace, diagnose ---------------------------------------------------------------------

TEST(CmdstanVariational, MeanThenDraws) {
  const CmdstanFolder folder;
  const CmdstanRun run = folder.run(kNormal, "variational output_samples=20 random seed=1 output file=@v.csv");
  ASSERT_EQ(run.status, 0) << run.err;
  const std::string text = folder.read("v.csv");
  EXPECT_EQ(rows_of(text)[0], "lp__,log_p__,log_g__,mu,sigma,y,z.1,z.2");
  EXPECT_EQ(rows_of(text).size(), 22u);
  EXPECT_TRUE(std::regex_search(text, std::regex("z.2\n# Stepsize adaptation complete.\n# eta = [0-9.]+\n0,0,0,")));
  EXPECT_NE(run.out.find("num_threads = 1 (Default)\n\n-----"), std::string::npos);
  EXPECT_NE(run.out.find("EXPERIMENTAL ALGORITHM:\n"), std::string::npos);
  EXPECT_TRUE(run.out.ends_with("\nDrawing a sample of size 20 from the approximate posterior... \nCOMPLETED.\n"))
      << run.out;
}

TEST(CmdstanVariational, TheDiagnosticFileHasTheBound) {
  const CmdstanFolder folder;
  const CmdstanRun run =
      folder.run(kNormal, "variational iter=300 tol_rel_obj=1e-9 random seed=1 output file=@v.csv diagnostic_file=@d.csv");
  ASSERT_EQ(run.status, 0) << run.err;
  const inference::CsvDraws d = draws_of(folder.at("d.csv"));
  EXPECT_EQ(d.names, (std::vector<std::string>{"iter", "time_in_seconds", "ELBO"}));
  ASSERT_EQ(d.rows, 3u);
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_EQ(d.at(row, 0), 100.0 * static_cast<double>(row + 1));
    EXPECT_GE(d.at(row, 1), 0);
    EXPECT_TRUE(std::isfinite(d.at(row, 2)));
  }
  EXPECT_EQ(d.setting("method"), "variational");
}

TEST(CmdstanPathfinder, DrawsOfAllPathsAndOfEach) {
  const CmdstanFolder folder;
  const CmdstanRun run = folder.run(
      kNormal,
      "pathfinder num_paths=2 num_draws=30 num_psis_draws=20 save_single_paths=1 random seed=1 output file=@p.csv");
  ASSERT_EQ(run.status, 0) << run.err;
  const std::string text = folder.read("p.csv");
  EXPECT_EQ(rows_of(text)[0], "lp_approx__,lp__,path__,mu,sigma,y,z.1,z.2");
  EXPECT_EQ(rows_of(text).size(), 21u);
  EXPECT_EQ(rows_of(folder.read("p_path_2.csv")).size(), 31u);
  EXPECT_NE(text.find(" seconds (Pathfinders)\n"), std::string::npos);
  EXPECT_NE(text.find(" seconds (PSIS)\n"), std::string::npos);
  EXPECT_FALSE(lines_with(run.out, "Path [2] :").empty());
}

TEST(CmdstanPathfinder, TheWayOfAPath) {
  const CmdstanFolder folder;
  ASSERT_EQ(
      folder.run(kNormal, "pathfinder num_paths=1 save_single_paths=1 num_draws=5 random seed=1 output file=@p.csv")
          .status,
      0);
  EXPECT_FALSE(folder.has("p_path_1.csv"));
  JsonValue way;
  ASSERT_TRUE(parse_json(folder.read("p.json"), &way));
  ASSERT_GE(way.members.size(), 3u);
  std::size_t iteration = 0;
  for (const JsonMember& step : way.members) {
    EXPECT_EQ(step.key, std::to_string(iteration++));
    EXPECT_EQ(step.value.find("grads")->items.size(), 2u);
    for (const char* key : {"iter", "unconstrained_parameters", "history_size", "lbfgs_success", "pathfinder_success",
                            "lbfgs_note", "pathfinder_error"})
      EXPECT_NE(step.value.find(key), nullptr) << key;
  }
  const JsonValue& last = way.members.back().value;
  EXPECT_NEAR(last.find("unconstrained_parameters")->items[0].number, 1, 1e-3);
  EXPECT_NEAR(last.find("x_center")->items[1].number, 0, 1e-2);
  EXPECT_EQ(last.find("Qk")->items.size(), 2u);
  EXPECT_EQ(last.find("L_approx")->items.size(), last.find("Qk")->items[0].items.size());
  // Two independent normals with standard deviations 2 and 0.5: half the log determinant is 0.
  EXPECT_NEAR(last.find("logDetCholHk")->number, 0, 0.1);
  ASSERT_EQ(folder.run(kNormal, "pathfinder num_paths=2 save_single_paths=1 num_draws=5 output file=@q.csv").status, 0);
  EXPECT_TRUE(folder.has("q_path_1.json"));
  EXPECT_TRUE(folder.has("q_path_2.json"));
}

TEST(CmdstanPathfinder, WithoutDensitiesThereIsNoResampling) {
  const CmdstanFolder folder;
  ASSERT_EQ(folder.run(kNormal, "pathfinder num_paths=2 num_draws=30 calculate_lp=0 output file=@p.csv").status, 0);
  const std::string text = folder.read("p.csv");
  ASSERT_EQ(rows_of(text).size(), 61u);
  EXPECT_EQ(text.find("PSIS)"), std::string::npos);
  const inference::CsvDraws d = draws_of(folder.at("p.csv"));
  std::size_t known = 0;  // those from which the bound was computed
  for (std::size_t row = 0; row < d.rows; ++row) known += !std::isnan(d.at(row, d.column("lp__")));
  EXPECT_EQ(known, 2 * 25u);
  EXPECT_TRUE(std::regex_search(text, std::regex("# Elapsed Time: [0-9.]+ seconds \\(Total\\)\n# \n$")));
}

TEST(CmdstanPathfinder, RulesAndWarnings) {
  const CmdstanFolder folder;
  const CmdstanRun none = folder.run(kNothing, "pathfinder output file=@p.csv");
  EXPECT_EQ(none.status, 1);
  EXPECT_EQ(none.err, "Model has 0 parameters, cannot run Pathfinder.\n");
  const CmdstanRun many = folder.run(kNormal, "pathfinder num_draws=3 num_psis_draws=20 output file=@p.csv");
  EXPECT_EQ(many.status, 0);
  EXPECT_TRUE(many.err.starts_with("Warning: Number of PSIS draws is larger")) << many.err;
  folder.write("i.json", R"({"mu": 0, "sigma": 1})");
  EXPECT_EQ(folder.run(kNormal, "pathfinder num_paths=2 init=@i.json,@i.json output file=@p.csv").status, 0);
}

TEST(CmdstanLaplace, TheFirstRowOfOptimizeIsTheMode) {
  const CmdstanFolder folder;
  ASSERT_EQ(folder.run(kNormal, "optimize jacobian=1 output file=@o.csv").status, 0);
  const CmdstanRun run = folder.run(kNormal, "laplace mode=@o.csv draws=200 random seed=1 output file=@l.csv");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(rows_of(folder.read("l.csv"))[0], "log_p__,log_q__,mu,sigma,y,z.1,z.2");
  const inference::CsvDraws d = draws_of(folder.at("l.csv"));
  ASSERT_EQ(d.rows, 200u);
  double mean = 0;
  for (std::size_t row = 0; row < d.rows; ++row) mean += d.at(row, d.column("mu")) / 200;
  EXPECT_NEAR(mean, 1, 0.5);
  EXPECT_NE(run.out.find("\nCalculating Hessian\nCalculating inverse of Cholesky factor\nGenerating draws\n"),
            std::string::npos);
}

TEST(CmdstanLaplace, WhatIsKnownOfTheMode) {
  const CmdstanFolder folder;
  folder.write("m.json", R"({"mu": 3})");
  ASSERT_EQ(
      folder.run(kOnlyParameters, "laplace mode=@m.json draws=1 output file=@l.csv diagnostic_file=@d.json").status, 0);
  EXPECT_TRUE(std::regex_match(
      folder.read("d.json"),
      std::regex(
          "\\{\"lp\": -4\\.5, \"gradient\": \\[-3\\], \"Hessian\": \\[\\[-(1|0\\.9999|1\\.0000)[0-9]*\\]\\]\\}\n")))
      << folder.read("d.json");
}

TEST(CmdstanLaplace, Rules) {
  const CmdstanFolder folder;
  EXPECT_EQ(folder.run(kNormal, "laplace").err, "Argument mode file - found empty string, expecting filename.\n");
  folder.run(kNormal, "sample num_samples=4 num_warmup=20 output file=@s.csv");
  EXPECT_EQ(folder.run(kNormal, "laplace mode=@s.csv output file=@l.csv").err,
            "The mode file " + folder.at("s.csv") + " must be a CSV file of method optimize, or JSON.\n");
  EXPECT_TRUE(
      folder.run(kNormal, "laplace mode=@l.csv output file=@l.csv").err.starts_with("Filename conflict, mode file "));
  folder.write("m.json", R"({"mu": 1, "sigma": 1})");
  EXPECT_EQ(folder.run(kNormal, "laplace mode=@m.json draws=0 output file=@l.csv").status, 0);
  EXPECT_EQ(rows_of(folder.read("l.csv")).size(), 1u);
}

TEST(CmdstanDiagnose, TheTableOnTheConsoleAndInComments) {
  const CmdstanFolder folder;
  const CmdstanRun run = folder.run(kNormal, "diagnose test=gradient epsilon=1e-5 random seed=1 output file=@d.csv");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find("\n\nTEST GRADIENT MODE\n\n Log probability="), std::string::npos) << run.out;
  EXPECT_NE(folder.read("d.csv").find("# \n#  Log probability="), std::string::npos);
  EXPECT_NE(folder.read("d.csv").find(
                "\n#  param idx           value           model     finite diff           error\n#          0"),
            std::string::npos);
}

TEST(CmdstanMethods, ThereIsALimitToChainsAndPaths) {
  const CmdstanFolder folder;
  EXPECT_EQ(folder.run(kNormal, "sample num_chains=2000000000 output file=@o.csv").err,
            "num_chains is 2000000000, but must be at most 10000\n");
  EXPECT_EQ(folder.run(kNormal, "pathfinder num_paths=2000000000 output file=@o.csv").err,
            "num_paths is 2000000000, but must be at most 10000\n");
}

TEST(CmdstanMethods, TheConfigurationStandsBesideEveryMethodsFile) {
  const CmdstanFolder folder;
  ASSERT_EQ(folder.run(kNormal, "optimize output file=@o.csv save_cmdstan_config=1").status, 0);
  EXPECT_NE(folder.read("o_config.json").find("\"value\" : \"optimize\""), std::string::npos);
  EXPECT_NE(folder.read("o_config.json").find("\"tol_rel_grad\" : 1e+07"), std::string::npos);
}

}  // namespace
}  // namespace fermiac::cmdstan
