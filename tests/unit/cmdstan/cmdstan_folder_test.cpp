// The folder that clients take for CmdStan's and BridgeStan's: what they look for is there, and make turns a Stan
// program into one file that runs elsewhere.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/shared/cmdstan_make.h"

namespace fermiac {
namespace {

TEST_F(CmdstanFolder, HasWhatClientsLookFor) {
  for (const char* file : {"makefile", "Makefile", "make/local", "bin/stanc", "bin/stansummary", "bin/diagnose",
                           "bin/print", "examples/bernoulli/bernoulli.stan", "examples/bernoulli/bernoulli.data.json"})
    EXPECT_TRUE(fs::exists(kFolder + "/" + file)) << file;
  std::ifstream in(kFolder + "/makefile");
  const std::string makefile((std::istreambuf_iterator<char>(in)), {});
  EXPECT_NE(makefile.find("\nCMDSTAN_VERSION := 2.39.0\n"), std::string::npos);
}

TEST_F(CmdstanFolder, AProgramRunsWhereverItIsCopied) {
  const Outcome made = make("STANCFLAGS+=--filename-in-msg=b.stan " + at("bernoulli"));
  ASSERT_EQ(made.status, 0) << made.out;
  const fs::path elsewhere = work_ / "another folder";
  fs::create_directories(elsewhere);
  fs::rename(at("bernoulli"), elsewhere / "möglich");
  fs::remove(at("bernoulli.stan"));
  const std::string program = "'" + (elsewhere / "möglich").string() + "'";
  EXPECT_EQ(run(program + " info").out.substr(0, 23), "stan_version_major = 2\n");
  const Outcome drawn =
      run("cd '" + elsewhere.string() + "' && ./möglich sample num_samples=20 num_warmup=50 data file=" +
          at("bernoulli.data.json") + " random seed=1 output file=o.csv");
  EXPECT_EQ(drawn.status, 0) << drawn.out;
  const Outcome summary = run(kFolder + "/bin/stansummary '" + (elsewhere / "o.csv").string() + "'");
  EXPECT_EQ(summary.status, 0) << summary.out;
  EXPECT_NE(summary.out.find("Inference for Stan model: bernoulli_model"), std::string::npos);
}

TEST_F(CmdstanFolder, FlagsReachTheModel) {
  EXPECT_NE(make("STAN_THREADS=TRUE " + at("bernoulli")).status, -1);
  EXPECT_NE(run(at("bernoulli") + " info").out.find("STAN_THREADS=true"), std::string::npos);
  EXPECT_EQ(make("-s print-STANCFLAGS 'STANCFLAGS+=--O1'").out, "STANCFLAGS = --O1\n");
  const Outcome named = make("\"STANCFLAGS += --O1 --name='other_model'\" -B " + at("bernoulli"));
  EXPECT_EQ(named.status, 0) << named.out;
  const Outcome drawn =
      run("cd " + work_.string() + " && ./bernoulli sample num_samples=1 num_warmup=20 data file=bernoulli.data.json");
  EXPECT_EQ(drawn.status, 0) << drawn.out;
  std::ifstream in(at("output.csv"));
  const std::string csv((std::istreambuf_iterator<char>(in)), {});
  EXPECT_NE(csv.find("# model = other_model\n"), std::string::npos) << csv.substr(0, 300);
  EXPECT_NE(csv.find("# stancflags = --O1 --name=other_model\n"), std::string::npos);
}

TEST_F(CmdstanFolder, AProgramWithAMistakeLeavesNoFile) {
  std::ofstream(at("wrong.stan")) << "data { int x }";
  const Outcome made = make(at("wrong"));
  EXPECT_NE(made.status, 0);
  EXPECT_NE(made.out.find("Syntax error in"), std::string::npos);
  EXPECT_FALSE(fs::exists(at("wrong")));
  const Outcome header = make("STANCFLAGS=--allow-undefined " + at("bernoulli"));
  EXPECT_NE(header.status, 0);
  EXPECT_NE(header.out.find("USER_HEADER"), std::string::npos);
}

/// Files that are included come along, from folders that stanc's flags name.
TEST_F(CmdstanFolder, AProgramCarriesWhatItIncludes) {
  fs::create_directories(work_ / "a folder");
  std::ofstream(work_ / "a folder" / "half.stan") << "real half(real x) { return x / 2; }\n";
  std::ofstream(at("including.stan")) << "functions {\n#include half.stan\n}\n"
                                         "parameters { real x; } model { x ~ normal(half(1), 1); }\n";
  const Outcome made = make("\"STANCFLAGS += --include-paths='" + (work_ / "a folder").string() + "'\" " + at("including"));
  ASSERT_EQ(made.status, 0) << made.out;
  fs::remove_all(work_ / "a folder");
  const Outcome drawn = run("cd '" + work_.string() + "' && ./including sample num_samples=2 num_warmup=20 output file=o.csv");
  EXPECT_EQ(drawn.status, 0) << drawn.out;
}

/// As cmdstanpy and cmdstanr call make; the header alone allows functions without a definition.
TEST_F(CmdstanFolder, AHeaderOfTheUserDefinesFunctions) {
  std::ofstream(at("external.stan")) << "functions { real twice(real x); }\nparameters { real x; }\n"
                                        "model { x ~ normal(twice(1), 1); }\ngenerated quantities { real y = twice(x); }\n";
  std::ofstream(at("twice.hpp")) << "#include <stan/math.hpp>\nnamespace external_model_namespace {\n"
                                    "template <typename T> inline auto twice(const T& x, std::ostream*) { return 2 * x; }\n}\n";
  const std::string target = "USER_HEADER=" + at("twice.hpp") + " " + at("external");
  const Outcome made = make(target);
  ASSERT_EQ(made.status, 0) << made.out;
  const Outcome drawn = run("cd '" + work_.string() + "' && ./external sample num_samples=2 num_warmup=20 random seed=1 output file=o.csv");
  EXPECT_EQ(drawn.status, 0) << drawn.out;
  std::ifstream csv(at("o.csv"));
  int rows = 0;
  for (std::string line; std::getline(csv, line);)
    if (!line.empty() && (std::isdigit(line[0]) || line[0] == '-')) {
      const std::size_t y = line.rfind(','), x = line.rfind(',', y - 1);
      EXPECT_NEAR(std::stod(line.substr(y + 1)), 2 * std::stod(line.substr(x + 1)), 1e-6);
      ++rows;
    }
  EXPECT_EQ(rows, 2);
  // what the data say of conditions holds for it like for any other program: x is known, what follows from it is 2 x
  std::ofstream(at("known.json")) << R"({"__conditioning": {"fix": {"x": 0.25}}})";
  const Outcome known = run("cd '" + work_.string() + "' && ./external sample num_samples=2 num_warmup=20 data file=known.json output file=k.csv && grep -v '#' k.csv");
  EXPECT_EQ(known.status, 0) << known.out;
  EXPECT_NE(known.out.find("energy__,y\n"), std::string::npos) << known.out;
  EXPECT_NE(known.out.find(",0.5\n"), std::string::npos) << known.out;
  EXPECT_NE(make("STANCFLAGS+=--allow-undefined USER_HEADER=" + at("nothing.hpp") + " -B " + at("external")).status, 0);
  const Outcome library = make("STANCFLAGS=--allow-undefined USER_HEADER=" + at("twice.hpp") + " " + at("external_model.so"));
  EXPECT_EQ(library.status, 0) << library.out;
}

TEST_F(CmdstanFolder, ALibraryAndTheTargetsOfInstallers) {
  EXPECT_EQ(make(at("bernoulli_model.so")).status, 0);
  EXPECT_TRUE(fs::exists(at("bernoulli_model.so")));
  EXPECT_EQ(make(at("bernoulli.hpp")).status, 0);
  EXPECT_NE(make("build").out.find("--- CmdStan v2.39.0 built ---"), std::string::npos);
  for (const char* target : {"clean-all", "clean", "compile_info", "install-tbb", "help", "bin/stansummary"})
    EXPECT_EQ(make(target).status, 0) << target;
  fs::remove(kFolder + "/bin/diagnose");
  EXPECT_EQ(make("bin/diagnose").status, 0);
  EXPECT_EQ(run(kFolder + "/bin/diagnose").status, 0);  // usage
}

TEST_F(CmdstanFolder, InfoTellsHowAProgramWasMade) {
  ASSERT_EQ(make("STAN_NO_RANGE_CHECKS=TRUE " + at("bernoulli")).status, 0);
  const Outcome info = run(at("bernoulli") + " info");
  EXPECT_NE(info.out.find("STAN_THREADS=false\n"), std::string::npos) << info.out;
  EXPECT_NE(info.out.find("STAN_OPENCL=false\n"), std::string::npos) << info.out;
  EXPECT_NE(info.out.find("STAN_NO_RANGE_CHECKS=true\n"), std::string::npos) << info.out;
}

}  // namespace
}  // namespace fermiac
