// What holds after a fault (docs/phases/inference.md has the table): full disks, limits, signals at random instants, streams
// that are closed. FERMIAC_FAULTS sets the number of random instants of each kind, FERMIAC_FAULTS_SEED the seed.
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "inference/output/csv.h"
#include "tests/shared/child_process.h"
#include "tests/shared/own_folder.h"
#include "tests/shared/programs.h"
#include "tests/shared/setting.h"

namespace fermiac {
namespace {

using testing::setting;

namespace fs = std::filesystem;
using testing::Child;
using testing::ChildEnd;
using testing::Words;
using testing::kFermiac;
using testing::kStanc;

constexpr const char* kModel = R"(parameters { real mu; real<lower=0> sigma; vector[5] z; }
model { mu ~ normal(0, 1); sigma ~ exponential(1); z ~ normal(mu, sigma + 0.5); }
generated quantities { real y = normal_rng(mu, sigma); }
)";
constexpr std::size_t kSamples = 400;
#ifdef FERMIAC_SANITIZED
constexpr double kListens = 1.5;  // seconds after which the program has started, on a machine that has other things to do
#else
constexpr double kListens = 0.3;
#endif

std::uint64_t instants() { return setting("FERMIAC_FAULTS", 6); }
std::uint64_t seed() { return setting("FERMIAC_FAULTS_SEED", 20260101); }

class Faults : public testing::InOwnFolder {
 protected:
  void SetUp() override {
    write("m.stan", kModel);
    write("points.json", "[[0,0,0,0,0,0,0],[1,1,1,1,1,1,1]]");
  }

  static ChildEnd run(Child c) { return testing::run_child(c); }
  Words sample(const std::string& out, Words more = {}) const {
    Words words = {kFermiac, "sample", at("m.stan"), "--seed", "1", "--chains", "2", "--threads", "2", "--warmup", "200",
                   "--refresh", "0", "--no-summary", "--output", at(out)};
    if (std::ranges::find(more, "--samples") == more.end()) words.insert(words.end(), {"--samples", std::to_string(kSamples)});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Words method(const std::string& name, const std::string& out, Words more = {}) const {
    Words words = {kFermiac, name, at("m.stan"), "--seed", "1", "--overwrite", "--output", at(out)};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  /// A finished run, and a mode.
  void prepare_draws() {
    ASSERT_EQ(run({.command = sample("done")}).status, 0);
    ASSERT_EQ(run({.command = method("optimize", "done", {"--jacobian"})}).status, 0);
  }
  Words draws() const { return {at("done/m_1.csv"), at("done/m_2.csv")}; }
  /// Every command that writes to standard output.
  std::vector<Words> talkers() const {
    return {{kFermiac, "eval", "1 + 1"},
            {kFermiac, "--version"},
            {kFermiac, "--help"},
            {kFermiac, "sample", "--help"},
            {kFermiac, "functions"},
            {kFermiac, "functions", "--signatures"},
            {kFermiac, "functions", "--coverage", "--only", "log1p_exp"},
            {kFermiac, "log-prob", at("m.stan"), "--at", at("points.json")},
            {kFermiac, "bench", at("m.stan"), "--seconds", "0.01"},
            {kFermiac, "bench", at("m.stan"), "--dump-tape"},
            {kFermiac, "check-model", at("m.stan")},
            {kFermiac, "bundle", at("m.stan"), "-o", at("loud.so")},
            {kFermiac, "summary", draws()[0], draws()[1]},
            {kFermiac, "check-draws", draws()[0], draws()[1]},
            sample("loud", {"--overwrite"}),
            method("optimize", "loud"),
            method("pathfinder", "loud"),
            method("laplace", "loud", {"--mode", at("done/m_optimize.csv")}),
            method("variational", "loud"),
            method("generate-quantities", "loud", {"--fitted", draws()[0]}),
            method("diagnose", "loud"),
            {kStanc, "--version"},
            {kStanc, "--help"},
            {kStanc, "--info", at("m.stan")},
            {kStanc, "--auto-format", at("m.stan")},
            {kStanc, "--debug-mir", at("m.stan")},
            {kStanc, "--debug-generate-inits", at("m.stan")},
            {kStanc, "--dump-stan-math-signatures"},
            {kStanc, "--dump-stan-math-distributions"}};
  }

  /// Files of a run that did not end well: every one has whole rows, or the run was killed too early to write it. Returns
  /// the number of rows.
  std::size_t expect_whole_rows(const std::string& out, bool killed, std::size_t* cut) const {
    std::size_t rows = 0, files = 0;
    *cut = 0;
    if (!fs::exists(at(out))) return 0;
    bool is_recorded = false;
    for (const auto& entry : fs::directory_iterator(at(out))) {
      const std::string name = entry.path().filename().string();
      if (name.ends_with("_run.json")) {  // for fermiac resume
        is_recorded = true;
        continue;
      }
      ++files;
      if (entry.path().extension() == ".state" || (killed && entry.path().extension() == ".new")) continue;
      if (entry.path().extension() != ".csv") {
        ADD_FAILURE() << "a file nobody asked for: " << entry.path();
        continue;
      }
      inference::CsvDraws draws;
      const Status read = inference::read_csv(entry.path().string(), &draws);
      if (killed && !read) {
        ++*cut;
        EXPECT_NE(read.message.find(entry.path().filename().string()), std::string::npos) << read.message;
        continue;
      }
      EXPECT_TRUE(read) << read.message;
      EXPECT_TRUE(killed || draws.rows > 0) << "a header without rows: " << entry.path();
      EXPECT_TRUE(killed || !draws.truncated) << entry.path();
      rows += draws.rows;
      *cut += draws.what_is_missing().empty() ? 0 : 1;
    }
    EXPECT_TRUE(killed || files > 0 || !is_recorded) << "a record of a run that left nothing: " << out;
    return rows;
  }
  /// With which the program can just be started.
  rlim_t smallest_address_space() const {
    rlim_t bytes = rlim_t{1} << 24;
    while (run({.command = {kFermiac, "--version"}, .memory = bytes}).status != 0) bytes += rlim_t{1} << 20;
    return bytes;
  }
};

bool speaks_of_memory(const std::string& message) {
  for (const char* part : {"memory", "thread", "Cannot allocate"})
    if (message.find(part) != std::string::npos) return true;
  return false;
}

void expect(const Child& c, const ChildEnd& e, int status, const Words& parts) {
  EXPECT_FALSE(e.hung) << describe(c, e);
  EXPECT_EQ(e.status, status) << describe(c, e);
  for (const std::string& part : parts) EXPECT_NE(e.err.find(part), std::string::npos) << "'" << part << "' in\n" << describe(c, e);
}

// ---------------------------------------------------------------- standard streams

TEST_F(Faults, StandardOutputOnAFullDevice) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  prepare_draws();
  for (const Words& words : talkers()) {
    const Child c{.command = words, .output = "/dev/full"};
    expect(c, run(c), 1, {"cannot write standard output: No space left on device"});
  }
  write("script", "1 + 1\n:help\n");
  const Child repl{.command = {kFermiac, "repl"}, .input = at("script"), .output = "/dev/full"};
  expect(repl, run(repl), 1, {"cannot write standard output"});
}

TEST_F(Faults, ClosedStreams) {
  prepare_draws();
  for (const Words& words : talkers()) {
    const Child no_output{.command = words, .close_output = true};
    expect(no_output, run(no_output), 1, {"cannot write standard output: Bad file descriptor"});
  }
  for (const Words& words : talkers()) {
    const Child silent{.command = words, .close_input = true, .close_errors = true};
    const ChildEnd e = run(silent);
    EXPECT_EQ(e.status, 0) << describe(silent, e);
    EXPECT_FALSE(e.out.empty()) << describe(silent, e);
  }
  // Messages must not end up in a file that got the number of a closed stream.
  const Child bare{.command = sample("bare"), .close_input = true, .close_output = true, .close_errors = true};
  EXPECT_EQ(run(bare).status, 1);
  std::size_t cut = 0;
  EXPECT_EQ(expect_whole_rows("bare", false, &cut), 2 * kSamples);
  EXPECT_EQ(cut, 0U);
  const Child points{.command = {kFermiac, "log-prob", at("m.stan"), "--at", "-"}, .close_input = true};
  expect(points, run(points), 1, {"cannot read standard input: Bad file descriptor"});
}

TEST_F(Faults, AReaderThatGoesAway) {
  for (const Words& words : {Words{kFermiac, "functions", "--signatures"}, Words{kFermiac, "eval", "while (1) print(1);"},
                             Words{kStanc, "--dump-stan-math-signatures"}}) {
    const Child c{.command = words, .read_at_most = 10};
    const ChildEnd e = run(c);
    expect(c, e, 1, {});
    EXPECT_EQ(e.err, "") << describe(c, e);
  }
  write("loud.stan", "parameters { real x; }\nmodel { x ~ normal(0, 1); }\n"
                                       "generated quantities { for (i in 1:100) print(\"a line that fills the pipe before long\", i); }\n");
  const Child c{.command = {kFermiac, "sample", at("loud.stan"), "--seed", "1", "--chains", "1", "--samples", std::to_string(kSamples),
                            "--refresh", "0", "--output", at("loud")},
                .read_at_most = 10};
  const ChildEnd e = run(c);
  EXPECT_EQ(e.status, 1) << describe(c, e);
  std::size_t cut = 0;
  EXPECT_EQ(expect_whole_rows("loud", false, &cut), kSamples) << "the files are complete all the same";
}

// ---------------------------------------------------------------- files

TEST_F(Faults, FilesThatMayNotGrow) {
  std::mt19937_64 random(seed());
  for (std::uint64_t k = 0; k < instants(); ++k) {
    const std::string out = "size" + std::to_string(k);
    const Child c{.command = sample(out), .file_size = random() % 60000};
    const ChildEnd e = run(c);
    std::size_t cut = 0;
    const std::size_t rows = expect_whole_rows(out, false, &cut);
    if (e.status == 0) {
      EXPECT_EQ(rows, 2 * kSamples) << describe(c, e);
    } else {
      expect(c, e, 1, {"cannot write '" + at(out), "File too large"});
      EXPECT_LE(rows, 2 * kSamples) << describe(c, e);  // perhaps only the times at the end are missing
    }
    fs::remove_all(at(out));
  }
}

TEST_F(Faults, FilesOfOtherMethodsThatMayNotGrow) {
  prepare_draws();
  std::mt19937_64 random(seed());
  const std::pair<const char*, Words> methods[] = {{"optimize", {"--save-iterations"}},
                                                   {"pathfinder", {"--save-single-paths"}},
                                                   {"laplace", {"--mode", at("done/m_optimize.csv")}},
                                                   {"variational", {}},
                                                   {"generate-quantities", {"--fitted", draws()[0]}},
                                                   {"diagnose", {}}};
  for (const auto& [name, more] : methods)
    for (const rlim_t bytes : {rlim_t{0}, rlim_t{100}, static_cast<rlim_t>(random() % 5000)}) {
      const std::string out = std::string(name) + std::to_string(bytes);
      const Child c{.command = method(name, out, more), .file_size = bytes};
      const ChildEnd e = run(c);
      if (e.status != 0) expect(c, e, 1, {"cannot write '", "File too large"});
      EXPECT_TRUE(e.status == 1 || bytes > 100) << describe(c, e);
      std::size_t cut = 0;
      if (std::string_view(name) != "diagnose") expect_whole_rows(out, false, &cut);
    }
}

TEST_F(Faults, ADiskThatIsFull) {
  const std::string disk = at("disk");
  fs::create_directories(disk);
  std::mt19937_64 random(seed());
  for (std::uint64_t k = 0; k < instants(); ++k) {
    const std::string size = "size=" + std::to_string(4096 * (1 + random() % 20));
    if (mount("none", disk.c_str(), "tmpfs", 0, size.c_str()) != 0) GTEST_SKIP() << "mounting is not allowed here";
    const Child c{.command = sample("disk/out")};
    const ChildEnd e = run(c);
    std::size_t cut = 0;
    const std::size_t rows = expect_whole_rows("disk/out", false, &cut);
    if (e.status != 0) expect(c, e, 1, {"No space left on device"});
    EXPECT_TRUE(e.status != 0 || rows == 2 * kSamples) << size << describe(c, e);
    umount(disk.c_str());
  }
}

/// Writing to the first page of a process is an I/O error.
TEST_F(Faults, AFileWhoseDeviceFails) {
  prepare_draws();
  const char* device = "/proc/self/mem";
  if (!fs::exists(device)) GTEST_SKIP() << "no " << device << " here";
  const std::pair<Words, const char*> commands[] = {
      {sample("bad", {"--overwrite"}), "m_1.csv"},
      {method("optimize", "bad"), "m_optimize.csv"},
      {method("generate-quantities", "bad", {"--fitted", draws()[0]}), "m_generate_1.csv"}};
  for (const auto& [words, file] : commands) {
    fs::remove_all(at("bad"));
    fs::create_directories(at("bad"));
    fs::create_symlink(device, at("bad") + "/" + file);
    const Child c{.command = words};
    expect(c, run(c), 1, {file, "Input/output error"});
  }
}

TEST_F(Faults, SettingsAndMetricsAreWholeOrNot) {
  for (const char* what : {"--save-metric", "--save-config"}) {
    const Child c{.command = sample("json", {what, "--sig-figs", "18"}), .file_size = 40};
    expect(c, run(c), 1, {"cannot write '"});
    EXPECT_FALSE(fs::exists(at("json"))) << what;
  }
}

TEST_F(Faults, FormattingInPlaceKeepsTheProgram) {
  const std::string before = read("m.stan");
  for (const rlim_t bytes : {0, 20, 100}) {
    const Child c{.command = {kStanc, "--auto-format", at("m.stan"), "-o", at("m.stan")}, .file_size = bytes};
    expect(c, run(c), 1, {"m.stan", "File too large"});
    EXPECT_EQ(read("m.stan"), before);
  }
  const Child fresh{.command = {kStanc, "--auto-format", at("m.stan"), "-o", at("new.stan")}, .file_size = 20};
  expect(fresh, run(fresh), 1, {"new.stan"});
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder_.path())) files += entry.path().filename() != "m.stan";
  EXPECT_EQ(files, 1U) << "something is left besides points.json";
  const Child good{.command = {kStanc, "--auto-format", at("m.stan"), "-o", at("m.stan")}};
  EXPECT_EQ(run(good).status, 0);
  EXPECT_NE(read("m.stan"), before);
}

TEST_F(Faults, NothingThatWasAskedForIsLeftOut) {
  const Child info{.command = {kStanc, at("m.stan"), "-o", at("m.hpp"), "--info"}};
  expect(info, run(info), 1, {"nothing was written to file '" + at("m.hpp") + "'"});
  const Child plain{.command = {kStanc, at("m.stan")}};
  expect(plain, run(plain), 0, {});
  EXPECT_NE(read("m.hpp").find("class m_model final"), std::string::npos);
  const Child nowhere{.command = {kStanc, at("m.stan"), "-o", at("none/m.hpp")}};
  expect(nowhere, run(nowhere), 1, {"Error writing to file '" + at("none/m.hpp") + "'"});
}

TEST_F(Faults, AFileInPlaceOfTheFolder) {
  write("out", "mine");
  const Child c{.command = sample("out")};
  expect(c, run(c), 1, {"cannot create", at("out")});
  const Child below{.command = sample("out/below")};
  expect(below, run(below), 1, {"cannot create the folder '" + at("out/below")});
  EXPECT_EQ(read("out"), "mine");
}

// ---------------------------------------------------------------- signals

TEST_F(Faults, KilledAtAnyInstant) {
  std::mt19937_64 random(seed());
  for (std::uint64_t k = 0; k < instants(); ++k) {
    const std::string out = "kill" + std::to_string(k);
    const double when = 1.5 * static_cast<double>(random() % 1000) / 1000;
    const Child c{.command = sample(out, {"--samples", "100000000", "--thin", "100"}), .signals = {{SIGKILL, when}}};
    const ChildEnd e = run(c);
    EXPECT_EQ(e.status, 128 + SIGKILL) << describe(c, e);
    std::size_t cut = 0;
    expect_whole_rows(out, true, &cut);
    if (!fs::exists(at(out) + "/m_1.csv") || !fs::exists(at(out) + "/m_2.csv")) continue;
    EXPECT_EQ(cut, 2U) << describe(c, e);
    const Child check{.command = {kFermiac, "check-draws", at(out) + "/m_1.csv", at(out) + "/m_2.csv"}};
    const ChildEnd checked = run(check);
    EXPECT_EQ(checked.out.find("problems found."), std::string::npos) << describe(check, checked);
    EXPECT_TRUE(checked.status == 1 || checked.out.find("is cut short: ") != std::string::npos) << describe(check, checked);
    const Child summary{.command = {kFermiac, "summary", at(out) + "/m_1.csv", at(out) + "/m_2.csv"}};
    const ChildEnd table = run(summary);
    EXPECT_TRUE(table.status == 1 || table.err.find("of 1000000 draws") != std::string::npos) << describe(summary, table);
    fs::remove_all(at(out));
  }
}

TEST_F(Faults, AskedToEndAtAnyInstant) {
  std::mt19937_64 random(seed());
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    for (std::uint64_t k = 0; k < (instants() + 1) / 2; ++k) {
      const std::string out = "ask" + std::to_string(signal) + "_" + std::to_string(k);
      const double when = 0.02 + 0.7 * static_cast<double>(random() % 1000) / 1000;
      const Child c{.command = sample(out, {"--samples", "100000000"}), .signals = {{signal, when}}};
      const ChildEnd e = run(c);
      std::size_t cut = 0;
      const std::size_t rows = expect_whole_rows(out, false, &cut);
      if (e.status == 128 + signal) {  // before it could listen
        EXPECT_EQ(rows, 0U) << describe(c, e);
        continue;
      }
      expect(c, e, 1, {"interrupted"});
      EXPECT_LT(e.seconds - when, 3) << describe(c, e);
      const std::string told = rows > 0 ? "interrupted: the draws so far (" + std::to_string(rows) + ") are in" : "there are no draws yet";
      EXPECT_NE(e.err.find(told), std::string::npos) << describe(c, e);
      EXPECT_TRUE(rows > 0 || !fs::exists(at(out))) << "an empty folder is left\n" << describe(c, e);
      fs::remove_all(at(out));
    }
}

/// Rosenbrock's valley in many dimensions, at some milliseconds an evaluation.
constexpr const char* kFarOptimum = R"(parameters { vector[40] z; }
model {
  real s = 0;
  for (i in 1:100000) s += cos(z[1] + i);
  target += 1e-9 * s;
  for (i in 1:39) target += -100 * square(z[i + 1] - square(z[i])) - square(1 - z[i]);
}
)";

/// All methods with results, made to last.
std::vector<std::pair<std::string, Words>> lasting_methods(const std::string& mode, const std::string& fitted) {
  return {{"optimize", {"--init", "0", "--save-iterations"}},
          {"pathfinder", {"--draws", "100000", "--num-paths", "1000", "--save-single-paths"}},
          {"laplace", {"--mode", mode, "--draws", "100000000"}},
          {"variational", {"--draws", "100000000"}},
          {"generate-quantities", {"--fitted", fitted}},
          {"diagnose", {}}};
}

TEST_F(Faults, OtherMethodsAskedToEndAtAnyInstant) {
  prepare_draws();
  write("far.stan", kFarOptimum);
  std::mt19937_64 random(seed());
  for (const auto& [name, more] : lasting_methods(at("done/m_optimize.csv"), draws()[0]))
    for (const int signal : {SIGINT, SIGTERM, SIGKILL})
      for (std::uint64_t k = 0; k < (instants() + 5) / 6; ++k) {
        const double when = 0.02 + 0.5 * static_cast<double>(random() % 1000) / 1000;
        Child c{.command = method(name, "ask_" + name, more), .signals = {{signal, when}}};
        if (name == "optimize") c.command[2] = at("far.stan");
        const ChildEnd e = run(c);
        EXPECT_FALSE(e.hung) << describe(c, e);
        EXPECT_TRUE(e.status == 0 || e.status == 1 || e.status == 128 + signal) << describe(c, e);
        EXPECT_TRUE(e.status != 1 || e.err.find("interrupted") != std::string::npos) << describe(c, e);
        EXPECT_LT(e.seconds - when, 3) << describe(c, e);
        std::size_t cut = 0;
        if (name != "diagnose") expect_whole_rows("ask_" + name, signal == SIGKILL, &cut);
        fs::remove_all(at("ask_" + name));
      }
}

TEST_F(Faults, SignalsOfBrokenPipesAndFullFilesAreOfNoConsequence) {
  const Child c{.command = sample("calm", {"--samples", "60000"}), .signals = {{SIGPIPE, kListens}, {SIGXFSZ, kListens + 0.05}, {SIGPIPE, kListens + 0.1}}};
  expect(c, run(c), 0, {});
  std::size_t cut = 0;
  EXPECT_EQ(expect_whole_rows("calm", false, &cut), 120000U);
}

/// From too little to load the program (which the system says) to enough.
TEST_F(Faults, MemoryThatTheSystemLimits) {
#ifdef FERMIAC_SANITIZED
  GTEST_SKIP() << "the sanitizer takes terabytes of addresses";
#endif
  prepare_draws();
  std::mt19937_64 random(seed());
  const rlim_t least = smallest_address_space();
  for (std::uint64_t k = 0; k < 2 * instants(); ++k) {
    const std::string out = "memory" + std::to_string(k);
    const Words commands[] = {sample(out), method("optimize", out), method("generate-quantities", out, {"--fitted", draws()[0]}),
                              {kFermiac, "eval", "sum(rep_matrix(1, 2000, 2000))"},
                              {kFermiac, "summary", draws()[0], draws()[1]}};
    const Child c{.command = commands[k % std::size(commands)], .memory = least + (random() % 256 << 18)};
    const ChildEnd e = run(c);
    EXPECT_TRUE(e.status == 0 || e.status == 1) << *c.memory << describe(c, e);
    EXPECT_TRUE(e.status != 1 || speaks_of_memory(e.err)) << *c.memory << describe(c, e);
    std::size_t cut = 0;
    if (k % std::size(commands) < 3) expect_whole_rows(out, e.status == 1, &cut);
    fs::remove_all(at(out));
  }
}

/// Compiling takes many small pieces: wherever memory runs out, it is said.
TEST_F(Faults, MemoryThatRunsOutWhileTheProgramIsCompiled) {
#ifdef FERMIAC_SANITIZED
  GTEST_SKIP() << "the sanitizer takes terabytes of addresses";
#endif
  std::mt19937_64 random(seed());
  const rlim_t least = smallest_address_space();
  for (std::uint64_t k = 0; k < 20 * instants(); ++k) {
    const rlim_t pages = 6144 + random() % 6144;
    const Child c{.command = sample("steps", {"--overwrite", "--samples", "10"}), .memory = least + pages * 4096};
    const ChildEnd e = run(c);
    EXPECT_TRUE(e.status == 0 || e.status == 1) << *c.memory << describe(c, e);
  }
}

TEST_F(Faults, ASecondSignalEnds) {
  write("stuck.stan", "parameters { real x; }\nmodel { x ~ normal(0, 1); }\ngenerated quantities { real y = x; }\n");
  for (double after = 0.8; !fs::exists(at("second")); after *= 2) {  // on a slow machine the first signals may come before the program listens
    ASSERT_LT(after, 30);
    const Child c{.command = sample("second", {"--samples", "100000000"}), .signals = {{SIGINT, after}, {SIGTERM, after + 0.01}}, .patience = 60};
    const ChildEnd together = run(c);
    if (fs::exists(at("second"))) expect(c, together, 1, {"interrupted"});  // two at once are one: a terminal that closes sends several
  }
}

TEST_F(Faults, CommandsWithoutResultsEndWithinASecond) {
  write("data.stan", "transformed data { int k = 1; while (k > 0) k = k % 7 + 1; }\n");
  write("endless.stan", "functions { real f(real x) { int k = 1; while (k > 0) k = k % 7 + 1; return x; } }\n"
                                          "parameters { real x; }\nmodel { target += f(x); }\n");
  write("point.json", "[[0.5]]");
  const Words commands[] = {{kFermiac, "eval", "while (1) {}"},
                            {kFermiac, "log-prob", at("endless.stan"), "--at", at("point.json")},
                            {kFermiac, "bench", at("endless.stan")},
                            {kFermiac, "bench", at("m.stan"), "--seconds", "100"},
                            {kFermiac, "check-model", at("endless.stan")},
                            {kFermiac, "functions", "--coverage"},
                            {kFermiac, "sample", at("data.stan"), "--output", at("none")},
                            {kFermiac, "optimize", at("data.stan"), "--output", at("none")}};
  for (Words words : commands) {
    const Child c{.command = words, .signals = {{SIGINT, kListens}}};
    const ChildEnd e = run(c);
    expect(c, e, 1, {words[1] == "eval" ? "Interrupted" : "interrupted"});
    EXPECT_LT(e.seconds, kListens + 2) << describe(c, e);  // one, and a machine that has other things to do
    if (words[1] == "functions") continue;
    words.insert(words.end(), {"--timeout", "0.3"});
    if (words[1] == "eval") std::swap(words[2], words[3]), std::swap(words[3], words[4]);
    const Child limited{.command = words};
    const ChildEnd l = run(limited);
    expect(limited, l, 1, {"ime limit of 0.3 s reached"});
    EXPECT_LT(l.seconds, 0.3 + 2) << describe(limited, l);
  }
  EXPECT_FALSE(fs::exists(at("none")));
}

TEST_F(Faults, TimeLimitsKeepWhatThereIs) {
  prepare_draws();
  const Child c{.command = sample("limit", {"--samples", "100000000", "--timeout", "1.5"})};
  const ChildEnd e = run(c);
  expect(c, e, 1, {"time limit of 1.5 s reached: the draws so far ("});
  std::size_t cut = 0;
  EXPECT_GT(expect_whole_rows("limit", false, &cut), 0U);
  EXPECT_EQ(cut, 2U);
  const std::pair<const char*, Words> methods[] = {{"laplace", {"--mode", at("done/m_optimize.csv"), "--draws", "100000000"}},
                                                   {"variational", {"--draws", "100000000"}},
                                                   {"optimize", {"--init-alpha", "1e-300", "--tol-obj", "0", "--tol-grad", "0", "--tol-rel-obj",
                                                                 "0", "--tol-rel-grad", "0", "--tol-param", "0"}}};
  for (const auto& [name, more] : methods) {
    Child m{.command = method(name, name, more)};
    m.command.insert(m.command.end(), {"--timeout", "0.5"});
    const ChildEnd end = run(m);
    EXPECT_FALSE(end.hung) << describe(m, end);
    if (std::string_view(name) != "optimize") expect(m, end, 1, {"time limit of 0.5 s reached"});
    expect_whole_rows(name, false, &cut);
  }
}

// ---------------------------------------------------------------- the program says no

TEST_F(Faults, AFatalErrorInGeneratedQuantities) {
  prepare_draws();
  std::string text = kModel;
  text.insert(text.rfind('}'), "if (mu > 0.8) fatal_error(\"no more\"); ");
  write("m.stan", text);
  const Child c{.command = sample("fatal")};
  const ChildEnd e = run(c);
  expect(c, e, 1, {"no more", "line 3, column"});
  std::size_t cut = 0;
  EXPECT_GT(expect_whole_rows("fatal", false, &cut), 0U);
  EXPECT_GT(cut, 0U);
  const std::pair<const char*, Words> methods[] = {{"laplace", {"--mode", at("done/m_optimize.csv")}},
                                                   {"pathfinder", {}},
                                                   {"variational", {}},
                                                   {"generate-quantities", {"--fitted", draws()[0]}}};
  for (const auto& [name, more] : methods) {
    const Child m{.command = method(name, std::string("f_") + name, more)};
    expect(m, run(m), 1, {"no more", "line 3, column"});
    expect_whole_rows(std::string("f_") + name, false, &cut);
  }
  text.replace(text.find("0.8"), 3, "-99");
  write("m.stan", text);
  const Child m{.command = method("optimize", "f_optimize")};
  expect(m, run(m), 1, {"no more", "line 3, column"});
  EXPECT_EQ(expect_whole_rows("f_optimize", false, &cut), 1U) << "the optimum is there all the same";
}

}  // namespace
}  // namespace fermiac
