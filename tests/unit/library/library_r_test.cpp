// What R's package calls: every argument a pointer, texts and errors by an answer, runs on threads of their own.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "bindings/c/fermiac_r.h"
#include "tests/unit/library/library_handles.h"
#include "tests/unit/library/library_model.h"

namespace fermiac::testing {
namespace {

/// What R has around each call.
class LibraryForR : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!answer_) fermiac_answer_create_R(&answer_);
    ASSERT_TRUE(answer_);
    fermiac_program_create_R(kModel, R"({"name": "m"})", &program_, &answer_, &status_, sizes_);
    ASSERT_EQ(status_, FERMIAC_OK) << text();
    fermiac_model_create_R(&program_, kData, "", &model_, &answer_, &status_, sizes_);
    ASSERT_EQ(status_, FERMIAC_OK) << text();
  }
  void TearDown() override {
    fermiac_model_free_R(&model_);
    fermiac_program_free_R(&program_);
  }
  std::string text() {
    std::string out(static_cast<std::size_t>(sizes_[0]), '\0');
    fermiac_answer_text_R(&answer_, &sizes_[0], out.data());
    return out;
  }
  std::string printed() {
    std::string out(static_cast<std::size_t>(sizes_[1]), '\0');
    fermiac_answer_printed_R(&answer_, &sizes_[1], out.data());
    return out;
  }
  /// Kind and message of the error.
  std::string error() {
    EXPECT_NE(status_, FERMIAC_OK);
    const std::string json = text();
    const JsonValue error = parsed(json.c_str());
    EXPECT_EQ(error.find("status")->number, status_) << json;
    return error.find("kind")->string + ": " + error.find("message")->string;
  }
  void start(const char* options) {
    fermiac_background_run_create_R(&model_, options, &run_, &answer_, &status_, sizes_);
  }
  /// Looks in until it is over; what it told of its progress.
  std::string wait() {
    std::string progress;
    for (int over = 0; over == 0;) {
      const double seconds = 0.001;
      fermiac_background_run_wait_R(&run_, &seconds, &over, &answer_, &status_, sizes_);
      if (over == 0 && sizes_[0] > 0) progress = text();
    }
    return progress;
  }

  static inline fermiac_answer* answer_ = nullptr;  // lives as long as the process, like R's
  fermiac_program* program_ = nullptr;
  fermiac_model* model_ = nullptr;
  fermiac_background_run* run_ = nullptr;
  int status_ = -1;
  double sizes_[2] = {-1, -1};
};

TEST_F(LibraryForR, TellsWhatTheLibraryTells) {
  fermiac_version_R(&answer_, &status_, sizes_);
  EXPECT_EQ(text(), fermiac_version());
  fermiac_stan_version_R(&answer_, &status_, sizes_);
  EXPECT_EQ(text(), fermiac_stan_version());
  fermiac_program_name_R(&program_, &answer_, &status_, sizes_);
  EXPECT_EQ(text(), "m");
  fermiac_program_info_json_R(&program_, &answer_, &status_, sizes_);
  EXPECT_EQ(text(), fermiac_program_info_json(program_));
  fermiac_program_functions_json_R(&program_, &answer_, &status_, sizes_);
  EXPECT_EQ(text(), fermiac_program_functions_json(program_));
  fermiac_program_diagnostics_json_R(&program_, &answer_, &status_, sizes_);
  EXPECT_EQ(text(), "[]");
  fermiac_model_info_json_R(&model_, &answer_, &status_, sizes_);
  EXPECT_EQ(text(), fermiac_model_info_json(model_));
  fermiac_unconstrained_names_R(&model_, &answer_, &status_, sizes_);
  EXPECT_EQ(text(), "mu\nsigma\n");
  const int blocks = FERMIAC_GENERATED;
  fermiac_constrained_names_R(&model_, &blocks, &answer_, &status_, sizes_);
  EXPECT_EQ(text(), "mu\nsigma\nnext\n");
  double size = -1;
  fermiac_unconstrained_size_R(&model_, &size);
  EXPECT_EQ(size, 2);
  fermiac_constrained_size_R(&model_, &blocks, &size);
  EXPECT_EQ(size, 3);
}

TEST_F(LibraryForR, ErrorsAreAnswers) {
  fermiac_program* program = nullptr;
  fermiac_program_create_R("model {}", R"({"colour": 1})", &program, &answer_, &status_, sizes_);
  EXPECT_EQ(program, nullptr);
  EXPECT_EQ(error().find("argument: a program has no option 'colour'"), 0u) << error();
  fermiac_program_open_R("/nonexistent/m.stan", "", &program, &answer_, &status_, sizes_);
  EXPECT_EQ(error().find("program: "), 0u) << error();

  fermiac_program_create_R("model { x ~ normal(0, 1); }", "", &program, &answer_, &status_, sizes_);
  ASSERT_TRUE(program);
  EXPECT_EQ(status_, FERMIAC_OK);
  int ok = -1;
  fermiac_program_ok_R(&program, &ok);
  EXPECT_EQ(ok, 0);
  fermiac_program_info_json_R(&program, &answer_, &status_, sizes_);
  EXPECT_EQ(sizes_[0], 0);
  fermiac_program_free_R(&program);

  fermiac_model* model = nullptr;
  fermiac_model_create_R(&program_, R"({"N": 7, "y": [1]})", "", &model, &answer_, &status_, sizes_);
  EXPECT_EQ(error().find("data: "), 0u) << error();
  fermiac_model_open_R(&program_, "/nonexistent/d.json", "", &model, &answer_, &status_, sizes_);
  EXPECT_EQ(error().find("data: "), 0u) << error();
  EXPECT_EQ(model, nullptr);
  fermiac_rng* rng = nullptr;
  for (const double seed : {-1.0, 0.5, 1e300, static_cast<double>(NAN)}) {
    fermiac_rng_create_R(&seed, &rng, &answer_, &status_, sizes_);
    EXPECT_EQ(error(), "argument: the seed must be a whole number from 0 to 2^53 - 1");
    EXPECT_EQ(rng, nullptr);
  }
}

TEST_F(LibraryForR, NullPointersAreErrors) {
  fermiac_program* program = nullptr;
  fermiac_model* model = nullptr;
  fermiac_rng* rng = nullptr;
  const int flags = 0;
  const double n = 2, theta[2] = {0, 0};
  double out[4];
  fermiac_model_create_R(&program, kData, "", &model, &answer_, &status_, sizes_);
  EXPECT_EQ(error(), "argument: program is a null pointer");
  fermiac_call_R(&program, "f", "[]", &rng, &answer_, &status_, sizes_);
  EXPECT_EQ(error(), "argument: program is a null pointer");
  fermiac_log_density_R(&model, &flags, theta, &n, out, &answer_, &status_, sizes_);
  EXPECT_EQ(error(), "argument: model is a null pointer");
  fermiac_background_run_create_R(&model, "", &run_, &answer_, &status_, sizes_);
  EXPECT_EQ(error(), "argument: model is a null pointer");
  EXPECT_EQ(run_, nullptr);
  int over = -1;
  fermiac_background_run_wait_R(&run_, &n, &over, &answer_, &status_, sizes_);
  EXPECT_EQ(error(), "argument: run is a null pointer");
  EXPECT_EQ(over, 0);
  fermiac_background_run_stop_R(&run_);
  fermiac_background_run_table_count_R(&run_, out);
  EXPECT_EQ(out[0], 0);
  fermiac_background_run_size_R(&run_, &n, &flags, &out[0], &out[1]);
  EXPECT_EQ(out[0] + out[1], 0);
  fermiac_background_run_result_json_R(&run_, &answer_, &status_, sizes_);
  EXPECT_EQ(sizes_[0], 0);
  fermiac_background_run_free_R(&run_);
  fermiac_model_free_R(&model);
  fermiac_rng_free_R(&rng);
  fermiac_program_free_R(&program);
}

TEST_F(LibraryForR, ConditionsModels) {
  fermiac_model* conditioned = nullptr;
  fermiac_model_condition_R(&model_, R"({"fix": {"sigma": 2}, "missing": ["y[2]"]})", &conditioned, &answer_, &status_, sizes_);
  ASSERT_EQ(status_, FERMIAC_OK) << text();
  fermiac_unconstrained_names_R(&conditioned, &answer_, &status_, sizes_);
  EXPECT_EQ(text(), "mu\ny.2\n");
  fermiac_model_free_R(&conditioned);
  conditioned = nullptr;
  fermiac_model_condition_R(&model_, R"({"weights": {"zeta": 1}})", &conditioned, &answer_, &status_, sizes_);
  EXPECT_EQ(error().find("data: no site matches 'zeta'"), 0u) << error();
  EXPECT_EQ(conditioned, nullptr);
  fermiac_model_condition_R(&conditioned, "{}", &conditioned, &answer_, &status_, sizes_);
  EXPECT_EQ(error(), "argument: model is a null pointer");
}

TEST_F(LibraryForR, WritesArraysAsJson) {
  const double numbers[6] = {1, 0.1, -3, NAN, INFINITY, 6};
  const auto json = [&](std::vector<double> dims, int reals) {
    const int rank = static_cast<int>(dims.size());
    dims.push_back(0);  // R has an address for a vector of none too
    fermiac_json_array_R(numbers, dims.data(), &rank, &reals, &answer_, &status_, sizes_);
    EXPECT_EQ(status_, FERMIAC_OK);
    return text();
  };
  EXPECT_EQ(json({}, 0), "1");
  EXPECT_EQ(json({}, 1), "1.0");
  EXPECT_EQ(json({6}, 0), R"([1,0.10000000000000001,-3,"NaN","Infinity",6])");
  EXPECT_EQ(json({2, 3}, 0), R"([[1,-3,"Infinity"],[0.10000000000000001,"NaN",6]])");
  EXPECT_EQ(json({1, 3, 2}, 1), R"([[[1.0,"NaN"],[0.10000000000000001,"Infinity"],[-3.0,6.0]]])");
  EXPECT_EQ(json({2, 0}, 0), "[[],[]]");
  EXPECT_EQ(json({0, 2}, 0), "[]");
  const double na[2] = {std::bit_cast<double>(0x7ff00000000007a2u), std::bit_cast<double>(0x7ff80000000007a2u)}, two = 2;
  const int rank = 1, reals = 0, no_rank = -1;
  fermiac_json_array_R(na, &two, &rank, &reals, &answer_, &status_, sizes_);
  EXPECT_EQ(text(), "[null,null]") << "R's NA, as it is and after arithmetic";
  const double no_size = -1;
  fermiac_json_array_R(numbers, &no_size, &no_rank, &reals, &answer_, &status_, sizes_);
  EXPECT_EQ(error(), "argument: rank is negative");
  fermiac_json_array_R(numbers, &no_size, &rank, &reals, &answer_, &status_, sizes_);
  EXPECT_EQ(error(), "argument: dims has a number that is no size");
}

TEST_F(LibraryForR, EvaluatesAsC) {
  const int terms = FERMIAC_PROPTO | FERMIAC_JACOBIAN;
  const double theta[2] = {0.3, -0.2}, n = 2;
  double lp = 0, gradient[2], expected_lp = 0, expected[4], found[4];
  fermiac_log_density_R(&model_, &terms, theta, &n, &lp, &answer_, &status_, sizes_);
  fermiac_gradient(model_, static_cast<unsigned>(terms), theta, 2, &expected_lp, expected, nullptr);
  EXPECT_EQ(lp, expected_lp);
  fermiac_gradient_R(&model_, &terms, theta, &n, &lp, gradient, &answer_, &status_, sizes_);
  EXPECT_EQ(Numbers(gradient, gradient + 2), Numbers(expected, expected + 2));
  fermiac_hessian(model_, static_cast<unsigned>(terms), theta, 2, nullptr, nullptr, expected, nullptr);
  fermiac_hessian_R(&model_, &terms, theta, &n, found, &answer_, &status_, sizes_);
  EXPECT_EQ(Numbers(found, found + 4), Numbers(expected, expected + 4));
  const double vector[2] = {1, 0};
  fermiac_hessian_times_R(&model_, &terms, theta, &n, vector, found, &answer_, &status_, sizes_);
  EXPECT_NEAR(found[1], expected[1], 1e-8);

  const double wrong = 2.5;
  fermiac_log_density_R(&model_, &terms, theta, &wrong, &lp, &answer_, &status_, sizes_);
  EXPECT_EQ(status_, FERMIAC_ARGUMENT);
  const int no_terms = -1;
  fermiac_log_density_R(&model_, &no_terms, theta, &n, &lp, &answer_, &status_, sizes_);
  EXPECT_EQ(status_, FERMIAC_ARGUMENT);
}

TEST_F(LibraryForR, TransformsAsC) {
  const double seed = 5, n = 2, theta[2] = {0.3, -0.2}, m = 3, parameters = 2;
  fermiac_rng* rng = nullptr;
  fermiac_rng_create_R(&seed, &rng, &answer_, &status_, sizes_);
  ASSERT_TRUE(rng);
  const int blocks = FERMIAC_GENERATED;
  double out[3], back[2];
  fermiac_constrain_R(&model_, &blocks, theta, &n, &rng, out, &m, &answer_, &status_, sizes_);
  ASSERT_EQ(status_, FERMIAC_OK) << text();
  EXPECT_EQ(out[0], 0.3);
  EXPECT_EQ(out[1], std::exp(-0.2));
  fermiac_unconstrain_R(&model_, out, &parameters, back, &n, &answer_, &status_, sizes_);
  EXPECT_NEAR(back[1], -0.2, 1e-15);
  fermiac_unconstrain_json_R(&model_, R"({"mu": 2, "sigma": 1})", back, &n, &answer_, &status_, sizes_);
  EXPECT_EQ(Numbers(back, back + 2), (Numbers{2, 0}));
  fermiac_rng_free_R(&rng);
  rng = nullptr;
  fermiac_constrain_R(&model_, &blocks, theta, &n, &rng, out, &m, &answer_, &status_, sizes_);
  EXPECT_EQ(status_, FERMIAC_ARGUMENT);
}

TEST_F(LibraryForR, CallsFunctionsAndKeepsWhatTheyPrint) {
  fermiac_rng* rng = nullptr;
  fermiac_call_R(&program_, "half", "[3]", &rng, &answer_, &status_, sizes_);
  EXPECT_EQ(text(), "1.5");
  EXPECT_EQ(printed(), "half of 3\n");
  fermiac_call_R(&program_, "noise_rng", "[]", &rng, &answer_, &status_, sizes_);
  EXPECT_EQ(sizes_[1], 0);
  EXPECT_NE(error().find("rng"), std::string::npos);
}

TEST_F(LibraryForR, RunsInTheBackgroundWithTheSameDraws) {
  constexpr const char* kOptions =
      R"({"chains": 2, "samples": 50, "warmup": 40, "save_warmup": true, "seed": 3, "refresh": 10, "threads": 1})";
  start(kOptions);
  ASSERT_EQ(status_, FERMIAC_OK) << text();
  wait();
  EXPECT_EQ(status_, FERMIAC_OK) << text();
  const ModelHandle model(ProgramHandle(kModel, R"({"name": "m"})"), kData);
  RunHandle expected(model, kOptions);
  ASSERT_EQ(expected.execute(), FERMIAC_OK) << expected.error();

  double count = 0;
  fermiac_background_run_table_count_R(&run_, &count);
  ASSERT_EQ(count, 2);
  for (double table = 0; table < 2; ++table) {
    const int kept = 0, warmup = 1;
    double rows = 0, columns = 0, before = 0;
    fermiac_background_run_size_R(&run_, &table, &kept, &rows, &columns);
    EXPECT_EQ(rows, 50);
    fermiac_background_run_size_R(&run_, &table, &warmup, &before, &columns);
    EXPECT_EQ(before, 40);
    Numbers found(static_cast<std::size_t>(rows * columns)), by_rows;
    fermiac_background_run_rows_R(&run_, &table, &kept, found.data());
    for (std::size_t r = 0; r < 50; ++r)
      for (std::size_t c = 0; c < static_cast<std::size_t>(columns); ++c) by_rows.push_back(found[c * 50 + r]);
    EXPECT_EQ(by_rows, expected.rows(static_cast<std::size_t>(table)));
  }
  const double table = 0;
  fermiac_background_run_columns_R(&run_, &table, &answer_, &status_, sizes_);
  EXPECT_EQ(text().find("lp__\n"), 0u);
  fermiac_background_run_result_json_R(&run_, &answer_, &status_, sizes_);
  EXPECT_EQ(parsed(text().c_str()).find("status")->string, "done");
  fermiac_background_run_free_R(&run_);
}

TEST_F(LibraryForR, ARunIsStoppedAndKeepsWhatItHas) {
  start(R"({"chains": 1, "samples": 100000000, "warmup": 10, "seed": 3, "refresh": 1, "no-summary": true})");
  ASSERT_EQ(status_, FERMIAC_OK) << text();
  const double table = 0;
  double rows = 0, columns = 0;
  const int kept = 0;
  std::string progress;
  for (int over = 0; progress.find("100000010 0\n") == std::string::npos; progress = text()) {
    const double seconds = 0.01;
    fermiac_background_run_wait_R(&run_, &seconds, &over, &answer_, &status_, sizes_);
    ASSERT_EQ(over, 0) << text();
  }
  EXPECT_EQ(progress.find("0 "), 0u) << progress;
  fermiac_background_run_size_R(&run_, &table, &kept, &rows, &columns);
  EXPECT_EQ(rows, 0) << "before its end";
  fermiac_background_run_stop_R(&run_);
  wait();
  EXPECT_EQ(status_, FERMIAC_STOPPED);
  EXPECT_EQ(error().find("stopped: "), 0u) << error();
  fermiac_background_run_size_R(&run_, &table, &kept, &rows, &columns);
  EXPECT_GT(rows, 0);
  fermiac_background_run_free_R(&run_);
}

TEST_F(LibraryForR, FreeingARunEndsIt) {
  start(R"({"chains": 2, "samples": 100000000, "seed": 3, "no-summary": true})");
  ASSERT_EQ(status_, FERMIAC_OK) << text();
  fermiac_background_run_free_R(&run_);
}

TEST_F(LibraryForR, AMethodThatFailsSaysWhy) {
  fermiac_program* program = nullptr;
  fermiac_model* model = nullptr;
  fermiac_program_create_R("parameters { real x; } model { reject(\"never\"); }", "", &program, &answer_, &status_,
                           sizes_);
  fermiac_model_create_R(&program, "", "", &model, &answer_, &status_, sizes_);
  ASSERT_EQ(status_, FERMIAC_OK) << text();
  std::swap(model, model_);
  start(R"({"seed": 1})");
  wait();
  EXPECT_EQ(status_, FERMIAC_FAILED);
  EXPECT_EQ(error().find("failed: "), 0u);
  EXPECT_NE(error().find("never"), std::string::npos) << error();
  fermiac_background_run_free_R(&run_);
  std::swap(model, model_);
  fermiac_model_free_R(&model);
  fermiac_program_free_R(&program);
}

}  // namespace
}  // namespace fermiac::testing
