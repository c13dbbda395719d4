// `fermiac resume`: a run that was killed at any instant, and again while it went on, leaves in the end what it would have left
// anyway, bit for bit; a finished run takes more draws; what does not fit is refused. FERMIAC_KILLS=200 kills as often.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "tests/shared/programs.h"
#include "tests/shared/run_files.h"
#include "tests/shared/runs_programs.h"

namespace fermiac {
namespace {

namespace fs = std::filesystem;
using testing::Child;
using testing::ChildEnd;
using testing::Words;
using testing::kFermiac;
using testing::text_of;
using testing::timeless;

constexpr std::uint64_t kSeed = 20261123;

std::size_t kills() {
  const char* wish = std::getenv("FERMIAC_KILLS");
  return wish ? std::strtoul(wish, nullptr, 10) : 12;
}

/// A program, and options that go other ways through the sampler.
struct Model {
  const char *name, *program;
  Words options;
};
const Model kModels[] = {
    {"funnel", "parameters { real v; vector[9] x; } model { v ~ normal(0, 3); x ~ normal(0, exp(v / 2)); }\n"
               "generated quantities { real y = normal_rng(x[1], 1); }\n", {"--chains", "3"}},
    {"wide", "parameters { vector[150] x; } model { for (i in 1:150) x[i] ~ normal(i, 1 + i / 10.0); x[1] ~ normal(x[2], 0.1); }\n",
     {"--chains", "2", "--thin", "3", "--save-metric"}},
    {"windows", "parameters { real<lower=0> s; simplex[4] p; } model { s ~ gamma(2, 1); p ~ dirichlet(rep_vector(s + 1, 4)); if (s > 9) reject(\"far\"); }\n",
     {"--chains", "2", "--metric", "dense_e", "--save-warmup", "--stepsize-jitter", "0.3", "--init", "2"}},
    {"neck", "parameters { real v; vector[4] x; } model { v ~ normal(0, 3); x ~ normal(0, exp(v / 2)); }\n",
     {"--chains", "2", "--sampler", "walnuts", "--max-energy-error", "0.5"}},
    {"rounds", "parameters { real mu; vector[4] x; } model { mu ~ normal(0, 1); x ~ normal(mu, 0.2); }\n", {"--chains", "3", "--target-ess", "1500"}},
    {"equal", "parameters { vector[3] x; } model { x ~ normal(0, [1, 2, 3]); }\n",
     {"--chains", "2", "--sampler", "static", "--int-time", "3", "--metric", "diag_e"}},
    {"island", "parameters { real x; } model { target += log_mix(0.999999999, normal_lpdf(x | 0, 1), normal_lpdf(x | 40, 0.5)); }\n",
     {"--chains", "4", "--init", "60", "--metric", "diag_e", "--max-restarts", "3"}},
    {"blocks", "parameters { real m; vector[3] x; real<lower=0> s; real y; } model { m ~ normal(0, 1); s ~ gamma(2, 1); x ~ normal(m, s); y ~ normal(x[1], 1); }\n",
     {"--chains", "2", "--block", "m: slice", "--block", "x: nuts", "--block", "s: rwm", "--block", "y: hmc(time=1)", "--save-warmup"}},
    {"two", "parameters { real x; real y; } model { y ~ normal(0, 1); target += log_mix(0.999999999, normal_lpdf(x | y, 1), normal_lpdf(x | 40, 0.5)); }\n",
     {"--chains", "4", "--init", "60", "--block", "x: slice", "--block", "y: nuts", "--max-restarts", "3"}},
    {"paths", "parameters { real a; vector[6] c; real<lower=0> s; } transformed parameters { real off = 0; for (j in 1:6) if (c[j] > 0) for (k in 1:j) off += 0.01 * k * c[j]; }\n"
              "model { for (n in 1:40) target += normal_lpdf(0.1 * n | a + 0.1 * n * off, s); a ~ normal(0, 1); c ~ normal(0, 1); s ~ exponential(1); }\n"
              "generated quantities { real m = 0; for (j in 1:6) { if (c[j] > 0) m += exp(c[j] * a); else m -= c[j]; } real y = normal_rng(m, s); }\n",
     {"--chains", "3", "--sig-figs", "17"}},
    {"fails", "parameters { real x; vector[3] z; } model { int k = 0; while (k < square(x) && k < 12) { k += 1; target += -0.1 * square(z[1 + k % 3]); }\n"
              "for (n in 1:8) { real m = x; for (i in 1:3) m += z[i] > 0 ? log(z[i] + 1e-3) : sqrt(-z[i]); if (m > 0.1 * n) target += normal_lpdf(0.1 * n | m, m + 1); else target += normal_lpdf(0.1 * n | m, 4 - m); }\n"
              "x ~ normal(0, 2); z ~ normal(0, 1); }\n", {"--chains", "2", "--sig-figs", "17", "--init", "0.1"}},
    {"choices", "parameters { vector[8] x; real c; } model { for (n in 1:60) { if (n * 0.1 > c + 3) target += normal_lpdf(n * 0.01 | x[1], 1); else target += -0.1 * square(x[2]); }\n"
                "for (j in 1:8) { vector[5] r = rep_vector(x[j], 5); if (x[j] > 0.2 * j) r *= 2; target += normal_lpdf(r | 0, 1); } c ~ normal(0, 1); }\n",
     {"--chains", "2", "--sig-figs", "17", "--save-warmup", "--block", "c: slice", "--block", "x: nuts"}},
    {"settles", "parameters { vector[5] x; } model { x ~ normal(0, 1); x[2:5] ~ normal(x[1:4], 0.3); }\n", {"--chains", "2", "--warmup", "auto", "--save-warmup"}},
};

class CliResume : public testing::RunsPrograms {
 protected:
  void SetUp() override {
    for (const Model& m : kModels) write(std::string(m.name) + ".stan", m.program);
  }

  Words sample(const Model& m, const std::string& out, const Words& more = {}) const {
    Words words = {kFermiac, "sample", at(std::string(m.name) + ".stan"), "--seed", "9", "--refresh", "0", "--no-summary", "--threads", "2", "--output", at(out)};
    words.insert(words.end(), m.options.begin(), m.options.end());
    words.insert(words.end(), more.begin(), more.end());
    if (std::ranges::find(m.options, "--warmup") == m.options.end()) words.insert(words.end(), {"--warmup", "300"});
    const bool has_number = std::ranges::find(more, "--samples") != more.end() || std::ranges::find(m.options, "--target-ess") != m.options.end();
    if (!has_number) words.insert(words.end(), {"--samples", "700"});
    return words;
  }
  Words resume(const std::string& out, const Words& more = {}) const {
    Words words = {kFermiac, "resume", at(out)};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  void same_draws(const std::string& a, const std::string& b) const {
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(at(a))) {
      const std::string name = entry.path().filename().string();
      ++files;
      if (name.ends_with(".state") || name.ends_with("_run.json")) continue;  // times, folders
      const std::string other = at(b) + "/" + name;
      const bool same = name.ends_with(".csv") ? timeless(entry.path()) == timeless(other) : text_of(entry.path()) == text_of(other);
      EXPECT_TRUE(same) << b << " " << name;
    }
    EXPECT_GE(files, 5u);
    for (const auto& entry : fs::directory_iterator(at(b))) EXPECT_NE(entry.path().extension(), ".new") << entry.path();
  }
  bool left_a_run(const std::string& out) const { return left(out, "_run.json"); }
  bool left(const std::string& out, const char* ending) const {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(at(out), none))
      if (entry.path().string().ends_with(ending)) return true;
    return false;
  }
};

/// Kills the run and its continuations, up to four times in a row.
TEST_F(CliResume, AfterKillsAtRandomInstants) {
  std::mt19937_64 random(kSeed);
  std::size_t killed = 0;
  for (const Model& m : kModels) {
    const std::string reference = std::string(m.name) + "_whole";
    const double seconds = std::max(0.05, runs(sample(m, reference)).seconds);
    for (std::size_t k = 0; k < (kills() + 2) / 3; ++k) {
      const std::string out = m.name + std::string("_killed_") + std::to_string(k);
      const char* const every = k % 3 == 0 ? "0" : k % 3 == 1 ? "0.01" : "0.05";
      ChildEnd e;
      for (int again = 0; again < 4 && (again == 0 || e.status == 128 + SIGKILL); ++again) {
        const Words words = left_a_run(out) ? resume(out) : sample(m, out, {"--checkpoint-interval", every, "--overwrite"});
        const double when = std::uniform_real_distribution<double>(0.01, 1.3 * seconds)(random);
        e = testing::run_child({.command = words, .signals = {{SIGKILL, when}}, .patience = 120});
        ASSERT_TRUE(e.status == 0 || e.status == 128 + SIGKILL) << e.status << e.out << e.err;
        killed += e.status != 0 ? 1 : 0;
      }
      if (e.status != 0) runs(left_a_run(out) ? resume(out) : sample(m, out, {"--overwrite"}));
      same_draws(reference, out);
      if (HasFailure()) return;
      fs::remove_all(at(out));
    }
  }
  std::printf("%zu kills\n", killed);
  EXPECT_GE(killed, kills() / 3);
}

TEST_F(CliResume, AFinishedRunTakesMoreDraws) {
  for (const Model& m : kModels) {
    const std::string name = m.name;
    if (name == "rounds") continue;  // which have as many as it takes
    runs(sample(m, name + "_long", {"--samples", "1900"}));
    runs(sample(m, name + "_short"));
    runs(resume(name + "_short", {"--samples", "1900"}));
    same_draws(name + "_long", name + "_short");
    const ChildEnd e = runs(resume(name + "_short"));  // nothing is left to do, and nothing changes
    same_draws(name + "_long", name + "_short");
    EXPECT_NE(e.out.find("Draws are in '" + at(name + "_short") + "'."), std::string::npos) << e.out;
    refuses(resume(name + "_short", {"--samples", "800"}), "samples is 800, but chain 1 has 1900 already");
  }
}

TEST_F(CliResume, AFinishedRunInRoundsStaysAsItIs) {
  const Model& m = kModels[4];
  runs(sample(m, "whole"));
  runs(sample(m, "again"));
  const ChildEnd e = runs(resume("again"));
  same_draws("whole", "again");
  EXPECT_NE(e.err.find("effective draws of every quantity after"), std::string::npos) << e.err;
  refuses(resume("again", {"--samples", "5000"}), "samples says how many draws there are to be, --target-ess that there are to be as many as it takes");
  same_draws("whole", "again");
}

TEST_F(CliResume, BlocksOfIntsGoOn) {
  write("coins.stan", "data { int N; array[N] int<lower=0, upper=20> y; } parameters { real<lower=0, upper=1> p; } model { y ~ binomial(20, p); }\n");
  write("coins.json", R"({"N": 5, "y": [3, null, 7, null, 12]})");
  const Model coins = {"coins", "", {"--chains", "2", "--data", at("coins.json"), "--block", "y[2]: enumerate", "--block", "y[4]: walk(step=2)", "--block", "p: nuts"}};
  runs(sample(coins, "long", {"--samples", "500"}));
  runs(sample(coins, "short", {"--samples", "200"}));
  runs(resume("short", {"--samples", "500"}));
  same_draws("long", "short");
}

TEST_F(CliResume, BlocksDrawInRounds) {
  Model m = *std::ranges::find(kModels, std::string_view("blocks"), &Model::name);
  m.options.insert(m.options.end(), {"--target-ess", "200"});
  runs(sample(m, "whole"));
  runs(sample(m, "again"));
  runs(resume("again"));
  same_draws("whole", "again");
}

TEST_F(CliResume, AfterAnInterruption) {
  const Model& m = kModels[1];
  runs(sample(m, "whole", {"--samples", "20000"}));
  // On a slow machine the first one may come before all files, on a fast one after the last draw.
  double after = 0.3;
  for (int attempts = 0; !fs::exists(at("stopped")); ++attempts) {
    ASSERT_LT(attempts, 20);
    const ChildEnd e = testing::run_child({.command = sample(m, "stopped", {"--samples", "20000", "--checkpoint-interval", "0.02"}), .signals = {{SIGINT, after}}, .patience = 60});
    if (e.status == 0) fs::remove_all(at("stopped"));
    if (e.status != 0 && fs::exists(at("stopped"))) {
      ASSERT_NE(e.err.find("interrupted: "), std::string::npos) << e.err;
    }
    if (e.status != 0 && left("stopped", ".state")) {
      EXPECT_NE(e.err.find("; fermiac resume '" + at("stopped") + "' goes on"), std::string::npos) << e.err;
    }
    after *= e.status == 0 ? 0.6 : 2;
  }
  runs(resume("stopped"));
  same_draws("whole", "stopped");
}

TEST_F(CliResume, SummaryIsThatOfAllDraws) {
  Words words = sample(kModels[0], "short", {"--samples", "400"});
  std::erase(words, "--no-summary");
  runs(words);
  const ChildEnd e = runs(resume("short", {"--samples", "1000"}));
  const std::string table = testing::run_child({.command = {kFermiac, "summary", at("short")}}).out;
  EXPECT_TRUE(table.size() > 500 && e.out.starts_with(table)) << table << e.out;
}

/// Records once had the arguments of the command in place of options by name, and a third part in the identity of the program.
TEST_F(CliResume, RecordsOfEarlierVersionsAreRead) {
  write("old.stan", "parameters { vector[3] x; } model { x ~ normal(0, [1, 2, 3]); }\n");
  const auto old = [&](const std::string& out, const std::string& samples) {
    return Words{kFermiac, "sample", at("old.stan"), "--seed", "9", "--chains", "2", "--samples", samples, "--warmup", "50", "--refresh", "0", "--no-summary",
                 "--output", at(out), "--stepsize-jitter=0.3"};
  };
  runs(old("long", "90"));
  runs(old("short", "40"));
  const fs::path record = at("short/old_run.json");
  const std::string now = text_of(record);
  std::string identity = now.substr(now.find("\"identity\""));
  identity.insert(identity.find('"', identity.find(": \"", identity.find("the program")) + 3), "-6");
  EXPECT_NE(now.find(R"("seed": "9")"), std::string::npos) << now;
  EXPECT_NE(now.find(R"("no-summary": true)"), std::string::npos) << now;
  EXPECT_NE(now.find(R"("stepsize-jitter": "0.3")"), std::string::npos) << now;
  std::ofstream(record) << R"({"format": "fermiac run 1",
 "folder": ")" << folder_.path().string() << R"(",
 "arguments": ["old.stan", "--seed", "9", "--chains", "2", "--samples", "40", "--warmup", "50", "--refresh", "0", "--no-summary", "--output", "short", "--stepsize-jitter=0.3"],
 "name": "old",
 "seed": "9",
 "samples": "40",
 )" << identity;
  runs(resume("short", {"--samples", "90"}));
  same_draws("long", "short");
  EXPECT_EQ(text_of(record).find("arguments"), std::string::npos);
}

TEST_F(CliResume, RefusesWhatDoesNotFit) {
  const Model& m = kModels[0];
  fs::create_directories(at("empty"));
  refuses(resume("empty"), "has no run to go on with: no file ends in _run.json");
  refuses(resume("nowhere"), "cannot read the folder '" + at("nowhere") + "'");
  runs(sample(m, "out"));
  const std::string program = text_of(at("funnel.stan"));
  std::ofstream(at("funnel.stan")) << program << "// changed\n";
  refuses(resume("out"), "the program is not that of the run");
  std::ofstream(at("funnel.stan")) << program;
  runs(resume("out"));

  const std::string state = at("out/funnel_2.state"), whole = text_of(state);
  std::string damaged = whole;
  damaged[damaged.size() / 2] ^= 1;
  std::ofstream(state, std::ios::binary) << damaged;
  refuses(resume("out"), "'" + state + "' is damaged: its checksum is wrong");
  std::ofstream(state, std::ios::binary) << whole.substr(0, 10);
  refuses(resume("out"), "'" + state + "' is damaged: it is no state of a chain");
  std::ofstream(state, std::ios::binary) << whole;

  const std::string csv = at("out/funnel_2.csv"), rows = text_of(csv);
  std::ofstream(csv, std::ios::binary) << rows.substr(0, rows.size() / 2);
  refuses(resume("out"), "'" + csv + "' is damaged: it is shorter than it was when the state of its chain was saved");
  fs::remove(csv);
  refuses(resume("out"), "'" + csv + "' is not there, but the state of its chain tells of draws in it");

  std::ofstream(at("out/funnel_run.json")) << "{\"format\": \"other\"}";
  refuses(resume("out"), "'" + at("out/funnel_run.json") + "' is damaged: it is no record of a run");
}

TEST_F(CliResume, ARunThatGoesOnIsLeftAlone) {
  ChildEnd first;
  std::thread busy([&] {
    const Words words = sample(kModels[0], "out", {"--samples", "100000000", "--thin", "1000"});
    first = testing::run_child({.command = words, .signals = {{SIGTERM, 2}}, .patience = 60});
  });
  for (int tries = 0; tries < 100 && !left_a_run("out"); ++tries) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  refuses(resume("out"), "another process draws into '" + at("out") + "'");
  busy.join();
  EXPECT_NE(first.err.find("interrupted: the draws so far"), std::string::npos) << first.err;
}

TEST_F(CliResume, OtherOptionsAreNotTaken) {
  runs(sample(kModels[0], "out"));
  const ChildEnd e = runs(resume("out", {"--adapt-delta", "0.9"}), 2);
  EXPECT_NE(e.err.find("resume has no option --adapt-delta"), std::string::npos) << e.err;
}

TEST_F(CliResume, OtherDataAreRefused) {
  std::ofstream(at("d.stan")) << "data { real m; } parameters { real x; } model { x ~ normal(m, 1); }\n";
  std::ofstream(at("d.json")) << "{\"m\": 1}";
  const Model m{"d", "", {"--data", at("d.json")}};
  runs(sample(m, "out"));
  std::ofstream(at("d.json")) << "{\"m\": 2}";
  refuses(resume("out"), "the data is not that of the run");
}

TEST_F(CliResume, AFullDiskLeavesTheLastState) {
  // A limit on the size of files stops states (some 4 KiB for each chain in the warm-up) and not the few rows.
  const Model& m = kModels[1];
  Words words = sample(m, "out", {"--samples", "0", "--checkpoint-interval", "0"});
  const ChildEnd e = testing::run_child({.command = words, .file_size = rlim_t{40000}, .patience = 60});
  EXPECT_NE(e.err.find("; the one before stays"), std::string::npos) << e.err;
  runs(resume("out", {"--samples", "100"}));
  runs(sample(m, "whole", {"--samples", "100"}));
  same_draws("whole", "out");
}

TEST_F(CliResume, ARunThatLeavesNothingLeavesNoRecord) {
  std::ofstream(at("bad.stan")) << "parameters { real x; } model { reject(\"never\"); }\n";
  runs(sample({"bad", "", {}}, "out"), 1);
  EXPECT_FALSE(fs::exists(at("out"))) << "the folder was made for the run";
}

}  // namespace
}  // namespace fermiac
