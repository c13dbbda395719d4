// Draws as netCDF files: `sample --format netcdf`, `convert`, and the commands that read them.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/shared/own_folder.h"
#include "tests/shared/run_fermiac.h"

namespace fermiac::testing {
namespace {

namespace fs = std::filesystem;

class CliNetcdf : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(fs::path(FERMIAC_BINARY_DIR) / "lib/fermiac/fermiac_netcdf.so")) GTEST_SKIP() << "built without netCDF";
    dir_.write("m.stan",
               "data { int N; vector[N] y; vector[N] x; }\n"
               "parameters { real a; vector[2] b; }\n"
               "model { a ~ normal(0, 1); b ~ normal(0, 1); y ~ normal(a + b[1] * x, 1); }\n"
               "generated quantities { matrix[2, 3] m = b * [1, 2, 3]; vector[N] log_lik; for (n in 1:N) log_lik[n] = normal_lpdf(y[n] | a + b[1] * x[n], 1); }\n");
    dir_.write("d.json", R"({"N": 3, "y": [1, 2.5, 3], "x": [0, 1, 2]})");
  }
  ProgramRun sample(const std::string& out, const std::string& more = "") const {
    return run_fermiac("sample " + at("m.stan") + " --data " + at("d.json") + " --seed 3 --chains 2 --warmup 100 --samples 50 --refresh 0 --no-summary --output " + at(out) + " " + more);
  }
  std::string text(const std::string& arguments) const {
    const ProgramRun run = run_fermiac(arguments);
    EXPECT_EQ(run.status, 0) << run.text;
    return run.text;
  }
  void refuses(const std::string& arguments, const std::string& why) const {
    const ProgramRun run = run_fermiac(arguments);
    EXPECT_EQ(run.status, 1) << run.text;
    EXPECT_EQ(run.text, "fermiac: " + why + "\n");
  }
  std::string at(const std::string& name) const { return dir_.at(name); }
  OwnFolder dir_;
};

TEST_F(CliNetcdf, ARunBecomesOneFileThatSaysTheSame) {
  EXPECT_EQ(sample("csv").status, 0);
  const ProgramRun run = sample("nc", "--format netcdf");
  EXPECT_EQ(run.status, 0) << run.text;
  std::string names;
  for (const auto& entry : fs::directory_iterator(at("nc"))) names += entry.path().filename().string() + " ";
  EXPECT_EQ(names, "m.nc ");
  EXPECT_EQ(text("summary --csv --digits 12 " + at("nc")), text("summary --csv --digits 12 " + at("csv")));
  EXPECT_EQ(text("check " + at("nc/m.nc")), text("check " + at("csv")));
  text("report " + at("nc/m.nc") + " --output " + at("r.html"));
  EXPECT_TRUE(dir_.has("r.html"));
}

TEST_F(CliNetcdf, OthersReadIt) {
  if (std::system("/usr/bin/python3 -c 'import netCDF4' 2> /dev/null") != 0) GTEST_SKIP() << "no netCDF4 for Python";
  ASSERT_EQ(sample("nc", "--format netcdf --save-warmup").status, 0);
  dir_.write("look.py",
             "import netCDF4, sys\n"
             "f = netCDF4.Dataset(sys.argv[1])\n"
             "for name, g in sorted(f.groups.items()):\n"
             "    print(name, ' '.join(f'{n}{v.dimensions}{v.shape}{v.dtype}'.replace(\"'\", '').replace(' ', '') for n, v in sorted(g.variables.items()) if n not in g.dimensions))\n"
             "print(f['posterior']['chain'][:], f['observed_data']['y'][:], f['constant_data']['N'][:], f.inference_library)\n"
             "m, b = f['posterior']['m'][:], f['posterior']['b'][:]\n"
             "print(abs(m[:, :, 1, 2] - 3 * b[:, :, 1]).max() < 1e-4)\n");
  const ProgramRun run = shell("/usr/bin/python3 " + at("look.py") + " " + at("nc/m.nc"));
  EXPECT_EQ(run.text,
            "constant_data N()()int64 x(x_dim_0,)(3,)float64\n"
            "log_likelihood log_lik(chain,draw,log_lik_dim_0)(2,50,3)float64\n"
            "observed_data y(y_dim_0,)(3,)float64\n"
            "posterior a(chain,draw)(2,50)float64 b(chain,draw,b_dim_0)(2,50,2)float64 m(chain,draw,m_dim_0,m_dim_1)(2,50,2,3)float64\n"
            "sample_stats acceptance_rate(chain,draw)(2,50)float64 diverging(chain,draw)(2,50)int8 energy(chain,draw)(2,50)float64"
            " inverse_metric(chain,inverse_metric_dim_0)(2,3)float64 lp(chain,draw)(2,50)float64 n_steps(chain,draw)(2,50)int64"
            " step_size(chain,draw)(2,50)float64 tree_depth(chain,draw)(2,50)int64\n"
            "warmup_posterior a(chain,draw)(2,100)float64 b(chain,draw,b_dim_0)(2,100,2)float64 m(chain,draw,m_dim_0,m_dim_1)(2,100,2,3)float64\n"
            "warmup_sample_stats acceptance_rate(chain,draw)(2,100)float64 diverging(chain,draw)(2,100)int8 energy(chain,draw)(2,100)float64"
            " lp(chain,draw)(2,100)float64 n_steps(chain,draw)(2,100)int64 step_size(chain,draw)(2,100)float64 tree_depth(chain,draw)(2,100)int64\n"
            "[1 2] [1.  2.5 3. ] 3 fermiac\n"
            "True\n");
}

TEST_F(CliNetcdf, ConvertAndTheCommandsThatTakeDraws) {
  ASSERT_EQ(sample("csv").status, 0);
  text("convert " + at("csv") + " --model " + at("m.stan") + " --data " + at("d.json") + " --output " + at("c.nc"));
  EXPECT_EQ(text("summary " + at("c.nc")), text("summary " + at("csv")));
  const std::string model = at("m.stan") + " --data " + at("d.json");
  EXPECT_EQ(text("loo " + model + " " + at("c.nc")), text("loo " + model + " " + at("csv")));
  text("generate " + at("m.stan") + " --fitted " + at("c.nc") + " --data " + at("d.json") + " --output " + at("gq"));
  EXPECT_TRUE(dir_.has("gq/m_generate_1.csv") && dir_.has("gq/m_generate_2.csv"));
  refuses("convert " + at("csv") + " -o " + at("c.nc"), "'" + at("c.nc") + "' exists already; choose another --output, or allow --overwrite");
  text("convert " + at("csv") + " --overwrite -o " + at("c.nc"));
  refuses("convert " + at("csv") + " -o " + at("none/c.nc"), "cannot write '" + at("none/c.nc") + "': No such file or directory");
  refuses("convert " + at("csv") + " --data " + at("d.json") + " -o " + at("e.nc"),
          "--data needs --model, the program that says which of the data are observed");
}

TEST_F(CliNetcdf, NothingIsOverwrittenOrLost) {
  ASSERT_EQ(sample("nc", "--format netcdf").status, 0);
  const std::string before = dir_.read("nc/m.nc");
  const ProgramRun again = sample("nc", "--format netcdf");
  EXPECT_EQ(again.status, 1);
  EXPECT_EQ(again.text, "fermiac: '" + at("nc/m.nc") + "' exists already; choose another --output, or allow --overwrite\n");
  EXPECT_EQ(dir_.read("nc/m.nc"), before);
  EXPECT_EQ(sample("nc", "--format netcdf --overwrite").status, 0);
}

TEST_F(CliNetcdf, DamagedFilesAreRefused) {
  ASSERT_EQ(sample("nc", "--format netcdf").status, 0);
  const std::string whole = dir_.read("nc/m.nc");
  for (const std::size_t size : {std::size_t{9}, whole.size() / 3, whole.size() - 100}) {
    dir_.write("cut.nc", whole.substr(0, size));
    const ProgramRun run = run_fermiac("summary " + at("cut.nc"));
    EXPECT_EQ(run.status, 1) << size;
    EXPECT_TRUE(run.text.starts_with("fermiac: cannot read '" + at("cut.nc") + "': ")) << run.text;
  }
  dir_.write("text.nc", "lp__,x\n1,2\n");
  EXPECT_EQ(run_fermiac("summary " + at("text.nc")).text, "fermiac: '" + at("text.nc") + "' is not a netCDF file\n");
  EXPECT_EQ(run_fermiac("summary " + at("none.nc")).text, "fermiac: cannot open '" + at("none.nc") + "': No such file or directory\n");
}

}  // namespace
}  // namespace fermiac::testing
