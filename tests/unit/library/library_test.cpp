// libfermiac through its header, as programs see it: every function, misuse, threads, memory.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "bindings/c/fermiac.h"
#include "inference/output/output.h"
#include "support/base/json_tree.h"
#include "tests/shared/program_runner.h"
#include "tests/shared/shell.h"
#include "tests/unit/library/library_handles.h"

namespace fermiac::testing {
namespace {

constexpr const char* kModel = R"(
functions {
  real twice(real x) { return 2 * x; }
  int twice(int x) { return 2 * x; }
  vector both(vector x, array[] int n) { vector[size(x) + size(n)] r; for (i in 1:size(x)) r[i] = x[i]; for (i in 1:size(n)) r[size(x) + i] = n[i]; return r; }
  tuple(int, vector) pair(matrix m) { return (rows(m), m[1]'); }
  real draw_rng(real mu) { return normal_rng(mu, 1); }
  real picky_lpdf(real y, real mu) { if (mu < 0) reject("mu is ", mu); return normal_lpdf(y | mu, 1); }
  void hello(int n) { print("hello ", n); }
  void push_lp(real x) { target += x; }
}
data { int<lower=0> N; vector[N] y; }
transformed data { real shift = normal_rng(0, 1); print("N is ", N); }
parameters { real mu; real<lower=0> sigma; simplex[3] s; array[2] tuple(real, vector<upper=1>[2]) t; }
transformed parameters { matrix[2, 3] m = rep_matrix(mu, 2, 3); }
model {
  y ~ normal(mu, sigma); mu ~ normal(0, 3); sigma ~ lognormal(0, 1); s ~ dirichlet([2, 3, 4]');
  for (k in 1:2) { t[k].1 ~ normal(shift, 1); 1 - t[k].2 ~ gamma(2, 1); }
}
generated quantities { real rep = normal_rng(mu, sigma); complex z = to_complex(mu, 1); }
)";
constexpr const char* kData = R"({"N": 3, "y": [0.5, -1, 2]})";

// ---------------------------------------------------------------- the library

TEST(Library, TellsItsVersion) {
  const std::string expected = std::to_string(FERMIAC_VERSION_MAJOR) + "." + std::to_string(FERMIAC_VERSION_MINOR) + "." +
                               std::to_string(FERMIAC_VERSION_PATCH);
  EXPECT_EQ(fermiac_version(), expected);
  EXPECT_STREQ(fermiac_stan_version(), "2.39.0");
}

std::vector<std::string> words_of(const std::string& command) {
  const ProgramRun ran = shell(command);
  EXPECT_EQ(ran.status, 0) << ran.text;
  std::istringstream in(ran.text);
  return std::vector<std::string>(std::istream_iterator<std::string>(in), {});
}

/// Names of the functions that the headers declare.
std::set<std::string> declared_functions() {
  std::set<std::string> out;
  for (const char* header : {"fermiac.h", "fermiac_r.h"}) {
    std::ifstream in(std::string(FERMIAC_SOURCE_DIR "/bindings/c/") + header);
    for (std::string line; std::getline(in, line);) {
      if (!line.starts_with("FERMIAC_API ")) continue;
      const std::size_t end = line.find('('), begin = line.find_last_of(" *", end) + 1;
      out.insert(line.substr(begin, end - begin));
    }
  }
  return out;
}

TEST(Library, ExportsWhatTheHeadersDeclareAndNothingElse) {
  const std::vector<std::string> words = words_of("nm -D --defined-only --format=just-symbols " FERMIAC_LIBRARY);
  EXPECT_EQ(std::set<std::string>(words.begin(), words.end()), declared_functions());
  EXPECT_GT(words.size(), 80u);
}

TEST(Library, HasAVersionInItsName) {
  const std::vector<std::string> words = words_of("objdump -p " FERMIAC_LIBRARY);
  const auto soname = std::ranges::find(words, "SONAME");
  ASSERT_NE(soname, words.end());
  EXPECT_EQ(soname[1], "libfermiac.so." + std::to_string(FERMIAC_ABI));
}

// ---------------------------------------------------------------- programs

TEST(Library, TellsDiagnosticsAsData) {
  const ProgramHandle program("parameters { real x; }\nmodel {\n  x ~ normal(0, scale);\n  y ~ normal(0, 1);\n}\n",
                              R"({"file": "dir/my model.stan"})");
  ASSERT_TRUE(program.get());
  EXPECT_FALSE(fermiac_program_ok(program.get()));
  EXPECT_STREQ(fermiac_program_name(program.get()), "my_model");
  ASSERT_EQ(fermiac_program_diagnostic_count(program.get()), 2u);
  fermiac_diagnostic d{};
  d.size = sizeof d;
  ASSERT_EQ(fermiac_program_diagnostic(program.get(), 0, &d, nullptr), FERMIAC_OK);
  EXPECT_STREQ(d.id, "E1008");
  EXPECT_STREQ(d.name, "undeclared");
  EXPECT_EQ(d.severity, FERMIAC_SEVERITY_ERROR);
  EXPECT_NE(std::string(d.message).find("'scale'"), std::string::npos) << d.message;
  EXPECT_NE(std::string(d.text).find("  x ~ normal(0, scale);"), std::string::npos) << d.text;
  ASSERT_TRUE(d.place);
  EXPECT_STREQ(d.place->file, "dir/my model.stan");
  EXPECT_EQ((std::vector<int>{d.place->line, d.place->column, d.place->end_line, d.place->end_column}),
            (std::vector<int>{3, 16, 3, 21}));
  const JsonValue json = parsed(fermiac_program_diagnostics_json(program.get()));
  ASSERT_EQ(json.items.size(), 2u);
  EXPECT_EQ(json.items[1].find("id")->string, "E1008");
  EXPECT_EQ(json.items[1].find("severity")->string, "error");
  EXPECT_EQ(json.items[1].find("place")->find("line")->number, 4);
  EXPECT_EQ(fermiac_program_info_json(program.get()), nullptr);
  EXPECT_EQ(fermiac_program_functions_json(program.get()), nullptr);

  const ModelHandle model(program, kData);
  EXPECT_EQ(model.get(), nullptr);
  EXPECT_EQ(model.status(), FERMIAC_PROGRAM);
  EXPECT_NE(model.error().find("does not compile"), std::string::npos);
  EXPECT_NE(model.error().find("scale"), std::string::npos);
}

TEST(Library, WarningsAreNoErrors) {
  const ProgramHandle program(
      "parameters { real x; } model { x ~ normal(0, 1); x ~ normal(0, 1) ; } generated quantities { int i = 3 / 2; }", nullptr);
  ASSERT_TRUE(fermiac_program_ok(program.get()));
  ASSERT_EQ(fermiac_program_diagnostic_count(program.get()), 1u);
  fermiac_diagnostic d{};
  d.size = sizeof d;
  ASSERT_EQ(fermiac_program_diagnostic(program.get(), 0, &d, nullptr), FERMIAC_OK);
  EXPECT_EQ(d.severity, FERMIAC_SEVERITY_WARNING);
  EXPECT_NE(std::string(d.message).find("division"), std::string::npos) << d.message;
}

TEST(Library, DescribesAProgram) {
  const ProgramHandle program(kModel, R"({"name": "m"})");
  ASSERT_TRUE(fermiac_program_ok(program.get())) << fermiac_program_diagnostics_json(program.get());
  EXPECT_EQ(parsed(fermiac_program_info_json(program.get())).find("inputs")->find("y")->find("type")->string, "real");
  std::set<std::string> functions;
  for (const JsonValue& f : parsed(fermiac_program_functions_json(program.get())).items) functions.insert(f.string);
  EXPECT_TRUE(functions.contains("both(vector x, array[] int n) => vector")) << fermiac_program_functions_json(program.get());
  EXPECT_TRUE(functions.contains("twice(int x) => int"));
}

TEST(Library, OptionsOfProgramsAreChecked) {
  const std::pair<const char*, const char*> cases[] = {
      {"[1]", "one JSON object"},
      {"{", "options of a program"},
      {R"({"nam": "x"})", "a program has no option 'nam'; its options are file, name, include-paths, include, level"},
      {R"({"name": 3})", "name is 3, but must be a text in double quotes"},
      {R"({"name": "a b"})", "letters, digits and underscores"},
      {R"({"level": "O2"})", "level is \"O2\", but must be O0, O1 or Oexperimental"},
      {R"({"include_paths": "x"})", "include-paths is \"x\", but must be an array of texts"},
      {R"({"name": "a", "name": "b"})", "given twice"},
  };
  for (const auto& [options, expected] : cases) {
    const ProgramHandle program("model {}", options);
    EXPECT_EQ(program.get(), nullptr);
    EXPECT_EQ(program.status(), FERMIAC_ARGUMENT);
    EXPECT_NE(program.error().find(expected), std::string::npos) << options << ": " << program.error();
  }
}

TEST(Library, IncludesAreFoundOrRefused) {
  const OwnFolder folder;
  folder.write("part.stan", "real x;\n");
  const std::string text = "parameters {\n#include part.stan\n}\nmodel { x ~ normal(0, 1); }\n";
  const std::string path = R"({"include-paths": [")" + folder.path().string() + R"("])";
  EXPECT_TRUE(fermiac_program_ok(ProgramHandle(text.c_str(), (path + "}").c_str()).get()));
  EXPECT_FALSE(fermiac_program_ok(ProgramHandle(text.c_str(), (path + R"(, "include": "none"})").c_str()).get()));
  EXPECT_FALSE(fermiac_program_ok(ProgramHandle(text.c_str(), nullptr).get()));
}

TEST(Library, OpensFiles) {
  const OwnFolder folder;
  folder.write("a-b.stan", kModel);
  folder.write("d.json", kData);
  ErrorHandle error;
  const std::string file = folder.path().string() + "/a-b.stan", data = folder.path().string() + "/d.json";
  fermiac_program* program = fermiac_program_open(file.c_str(), nullptr, error.out());
  ASSERT_TRUE(program) << error.message();
  EXPECT_STREQ(fermiac_program_name(program), "a_b");
  fermiac_model* model = fermiac_model_open(program, data.c_str(), nullptr, ignore_print, nullptr, error.out());
  ASSERT_TRUE(model) << error.message();
  EXPECT_EQ(fermiac_model_open(program, "nowhere.json", nullptr, ignore_print, nullptr, error.out()), nullptr);
  EXPECT_EQ(error.status(), FERMIAC_DATA);
  EXPECT_NE(error.message().find("there is no such file"), std::string::npos);
  EXPECT_EQ(fermiac_program_open("nowhere.stan", nullptr, error.out()), nullptr);
  EXPECT_EQ(error.status(), FERMIAC_PROGRAM);
  EXPECT_NE(error.message().find("nowhere.stan"), std::string::npos);
  fermiac_model_free(model);
  fermiac_program_free(program);
}

// ---------------------------------------------------------------- models

TEST(Library, AProgramIsBoundManyTimesAndMayGoFirst) {
  auto program = std::make_unique<ProgramHandle>("data { real y; } parameters { real x; } model { x ~ normal(y, 1); }", nullptr);
  const ModelHandle one(*program, R"({"y": 1})"), two(*program, R"({"y": 2})");
  program.reset();
  EXPECT_DOUBLE_EQ(one.lp({0}, FERMIAC_PROPTO), -0.5);
  EXPECT_DOUBLE_EQ(two.lp({0}, FERMIAC_PROPTO), -2);
}

TEST(Library, DataErrorsHavePlacesAndTheNameOfTheFile) {
  const ProgramHandle program(kModel, R"({"file": "m.stan"})");
  const ModelHandle missing(program, R"({"N": 3})", R"({"file": "d.json"})");
  EXPECT_EQ(missing.status(), FERMIAC_DATA);
  EXPECT_NE(missing.error().find("'y'"), std::string::npos) << missing.error();
  const ModelHandle wrong(program, "{\"N\": 3,\n \"y\": [1, 2]}", R"({"file": "d.json"})");
  EXPECT_EQ(wrong.status(), FERMIAC_DATA);
  EXPECT_NE(wrong.error().find("d.json, line 2"), std::string::npos) << wrong.error();
  const ModelHandle negative(program, R"({"N": -1, "y": []})");
  EXPECT_EQ(negative.status(), FERMIAC_DATA);
  ASSERT_TRUE(negative.place()) << negative.error();
  EXPECT_EQ(std::string(negative.place()->file), "m.stan");
  EXPECT_EQ(negative.place()->line, 12);
  EXPECT_EQ(parsed(negative.error_json().c_str()).find("place")->find("line")->number, 12);
  EXPECT_EQ(parsed(negative.error_json().c_str()).find("kind")->string, "data");
}

TEST(Library, DescribesAModel) {
  const ProgramHandle program(kModel, R"({"name": "m"})");
  const ModelHandle model(program, kData);
  ASSERT_TRUE(model.get()) << model.error();
  const auto reference = load(kModel, kData);
  EXPECT_EQ(model.unconstrained_names(), reference->unconstrained_names());
  for (const unsigned blocks : {0u, FERMIAC_TRANSFORMED, FERMIAC_GENERATED, FERMIAC_TRANSFORMED | FERMIAC_GENERATED}) {
    const auto names = reference->names((blocks & FERMIAC_TRANSFORMED) != 0, (blocks & FERMIAC_GENERATED) != 0);
    EXPECT_EQ(model.names(blocks), names);
    EXPECT_EQ(fermiac_constrained_size(model.get(), blocks), names.size());
  }
  EXPECT_EQ(fermiac_unconstrained_size(model.get()), reference->unconstrained_size());

  std::map<std::string, fermiac_variable> variables;
  const auto names = model.names(FERMIAC_TRANSFORMED | FERMIAC_GENERATED);
  std::size_t columns = 0, free = 0;
  for (std::size_t i = 0; i < fermiac_variable_count(model.get()); ++i) {
    fermiac_variable v{};
    v.size = sizeof v;
    ASSERT_EQ(fermiac_variable_at(model.get(), i, &v, nullptr), FERMIAC_OK);
    EXPECT_EQ(v.first, columns);
    columns += v.count;
    if (v.block == FERMIAC_BLOCK_PARAMETERS) {
      EXPECT_EQ(v.unconstrained_first, free);
    }
    free += v.unconstrained_count;
    for (std::size_t c = v.first; c < v.first + v.count; ++c)
      EXPECT_TRUE(names[c] == v.name || names[c].starts_with(std::string(v.name) + ".") ||
                  names[c].starts_with(std::string(v.name) + ":"));
    variables[v.name] = v;
  }
  EXPECT_EQ(columns, names.size());
  EXPECT_EQ(free, reference->unconstrained_size());
  const auto dims = [&](const char* name) {
    return std::vector<std::size_t>(variables.at(name).dims, variables.at(name).dims + variables.at(name).rank);
  };
  EXPECT_EQ(dims("mu"), (std::vector<std::size_t>{}));
  EXPECT_EQ(dims("s"), (std::vector<std::size_t>{3}));
  EXPECT_EQ(dims("m"), (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(dims("t"), (std::vector<std::size_t>{2}));
  EXPECT_EQ(dims("z"), (std::vector<std::size_t>{2}));
  EXPECT_STREQ(variables.at("t").type, "array[2] tuple(real, vector[2])");
  EXPECT_EQ(variables.at("s").unconstrained_count, 2u);
  EXPECT_EQ(variables.at("m").block, FERMIAC_BLOCK_TRANSFORMED_PARAMETERS);
  EXPECT_EQ(variables.at("rep").block, FERMIAC_BLOCK_GENERATED_QUANTITIES);

  const JsonValue info = parsed(fermiac_model_info_json(model.get()));
  EXPECT_EQ(info.find("name")->string, "m");
  EXPECT_EQ(info.find("variables")->items.size(), variables.size());
  EXPECT_EQ(info.find("variables")->items[2].find("dims")->items[0].number, 3);
}

TEST(Library, PrintGoesToTheModelsOwnCallback) {
  const ProgramHandle program(kModel, nullptr);
  std::string first, second;
  const ModelHandle one(program, kData, nullptr, append_print, &first);
  const ModelHandle two(program, R"({"N": 0, "y": []})", nullptr, append_print, &second);
  EXPECT_EQ(first, "N is 3\n");
  EXPECT_EQ(second, "N is 0\n");
}

TEST(Library, SeedsOfTransformedData) {
  const ProgramHandle program(kModel, nullptr);
  const ModelHandle one(program, kData, R"({"seed": 1})"), again(program, kData, R"({"seed": 1})"),
      other(program, kData, R"({"seed": 2})");
  const Numbers theta = wavy_point(one.size());
  EXPECT_EQ(one.lp(theta, 0), again.lp(theta, 0));
  EXPECT_NE(one.lp(theta, 0), other.lp(theta, 0));
}

TEST(Library, OptionsOfModelsAreChecked) {
  const ProgramHandle program(
      "data { int n; } transformed data { vector[n] big = rep_vector(0, n); } parameters { real x; } model { x ~ normal(0, 1); }",
      nullptr);
  const std::pair<const char*, const char*> cases[] = {
      {R"({"threads": 0})", "threads is 0, but must be a whole number from 1 to 4096, or -1 for all cores"},
      {R"({"device": "cuda"})", "option 'device': 'cuda' is not a device: it is none, auto, gpu, cpu or opencl:PLATFORM:DEVICE"},
      {R"({"seed": -1})", "seed is -1, but must be a whole number from 0"},
      {R"({"sed": 1})", "a model has no option 'sed'; its options are file, seed, threads, memory"}};
  for (const auto& [options, expected] : cases) {
    const ModelHandle model(program, R"({"n": 1})", options);
    EXPECT_EQ(model.status(), FERMIAC_ARGUMENT);
    EXPECT_NE(model.error().find(expected), std::string::npos) << model.error();
  }
  const ModelHandle limited(program, R"({"n": 1000000000})", R"({"memory": 300000000})");
  EXPECT_EQ(limited.get(), nullptr);
  EXPECT_EQ(limited.status(), FERMIAC_DATA);
  EXPECT_NE(limited.error().find("7.5 GB more are needed, but the limit is 286 MB (in 'model', line 1"), std::string::npos)
      << limited.error();
  EXPECT_TRUE(ModelHandle(program, R"({"n": 1})", R"({"threads": -1, "memory": 3e8})").get());
}

/// Placed is whatever can be, so that this is not a test of the processor.
TEST(Library, EvaluatesOnADevice) {
#ifdef FERMIAC_SANITIZED
  GTEST_SKIP() << "drivers are programs of others";
#endif
  const ProgramHandle program("transformed data { vector[300] x = linspaced_vector(300, -1, 1); } parameters { real a; real b; } model { x ~ normal(exp(a * x), exp(b)); }", nullptr);
  ::setenv("FERMIAC_PLACE", "all", 1);
  const ModelHandle there(program, nullptr, R"({"device": "cpu"})"), nowhere(program, nullptr, R"({"device": "opencl:7:9"})");
  ::unsetenv("FERMIAC_PLACE");
  EXPECT_EQ(nowhere.status(), FERMIAC_FAILED);
  EXPECT_NE(nowhere.error().find("device 'opencl:7:9': "), std::string::npos) << nowhere.error();
  if (!there.get()) GTEST_SKIP() << there.error();
  const ModelHandle here(program, nullptr);
  const Numbers theta = {0.3, -0.2}, expected = here.gradient(theta, 0), found = there.gradient(theta, 0);
  EXPECT_NEAR(there.lp(theta, 0), here.lp(theta, 0), 1e-9);
  for (std::size_t i = 0; i < theta.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-9);
}

// ---------------------------------------------------------------- densities

TEST(Library, EvaluatesWhatTheModelEvaluates) {
  const ProgramHandle program(kModel, nullptr);
  const ModelHandle model(program, kData, R"({"seed": 1})");
  const auto reference = load(kModel, kData);
  const auto workspace = reference->workspace();
  const Numbers theta = wavy_point(model.size());
  for (const unsigned terms : {0u, FERMIAC_PROPTO, FERMIAC_JACOBIAN, FERMIAC_PROPTO | FERMIAC_JACOBIAN}) {
    const DensityOptions options{.propto = (terms & FERMIAC_PROPTO) != 0, .jacobian = (terms & FERMIAC_JACOBIAN) != 0};
    double lp = 0;
    Numbers gradient(theta.size());
    ASSERT_TRUE(workspace->log_density_gradient(theta, options, &lp, gradient));
    EXPECT_EQ(model.lp(theta, terms), lp);
    EXPECT_EQ(model.gradient(theta, terms), gradient);
  }
}

TEST(Library, SecondDerivativesOfAKnownDensity) {
  const ProgramHandle program("parameters { real x; real<lower=0> y; } model { target += -x^2 * y - exp(x) * y^3; }", nullptr);
  const ModelHandle model(program, nullptr);
  const double x = 0.4, u = -0.3, y = std::exp(u);
  const Numbers expected = {-2 * y - std::exp(x) * y * y * y, -2 * x * y - 3 * std::exp(x) * y * y * y,
                            -2 * x * y - 3 * std::exp(x) * y * y * y, -x * x * y - 9 * std::exp(x) * y * y * y};
  Numbers hessian(4), gradient(2), product(2);
  const Numbers theta = {x, u}, direction = {2, -1};
  double lp = 0, other = 0;
  ASSERT_EQ(fermiac_hessian(model.get(), 0, theta.data(), 2, &lp, gradient.data(), hessian.data(), nullptr), FERMIAC_OK);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(hessian[i], expected[i], 1e-9);
  EXPECT_EQ(hessian[1], hessian[2]);
  EXPECT_EQ(gradient, model.gradient(theta, 0));
  EXPECT_EQ(lp, model.lp(theta, 0));
  ASSERT_EQ(fermiac_hessian(model.get(), 0, theta.data(), 2, nullptr, nullptr, hessian.data(), nullptr), FERMIAC_OK);
  ASSERT_EQ(fermiac_hessian_times(model.get(), 0, theta.data(), 2, direction.data(), &other, product.data(), nullptr),
            FERMIAC_OK);
  EXPECT_EQ(lp, other);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(product[i], 2 * expected[2 * i] - expected[2 * i + 1], 1e-9);
}

TEST(Library, FailuresOfEvaluationsHaveKindsAndPlaces) {
  const ProgramHandle program(
      "parameters { real x; }\nmodel {\n  if (x > 1) reject(\"too large\");\n  if (x < -1)\n    fatal_error(\"too small\");\n  x "
      "~ normal(0, 1);\n}\n",
      R"({"file": "f.stan"})");
  const ModelHandle model(program, nullptr);
  double lp = 0;
  ErrorHandle error;
  const double large = 2, small = -2;
  EXPECT_EQ(fermiac_log_density(model.get(), 0, &large, 1, &lp, error.out()), FERMIAC_REJECTED);
  EXPECT_NE(error.message().find("too large"), std::string::npos);
  ASSERT_TRUE(error.place());
  EXPECT_EQ(error.place()->line, 3);
  EXPECT_EQ(fermiac_log_density(model.get(), 0, &small, 1, &lp, error.out()), FERMIAC_FATAL);
  EXPECT_EQ(error.place()->line, 5);
  EXPECT_EQ(error.place()->column, 4);
  EXPECT_EQ(model.lp({0}, FERMIAC_PROPTO), 0);
  EXPECT_EQ(fermiac_log_density(model.get(), 0, &large, 1, &lp, nullptr), FERMIAC_REJECTED);  // nobody wants to know
}

// ---------------------------------------------------------------- between the scales

TEST(Library, ConstrainsAndUnconstrains) {
  const ProgramHandle program(kModel, nullptr);
  const ModelHandle model(program, kData, R"({"seed": 1})");
  const Numbers theta = wavy_point(model.size());
  const auto reference = load(kModel, kData);
  const auto workspace = reference->workspace();
  for (const unsigned blocks : {0u, FERMIAC_TRANSFORMED, FERMIAC_GENERATED, FERMIAC_TRANSFORMED | FERMIAC_GENERATED}) {
    const bool transformed = (blocks & FERMIAC_TRANSFORMED) != 0, generated = (blocks & FERMIAC_GENERATED) != 0;
    Numbers expected(reference->names(transformed, generated).size());
    Rng numbers(7);
    ASSERT_TRUE(workspace->write_array(theta, transformed, generated, numbers, expected));
    EXPECT_EQ(model.constrain(theta, blocks, 7), expected);
  }
  const Numbers constrained = model.constrain(theta, 0, 1);
  Numbers back(theta.size());
  ASSERT_EQ(fermiac_unconstrain(model.get(), constrained.data(), constrained.size(), back.data(), back.size(), nullptr),
            FERMIAC_OK);
  for (std::size_t i = 0; i < theta.size(); ++i) EXPECT_NEAR(back[i], theta[i], 1e-12);

  const char* json = R"({"mu": 1, "sigma": 2, "s": [0.2, 0.3, 0.5], "t": [{"1": 1, "2": [0, -1]}, {"1": 2, "2": [0.5, -3]}]})";
  ASSERT_EQ(fermiac_unconstrain_json(model.get(), json, back.data(), back.size(), nullptr), FERMIAC_OK);
  const Numbers again = model.constrain(back, 0, 1);
  EXPECT_NEAR(again[1], 2, 1e-12);
  EXPECT_NEAR(again[4], 0.5, 1e-12);
  ErrorHandle error;
  EXPECT_EQ(fermiac_unconstrain_json(model.get(), R"({"mu": 1})", back.data(), back.size(), error.out()), FERMIAC_DATA);
  EXPECT_NE(error.message().find("sigma"), std::string::npos) << error.message();
  Numbers negative = constrained;
  negative[1] = -1;
  EXPECT_EQ(fermiac_unconstrain(model.get(), negative.data(), negative.size(), back.data(), back.size(), error.out()),
            FERMIAC_REJECTED);
  EXPECT_NE(error.message().find("sigma"), std::string::npos) << error.message();
}

TEST(Library, AnRngMovesOn) {
  const ProgramHandle program(
      "parameters { real x; } model { x ~ normal(0, 1); } generated quantities { real r = std_normal_rng(); }", nullptr);
  const ModelHandle model(program, nullptr);
  fermiac_rng* rng = fermiac_rng_create(3, nullptr);
  const double theta = 0;
  double a[2], b[2];
  ASSERT_EQ(fermiac_constrain(model.get(), FERMIAC_GENERATED, &theta, 1, rng, a, 2, nullptr), FERMIAC_OK);
  ASSERT_EQ(fermiac_constrain(model.get(), FERMIAC_GENERATED, &theta, 1, rng, b, 2, nullptr), FERMIAC_OK);
  EXPECT_NE(a[1], b[1]);
  fermiac_rng_free(rng);
  EXPECT_EQ(model.constrain({0}, FERMIAC_GENERATED, 3)[1], a[1]);
}

// ---------------------------------------------------------------- functions

TEST(Library, CallsFunctions) {
  const ProgramHandle program(kModel, nullptr);
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"twice", "[3]", "6"},
      {"twice", "[2.5]", "5"},
      {"twice(real)", "[3]", "6"},
      {"twice", R"({"x": 4})", "8"},
      {"both", "[[1.5, 2], [3]]", "[1.5,2,3]"},
      {"both", R"({"n": [], "x": [1]})", "[1]"},
      {"pair", "[[[1, 2], [3, 4]]]", R"({"1":2,"2":[1,2]})"},
      {"hello", "[1]", "null"},
  };
  for (const auto& [name, arguments, expected] : cases) EXPECT_EQ(program.call(name, arguments), expected) << name;
  EXPECT_DOUBLE_EQ(std::stod(program.call("picky_lpdf", "[0, 0]")), -0.5 * std::log(2 * M_PI));
  std::string printed;
  EXPECT_EQ(program.call("hello", "[7]", nullptr, append_print, &printed), "null");
  EXPECT_EQ(printed, "hello 7\n");
  fermiac_rng* rng = fermiac_rng_create(1, nullptr);
  const std::string one = program.call("draw_rng", "[100]", rng), two = program.call("draw_rng", "[100]", rng);
  EXPECT_NE(one, two);
  EXPECT_NEAR(std::stod(one), 100, 6);
  fermiac_rng_free(rng);
}

TEST(Library, WrongCallsOfFunctionsAreErrors) {
  const ProgramHandle program(kModel, R"({"file": "m.stan"})");
  const std::tuple<const char*, const char*, fermiac_status, const char*> cases[] = {
      {"nothing", "[]", FERMIAC_ARGUMENT,
       "the program has no function 'nothing'; those that can be called are\n  twice(real x) => real"},
      {"both", "[[1]]", FERMIAC_ARGUMENT, "'both' was given 1 argument, but takes\n  both(vector x, array[] int n) => vector"},
      {"both", R"({"x": [1], "k": []})", FERMIAC_ARGUMENT, "'both' was given arguments named k, x"},
      {"both", "[[1], [1.5]]", FERMIAC_DATA, "variable 'n', element [1] is 1.5, but must be an integer"},
      {"both", "[1, []]", FERMIAC_DATA, "variable 'x'"},
      {"pair", "[[[1, 2], [3]]]", FERMIAC_DATA, "variable 'm'"},
      {"twice", "[1", FERMIAC_DATA, "arguments, line 1"},
      {"twice", "3", FERMIAC_DATA, "a JSON array, or an object"},
      {"draw_rng", "[1]", FERMIAC_ARGUMENT, "it needs an rng"},
      {"push_lp", "[1]", FERMIAC_ARGUMENT, "only a model can call it"},
      {"picky_lpdf", "[0, -1]", FERMIAC_REJECTED, "mu is -1 (in 'm.stan', line 8"},
  };
  for (const auto& [name, arguments, status, expected] : cases) {
    ErrorHandle error;
    char* result = nullptr;
    EXPECT_EQ(fermiac_call(program.get(), name, arguments, nullptr, nullptr, nullptr, &result, error.out()), status) << name;
    EXPECT_NE(error.message().find(expected), std::string::npos) << error.message();
    EXPECT_EQ(result, nullptr);
  }
  const ProgramHandle two("functions { real f(vector x) { return 1; } real f(row_vector x) { return 2; } } model {}", nullptr);
  ErrorHandle error;
  char* result = nullptr;
  EXPECT_EQ(fermiac_call(two.get(), "f", "[[1]]", nullptr, nullptr, nullptr, &result, error.out()), FERMIAC_ARGUMENT);
  EXPECT_NE(error.message().find("f(vector) or f(row_vector)"), std::string::npos) << error.message();
  EXPECT_EQ(two.call("f(row_vector)", "[[1]]"), "2");
}

// ---------------------------------------------------------------- misuse

TEST(Library, NullPointersAreErrors) {
  const ProgramHandle program("parameters { real x; } model { x ~ normal(0, 1); } generated quantities { real y = x; }", nullptr);
  const ModelHandle model(program, nullptr);
  const auto m = model.get();
  double x = 0, out[4];
  char* text = nullptr;
  fermiac_diagnostic d{};
  fermiac_variable v{};
  struct Case {
    const char* what;
    std::function<fermiac_status(fermiac_error**)> call;
  };
  const auto made = [](void* object) { return object ? FERMIAC_OK : FERMIAC_ARGUMENT; };
  const Case cases[] = {
      {"text", [&](auto e) { return made(fermiac_program_create(nullptr, nullptr, e)); }},
      {"path", [&](auto e) { return made(fermiac_program_open(nullptr, nullptr, e)); }},
      {"program", [&](auto e) { return made(fermiac_model_create(nullptr, nullptr, nullptr, nullptr, nullptr, e)); }},
      {"data_path", [&](auto e) { return made(fermiac_model_open(program.get(), nullptr, nullptr, nullptr, nullptr, e)); }},
      {"model", [&](auto e) { return made(fermiac_run_create(nullptr, nullptr, nullptr, e)); }},
      {"run", [&](auto e) { return fermiac_run_execute(nullptr, e); }},
      {"program", [&](auto e) { return fermiac_program_diagnostic(nullptr, 0, &d, e); }},
      {"model", [&](auto e) { return fermiac_variable_at(nullptr, 0, &v, e); }},
      {"variable", [&](auto e) { return fermiac_variable_at(m, 0, nullptr, e); }},
      {"variable: its size is not set", [&](auto e) { return fermiac_variable_at(m, 0, &v, e); }},
      {"index is 9, but there are 2 variables", [&](auto e) { return fermiac_variable_at(m, 9, &v, e); }},
      {"index is 0, but there are 0 diagnostics", [&](auto e) { return fermiac_program_diagnostic(program.get(), 0, &d, e); }},
      {"model", [&](auto e) { return fermiac_log_density(nullptr, 0, &x, 1, out, e); }},
      {"theta", [&](auto e) { return fermiac_log_density(m, 0, nullptr, 1, out, e); }},
      {"lp", [&](auto e) { return fermiac_log_density(m, 0, &x, 1, nullptr, e); }},
      {"theta has 2 numbers, but must have 1", [&](auto e) { return fermiac_log_density(m, 0, &x, 2, out, e); }},
      {"terms is 4", [&](auto e) { return fermiac_log_density(m, 4, &x, 1, out, e); }},
      {"gradient", [&](auto e) { return fermiac_gradient(m, 0, &x, 1, out, nullptr, e); }},
      {"hessian", [&](auto e) { return fermiac_hessian(m, 0, &x, 1, out, out + 1, nullptr, e); }},
      {"vector", [&](auto e) { return fermiac_hessian_times(m, 0, &x, 1, nullptr, out, out + 1, e); }},
      {"product", [&](auto e) { return fermiac_hessian_times(m, 0, &x, 1, &x, out, nullptr, e); }},
      {"out has 1 numbers, but must have 2",
       [&](auto e) { return fermiac_constrain(m, FERMIAC_GENERATED, &x, 1, nullptr, out, 1, e); }},
      {"need an rng", [&](auto e) { return fermiac_constrain(m, FERMIAC_GENERATED, &x, 1, nullptr, out, 2, e); }},
      {"blocks is 8", [&](auto e) { return fermiac_constrain(m, 8, &x, 1, nullptr, out, 1, e); }},
      {"constrained has 3 numbers", [&](auto e) { return fermiac_unconstrain(m, out, 3, &x, 1, e); }},
      {"theta has 0 numbers", [&](auto e) { return fermiac_unconstrain(m, out, 1, &x, 0, e); }},
      {"json", [&](auto e) { return fermiac_unconstrain_json(m, nullptr, &x, 1, e); }},
      {"name", [&](auto e) { return fermiac_call(program.get(), nullptr, "[]", nullptr, nullptr, nullptr, &text, e); }},
      {"result", [&](auto e) { return fermiac_call(program.get(), "f", "[]", nullptr, nullptr, nullptr, nullptr, e); }},
  };
  for (const Case& c : cases) {
    ErrorHandle error;
    EXPECT_EQ(c.call(error.out()), FERMIAC_ARGUMENT) << c.what;
    EXPECT_EQ(error.status(), FERMIAC_ARGUMENT) << c.what;
    EXPECT_TRUE(error.message().starts_with(c.what) || error.message().find(c.what) != std::string::npos) << error.message();
  }
}

TEST(Library, QuestionsOfNothingHaveNoAnswer) {
  std::size_t n = 5;
  EXPECT_EQ(fermiac_program_ok(nullptr), 0);
  EXPECT_EQ(fermiac_program_name(nullptr), nullptr);
  EXPECT_EQ(fermiac_program_diagnostic_count(nullptr), 0u);
  EXPECT_EQ(fermiac_program_diagnostics_json(nullptr), nullptr);
  EXPECT_EQ(fermiac_program_info_json(nullptr), nullptr);
  EXPECT_EQ(fermiac_program_functions_json(nullptr), nullptr);
  EXPECT_EQ(fermiac_unconstrained_size(nullptr), 0u);
  EXPECT_EQ(fermiac_constrained_size(nullptr, 0), 0u);
  EXPECT_EQ(fermiac_unconstrained_names(nullptr, &n), nullptr);
  EXPECT_EQ(n, 0u);
  EXPECT_EQ(fermiac_constrained_names(nullptr, 0, nullptr), nullptr);
  EXPECT_EQ(fermiac_variable_count(nullptr), 0u);
  EXPECT_EQ(fermiac_model_info_json(nullptr), nullptr);
  EXPECT_EQ(fermiac_run_table_count(nullptr), 0u);
  EXPECT_EQ(fermiac_run_columns(nullptr, 0, nullptr), nullptr);
  EXPECT_EQ(fermiac_run_rows(nullptr, 0, nullptr, nullptr), nullptr);
  EXPECT_EQ(fermiac_run_result_json(nullptr), nullptr);
  EXPECT_EQ(fermiac_error_status(nullptr), FERMIAC_OK);
  EXPECT_STREQ(fermiac_error_message(nullptr), "");
  EXPECT_STREQ(fermiac_error_json(nullptr), "{}");
  EXPECT_EQ(fermiac_error_place(nullptr, nullptr), 0);
  fermiac_model_stop(nullptr, 1);
  fermiac_run_stop(nullptr);
  fermiac_program_free(nullptr);
  fermiac_model_free(nullptr);
  fermiac_run_free(nullptr);
  fermiac_rng_free(nullptr);
  fermiac_error_free(nullptr);
  fermiac_string_free(nullptr);
}

TEST(Library, ErrorsAreClearedBySuccess) {
  fermiac_error* error = reinterpret_cast<fermiac_error*>(8);
  fermiac_rng* rng = fermiac_rng_create(1, &error);
  EXPECT_EQ(error, nullptr);
  fermiac_rng_free(rng);
}

TEST(Library, OlderStructuresAreNotOverrun) {
  const ProgramHandle program("parameters { real x; } model { x ~ normal(0, 1); }", nullptr);
  const ModelHandle model(program, nullptr);
  fermiac_variable v;
  std::memset(&v, 0x55, sizeof v);
  v.size = offsetof(fermiac_variable, rank);
  ASSERT_EQ(fermiac_variable_at(model.get(), 0, &v, nullptr), FERMIAC_OK);
  EXPECT_STREQ(v.name, "x");
  EXPECT_EQ(v.size, offsetof(fermiac_variable, rank));
  EXPECT_EQ(v.rank, static_cast<std::size_t>(0x5555555555555555));
}

/// Of nested things, more than any stack holds.
std::string nested(std::size_t depth, char open, char close) {
  return std::string(depth, open) + "1" + std::string(depth, close);
}

TEST(Library, BottomlessInputIsAnError) {
  constexpr std::size_t kDeep = 1000000;
  const ProgramHandle deep(("transformed data { real x = " + nested(kDeep, '(', ')') + "; }").c_str(), nullptr);
  EXPECT_FALSE(fermiac_program_ok(deep.get()));
  const ProgramHandle program("functions { real f(real x) { return f(x + 1); } } data { real y; } model {}", nullptr);
  ErrorHandle error;
  char* result = nullptr;
  const auto call = [&](const char* arguments) {
    return fermiac_call(program.get(), "f", arguments, nullptr, nullptr, nullptr, &result, error.out());
  };
  EXPECT_EQ(call("[1]"), FERMIAC_FATAL);
  EXPECT_NE(error.message().find("(in 'model', line 1"), std::string::npos) << error.message();
  std::thread([&] { EXPECT_EQ(call("[1]"), FERMIAC_FATAL); }).join();
  EXPECT_EQ(call(nested(kDeep, '[', ']').c_str()), FERMIAC_DATA);
  const ModelHandle data(program, ("{\"y\": " + nested(kDeep, '[', ']') + "}").c_str());
  EXPECT_EQ(data.status(), FERMIAC_DATA);
  const ModelHandle options(program, R"({"y": 1})", nested(kDeep, '[', ']').c_str());
  EXPECT_EQ(options.status(), FERMIAC_ARGUMENT);
  const ModelHandle init(program, R"({"y": 1})", ("{\"seed\": " + nested(kDeep, '[', ']') + "}").c_str());
  EXPECT_EQ(init.status(), FERMIAC_ARGUMENT);
}

// ---------------------------------------------------------------- threads, stopping, memory

TEST(Library, ManyThreadsShareAModel) {
  const ProgramHandle program(kModel, nullptr);
  const ModelHandle model(program, kData, R"({"seed": 1})");
  constexpr unsigned kTerms = FERMIAC_PROPTO | FERMIAC_JACOBIAN;
  std::vector<Numbers> points, expected;
  for (int i = 0; i < 40; ++i) {
    points.push_back(wavy_point(model.size(), i));
    expected.push_back(ModelHandle(program, kData, R"({"seed": 1})").gradient(points.back(), kTerms));
  }
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 4 * points.size(); ++i) {
        const std::size_t k = (i + 7 * static_cast<std::size_t>(t)) % points.size();
        if (model.gradient(points[k], kTerms) != expected[k]) ++wrong;
        if (model.names(FERMIAC_GENERATED).size() != fermiac_constrained_size(model.get(), FERMIAC_GENERATED)) ++wrong;
        if (program.call("twice", "[3]") != "6") ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Library, AModelIsStoppedAndGoesOn) {
  const ProgramHandle program(
      "parameters { real x; } model { real s = 0; for (i in 1:2000000000) s += sin(i * 1e-9); x ~ normal(s, 1); }", nullptr);
  const ModelHandle model(program, nullptr);
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    fermiac_model_stop(model.get(), 1);
  });
  const double theta = 0;
  double lp = 0;
  ErrorHandle error;
  EXPECT_EQ(fermiac_log_density(model.get(), 0, &theta, 1, &lp, error.out()), FERMIAC_STOPPED);
  stopper.join();
  EXPECT_EQ(fermiac_log_density(model.get(), 0, &theta, 1, &lp, error.out()), FERMIAC_STOPPED);
  EXPECT_EQ(fermiac_unconstrain_json(model.get(), R"({"x": 1})", &lp, 1, error.out()), FERMIAC_STOPPED);
  fermiac_model_stop(model.get(), 0);
  EXPECT_EQ(fermiac_unconstrain_json(model.get(), R"({"x": 1})", &lp, 1, error.out()), FERMIAC_OK);
}

std::size_t resident_bytes() {
  std::ifstream in("/proc/self/statm");
  std::size_t total = 0, resident = 0;
  in >> total >> resident;
  return resident * 4096;
}

// ---------------------------------------------------------------- conditioning

constexpr const char* kLevels = "data { int N; vector[N] y; } parameters { real mu; real<lower=0> tau; }\n"
                                "model { mu ~ normal(0, 5); tau ~ cauchy(0, 5); y ~ normal(mu, tau); }";

double density(const fermiac_model* model, const Numbers& theta) {
  double lp = 0;
  EXPECT_EQ(fermiac_log_density(model, 0, theta.data(), theta.size(), &lp, nullptr), FERMIAC_OK);
  return lp;
}

TEST(Library, AConditionedModelIsAModelOfItsOwn) {
  const ProgramHandle program(kLevels, nullptr);
  ErrorHandle error;
  fermiac_model *prior = nullptr, *fixed = nullptr;
  {
    const ModelHandle model(program, R"({"N": 2, "y": [1, 3]})");
    ASSERT_EQ(fermiac_model_condition(model.get(), R"({"context": "prior"})", &prior, error.out()), FERMIAC_OK);
  }  // the first may go
  EXPECT_EQ(fermiac_unconstrained_size(prior), 2u);
  const double normal = -0.5 * std::log(2 * M_PI) - std::log(5.0);
  EXPECT_NEAR(density(prior, {0, 0}), normal - std::log(M_PI) - std::log(5.0) - std::log1p(0.04), 1e-12);
  // What comes then is added to what there is.
  ASSERT_EQ(fermiac_model_condition(prior, R"({"fix": {"tau": 3}})", &fixed, error.out()), FERMIAC_OK);
  EXPECT_EQ(fermiac_unconstrained_size(fixed), 1u);
  EXPECT_EQ(fermiac_variable_count(fixed), 1u);
  EXPECT_NEAR(density(fixed, {0}), normal, 1e-12);
  fermiac_model_free(prior);
  fermiac_model_free(fixed);
}

TEST(Library, WrongConditioningsAreErrors) {
  const ProgramHandle program(kLevels, nullptr);
  const ModelHandle model(program, R"({"N": 2, "y": [1, 3]})");
  ErrorHandle error;
  fermiac_model* out = nullptr;
  EXPECT_EQ(fermiac_model_condition(model.get(), R"({"weights": {"zeta": 1}})", &out, error.out()), FERMIAC_DATA);
  EXPECT_EQ(out, nullptr);
  EXPECT_NE(error.message().find("no site matches 'zeta'"), std::string::npos) << error.message();
  EXPECT_EQ(fermiac_model_condition(model.get(), "{", &out, error.out()), FERMIAC_DATA);
  EXPECT_EQ(fermiac_model_condition(model.get(), nullptr, &out, error.out()), FERMIAC_ARGUMENT);
  EXPECT_EQ(fermiac_model_condition(nullptr, "{}", &out, error.out()), FERMIAC_ARGUMENT);
}

TEST(Library, NullInDataIsMissing) {
  const ProgramHandle program(kLevels, nullptr);
  const ModelHandle model(program, R"({"N": 2, "y": [1, null]})");
  EXPECT_EQ(model.size(), 3u);
  std::size_t count = 0;
  const char* const* names = fermiac_unconstrained_names(model.get(), &count);
  ASSERT_EQ(count, 3u);
  EXPECT_STREQ(names[2], "y.2");
}

TEST(Library, ComingAndGoingLeavesNothingBehind) {
  const auto once = [] {
    const ProgramHandle program(
        "functions { real f(real x) { return x; } } data { real y; } parameters { real x; } model { x ~ normal(y, 1); }",
        nullptr);
    const ModelHandle model(program, R"({"y": 1})");
    model.gradient({0.5}, FERMIAC_PROPTO);
    model.names(0);
    program.call("f", "[1]");
    const ProgramHandle wrong("parameters { real x }", nullptr);
    const ModelHandle unbound(program, "{}");
    const RunHandle run(model, R"({"method": "sample", "samples": 0, "warmup": 1, "chains": 1})");
  };
#ifdef FERMIAC_SANITIZED
  constexpr int kTimes = 200;
#else
  constexpr int kTimes = 10000;
#endif
  for (int i = 0; i < kTimes / 20; ++i) once();
  [[maybe_unused]] const std::size_t before = resident_bytes();
  for (int i = 0; i < kTimes; ++i) once();
  [[maybe_unused]] const std::size_t after = resident_bytes();
#ifndef FERMIAC_SANITIZED  // which keeps what is freed
  EXPECT_LT(after, before + (std::size_t{1} << 20)) << before << " " << after;
#endif
}

}  // namespace
}  // namespace fermiac::testing
