// Files of draws, metrics, points and initial values that are cut short, broken or not what they should be: never a crash,
// always one message that names the file. FERMIAC_HOSTILE sets the number of random mutations, FERMIAC_HOSTILE_SEED the seed.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>

#include "inference/methods/methods.h"
#include "inference/methods/sample.h"
#include "inference/methods/summary_commands.h"
#include "inference/output/draw_files.h"
#include "inference/output/run_io.h"
#include "interp/io/data_files.h"
#include "interp/model/interp_model.h"
#include "support/platform/text_streams.h"
#include "tests/fuzz/mutate.h"
#include "tests/shared/analytic_models.h"
#include "tests/shared/setting.h"

namespace fermiac::inference {
namespace {

using testing::setting;

using testing::OwnFolder;

constexpr unsigned kWarmup = 10, kDraws = 12;
constexpr const char* kProgram = "parameters { real a; vector<lower=0>[2] b; }\nmodel { a ~ normal(0, 1); b ~ exponential(1); }\n"
                                 "generated quantities { real c = normal_rng(a, b[1]); }\n";

std::uint64_t seed() { return setting("FERMIAC_HOSTILE_SEED", 20260102); }

int exit_status(const Status& result) { return result ? 0 : 1; }

struct Answer {
  int status = 0;
  std::string out, err;
};

class Hostile : public ::testing::Test {
 protected:
  void SetUp() override {
    compiled_ = interp::compile_model({.text = kProgram, .path = "m.stan", .name = "m_model"});
    model_ = std::make_unique<interp::InterpModel>(compiled_, interp::DataSource(), 0);
    SampleOptions o = sample_options("good");
    ASSERT_EQ(run([&](const RunIo& io) { return exit_status(run_sample(*model_, o, io)); }).status, 0);
    OptimizeOptions best;
    common(best, "good");
    best.jacobian = true;
    ASSERT_EQ(run([&](const RunIo& io) { return exit_status(run_optimize(*model_, best, io)); }).status, 0);
    draws_ = read(dir_.path().string() + "/good/m_1.csv");
    mode_ = read(dir_.path().string() + "/good/m_optimize.csv");
  }

  static std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(dir_.path().string() + "/" + name, std::ios::binary) << text;
    return dir_.path().string() + "/" + name;
  }
  void common(CommonOptions& o, const std::string& folder) const {
    o.seed = 1;
    o.threads = 1;
    o.refresh = 0;
    o.overwrite = true;
    o.output_dir = dir_.path().string() + "/" + folder;
  }
  SampleOptions sample_options(const std::string& folder) const {
    SampleOptions o;
    common(o, folder);
    o.chains = 1;
    o.num_warmup = kWarmup;
    o.num_samples = kDraws;
    o.save_warmup = true;
    return o;
  }
  template <class Run>
  static Answer run(Run body) {
    TextStream out, err;
    Answer answer;
    answer.status = body(RunIo{.out = out.file(), .err = err.file(), .terminal = false, .stop = nullptr});
    answer.out = out.text();
    answer.err = err.text();
    return answer;
  }
  Answer summary(const std::vector<std::string>& files) const {
    return run([&](const RunIo& io) { return exit_status(run_summary({.files = files}, io)); });
  }
  Answer check(const std::vector<std::string>& files) const {
    return run([&](const RunIo& io) { return exit_status(run_check({.files = files}, io)); });
  }
  Answer generate(const std::string& file) const {
    GenerateOptions o;
    common(o, "generated");
    o.fitted_params = {file};
    return run([&](const RunIo& io) { return exit_status(run_generate(*model_, o, io)); });
  }
  Answer laplace(const std::string& file) const {
    LaplaceOptions o;
    common(o, "laplace");
    o.mode = file;
    o.draws = 2;
    return run([&](const RunIo& io) { return exit_status(run_laplace(*model_, o, io)); });
  }
  /// Either it works or one line names the file.
  static void expect_sense(const Answer& a, const std::string& name, const std::string& what) {
    if (a.status == 0) return;
    EXPECT_EQ(a.status, 1) << what;
    EXPECT_NE(a.err.find(name), std::string::npos) << what << "\n" << a.err;
    EXPECT_LT(a.err.size(), 2000U) << what;
  }

  OwnFolder dir_;
  std::shared_ptr<const interp::CompiledModel> compiled_;
  std::unique_ptr<interp::InterpModel> model_;
  std::string draws_, mode_;
};

TEST_F(Hostile, DrawsCutAtEveryByte) {
  const std::size_t last_row = draws_.rfind("\n# \n#  Elapsed") + 1;
  ASSERT_LT(last_row, draws_.size());
  for (std::size_t end = 0; end < draws_.size(); ++end) {
    const std::string file = write("cut.csv", draws_.substr(0, end)), what = "the first " + std::to_string(end) + " bytes";
    ChainSet chains;
    const Status loaded = load_chains({file}, &chains);
    EXPECT_TRUE(loaded || loaded.message.find("cut.csv") != std::string::npos) << what << loaded.message;
    EXPECT_TRUE(!loaded || end >= last_row || !chains.missing.empty()) << what << ": nobody sees that there is more";
    if (end % 43 != 0) continue;
    const Answer checked = check({file}), table = summary({file});
    expect_sense(checked, "cut.csv", what);
    expect_sense(table, "cut.csv", what);
    if (end >= last_row) continue;
    EXPECT_TRUE(checked.status == 1 || checked.out.find("is cut short: ") != std::string::npos) << what << checked.out;
    EXPECT_EQ(checked.out.find("no problems detected"), std::string::npos) << what;
    EXPECT_TRUE(table.status == 1 || table.err.find("is cut short: ") != std::string::npos) << what;
    if (end % 3 == 0) expect_sense(generate(file), "cut.csv", what);
  }
}

TEST_F(Hostile, AModeCutAtEveryByte) {
  for (std::size_t end = 0; end < mode_.size(); end += end + 60 < mode_.size() ? 7 : 1) {
    const Answer a = laplace(write("cut.csv", mode_.substr(0, end)));
    EXPECT_EQ(a.status, 1) << "the first " << end << " bytes";
    expect_sense(a, "cut.csv", "the first " + std::to_string(end) + " bytes");
  }
  EXPECT_EQ(laplace(write("whole.csv", mode_)).status, 0);
}

TEST_F(Hostile, WarmupIsNotTakenForDraws) {
  const std::size_t adapted = draws_.find("# Adaptation terminated");
  const Answer a = check({write("warm.csv", draws_.substr(0, adapted))});
  EXPECT_EQ(a.status, 1);
  EXPECT_NE(a.err.find("has no draws after the warm-up"), std::string::npos) << a.err;
}

TEST_F(Hostile, CellsLinesAndFiles) {
  const std::string header = "lp__,a,b\n", rows = "1,2,3\n1.5,2.5,3.5\n";
  std::string crlf = header + rows;
  for (std::size_t at = 0; (at = crlf.find('\n', at)) != std::string::npos; at += 2) crlf.insert(at, 1, '\r');
  struct Row {
    std::string text, message;  // empty: it is fine
  };
  const Row table[] = {
      {"", "is empty"},
      {"# model = m\n", "has no header line"},
      {"\n\n\n", "has no header line"},
      {"1,2,3\n", "expected the header line"},
      {header, "has no draws"},
      {"lp__,a", "the header line is cut short"},
      {"lp__,a,a\n1,2,3\n", "two columns are named 'a'"},
      {"lp__,,b\n1,2,3\n", "expected the header line"},
      {header + "1,2\n", ":2: found 2 values, expected 3"},
      {header + "1,2,3,4\n", ":2: found 4 values, expected 3"},
      {header + "1,two,3\n", ":2: 'two' is not a number"},
      {header + "1,,3\n", ":2: '' is not a number"},
      {header + "1,1e999,3\n", ":2: '1e999' is too large for a number"},
      {header + "1," + std::string(100000, '9') + "x,3\n", "is not a number"},
      {header + std::string(1 << 20, ',') + "\n", ":2: '' is not a number"},
      {std::string(1 << 20, 'a') + "\n", "has no draws"},
      {std::string("lp__,a\0,b\n1,2,3\n", 16), "zero byte"},
      {"\x7f""ELF\x01\x02\x03\n\x80\x81", "cut.csv"},
      {header + rows, ""},
      {header + "nan,inf,-inf\n1e-999,+3,0\n" + rows, ""},
      {crlf, ""},
      {"# thin = 0\n# num_samples = 2\n" + header + rows, ""},
      {"# num_samples = -7\n# thin = nan\n# max_depth = 1e300\n# num_warmup = inf\n" + header + rows, ""},
  };
  for (const Row& row : table) {
    const std::string file = write("cut.csv", row.text);
    for (const Answer& a : {summary({file}), check({file})}) {
      EXPECT_EQ(a.status, row.message.empty() ? 0 : 1) << row.text.substr(0, 200) << a.err;
      EXPECT_NE(a.err.find(row.message), std::string::npos) << row.text.substr(0, 200) << a.err;
      expect_sense(a, "cut.csv", row.text.substr(0, 200));
    }
  }
  EXPECT_NE(summary({write("cut.csv", header + "1,2,3\n1.5,2.5")}).err.find("last line is incomplete"), std::string::npos);
  for (const char* other : {"/dev/null", "/dev/zero", "/", "/nowhere/m.csv"}) {
    expect_sense(summary({other}), other, other);
    EXPECT_EQ(check({other}).status, 1) << other;
    EXPECT_EQ(generate(other).status, 1) << other;
    EXPECT_EQ(laplace(other).status, 1) << other;
  }
}

TEST_F(Hostile, ChainsThatDoNotBelongTogether) {
  const std::string one = write("one.csv", draws_), other = write("other.csv", "lp__,x\n1,2\n"), copy = write("copy.csv", draws_);
  EXPECT_NE(summary({one, other}).err.find("other.csv' has other columns than '"), std::string::npos);
  EXPECT_NE(check({one, one}).err.find("one.csv' is given twice"), std::string::npos);
  EXPECT_NE(check({one, copy}).err.find("copy.csv' is a copy of '"), std::string::npos);
  SampleOptions o = sample_options("second");
  o.id = 2;
  ASSERT_EQ(run([&](const RunIo& io) { return exit_status(run_sample(*model_, o, io)); }).status, 0);
  std::string second = read(dir_.path().string() + "/second/m_2.csv");
  second.resize(second.rfind('\n', second.find("\n# \n#  Elapsed") - 1) + 1);  // one row less
  const Answer a = summary({one, write("short.csv", second)});
  EXPECT_EQ(a.status, 0);
  EXPECT_NE(a.err.find("short.csv' is cut short: 11 of 12 draws"), std::string::npos) << a.err;
  EXPECT_NE(a.err.find("the first 11 draws of each are used"), std::string::npos) << a.err;
  EXPECT_NE(a.out.find("11 iterations saved"), std::string::npos) << a.out;
}

TEST_F(Hostile, RandomMutationsOfDraws) {
  static constexpr const char* kPieces[] = {"\n", "\r\n", ",", "#", "# ", "nan", "-inf", "1e999", "-", "\t", "\"", "0x1p3", "# thin = 0\n",
                                            "# num_samples = 4294967296\n", "# Adaptation terminated\n", "lp__,", "\x80", " = "};
  fuzz::Mutator mutator(seed(), kPieces);
  const std::uint64_t runs = setting("FERMIAC_HOSTILE", 300);
  for (std::uint64_t k = 0; k < runs; ++k) {
    SCOPED_TRACE("mutation " + std::to_string(k) + " of FERMIAC_HOSTILE_SEED=" + std::to_string(seed()));
    const std::string file = write("cut.csv", mutator.mutate(draws_, {draws_, mode_}));
    expect_sense(check({file}), "cut.csv", file);
    if (k % 4 == 0) expect_sense(generate(file), "cut.csv", file);
    if (k % 4 == 1) expect_sense(laplace(write("cut.csv", mutator.mutate(mode_, {draws_, mode_}))), "", file);
  }
}

TEST_F(Hostile, Metrics) {
  const auto answer = [&](MetricKind kind, const std::string& text) {
    SampleOptions o = sample_options("metric");
    o.metric = kind;
    o.metric_file = write("metric.json", text);
    return run([&](const RunIo& io) { return exit_status(run_sample(*model_, o, io)); });
  };
  EXPECT_EQ(answer(MetricKind::Diag, R"({"inv_metric": [1, 2, 0.5]})").status, 0);
  EXPECT_EQ(answer(MetricKind::Dense, R"({"inv_metric": [[1, 0, 0], [0, 2, 0.1], [0, 0.1, 1]]})").status, 0);
  for (const char* bad : {"", "[]", "{", "{}", "null", R"({"inv_metric": 1})", R"({"inv_metric": []})", R"({"inv_metric": [1, 2]})",
                          R"({"inv_metric": [1, 2, 0]})", R"({"inv_metric": [1, 2, -1]})", R"({"inv_metric": [1, 2, "NaN"]})",
                          R"({"inv_metric": [1, 2, "Infinity"]})", R"({"inv_metric": [1, 2, 1e999]})", R"({"inv_metric": [1, 2, null]})",
                          R"({"inv_metric": [[1, 2, 3]]})", R"({"inv_metric": {"a": 1}})"}) {
    const Answer a = answer(MetricKind::Diag, bad);
    EXPECT_EQ(a.status, 1) << bad;
    expect_sense(a, "metric.json", bad);
  }
  for (const char* bad : {R"({"inv_metric": [1, 2, 3]})", R"({"inv_metric": [[1, 0, 0], [0, 1, 0]]})",
                          R"({"inv_metric": [[1, 2, 0], [2, 1, 0], [0, 0, 1]]})", R"({"inv_metric": [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]})",
                          R"({"inv_metric": [["NaN", 0, 0], [0, 1, 0], [0, 0, 1]]})", R"({"inv_metric": [["Inf", 0, 0], [0, 1, 0], [0, 0, 1]]})",
                          R"({"inv_metric": [[1, 0, 0], [0, 1, 0], [0, 0]]})", R"({"inv_metric": [[0, 0, 0], [0, 0, 0], [0, 0, 0]]})"}) {
    const Answer a = answer(MetricKind::Dense, bad);
    EXPECT_EQ(a.status, 1) << bad;
    expect_sense(a, "metric.json", bad);
  }
}

TEST_F(Hostile, InitialValues) {
  for (const char* bad : {"", "[", "[]", "3", R"({"a": })", R"({"a": "x"})", R"({"a": [1, 2]})", R"({"b": [1]})", R"({"b": [1, -1]})",
                          R"({"b": [1, 1e999]})", R"({"a": 1, "b": [1, 2], "a": 2)", "\x80\x81"}) {
    SampleOptions o = sample_options("inits");
    o.init = write("init.json", bad);
    const Answer a = run([&](const RunIo& io) { return exit_status(run_sample(*model_, o, io)); });
    EXPECT_EQ(a.status, 1) << bad;
    expect_sense(a, "init.json", bad);
  }
}

TEST_F(Hostile, Points) {
  const std::string good = "[[1, 2.5, -3e-1], [\"NaN\", Infinity, 0]]";
  EXPECT_EQ(interp::parse_points(good, "points.json").size(), 2U);
  EXPECT_EQ(interp::parse_points("[1e-999]", "points.json")[0][0], 0);
  for (std::size_t end = 0; end < good.size(); ++end) {
    try {
      interp::parse_points(good.substr(0, end), "points.json");
      ADD_FAILURE() << "the first " << end << " bytes were taken";
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find("points.json"), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find("line 1"), std::string::npos) << e.what();
    }
  }
  for (const char* bad : {"[1e999]", "[[1, null]]", "[[1, []]]", "{\"a\": 1}", "[1, 2] 3", "[[1], 2]", "nan", "[--1]", "[\"x\"]"})
    EXPECT_THROW(interp::parse_points(bad, "points.json"), InputError) << bad;
}

}  // namespace
}  // namespace fermiac::inference
