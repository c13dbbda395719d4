// stansummary, diagnose and print as other programs call them: options, text, files, exit status.
#include <gtest/gtest.h>

#include <unistd.h>

#include <sys/wait.h>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "inference/math/quantiles.h"

namespace fermiac::cmdstan {
namespace {

namespace fs = std::filesystem;

struct Outcome {
  int status;
  std::string out;
};

class CmdstanTools : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("cmdstan_tools." + std::to_string(getpid()));
    fs::create_directories(folder_);
    for (const int id : {1, 2}) write_chain(id);
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// 100 draws of x and theta[1,2]: a full turn of waves, so that means are known.
  void write_chain(int id) const {
    std::ofstream out(folder_ / ("c_" + std::to_string(id) + ".csv"));
    out << "# model = m_model\n# method = sample (Default)\n#   sample\n#     num_samples = 100\n#     num_warmup = "
           "10\n"
           "#     thin = 1 (Default)\n#     algorithm = hmc (Default)\n#       hmc\n#         engine = nuts "
           "(Default)\n# id = "
        << id
        << "\nlp__,x,theta.1,theta.2\n# Adaptation terminated\n# Step size = 0.5\n"
           "# Diagonal elements of inverse mass matrix:\n# 1, 1, 1\n";
    for (int i = 0; i < 100; ++i) {
      const double turn = 2 * 3.14159265358979 * (i * 37 % 100 + 0.5) / 100;
      out << -1 - 0.01 * (i % 7) << ',' << 3 + std::sin(turn + id) << ',' << std::cos(turn) << ','
          << 10 * std::sin(turn) << '\n';
    }
    out << "# \n#  Elapsed Time: 0.5 seconds (Warm-up)\n#                2 seconds (Sampling)\n#                2.5 "
           "seconds (Total)\n# \n";
  }

  Outcome run(const std::string& command) const {
    const std::string file = (folder_ / "out.txt").string();
    const int status = std::system(("cd '" + folder_.string() + "' && '" FERMIAC_BINARY_DIR "/cmdstan/bin/'" + command +
                                    " > " + file + " 2>err.txt")
                                       .c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp(file)};
  }
  std::string slurp(const fs::path& path) const {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path folder_;
};

TEST(Percentiles, AreReadAsTheyAreWritten) {
  const auto parsed = [](const char* text) {
    std::vector<double> out;
    EXPECT_TRUE(inference::parse_percentiles(text, &out)) << text;
    return out;
  };
  EXPECT_EQ(parsed(" 5,50,95"), (std::vector<double>{5, 50, 95}));
  EXPECT_EQ(parsed("2.5 , 97.5"), (std::vector<double>{2.5, 97.5}));
  EXPECT_EQ(parsed(""), std::vector<double>{});
  std::vector<double> ignored;
  for (const char* wrong : {"5,3", "5,5", "-1", "101", "a", "5,b", "nan"}) EXPECT_FALSE(inference::parse_percentiles(wrong, &ignored)) << wrong;
}

TEST(Percentiles, FractionsAreRefusedWithWhatTheyMean) {
  std::vector<double> out;
  for (const auto& [given, meant] : {std::pair{"0.025,0.975", "2.5,97.5"}, {"0.5", "50"}, {"0,0.5,1", "0,50,100"}, {".1 .9", "10,90"}}) {
    const Status status = inference::parse_percentiles(given, &out);
    EXPECT_FALSE(status) << given;
    EXPECT_NE(status.message.find(std::string("did you mean ") + meant + "?"), std::string::npos) << status.message;
  }
  for (const char* right : {"0.5,50,99.5", "1", "0", "0.1,1.1", "0,100"}) EXPECT_TRUE(inference::parse_percentiles(right, &out)) << right;
}

TEST_F(CmdstanTools, SummaryHasARowPerColumn) {
  const Outcome got = run("stansummary c_1.csv c_2.csv");
  EXPECT_EQ(got.status, 0);
  EXPECT_NE(got.out.find("Inference for Stan model: m_model\n2 chains: each with iter=100; warmup=10; thin=1; 100 "
                         "iterations saved.\n"),
            std::string::npos);
  EXPECT_NE(got.out.find("Sampling took (2.0, 2.0) seconds, 4.0 seconds total"), std::string::npos);
  for (const char* title :
       {"Mean", "MCSE", "StdDev", "MAD", "5%", "50%", "95%", "ESS_bulk", "ESS_tail", "ESS_bulk/s", "R_hat", "theta[2]"})
    EXPECT_NE(got.out.find(title), std::string::npos) << title;
}

TEST_F(CmdstanTools, SummaryWritesWhatProgramsRead) {
  const Outcome got = run("stansummary '--percentiles= 2.5,50' --sig_figs=6 --csv_filename=s.csv c_1.csv c_2.csv");
  EXPECT_EQ(got.status, 0);
  const std::string csv = slurp(folder_ / "s.csv");
  EXPECT_TRUE(csv.starts_with("name,Mean,MCSE,StdDev,MAD,2.5%,50%,ESS_bulk,ESS_tail,ESS_bulk/s,R_hat\n\"lp__\","))
      << csv;
  EXPECT_NE(csv.find("\n\"x\",3,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\n# Inference for Stan model: m_model\n"), std::string::npos);
  const Outcome again = run("stansummary --csv_filename=s.csv c_1.csv");
  EXPECT_EQ(again.status, 1);
  EXPECT_NE(again.out.find("exists already"), std::string::npos);
  EXPECT_EQ(slurp(folder_ / "s.csv"), csv);
}

TEST_F(CmdstanTools, SummaryOfSomeParameters) {
  const Outcome got = run("stansummary -i theta -i 'x' -p '' c_1.csv c_2.csv");
  EXPECT_EQ(got.status, 0);
  EXPECT_NE(got.out.find("theta[1]"), std::string::npos);
  EXPECT_EQ(got.out.find("lp__"), std::string::npos);
  EXPECT_EQ(got.out.find("50%"), std::string::npos);
  EXPECT_EQ(run("stansummary -i 'theta[2]' c_1.csv").out.find("theta[1]"), std::string::npos);
  const Outcome unknown = run("stansummary -i nope c_1.csv");
  EXPECT_EQ(unknown.status, 1);
  EXPECT_NE(unknown.out.find("Unrecognized parameter(s): 'nope'"), std::string::npos);
}

TEST_F(CmdstanTools, AutocorrelationsOfAChain) {
  const Outcome got = run("stansummary -a 2 c_1.csv c_2.csv");
  EXPECT_EQ(got.status, 0);
  EXPECT_NE(got.out.find(
                "Displaying the autocorrelations for chain 2:\n\nLag  lp__  x  theta[1]  theta[2]\n0  1  1  1  1\n1  "),
            std::string::npos)
      << got.out;
  EXPECT_EQ(run("stansummary -a 3 c_1.csv c_2.csv").status, 1);
}

TEST_F(CmdstanTools, MistakesEndWithOne) {
  for (const char* wrong : {"stansummary", "stansummary nofile.csv", "stansummary --sig_figs=0 c_1.csv",
                            "stansummary -p 5,3 c_1.csv", "stansummary --nope c_1.csv", "diagnose nofile.csv", "print"})
    EXPECT_EQ(run(wrong).status, 1) << wrong;
  EXPECT_EQ(run("stansummary --help").status, 0);
}

TEST_F(CmdstanTools, DiagnoseGoesOnWithTheFilesThereAre) {
  EXPECT_EQ(run("diagnose").status, 0);
  EXPECT_EQ(run("diagnose").out, "USAGE:  diagnose <filename 1> [<filename 2> ... <filename N>]\n");
  const Outcome got = run("diagnose nofile.csv c_1.csv c_2.csv");
  EXPECT_EQ(got.status, 0);
  EXPECT_TRUE(got.out.starts_with("File nofile.csv not found\n"));
  EXPECT_NE(got.out.find("Processing complete"), std::string::npos);
  EXPECT_EQ(run("diagnose nofile.csv").out, "File nofile.csv not found\nNo valid input files, exiting.\n");
}

TEST_F(CmdstanTools, PrintSaysThatItIsOld) {
  const Outcome got = run("print c_1.csv");
  EXPECT_EQ(got.status, 0);
  EXPECT_NE(got.out.find("deprecated"), std::string::npos);
  EXPECT_NE(got.out.find("theta[1]"), std::string::npos);
}

}  // namespace
}  // namespace fermiac::cmdstan
