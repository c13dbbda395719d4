// Runs of libfermiac: the same draws as the methods give, callbacks, stopping, every method, misuse.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "bindings/c/fermiac.h"
#include "inference/methods/sample.h"
#include "inference/output/draw_files.h"
#include "tests/shared/program_runner.h"
#include "tests/unit/library/library_handles.h"
#include "tests/unit/library/library_model.h"

namespace fermiac::testing {
namespace {

class LibraryRun : public ::testing::Test {
 protected:
  ProgramHandle program_{kModel, R"({"name": "m"})"};
  ModelHandle model_{program_, kData};
};

/// What the callbacks of a run were told.
struct Told {
  fermiac_run* run = nullptr;
  std::vector<std::vector<std::string>> columns;
  std::vector<Numbers> rows;  // by table, one row after the other
  std::vector<std::size_t> indices, warmup;
  std::string messages, printed;
  std::vector<unsigned> progress;
  std::size_t calls = 0;
  std::size_t end_after = SIZE_MAX;  // calls of row
  bool inside = false, overlapped = false;

  static Told& of(void* data) { return *static_cast<Told*>(data); }
  template <class T>
  static T& at(std::vector<T>& all, std::size_t i) {
    if (all.size() <= i) all.resize(i + 1);
    return all[i];
  }
  static int on_columns(void* data, std::size_t table, const char* const* names, std::size_t n) {
    at(of(data).columns, table).assign(names, names + n);
    return 0;
  }
  static int on_row(void* data, const fermiac_row* row) {
    Told& told = of(data);
    told.overlapped |= told.inside;
    told.inside = true;
    EXPECT_EQ(row->size, sizeof(fermiac_row));
    Numbers& to = at(told.rows, row->table);
    to.insert(to.end(), row->values, row->values + row->count);
    EXPECT_EQ(at(told.indices, row->table)++, row->index);
    at(told.warmup, row->table) += row->warmup;
    told.inside = false;
    return ++told.calls > told.end_after ? 1 : 0;
  }
  static int on_message(void* data, const char* text) {
    of(data).messages += text;
    return 0;
  }
  static int on_progress(void* data, std::size_t, unsigned done, unsigned, int) {
    of(data).progress.push_back(done);
    return 0;
  }
  static int on_print(void* data, const char* text, std::size_t size) {
    of(data).printed.append(text, size);
    return 0;
  }
  fermiac_run_callbacks callbacks() {
    return {sizeof(fermiac_run_callbacks), this, on_columns, on_row, on_message, on_progress, on_print};
  }
};

TEST_F(LibraryRun, SamplesWhatTheSamplerSamples) {
  Told told;
  const auto callbacks = told.callbacks();
  RunHandle run(
      model_,
      R"({"method": "sample", "chains": 3, "samples": 200, "warmup": 150, "save_warmup": true, "seed": 11, "refresh": 50})",
      &callbacks);
  ASSERT_TRUE(run.get()) << run.error();
  ASSERT_EQ(run.execute(), FERMIAC_OK) << run.error();

  const auto reference = load(kModel, kData);
  inference::SampleOptions options;
  options.chains = 3;
  options.num_samples = 200;
  options.num_warmup = 150;
  options.seed = 11;
  options.save_warmup = true;
  const OwnFolder folder;
  options.output_dir = folder.path().string();
  const inference::SampleRun expected =
      inference::sample(*reference, options, {.out = stdout, .err = std::fopen("/dev/null", "w")});
  ASSERT_TRUE(expected.status);

  ASSERT_EQ(run.tables(), 3u);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_EQ(run.columns(c), expected.chains.names);
    EXPECT_EQ(told.columns[c], expected.chains.names);
    EXPECT_EQ(run.rows(c), expected.chains.rows[c]);
    EXPECT_EQ(told.indices[c], 350u);
    EXPECT_EQ(told.warmup[c], 150u);
    EXPECT_TRUE(std::ranges::equal(std::span(told.rows[c]).last(run.rows(c).size()), run.rows(c)));
  }
  EXPECT_FALSE(told.overlapped);
  EXPECT_EQ(std::ranges::count(told.progress, 350u), 3);
  EXPECT_NE(told.messages.find("Elapsed Time"), std::string::npos);

  const JsonValue result = run.result();
  EXPECT_EQ(result.find("status")->string, "done");
  EXPECT_EQ(result.find("seed")->number, 11);
  EXPECT_EQ(result.find("rows")->items[2].number, 350);
  const JsonValue& mu = result.find("summary")->items[7];
  EXPECT_EQ(mu.find("name")->string, "mu");
  EXPECT_NEAR(mu.find("mean")->number, 1.17, 0.3);
  EXPECT_GT(mu.find("ess_bulk")->number, 50);
  EXPECT_TRUE(result.find("problems"));
}

TEST_F(LibraryRun, WritesFilesOnlyWhereAFolderIsGiven) {
  const OwnFolder folder;
  const std::string here = std::filesystem::current_path();
  std::filesystem::current_path(folder.path().string());
  RunHandle quiet(model_, R"({"chains": 1, "samples": 10, "warmup": 10, "save-metric": true, "save-config": true})");
  EXPECT_EQ(quiet.execute(), FERMIAC_OK) << quiet.error();
  EXPECT_TRUE(std::filesystem::is_empty(folder.path().string()));
  std::filesystem::current_path(here);
  const std::string options = R"({"chains": 2, "samples": 10, "warmup": 10, "refresh": 0, "output": ")" + folder.path().string() + "\"}";
  RunHandle run(model_, options.c_str());
  EXPECT_EQ(run.execute(), FERMIAC_OK) << run.error();
  inference::ChainSet chains;
  ASSERT_TRUE(inference::load_chains({folder.path().string() + "/m_1.csv", folder.path().string() + "/m_2.csv"}, &chains));
  EXPECT_EQ(chains.names, run.columns(0));
  ASSERT_EQ(chains.rows[1].size(), run.rows(1).size());
  EXPECT_NEAR(chains.rows[1][8], run.rows(1)[8], 1e-6 * std::fabs(run.rows(1)[8]));
  RunHandle again(model_, options.c_str());
  EXPECT_EQ(again.execute(), FERMIAC_FAILED);
  EXPECT_NE(again.error().find("exists already"), std::string::npos) << again.error();
}

TEST_F(LibraryRun, KeepsNoRowsWhereNobodyWantsThem) {
  Told told;
  const auto callbacks = told.callbacks();
  RunHandle run(model_, R"({"chains": 1, "samples": 20, "warmup": 20, "keep": false, "no-summary": true, "refresh": 0})",
                &callbacks);
  ASSERT_EQ(run.execute(), FERMIAC_OK);
  EXPECT_TRUE(run.rows(0).empty());
  EXPECT_EQ(told.indices[0], 20u);
  EXPECT_FALSE(run.result().find("summary"));
}

TEST_F(LibraryRun, ACallbackEndsTheRun) {
  Told told;
  told.end_after = 25;
  const auto callbacks = told.callbacks();
  RunHandle run(model_, R"({"chains": 1, "samples": 1000000, "warmup": 50, "seed": 1, "refresh": 0})", &callbacks);
  EXPECT_EQ(run.execute(), FERMIAC_STOPPED);
  EXPECT_EQ(run.error(), "interrupted: there are 26 draws so far");
  EXPECT_EQ(told.calls, 26u);
  EXPECT_EQ(run.rows(0), told.rows[0]);
  EXPECT_EQ(run.result().find("status")->string, "stopped");

  // However many draws it would have made.
  Told more;
  more.end_after = 25;
  const auto more_callbacks = more.callbacks();
  RunHandle huge(model_, R"({"chains": 2, "threads": 1, "samples": 100000000, "warmup": 50, "seed": 1, "no-summary": true})",
                 &more_callbacks);
  ASSERT_EQ(huge.execute(), FERMIAC_STOPPED);
  EXPECT_EQ(huge.rows(0), more.rows[0]);
}

TEST_F(LibraryRun, AnotherThreadEndsTheRun) {
  RunHandle run(model_, R"({"chains": 2, "samples": 100000000, "refresh": 0, "keep": false, "no-summary": true})");
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    fermiac_run_stop(run.get());
  });
  EXPECT_EQ(run.execute(), FERMIAC_STOPPED);
  stopper.join();
}

TEST_F(LibraryRun, AStopReachesALongEvaluation) {
  const ProgramHandle program(
      "parameters { real x; } model { real s = 0; for (i in 1:2000000000) s += sin(i * 1e-9); x ~ normal(s, 1); }", nullptr);
  const ModelHandle model(program, nullptr);
  RunHandle run(model, R"({"chains": 1, "timeout": 0.1})");
  EXPECT_EQ(run.execute(), FERMIAC_STOPPED);
  EXPECT_NE(run.error().find("time limit of 0.1 s reached"), std::string::npos) << run.error();
  RunHandle before(model, nullptr);
  fermiac_run_stop(before.get());
  EXPECT_EQ(before.execute(), FERMIAC_STOPPED);
}

TEST_F(LibraryRun, RunsOfOneModelAtOnceDoNotMeet) {
  std::vector<std::unique_ptr<RunHandle>> runs;
  for (int i = 0; i < 3; ++i)
    runs.push_back(
        std::make_unique<RunHandle>(model_, R"({"chains": 2, "samples": 100, "warmup": 100, "seed": 5, "refresh": 0})"));
  std::vector<std::thread> threads;
  for (auto& run : runs) threads.emplace_back([&run] { EXPECT_EQ(run->execute(), FERMIAC_OK); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& run : runs)
    for (std::size_t c = 0; c < 2; ++c) EXPECT_EQ(run->rows(c), runs[0]->rows(c));
  EXPECT_NE(runs[0]->rows(0), runs[0]->rows(1));
}

TEST_F(LibraryRun, PrintsGoToTheRunsCallback) {
  const ProgramHandle program("parameters { real x; } model { x ~ normal(0, 1); } generated quantities { print(\"drawn\"); }",
                              nullptr);
  const ModelHandle model(program, nullptr);
  Told told;
  const auto callbacks = told.callbacks();
  RunHandle run(model, R"({"chains": 1, "samples": 2, "warmup": 5, "refresh": 0})", &callbacks);
  ASSERT_EQ(run.execute(), FERMIAC_OK) << run.error();
  EXPECT_EQ(told.printed, "drawn\ndrawn\n");
}

// ---------------------------------------------------------------- the other methods

TEST_F(LibraryRun, InitialValues) {
  const char* cases[] = {R"({"mu": 3, "sigma": 2})", R"([{"mu": 3, "sigma": 2}, {"mu": 3, "sigma": 2}])"};
  for (const char* init : cases) {
    const std::string options =
        std::string(R"({"chains": 2, "samples": 1, "warmup": 0, "no-adapt": true, "stepsize": 1e-9, "refresh": 0, "init": )") +
        init + "}";
    RunHandle run(model_, options.c_str());
    ASSERT_EQ(run.execute(), FERMIAC_OK) << run.error();
    EXPECT_NEAR(run.rows(1)[7], 3, 1e-4);
    EXPECT_NEAR(run.rows(1)[8], 2, 1e-4);
  }
  RunHandle zero(model_, R"({"chains": 1, "samples": 1, "warmup": 0, "no-adapt": true, "stepsize": 1e-9, "init": 0})");
  ASSERT_EQ(zero.execute(), FERMIAC_OK) << zero.error();
  EXPECT_NEAR(zero.rows(0)[7], 0, 1e-4);
  RunHandle three(model_, R"({"chains": 2, "init": [{"mu": 1}, {"mu": 1}, {"mu": 1}]})");
  EXPECT_EQ(three.execute(), FERMIAC_FAILED);
  EXPECT_NE(three.error().find("there are 3 initial values, expected one for each of 2 chains"), std::string::npos)
      << three.error();
  RunHandle wrong(model_, R"({"chains": 1, "init": {"mu": "x"}})");
  EXPECT_EQ(wrong.execute(), FERMIAC_FAILED);
  EXPECT_NE(wrong.error().find("variable 'mu'"), std::string::npos) << wrong.error();
}

TEST_F(LibraryRun, Optimizes) {
  Told told;
  const auto callbacks = told.callbacks();
  RunHandle run(model_, R"({"method": "optimize", "seed": 1})", &callbacks);
  ASSERT_EQ(run.execute(), FERMIAC_OK) << run.error();
  EXPECT_EQ(run.columns(0), (std::vector<std::string>{"lp__", "mu", "sigma", "next"}));
  ASSERT_EQ(run.rows(0).size(), 4u);
  EXPECT_NEAR(run.rows(0)[1], 1.14, 0.03);
  EXPECT_NE(told.messages.find("Optimization terminated normally"), std::string::npos);
  EXPECT_EQ(run.result().find("method")->string, "optimize");
}

TEST_F(LibraryRun, ApproximatesAroundTheMode) {
  RunHandle run(model_, R"({"method": "laplace", "mode": {"mu": 1.14, "sigma": 1.3}, "draws": 400, "seed": 1})");
  ASSERT_EQ(run.execute(), FERMIAC_OK) << run.error();
  EXPECT_EQ(run.columns(0)[0], "log_p__");
  const Numbers rows = run.rows(0);
  ASSERT_EQ(rows.size(), 400 * 5u);
  double mean = 0;
  for (std::size_t i = 2; i < rows.size(); i += 5) mean += rows[i] / 400;
  EXPECT_NEAR(mean, 1.14, 0.15);
  RunHandle none(model_, R"({"method": "laplace"})");
  EXPECT_EQ(none.status(), FERMIAC_ARGUMENT);
  EXPECT_EQ(none.error(), "the option 'mode' is needed");
}

TEST_F(LibraryRun, PathfinderAndVariational) {
  RunHandle paths(
      model_, R"({"method": "pathfinder", "num_paths": 2, "draws": 50, "psis_draws": 70, "save-single-paths": true, "seed": 1})");
  ASSERT_EQ(paths.execute(), FERMIAC_OK) << paths.error();
  EXPECT_EQ(paths.tables(), 3u);
  EXPECT_EQ(paths.columns(0)[2], "path__");
  EXPECT_EQ(paths.rows(0).size(), 70 * 6u);
  EXPECT_EQ(paths.rows(2).size(), 50 * 6u);
  EXPECT_EQ(paths.rows(2)[2], 2);
  RunHandle advi(model_, R"({"method": "variational", "draws": 30, "seed": 1, "tol-rel-obj": 0.1})");
  ASSERT_EQ(advi.execute(), FERMIAC_OK) << advi.error();
  EXPECT_EQ(advi.rows(0).size(), 31 * 6u);
}

TEST_F(LibraryRun, GeneratesForDrawsOfFiles) {
  const OwnFolder folder;
  RunHandle run(model_,
                (R"({"chains": 1, "samples": 15, "warmup": 10, "refresh": 0, "output": ")" + folder.path().string() + "\"}").c_str());
  ASSERT_EQ(run.execute(), FERMIAC_OK) << run.error();
  RunHandle generate(model_, (R"({"method": "generate", "fitted": [")" + folder.path().string() + R"(/m_1.csv"], "seed": 2})").c_str());
  ASSERT_EQ(generate.execute(), FERMIAC_OK) << generate.error();
  EXPECT_EQ(generate.columns(0), std::vector<std::string>{"next"});
  EXPECT_EQ(generate.rows(0).size(), 15u);
}

TEST_F(LibraryRun, DiagnosesGradients) {
  Told told;
  const auto callbacks = told.callbacks();
  RunHandle run(model_, R"({"method": "diagnose", "seed": 1})", &callbacks);
  EXPECT_EQ(run.execute(), FERMIAC_OK) << run.error();
  EXPECT_NE(told.messages.find("finite diff"), std::string::npos) << told.messages;
}

// ---------------------------------------------------------------- misuse

TEST_F(LibraryRun, OptionsAreChecked) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"method": "nuts"})",
       "method is \"nuts\", but must be one of sample, optimize, pathfinder, laplace, variational, generate, diagnose"},
      {R"({"chains": 0})", "chains is 0, but must be a whole number from 1 to 10000"},
      {R"({"chains": 2.5})", "chains is 2.5, but must be a whole number"},
      {R"({"adapt-delta": 1})", "adapt-delta is 1, but must be a number above 0 and below 1"},
      {R"({"metric": "diag"})", "metric is \"diag\", but must be low_rank, fisher_diag, diag_e, dense_e or unit_e"},
      {R"({"save-warmup": 1})", "save-warmup is 1, but must be true or false"},
      {R"({"samples": 0, "warmup": 0})", "0 < samples + warmup"},
      {R"({"init": -1})", "'-1' is no radius"},
      {R"({"method": "optimize", "chains": 2})",
       "a run has no option 'chains'; its options are method, keep, timeout, seed, id, init"},
      {R"({"timeout": 0})", "timeout is 0, but must be a number above 0"},
      {R"({"threads": 5000})", "threads is 5000"},
  };
  for (const auto& [options, expected] : cases) {
    const RunHandle run(model_, options);
    EXPECT_EQ(run.get(), nullptr) << options;
    EXPECT_EQ(run.status(), FERMIAC_ARGUMENT);
    EXPECT_NE(run.error().find(expected), std::string::npos) << options << ": " << run.error();
  }
  EXPECT_TRUE(RunHandle(model_, R"({"chains": 2.0, "samples": 1e3, "threads": -1})").get());
}

TEST_F(LibraryRun, IsExecutedOnce) {
  RunHandle run(model_, R"({"chains": 1, "samples": 5, "warmup": 5})");
  EXPECT_EQ(run.tables(), 0u);
  EXPECT_EQ(fermiac_run_result_json(run.get()), nullptr);
  EXPECT_EQ(run.execute(), FERMIAC_OK);
  EXPECT_EQ(run.execute(), FERMIAC_ARGUMENT);
  EXPECT_EQ(run.error(), "a run is executed once");
  EXPECT_EQ(run.tables(), 1u);
  std::size_t rows = 9;
  EXPECT_EQ(fermiac_run_rows(run.get(), 7, &rows, nullptr), nullptr);
  EXPECT_EQ(rows, 0u);
}

TEST_F(LibraryRun, AFailureIsTold) {
  const ProgramHandle program("parameters { real x; } model { reject(\"never\"); }", nullptr);
  const ModelHandle model(program, nullptr);
  Told told;
  const auto callbacks = told.callbacks();
  for (const char* options : {R"({"chains": 1})", R"({"method": "optimize"})", R"({"method": "variational"})"}) {
    RunHandle run(model, options, &callbacks);
    EXPECT_EQ(run.execute(), FERMIAC_FAILED);
    EXPECT_NE(run.error().find("Initialization"), std::string::npos) << run.error();
    EXPECT_NE(run.error().find("never"), std::string::npos) << run.error();
    EXPECT_EQ(run.result().find("status")->string, "failed");
    EXPECT_EQ(run.result().find("message")->string, run.error());
  }
}

TEST_F(LibraryRun, OutlivesItsModel) {
  auto model = std::make_unique<ModelHandle>(program_, kData);
  RunHandle run(*model, R"({"chains": 1, "samples": 5, "warmup": 5})");
  model.reset();
  EXPECT_EQ(run.execute(), FERMIAC_OK);
}

}  // namespace
}  // namespace fermiac::testing
