// The C ABI of bundles, loaded as clients load them: symbols, values, second derivatives, misuse, threads, memory.
#include <link.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/shared/bundle_library.h"
#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

constexpr const char* kSymbols[] = {"bs_free_error_msg",
                                    "bs_free_error_msg_R",
                                    "bs_log_density",
                                    "bs_log_density_R",
                                    "bs_log_density_gradient",
                                    "bs_log_density_gradient_R",
                                    "bs_log_density_hessian",
                                    "bs_log_density_hessian_R",
                                    "bs_log_density_hessian_vector_product",
                                    "bs_log_density_hessian_vector_product_R",
                                    "bs_major_version",
                                    "bs_minor_version",
                                    "bs_model_construct",
                                    "bs_model_construct_R",
                                    "bs_model_destruct",
                                    "bs_model_destruct_R",
                                    "bs_model_info",
                                    "bs_model_info_R",
                                    "bs_name",
                                    "bs_name_R",
                                    "bs_param_constrain",
                                    "bs_param_constrain_R",
                                    "bs_param_names",
                                    "bs_param_names_R",
                                    "bs_param_num",
                                    "bs_param_num_R",
                                    "bs_param_unc_names",
                                    "bs_param_unc_names_R",
                                    "bs_param_unc_num",
                                    "bs_param_unc_num_R",
                                    "bs_param_unconstrain",
                                    "bs_param_unconstrain_R",
                                    "bs_param_unconstrain_json",
                                    "bs_param_unconstrain_json_R",
                                    "bs_patch_version",
                                    "bs_rng_construct",
                                    "bs_rng_construct_R",
                                    "bs_rng_destruct",
                                    "bs_rng_destruct_R",
                                    "bs_set_print_callback",
                                    "bs_version_R"};

constexpr const char* kConstrained = R"(
data { int<lower=0> N; vector[N] y; }
transformed data { real shift = normal_rng(0, 1); }
parameters { real<lower=0> sigma; ordered[3] o; cov_matrix[4] Omega; array[2] simplex[3] s; tuple(real, vector<lower=1>[2]) t; }
transformed parameters { real mu = sum(o) + t.1; vector[2] w = t.2 * sigma; }
model {
  y ~ normal(mu, sigma); sigma ~ lognormal(0, 1); o ~ normal(0, 2); Omega ~ wishart(5, identity_matrix(4));
  for (k in 1:2) s[k] ~ dirichlet(rep_vector(2, 3));
  t.1 ~ normal(shift, 1); t.2 ~ gamma(2, 1);
}
generated quantities { array[N] real rep = normal_rng(rep_vector(mu, N), sigma); int k = poisson_rng(3); })";
constexpr const char* kConstrainedData = R"({"N": 3, "y": [0.5, -1, 2]})";

constexpr const char* kSimple = R"(
data { int<lower=0> N; } parameters { vector[N] y; } model { target += -0.5 * y' * y; })";

constexpr const char* kThrows = R"(
data { int bad; } transformed data { if (bad == 1) reject("find this text: datafails"); }
parameters { real<lower=0> y; } transformed parameters { real z = y; if (bad == 2) reject("find this text: tpfails"); }
model { y ~ exponential(1); if (bad == 3) reject("find this text: lpfails"); if (bad == 4) fatal_error("find this: fatal"); }
generated quantities { real g = normal_rng(y, 1); if (bad == 5) reject("find this text: gqfails"); })";

constexpr const char* kPrints = R"(
parameters { real theta; } model { theta ~ normal(0, 1); print("Hi from Stan!"); print("theta = ", theta); }
generated quantities { print("Hi from Stan GQ!"); })";

class Capi : public ::testing::Test {
 protected:
  /// The file of a new bundle.
  std::string bundle(const std::string& name, const std::string& text) const {
    const std::string file = folder_.at(name + "_model.so");
    EXPECT_TRUE(capi::append_payload(kTemplate, payload_of(name, text), file));
    return file;
  }
  OwnFolder folder_;
};

Numbers point(std::size_t n) {
  Numbers theta(n);
  for (std::size_t i = 0; i < n; ++i) theta[i] = 0.3 * std::sin(1 + 0.7 * static_cast<double>(i));
  return theta;
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ",") + name;
  return out;
}

// ---------------------------------------------------------------- symbols and values

/// Names that other libraries see, sorted.
std::vector<std::string> exported_symbols(const std::string& file) {
  std::FILE* pipe = popen(("nm -D --defined-only --format=just-symbols " + file).c_str(), "r");
  std::string all;
  for (int c; (c = std::fgetc(pipe)) != EOF;) all += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0);
  std::istringstream lines(all);
  std::vector<std::string> out((std::istream_iterator<std::string>(lines)), {});
  std::ranges::sort(out);
  return out;
}

TEST_F(Capi, HasEverySymbolAndNoOthers) {
  const Library library(bundle("simple", kSimple));
  std::vector<std::string> expected(std::begin(kSymbols), std::end(kSymbols));
  std::ranges::sort(expected);
  EXPECT_EQ(exported_symbols(kTemplate), expected);
  for (const char* name : kSymbols) EXPECT_NE(library.symbol(name), nullptr) << name;
  const std::array<int, 3> version = {*library.at<const int>("bs_major_version"),
                                      *library.at<const int>("bs_minor_version"),
                                      *library.at<const int>("bs_patch_version")};
  EXPECT_EQ(version, (std::array<int, 3>{2, 9, 0}));
}

TEST_F(Capi, SaysWhatItIs) {
  const Library library(bundle("simple", kSimple));
  const BundledModel model(library, R"({"N": 2})");
  EXPECT_EQ(model.name(), "simple_model");
  EXPECT_EQ(
      model.info(),
      "BridgeStan version: 2.9.0\nStan version: 2.39.0\nStan C++ Defines:\n\tSTAN_THREADS=true\n\tSTAN_MPI=false\n"
      "\tSTAN_OPENCL=false\n\tSTAN_NO_RANGE_CHECKS=false\n\tBRIDGESTAN_AD_HESSIAN=false\nStan Compiler Details:\n"
      "\tstanc_version = test 1.0\n\tstancflags = --O0\n");
  capi::Payload unchecked = payload_of("unchecked", kSimple);
  unchecked.no_range_checks = true;
  const std::string file = folder_.at("unchecked_model.so");
  ASSERT_TRUE(capi::append_payload(kTemplate, unchecked, file));
  EXPECT_NE(BundledModel(Library(file), R"({"N": 2})").info().find("\tSTAN_NO_RANGE_CHECKS=true\n"), std::string::npos);
  const BundledModel empty(library, R"({"N": 0})");
  EXPECT_EQ(empty.names(true, true), "");
  EXPECT_EQ(empty.unc_names(), "");
  EXPECT_EQ(empty.unc_num(), 0u);
  const auto d = empty.gradient(true, true, {});
  EXPECT_EQ(d.error, "");
  EXPECT_EQ(d.lp, 0);
}

TEST_F(Capi, DensitiesAreTheInterpreters) {
  const Library library(bundle("constrained", kConstrained));
  const BundledModel model(library, kConstrainedData);
  ASSERT_EQ(model.construct_error(), "");
  const auto direct = load(kConstrained, kConstrainedData);  // whose seed is 1 too
  const auto workspace = direct->workspace();
  ASSERT_EQ(model.unc_num(), direct->unconstrained_size());
  const Numbers theta = point(model.unc_num());
  for (const bool propto : {false, true})
    for (const bool jacobian : {false, true}) {
      double lp = 0;
      Numbers gradient(theta.size());
      ASSERT_TRUE(workspace->log_density_gradient(theta, {propto, jacobian}, &lp, gradient));
      const auto value = model.density(propto, jacobian, theta), both = model.gradient(propto, jacobian, theta);
      EXPECT_EQ(value.error + both.error, "");
      EXPECT_EQ(value.lp, lp);
      EXPECT_EQ(both.lp, lp);
      EXPECT_EQ(both.gradient, gradient);
    }
}

TEST_F(Capi, NamesAndValuesAreTheInterpreters) {
  const Library library(bundle("constrained", kConstrained));
  const BundledModel model(library, kConstrainedData);
  const auto direct = load(kConstrained, kConstrainedData);
  const Numbers theta = point(model.unc_num());
  EXPECT_EQ(model.unc_names(), joined(direct->unconstrained_names()));
  for (const bool tp : {false, true})
    for (const bool gq : {false, true}) {
      EXPECT_EQ(model.names(tp, gq), joined(direct->names(tp, gq)));
      Numbers expected(direct->names(tp, gq).size());
      Rng numbers(7);
      ASSERT_TRUE(direct->workspace()->write_array(theta, tp, gq, numbers, expected));
      const BundledRng rng(library, 7);
      const auto values = model.constrain(tp, gq, theta, gq ? rng.get() : nullptr);
      EXPECT_EQ(values.error, "");
      EXPECT_EQ(values.numbers, expected);
      EXPECT_EQ(model.num(tp, gq), expected.size());
    }
}

TEST_F(Capi, UnconstrainingUndoesConstraining) {
  const Library library(bundle("constrained", kConstrained));
  const BundledModel model(library, kConstrainedData);
  const Numbers theta = point(model.unc_num());
  const auto back = model.unconstrain(model.constrain(false, false, theta).numbers);
  EXPECT_EQ(back.error, "");
  for (std::size_t i = 0; i < theta.size(); ++i) EXPECT_NEAR(back.numbers[i], theta[i], 1e-14) << i;
  const auto json = model.unconstrain_json(R"({"sigma": 1, "o": [1, 2, 3], "t": {"1": 4, "2": [2, 3]},
    "s": [[0.25, 0.25, 0.5], [0.2, 0.3, 0.5]], "Omega": [[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0], [0, 0, 0, 2]]})");
  EXPECT_EQ(json.error, "");
  EXPECT_EQ(Numbers(json.numbers.begin(), json.numbers.begin() + 4), (Numbers{0, 1, 0, 0}));
}

TEST_F(Capi, DataAreTextOrAFile) {
  const Library library(bundle("simple", kSimple));
  const std::string file = folder_.at("data.json");
  std::ofstream(file) << R"({"N": 5})";
  const BundledModel text(library, R"({"N": 5})"), path(library, file.c_str());
  const Numbers theta = {0, 1, 2, 3, 4};
  for (const BundledModel* model : {&text, &path}) {
    const auto d = model->gradient(false, true, theta);
    EXPECT_EQ(d.lp, -15);
    EXPECT_EQ(d.gradient, (Numbers{0, -1, -2, -3, -4}));
  }
  const Library no_data(bundle("none", "parameters { real x; } model { x ~ std_normal(); }"));
  for (const char* none : {static_cast<const char*>(nullptr), "", "{}"})
    EXPECT_EQ(BundledModel(no_data, none).construct_error(), "");
}

TEST_F(Capi, ValuesThatAreNotFiniteAreResults) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const Library library(bundle("simple", kSimple));
  const BundledModel model(library, R"({"N": 2})");
  EXPECT_EQ(model.density(false, true, {kInf, 0}).lp, -kInf);
  for (const auto& d : {model.gradient(false, true, {NAN, 1}), model.hessian({NAN, 1})}) {
    EXPECT_EQ(d.error, "");
    EXPECT_TRUE(std::isnan(d.lp));
    EXPECT_TRUE(std::isnan(d.gradient[0]));
    EXPECT_EQ(d.gradient[1], -1);
  }
  EXPECT_TRUE(std::isnan(model.constrain(false, false, {NAN, 1}).numbers[0]));
}

// ---------------------------------------------------------------- second derivatives

TEST_F(Capi, HessiansOfQuadraticsAreExact) {
  const Library library(bundle("simple", kSimple));
  const BundledModel model(library, R"({"N": 3})");
  for (const Numbers& theta : {Numbers{0, 1, 2}, Numbers{-3, 0.1, 1000}, Numbers{1e-9, 1e9, 0.3}}) {
    const auto d = model.hessian(theta);
    EXPECT_EQ(d.error, "");
    for (std::size_t i = 0; i < 9; ++i) {
      if (i % 4 == 0)
        EXPECT_NEAR(d.hessian[i], -1, 1e-13);
      else
        EXPECT_EQ(d.hessian[i], 0);
    }
    EXPECT_EQ(d.lp, model.density(false, true, theta).lp);
    EXPECT_EQ(d.gradient, model.gradient(false, true, theta).gradient);
  }
}

struct Curve {
  const char* name;
  const char* target;  // of x and y
  Numbers at;
  std::array<double, 3> second;  // xx, xy, yy
};

/// Relative errors of 1e-7 are what clients accept.
TEST_F(Capi, HessiansAreAccurateOnAllScales) {
  const double e = std::exp(1.3), t = std::tanh(0.4), bend = -2 * t * (1 - t * t);
  const Curve curves[] = {
      {"banana",
       "-100 * square(y - square(x)) - square(1 - x)",
       {-1.2, 1},
       {-400 * (3 * 1.44 - 1) - 2, 400 * -1.2, -200}},
      {"exponential", "exp(x) * y", {1.3, 0.7}, {e * 0.7, e, 0}},
      {"bounded", "log(x) + tanh(y)", {1e-3, 0.4}, {-1e6, 0, bend}},
      {"narrow", "-0.5 * square(x / 1e-4) + cos(1e4 * y)", {3e-5, 2e-5}, {-1e8, 0, -1e8 * std::cos(0.2)}},
      {"wide", "-0.5 * square(x / 1e4) + lgamma(y)", {1e5, 2}, {-1e-8, 0, 0.64493406684822643647}},
  };
  for (const Curve& curve : curves) {
    const Library library(
        bundle(curve.name, std::string("parameters { real x; real y; } model { target += ") + curve.target + "; }"));
    const auto d = BundledModel(library).hessian(curve.at);
    EXPECT_EQ(d.error, "");
    const Numbers expected = {curve.second[0], curve.second[1], curve.second[1], curve.second[2]};
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(d.hessian[i], expected[i], 1e-9 * std::fabs(expected[i])) << curve.name << " " << i;
  }
}

TEST_F(Capi, ProductsAreThoseOfTheHessian) {
  const Library library(bundle("constrained", kConstrained));
  const BundledModel model(library, kConstrainedData);
  const std::size_t n = model.unc_num();
  const Numbers theta = point(n);
  Numbers vector(n);
  for (std::size_t i = 0; i < n; ++i) vector[i] = std::cos(static_cast<double>(i)) * (i % 3 == 0 ? 0 : 50);
  const auto h = model.hessian(theta), p = model.product(theta, vector);
  EXPECT_EQ(h.error + p.error, "");
  EXPECT_EQ(p.lp, model.density(false, true, theta).lp);
  for (std::size_t j = 0; j < n; ++j) {
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(h.hessian[i * n + j], h.hessian[j * n + i]);
      sum += h.hessian[i * n + j] * vector[i];
      size += std::fabs(h.hessian[i * n + j] * vector[i]);
    }
    EXPECT_NEAR(p.gradient[j], sum, 1e-9 * (size + 1)) << j;
  }
  EXPECT_EQ(model.product(theta, Numbers(n, 0)).gradient, Numbers(n, 0));
}

// ---------------------------------------------------------------- misuse

TEST_F(Capi, WrongDataAreErrors) {
  const Library library(bundle("constrained", kConstrained));
  const std::string missing = folder_.at("nothing.json");
  const std::pair<std::string, std::string> cases[] = {
      {"{", "data, line 1, column 2"},
      {"[1]", "data"},
      {"{}", "the variable 'N' is missing"},
      {R"({"N": 2.5, "y": []})", "N"},
      {R"({"N": -1, "y": []})", "N is -1, but must be greater than or equal to 0"},
      {R"({"N": 2, "y": [1, "a"]})", "variable 'y', element [2]"},
      {R"({"N": 2, "y": [1]})", "y"},
      {missing, missing},
  };
  for (const auto& [data, part] : cases) {
    const BundledModel model(library, data.c_str());
    EXPECT_EQ(model.get(), nullptr) << data;
    EXPECT_TRUE(model.construct_error().starts_with("construct() failed with exception: ")) << model.construct_error();
    EXPECT_NE(model.construct_error().find(part), std::string::npos) << model.construct_error();
    EXPECT_EQ(FERMIAC_BS(library, model_construct)(data.c_str(), 1, nullptr), nullptr);
  }
}

TEST_F(Capi, WhatTheModelRefusesIsAnError) {
  const Library library(bundle("throws", kThrows));
  const BundledModel data(library, R"({"bad": 1})"), tp(library, R"({"bad": 2})"), lp(library, R"({"bad": 3})"),
      fatal(library, R"({"bad": 4})"), gq(library, R"({"bad": 5})");
  EXPECT_EQ(data.construct_error(),
            "construct() failed with exception: find this text: datafails (in 'throws.stan', line 2, column 51 to "
            "column 87)");
  const BundledRng rng(library, 1);
  const std::string constrain = "param_constrain() failed with exception: find this text: ";
  EXPECT_EQ(tp.constrain(false, false, {0.5}).error, "");
  EXPECT_TRUE(tp.constrain(true, false, {0.5}).error.starts_with(constrain + "tpfails"));
  EXPECT_EQ(gq.constrain(true, false, {0.5}).error, "");
  EXPECT_TRUE(gq.constrain(false, true, {0.5}, rng.get()).error.starts_with(constrain + "gqfails"));
  EXPECT_TRUE(
      lp.density(true, true, {0.5}).error.starts_with("log_density() failed with exception: find this text: lpfails"));
  EXPECT_TRUE(lp.gradient(true, true, {0.5})
                  .error.starts_with("log_density_gradient() failed with exception: find this text: lpfails"));
  EXPECT_TRUE(
      lp.hessian({0.5}).error.starts_with("log_density_hessian() failed with exception: find this text: lpfails"));
  EXPECT_TRUE(
      lp.product({0.5}, {1})
          .error.starts_with("log_density_hessian_vector_product() failed with exception: find this text: lpfails"));
  EXPECT_TRUE(
      fatal.density(true, true, {0.5}).error.starts_with("log_density() failed with exception: find this: fatal"));
  EXPECT_TRUE(gq.unconstrain({-1}).error.starts_with("param_unconstrain() failed with exception: "));
  EXPECT_TRUE(gq.unconstrain_json(R"({"z": 1})").error.starts_with("param_unconstrain_json() failed with exception: "));
  EXPECT_TRUE(gq.unconstrain_json("{").error.starts_with("param_unconstrain_json() failed with exception: "));
  EXPECT_EQ(gq.density(true, true, {0.5}).error, "") << "errors leave nothing behind";
}

TEST_F(Capi, NullPointersAreErrors) {
  const Library library(bundle("throws", kThrows));
  const BundledModel model(library, R"({"bad": 0})");
  EXPECT_EQ(model.constrain(true, true, {0.5}).error,
            "param_constrain() failed with exception: generated quantities need an rng, which is a null pointer");
  EXPECT_EQ(model.unconstrain_json(nullptr).error,
            "param_unconstrain_json() failed with exception: json is a null pointer");
  double lp = 0;
  const auto density = FERMIAC_BS(library, log_density);
  EXPECT_EQ(model.error_of([&](char** e) { return density(model.get(), true, true, nullptr, &lp, e); }),
            "log_density() failed with exception: theta_unc is a null pointer");
  EXPECT_EQ(model.error_of([&](char** e) { return density(nullptr, true, true, &lp, &lp, e); }),
            "log_density() failed with exception: model is a null pointer");
  EXPECT_EQ(model.error_of([&](char** e) { return density(model.get(), true, true, &lp, nullptr, e); }),
            "log_density() failed with exception: lp is a null pointer");
  EXPECT_EQ(density(nullptr, true, true, nullptr, nullptr, nullptr), -1);
  EXPECT_EQ(FERMIAC_BS(library, name)(nullptr), nullptr);
  EXPECT_EQ(FERMIAC_BS(library, param_names)(nullptr, true, true), nullptr);
  EXPECT_EQ(FERMIAC_BS(library, param_num)(nullptr, true, true), -1);
  FERMIAC_BS(library, model_destruct)(nullptr);
  FERMIAC_BS(library, rng_destruct)(nullptr);
  FERMIAC_BS(library, free_error_msg)(nullptr);
}

// ---------------------------------------------------------------- printing and threads

/// What the callback got; pieces end in a bar.
std::string printed;

TEST_F(Capi, PrintsInPiecesToTheCallback) {
  const Library library(bundle("prints", kPrints));
  const BundledModel model(library);
  printed.clear();
  ASSERT_EQ(FERMIAC_BS(library, set_print_callback)(
                [](const char* data, std::size_t n) { printed.append(data, n) += '|'; }, nullptr),
            0);
  EXPECT_EQ(model.density(true, true, {0.1}).error, "");
  EXPECT_EQ(printed, "Hi from Stan!|\n|theta = 0.1|\n|");
  printed.clear();
  EXPECT_EQ(model.density(true, true, {0.2}).error, "");
  EXPECT_EQ(printed, "Hi from Stan!|\n|theta = 0.2|\n|");
  ASSERT_EQ(FERMIAC_BS(library, set_print_callback)(nullptr, nullptr), 0);
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(model.constrain(false, true, {0.1}, BundledRng(library, 1).get()).error, "");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "Hi from Stan GQ!\n");
}

template <class Work>
void on_threads(int count, Work work) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) threads.emplace_back([=] { work(t); });
  for (std::thread& thread : threads) thread.join();
}

/// Not atomic: calls of the callback come one at a time.
int calls = 0;

TEST_F(Capi, ThreadsPrintOneAtATime) {
  const Library library(bundle("prints", kPrints));
  const BundledModel model(library);
  calls = 0;
  FERMIAC_BS(library, set_print_callback)([](const char*, std::size_t) { ++calls; }, nullptr);
  on_threads(10, [&](int t) {
    const BundledRng rng(library, static_cast<unsigned>(t));
    for (int i = 0; i < 25; ++i) EXPECT_EQ(model.constrain(false, true, {0.1}, rng.get()).error, "");
  });
  EXPECT_EQ(calls, 500);
}

TEST_F(Capi, ThreadsShareAModel) {
  const Library library(bundle("constrained", kConstrained));
  const BundledModel model(library, kConstrainedData);
  const Numbers theta = point(model.unc_num());
  const auto alone = model.gradient(true, true, theta);
  const Numbers constrained = model.constrain(true, false, theta).numbers;
  on_threads(10, [&](int t) {
    for (int i = 0; i < 25; ++i) {
      const auto d = model.gradient(true, true, theta);
      EXPECT_EQ(d.lp, alone.lp);
      EXPECT_EQ(d.gradient, alone.gradient);
      EXPECT_EQ(model.constrain(true, false, theta).numbers, constrained);
      EXPECT_EQ(model.names(t % 2 == 0, true).substr(0, 5), "sigma");
      const BundledModel own(library, kConstrainedData);
      EXPECT_EQ(own.gradient(true, true, theta).gradient, alone.gradient);
    }
  });
}

/// More threads than one make no difference but in time; the variable is read by each library for itself.
TEST_F(Capi, LargeOperationsTakeTheThreadsThatWereOffered) {
  const std::string text =
      "functions { real part(array[] real x, int from, int to, real mu) { return normal_lpdf(x | mu, 1); } }\n"
      "data { int N; } transformed data { array[N] real x = linspaced_array(N, -1, 2); vector[N] v = to_vector(x); }\n"
      "parameters { real mu; vector[N] z; } model { target += reduce_sum(part, x, 1000, mu); z ~ normal(mu * v, 1); }";
  std::vector<BundledModel::Density> results;
  for (const char* threads : {"", "1", "3", "-1", "many"}) {
    setenv("STAN_NUM_THREADS", threads, 1);
    const Library library(bundle(std::string("threads") + threads, text));
    const BundledModel model(library, R"({"N": 40000})");
    results.push_back(model.gradient(true, true, point(model.unc_num())));
    on_threads(3, [&](int) {
      EXPECT_EQ(model.gradient(true, true, point(model.unc_num())).gradient, results.back().gradient);
    });
  }
  unsetenv("STAN_NUM_THREADS");
  for (const BundledModel::Density& d : results) {
    EXPECT_EQ(d.error, "");
    EXPECT_EQ(d.lp, results[0].lp);
    EXPECT_EQ(d.gradient, results[0].gradient);
  }
}

// ---------------------------------------------------------------- several libraries, memory, R

TEST_F(Capi, LibrariesKeepApart) {
  const std::string first = bundle("simple", kSimple), copy = folder_.at("copy.so");
  std::filesystem::copy_file(first, copy);
  const Library simple(first, RTLD_GLOBAL), again(copy, RTLD_GLOBAL);
  const BundledModel a(simple, R"({"N": 2})"), b(again, R"({"N": 3})");
  {
    const Library other(bundle("constrained", kConstrained));
    const BundledModel c(other, kConstrainedData);
    EXPECT_EQ(c.name(), "constrained_model");
    FERMIAC_BS(other, set_print_callback)([](const char*, std::size_t) { ADD_FAILURE(); }, nullptr);
  }
  EXPECT_EQ(a.density(true, true, {1, 2}).lp, -2.5);
  EXPECT_EQ(b.density(true, true, {1, 2, 3}).lp, -7);
  EXPECT_NE(simple.symbol("bs_log_density"), again.symbol("bs_log_density"));
}

/// The room for variables of threads at fixed places is short: with one such variable a process loads some seventy
/// libraries and no more.
TEST_F(Capi, VariablesOfThreadsHaveNoFixedPlaces) {
  const Library library(bundle("simple", kSimple));
  for (const ElfW(Dyn)* entry = library.dynamic_section(); entry->d_tag != DT_NULL; ++entry)
    EXPECT_FALSE(entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_STATIC_TLS) != 0);
}

TEST_F(Capi, ModelsLeaveNoMemoryBehind) {
  const Library library(bundle("constrained", kConstrained));
  const Numbers theta = point(BundledModel(library, kConstrainedData).unc_num());
  const auto round = [&] {
    const BundledModel model(library, kConstrainedData), wrong(library, "{}");
    return model.constrain(true, true, theta, BundledRng(library, 1).get()).error + model.unconstrain({-1}).error;
  };
  for (int i = 0; i < 100; ++i) round();
  const std::size_t before = mallinfo2().uordblks;
#if defined(__SANITIZE_ADDRESS__)
  constexpr int kRounds = 500;  // the sanitizer finds by itself what is left behind
#else
  constexpr int kRounds = 10000;
#endif
  for (int i = 0; i < kRounds; ++i) round();
  EXPECT_LT(mallinfo2().uordblks, before + 100000);
}

TEST_F(Capi, ServesR) {
  const Library library(bundle("throws", kThrows));
  std::string data = R"({"bad": 0})";
  char* text = data.data();
  int seed = 3, yes = 1, no = 0, code = -7, number = 0;
  bs_model* model = nullptr;
  char* message = nullptr;
  void* error = nullptr;
  FERMIAC_BS(library, model_construct_R)(&text, &seed, &model, &message, &error);
  ASSERT_NE(model, nullptr);
  const char* name = nullptr;
  FERMIAC_BS(library, param_names_R)(&model, &yes, &no, &name);
  EXPECT_STREQ(name, "y,z");
  FERMIAC_BS(library, param_num_R)(&model, &yes, &yes, &number);
  EXPECT_EQ(number, 3);
  FERMIAC_BS(library, param_unc_num_R)(&model, &number);
  EXPECT_EQ(number, 1);
  const double theta = 0.5;
  double lp = 0, gradient = 0, hessian = 0, values[3] = {};
  FERMIAC_BS(library, log_density_gradient_R)(&model, &no, &yes, &theta, &lp, &gradient, &code, &message, &error);
  EXPECT_EQ(code, 0);
  EXPECT_DOUBLE_EQ(lp, 0.5 - std::exp(0.5));
  EXPECT_DOUBLE_EQ(gradient, 1 - std::exp(0.5));
  FERMIAC_BS(library, log_density_hessian_R)
  (&model, &no, &yes, &theta, &lp, &gradient, &hessian, &code, &message, &error);
  EXPECT_NEAR(hessian, -std::exp(0.5), 1e-10);
  bs_rng* rng = nullptr;
  FERMIAC_BS(library, param_constrain_R)(&model, &yes, &no, &theta, values, &rng, &code, &message, &error);
  EXPECT_EQ(code, 0);
  EXPECT_DOUBLE_EQ(values[1], std::exp(0.5));
  FERMIAC_BS(library, param_constrain_R)(&model, &yes, &yes, &theta, values, &rng, &code, &message, &error);
  EXPECT_EQ(code, -1);
  EXPECT_EQ(static_cast<void*>(message), error);
  EXPECT_NE(std::string(message).find("rng"), std::string::npos);
  FERMIAC_BS(library, free_error_msg_R)(&error);
  FERMIAC_BS(library, rng_construct_R)(&seed, &rng, &message, &error);
  FERMIAC_BS(library, param_constrain_R)(&model, &yes, &yes, &theta, values, &rng, &code, &message, &error);
  EXPECT_EQ(code, 0);
  FERMIAC_BS(library, rng_destruct_R)(&rng);
  FERMIAC_BS(library, model_destruct_R)(&model);
}

// ---------------------------------------------------------------- payloads

TEST_F(Capi, WhatIsCarriedComesBack) {
  capi::Payload payload = payload_of("m", std::string("zero \0 byte", 11));
  payload.include_paths = {"a", "b c"};
  payload.includes = {{"a/x.stan", "text"}, {"b c/y", ""}};
  folder_.write("code", std::string(10000, '\7'));
  const std::string file = folder_.at("m.so"), again = folder_.at("again.so");
  ASSERT_TRUE(capi::append_payload(folder_.at("code"), payload, file));
  const capi::Payload back = capi::read_payload(file);
  EXPECT_EQ(back.name, payload.name);
  EXPECT_EQ(back.path, payload.path);
  EXPECT_EQ(back.text, payload.text);
  EXPECT_EQ(back.include_paths, payload.include_paths);
  EXPECT_EQ(back.includes, payload.includes);
  EXPECT_EQ(back.compiler, payload.compiler);
  EXPECT_EQ(back.flags, payload.flags);
  ASSERT_TRUE(capi::append_payload(file, payload, again));
  EXPECT_TRUE(folder_.read("m.so") == folder_.read("again.so")) << "a new payload takes the place of the old one";
}

/// Of the bytes as a file: what is wrong, or nothing.
std::string problem_of(const std::string& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
  try {
    capi::read_payload(file);
    return {};
  } catch (const InputError& e) {
    return e.what();
  }
}

TEST_F(Capi, DamageIsFoundWhereverItIs) {
  const std::string whole = capi::payload_bytes(payload_of("m", "parameters { real x; }")), file = folder_.at("m");
  const std::string start = "cannot read the model in '" + file + "': ";
  EXPECT_EQ(problem_of(file, whole), "");
  EXPECT_EQ(problem_of(file, "code" + whole), "");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string flipped = whole;
    flipped[i] ^= 4;
    EXPECT_TRUE(problem_of(file, flipped).starts_with(start)) << i;
    EXPECT_TRUE(problem_of(file, whole.substr(0, i)).starts_with(start)) << i;
    EXPECT_TRUE(problem_of(file, whole.substr(i + 1)).starts_with(start)) << i;
  }
}

TEST_F(Capi, DamageIsTold) {
  const std::string code(100, 'c'), file = folder_.at("m");
  const std::string whole = code + capi::payload_bytes(payload_of("m", "parameters { real x; }"));
  const std::string none = "it carries no model, or its end is missing",
                    damaged = "its model is damaged: the checksum is wrong";
  std::string flipped = whole, newer = whole, longer = whole;
  flipped[code.size() + 40] ^= 1;
  newer[whole.size() - 40] = 6;
  longer[whole.size() - 32 + 4] = 1;
  const std::pair<std::string, std::string> cases[] = {
      {code, none},
      {whole.substr(0, whole.size() - 1), none},
      {whole.substr(0, code.size() + 1), none},
      {flipped, damaged},
      {newer, "its format is 6, but this code reads format 5"},
      {longer, "a part of it is missing"},
      {code + whole.substr(code.size() + 8), damaged},
      {whole, ""},
  };
  for (const auto& [bytes, problem] : cases)
    EXPECT_EQ(problem_of(file, bytes), problem.empty() ? "" : "cannot read the model in '" + file + "': " + problem);
}

TEST_F(Capi, DamagedPayloadsAreErrors) {
  const std::string file = bundle("simple", kSimple);
  const auto last_byte = std::filesystem::file_size(file) - 1;
  std::filesystem::resize_file(file, last_byte);
  const Library library(file);
  EXPECT_EQ(BundledModel(library, R"({"N": 1})").construct_error(),
            "construct() failed with exception: cannot read the model in '" + file +
                "': it carries no model, or its end is missing");
}

TEST_F(Capi, TheModelIsThatOfTheFileThatWasLoaded) {
  const std::string file = bundle("simple", kSimple);
  const Library library(file);
  bundle("simple", "parameters { real x; }");
  EXPECT_EQ(BundledModel(library, R"({"N": 2})").unc_num(), 2u);
  std::filesystem::remove(file);
  EXPECT_EQ(BundledModel(library, R"({"N": 3})").unc_num(), 3u);
}

TEST_F(Capi, ProgramsThatDoNotCompileAreErrors) {
  const Library library(bundle("wrong", "parameters { real x }"));
  const std::string error = BundledModel(library).construct_error();
  EXPECT_TRUE(
      error.starts_with("construct() failed with exception: the program that the file carries does not compile:\n"))
      << error;
  EXPECT_NE(error.find("wrong.stan"), std::string::npos) << error;
}

}  // namespace
}  // namespace fermiac::testing
