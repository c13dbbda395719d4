// The CSV layout, byte for byte where readers depend on it, and reading it back.
#include "inference/output/console.h"
#include "inference/output/csv.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include "inference/methods/sample.h"
#include "support/base/json_tree.h"
#include "support/platform/text_streams.h"
#include "tests/shared/analytic_models.h"

namespace fermiac::inference {
namespace {

using testing::OwnFolder;

std::string file_text(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

SampleRun short_run(SampleOptions options, const Model& model) {
  TextStream out, err;
  options.refresh = 50;
  const SampleRun run =
      sample(model, options, {.out = out.file(), .err = err.file(), .terminal = false, .stop = nullptr});
  EXPECT_TRUE(run.status) << err.text();
  return run;
}

SampleOptions small_options(const OwnFolder& dir) {
  SampleOptions options;
  options.output_dir = dir.path().string();
  options.seed = 1;
  options.chains = 1;
  options.threads = 1;
  options.num_warmup = 100;
  options.num_samples = 50;
  options.data_file = "data.json";
  return options;
}

TEST(CsvLayout, CommentsHeaderAdaptationDrawsTimes) {
  const OwnFolder dir;
  const SampleRun run = short_run(small_options(dir), testing::std_normal(2));
  std::string text = file_text(run.csv_files[0]);
  const std::size_t date = text.find("# start_datetime = ") + 19;
  text.replace(date, 23, "DATE");
  const std::string expected =
      "# stan_version_major = 2\n# stan_version_minor = 35\n# stan_version_patch = 0\n"
      "# model = std_normal_model\n# start_datetime = DATE\n"
      "# method = sample (Default)\n#   sample\n#     num_samples = 50\n#     num_warmup = 100\n"
      "#     save_warmup = false (Default)\n#     thin = 1 (Default)\n#     adapt\n#       engaged = true (Default)\n"
      "#       gamma = 0.05 (Default)\n#       delta = 0.8 (Default)\n#       kappa = 0.75 (Default)\n"
      "#       t0 = 10 (Default)\n#       init_buffer = 75 (Default)\n#       term_buffer = 50 (Default)\n"
      "#       window = 25 (Default)\n#       save_metric = false (Default)\n#     algorithm = hmc (Default)\n"
      "#       hmc\n#         engine = nuts (Default)\n#           nuts\n#             max_depth = 10 (Default)\n"
      "#         metric = low_rank (Default)\n#         metric_file =  (Default)\n#         stepsize = 1 (Default)\n"
      "#         stepsize_jitter = 0 (Default)\n#     num_chains = 1 (Default)\n# id = 1 (Default)\n# data\n"
      "#   file = data.json\n# init = pathfinder (Default)\n# random\n#   seed = 1\n# output\n#   file = " +
      run.csv_files[0] +
      "\n#   diagnostic_file =  (Default)\n#   refresh = 50\n#   sig_figs = 8 (Default)\n"
      "#   profile_file = \n#   save_cmdstan_config = false (Default)\n"
      "# num_threads = 1 (Default)\n# stanc_version = fermiac 0.2.0\n# stancflags = \n"
      "lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__,x.1,x.2,sum,noise\n"
      "# Adaptation terminated\n# Step size = ";
  EXPECT_EQ(text.substr(0, expected.size()), expected);
  EXPECT_NE(text.find("\n# Diagonal elements of inverse mass matrix:\n# "), std::string::npos);
  const std::size_t tail = text.find("# \n#  Elapsed Time: ");
  ASSERT_NE(tail, std::string::npos);
  EXPECT_NE(text.find(" seconds (Warm-up)\n#                ", tail), std::string::npos);
  EXPECT_TRUE(text.ends_with(" seconds (Total)\n# \n"));
}

TEST(CsvLayout, MetricBlocks) {
  for (const auto& [kind, line] : {std::pair{MetricKind::Dense, "# Elements of inverse mass matrix:\n# "},
                                   std::pair{MetricKind::Unit, "# No free parameters for unit metric\n"}}) {
    const OwnFolder dir;
    SampleOptions options = small_options(dir);
    options.metric = kind;
    options.save_metric = true;
    const SampleRun run = short_run(options, testing::std_normal(2));
    EXPECT_NE(file_text(run.csv_files[0]).find(line), std::string::npos);
    JsonValue json;
    ASSERT_TRUE(parse_json(file_text(dir.at("std_normal_1_metric.json")), &json));
    ASSERT_NE(json.find("inv_metric"), nullptr);
    EXPECT_EQ(json.find("metric_type")->string, metric_name(kind));
  }
}

TEST(CsvLayout, SavedMetricCanBeUsedAgain) {
  const OwnFolder dir, again;
  SampleOptions options = small_options(dir);
  options.metric = MetricKind::Dense;
  options.save_metric = true;
  options.sig_figs = 17;
  short_run(options, testing::correlated_normal());
  options.metric_file = dir.at("correlated_1_metric.json");
  options.save_metric = false;
  options.output_dir = again.path().string();
  options.adapt.engaged = false;
  CsvDraws first, second;
  ASSERT_TRUE(read_csv(dir.at("correlated_1.csv"), &first));
  ASSERT_TRUE(read_csv(short_run(options, testing::correlated_normal()).csv_files[0], &second));
  EXPECT_EQ(first.inverse_metric, second.inverse_metric);
  EXPECT_EQ(second.stepsize, 1);
}

TEST(CsvLayout, SavedDirectionsAreTheSameMetricAgain) {
  const OwnFolder dir, again;
  SampleOptions options = small_options(dir);
  options.num_warmup = 500;
  options.save_metric = true;
  short_run(options, testing::correlated_normal());
  const std::string file = dir.at("correlated_1_metric.json");
  JsonValue json;
  ASSERT_TRUE(parse_json(file_text(file), &json));
  EXPECT_EQ(json.find("metric_type")->string, "low_rank");
  ASSERT_GE(json.find("inv_metric")->find("eigenvalues")->items.size(), 1U);
  options.metric_file = file;
  options.output_dir = again.path().string();
  options.adapt.engaged = false;
  short_run(options, testing::correlated_normal());
  JsonValue second;
  ASSERT_TRUE(parse_json(file_text(again.at("correlated_1_metric.json")), &second));
  for (const char* part : {"scales", "eigenvalues", "directions"}) {
    Vec before, after;
    std::vector<std::size_t> shape;
    ASSERT_TRUE(json_numbers(*json.find("inv_metric")->find(part), &before, &shape));
    ASSERT_TRUE(json_numbers(*second.find("inv_metric")->find(part), &after, &shape));
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(before[i], after[i], 1e-7 * std::fabs(before[i])) << part;
  }
}

TEST(CsvLayout, MetricFilesThatDoNotFitAreRefused) {
  const OwnFolder dir;
  SampleOptions options = small_options(dir);
  options.metric_file = dir.at("m.json");
  const std::pair<const char*, const char*> cases[] = {
      {R"({"inv_metric": [1, 2, 3]})", "\"inv_metric\" in '%' must be an array of 2 numbers"},
      {R"({"inv_metric": [1, -2]})", "'%': inverse metric element 2 is -2, but must be positive and finite"},
      {R"({"metric": 1})", "'%' has no \"inv_metric\""},
      {R"({"inv_metric": {"scales": [1]}})", "\"scales\" in '%' must be an array of 2 numbers"},
      {R"({"inv_metric": {"scales": [1, 1], "eigenvalues": 3}})", "\"eigenvalues\" in '%' must be an array of 0 numbers"},
      {R"({"inv_metric": {"scales": [1, 1], "eigenvalues": [3], "directions": [[1, 0, 0]]}})",
       "\"directions\" in '%' must be 1 rows of 2 numbers"},
      {R"({"inv_metric": {"scales": [1, 1], "eigenvalues": [3], "directions": [[1, 1]]}})",
       "'%': the directions of the inverse metric are not orthonormal"},
      {R"({"inv_metric": {"scales": [1, 1], "eigenvalues": [0], "directions": [[1, 0]]}})",
       "'%': inverse metric element 1 is 0, but must be positive and finite"}};
  for (const auto& [text, message] : cases) {
    std::ofstream(options.metric_file) << text;
    std::string expected = message;
    expected.replace(expected.find('%'), 1, options.metric_file);
    TextStream out, err;
    const SampleRun run = sample(testing::std_normal(2), options, {.out = out.file(), .err = err.file(), .terminal = false});
    EXPECT_FALSE(run.status) << text;
    EXPECT_EQ(run.status.message, expected) << text;
  }
}

TEST(CsvLayout, ConfigAsJson) {
  const OwnFolder dir;
  SampleOptions options = small_options(dir);
  options.save_config = true;
  short_run(options, testing::std_normal(1));
  JsonValue json;
  ASSERT_TRUE(parse_json(file_text(dir.at("std_normal_config.json")), &json));
  const JsonValue* method = json.find("method");
  ASSERT_NE(method, nullptr);
  EXPECT_EQ(method->find("value")->string, "sample");
  const JsonValue* hmc = method->find("sample")->find("algorithm")->find("hmc");
  EXPECT_EQ(hmc->find("engine")->find("nuts")->find("max_depth")->number, 10);
  EXPECT_EQ(hmc->find("metric")->find("value")->string, "low_rank");
  EXPECT_EQ(json.find("init")->string, "pathfinder");
  EXPECT_EQ(json.find("random")->find("seed")->number, 1);
}

TEST(CsvRoundTrip, SeventeenDigitsKeepEveryBit) {
  const OwnFolder dir;
  SampleOptions options = small_options(dir);
  options.sig_figs = 17;
  options.save_warmup = true;
  const SampleRun run = short_run(options, testing::std_normal(3));
  CsvDraws draws;
  ASSERT_TRUE(read_csv(run.csv_files[0], &draws));
  EXPECT_EQ(draws.names, run.chains.names);
  EXPECT_EQ(draws.warmup_rows, 100u);
  EXPECT_EQ(draws.rows, 150u);
  EXPECT_TRUE(draws.adapted);
  EXPECT_EQ(draws.metric_kind, "diag_e");
  EXPECT_EQ(draws.inverse_metric.size(), 3u);
  EXPECT_TRUE(draws.has_elapsed);
  const std::vector<double> kept(draws.values.begin() + 100 * static_cast<std::ptrdiff_t>(draws.columns()),
                                 draws.values.end());
  EXPECT_EQ(kept, run.chains.rows[0]);
  EXPECT_EQ(draws.setting("method.sample.adapt.delta"), "0.8");
  EXPECT_EQ(draws.setting("seed"), "1");
  EXPECT_EQ(draws.number("num_warmup", -1), 100);
}

std::string written(const OwnFolder& dir, const std::string& text) {
  const std::string path = dir.at("t.csv");
  std::ofstream(path) << text;
  return path;
}

TEST(CsvReader, NumbersAsOthersWriteThem) {
  const OwnFolder dir;
  CsvDraws d;
  ASSERT_TRUE(read_csv(written(dir, "# a = 1\nx,y,z\n1, -2.5e-3,nan\r\ninf,-inf,+7\n"), &d));
  ASSERT_EQ(d.rows, 2u);
  EXPECT_EQ(d.at(0, 1), -2.5e-3);
  EXPECT_TRUE(std::isnan(d.at(0, 2)));
  EXPECT_EQ(d.at(1, 0), kInf);
  EXPECT_EQ(d.at(1, 1), -kInf);
  EXPECT_EQ(d.at(1, 2), 7);
}

std::vector<std::string> names_in(const std::string& text) {
  const OwnFolder dir;
  std::ofstream(dir.at("a.csv")) << text;
  CsvDraws draws;
  const Status read = read_csv(dir.at("a.csv"), &draws);
  EXPECT_TRUE(read) << text << ": " << read.message;
  EXPECT_EQ(draws.rows, 1u) << text;
  return draws.names;
}

TEST(CsvReader, NamesThatLookLikeNumbersAreNames) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_in("inf,nan,Inf,NaN,Infinity,INF,NAN,infinity\n1,2,3,4,5,6,7,nan\n"),
            (Names{"inf", "nan", "Inf", "NaN", "Infinity", "INF", "NAN", "infinity"}));
  EXPECT_EQ(names_in("nan.1,nan.2,e1,E5\n1,2,-inf,4\n"), (Names{"nan.1", "nan.2", "e1", "E5"}));
}

TEST(CsvReader, QuotesBracketsAndByteOrderMarksInHeaders) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_in("\"lp__\",\"th[1,1]\",\"th[1, 2]\",\"t[3].2\",\"z.real\"\n1,2,3,4,5\n"),
            (Names{"lp__", "th.1.1", "th.1.2", "t.3:2", "z.real"}));
  EXPECT_EQ(names_in("\xEF\xBB\xBFlp__, \"mu\" ,th[2]\r\n1,2,3\r\n"), (Names{"lp__", "mu", "th.2"}));
  EXPECT_EQ(names_in("\xEF\xBB\xBF# method = sample\nlp__\n1\n"), (Names{"lp__"}));
}

TEST(CsvReader, ErrorsNameTheLine) {
  const OwnFolder dir;
  CsvDraws d;
  EXPECT_NE(read_csv(written(dir, "x,y\n1,2\n3\n4,5\n"), &d).message.find(":3: found 1 values, expected 2"),
            std::string::npos);
  EXPECT_NE(read_csv(written(dir, "x,y\n1,b\n"), &d).message.find(":2: 'b' is not a number"), std::string::npos);
  EXPECT_NE(read_csv(written(dir, "1,2\n"), &d).message.find("header"), std::string::npos);
  EXPECT_NE(read_csv(written(dir, "# only\n"), &d).message.find("no header line"), std::string::npos);
  EXPECT_NE(read_csv(dir.at("none.csv"), &d).message.find("No such file"), std::string::npos);
}

TEST(CsvReader, CutOffLastLineIsLeftOut) {
  const OwnFolder dir;
  CsvDraws d;
  ASSERT_TRUE(read_csv(written(dir, "x,y\n1,2\n3,4.5"), &d));
  EXPECT_EQ(d.rows, 1u);
  EXPECT_TRUE(d.truncated);
}

TEST(Console, IterationLinesAndShortWarmupWarning) {
  const OwnFolder dir;
  TextStream out, err;
  SampleOptions options = small_options(dir);
  options.refresh = 50;
  options.metric = MetricKind::Diag;
  ASSERT_TRUE(run_sample(testing::std_normal(1), options, {.out = out.file(), .err = err.file(), .terminal = false, .stop = nullptr}));
  const std::string text = err.text();
  EXPECT_NE(text.find("WARNING: There aren't enough warmup iterations to fit the\n"
                      "         three stages of adaptation as currently configured.\n"
                      "         Reducing each adaptation stage to 15%/75%/10% of\n"
                      "         the given number of warmup iterations:\n"
                      "           init_buffer = 15\n           adapt_window = 75\n           term_buffer = 10\n\n"
                      "Iteration:   1 / 150 [  0%]  (Warmup)\nIteration:  50 / 150 [ 33%]  (Warmup)\n"
                      "Iteration: 100 / 150 [ 66%]  (Warmup)\nIteration: 101 / 150 [ 67%]  (Sampling)\n"
                      "Iteration: 150 / 150 [100%]  (Sampling)\n\n Elapsed Time: "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\nGradient evaluation took "), std::string::npos);
  EXPECT_NE(out.text().find("Inference for Stan model: std_normal_model"), std::string::npos);
}

TEST(CsvWriter, NumbersAreThoseOfToChars) {
  const OwnFolder dir;
  const std::uint64_t seed = 11;
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  Rng rng(seed);
  std::vector<double> values = {0, -0.0, 1, -1, 0.5, 2.5, 0.00012345, 99999.5, 999999.5, 1e-4, 123456789, 1e15, 0.1, 1e-5, kInf, -kInf, 5e9, 9.9999999995};
  for (int i = 0; i < 20000; ++i) {
    const double scale = std::pow(10.0, 24 * rng.uniform() - 10);
    values.push_back((rng.uniform() - 0.5) * scale);
    values.push_back(std::round(rng.uniform() * 1e4) / 8);  // ties
  }
  for (const int digits : {1, 2, 6, 8, 10, 17}) {
    CsvWriter csv(digits);
    const std::string path = dir.path().string() + "/numbers" + std::to_string(digits) + ".csv";
    ASSERT_TRUE(csv.open(path, false));
    csv.row(values, {});
    ASSERT_TRUE(csv.close());
    std::string expected;
    for (const double v : values) {
      char buffer[64];
      const auto end = std::to_chars(buffer, buffer + sizeof buffer, v, std::chars_format::general, digits);
      expected += (expected.empty() ? "" : ",") + std::string(buffer, end.ptr);
    }
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);
    EXPECT_EQ(line, expected) << digits << " digits";
  }
}

TEST(Console, BarsFitTheScreen) {
  const Bar bar{3, 1234, 2000, "Warmup"};
  EXPECT_EQ(bar_text(bar, 80, false), "chain  3 |" + std::string(24, '#') + std::string(16, '.') + "|  61%  1234 / 2000 (Warmup)");
  EXPECT_EQ(bar_text(bar, 60, false), "chain  3 |" + std::string(13, '#') + std::string(9, '.') + "|  61%  1234 / 2000 (Warmup)");
  EXPECT_EQ(bar_text(bar, 30, false), "chain  3 |########......|  61%");
  EXPECT_EQ(bar_text(bar, 16, false), "chain  3   61%");
  EXPECT_EQ(bar_text(bar, 5, false), "chain");
  EXPECT_TRUE(bar_text({1, 0, 1, "waiting"}, 80, false).ends_with("|   0%  (waiting)"));
  for (unsigned columns = 1; columns < 120; ++columns) EXPECT_LE(bar_text(bar, columns, false).size(), columns);
  const Bar more{3, 1234, 2000, "Sampling", 7, 65};
  EXPECT_EQ(bar_text(more, 100, false), "chain  3 |" + std::string(21, '#') + std::string(15, '.') + "|  61%  1234 / 2000 (Sampling)  7 divergent  1:05 left");
  EXPECT_EQ(bar_text(more, 60, false), "chain  3 |" + std::string(12, '#') + std::string(8, '.') + "|  61%  1234 / 2000 (Sampling)");
  EXPECT_TRUE(bar_text({1, 5, 10, "Warmup", 0, 3725.2}, 100, false).ends_with("  1:02:06 left"));
  EXPECT_NE(bar_text(bar, 80, true).find("\x1b[33m####"), std::string::npos);
}

TEST(Console, RedrawsBarsInPlace) {
  TextStream err;
  {
    Console console({.out = err.file(), .err = err.file(), .terminal = true, .stop = nullptr}, {1, 2}, 100, true);
    console.iteration(0, 99, 0, 100, true);   // the last of a phase is drawn at once
    console.message(1, "a word\n");
    console.finished(0);
  }
  const std::string text = err.text();
  EXPECT_TRUE(text.starts_with("chain  1 |")) << text;
  EXPECT_NE(text.find("\r\x1b[2A\x1b[JChain [2] a word\n"), std::string::npos) << text;
  EXPECT_NE(text.find("(waiting)"), std::string::npos) << text;
}

TEST(Json, NumbersAndErrors) {
  JsonValue v;
  Vec x;
  std::vector<std::size_t> shape;
  ASSERT_TRUE(parse_json(R"([[1, 2.5e1, "NaN"], [-Infinity, 0, "-Inf"]])", &v));
  ASSERT_TRUE(json_numbers(v, &x, &shape));
  EXPECT_EQ(shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(x[1], 25);
  EXPECT_EQ(x[5], -kInf);
  ASSERT_TRUE(parse_json("[[1], [1, 2]]", &v));
  EXPECT_FALSE(json_numbers(v, &x, &shape));
  EXPECT_NE(parse_json("{\"a\": [1,\n }", &v).message.find("line 2, column 2"), std::string::npos);
  EXPECT_FALSE(parse_json("[1] 2", &v));
}

}  // namespace
}  // namespace fermiac::inference
