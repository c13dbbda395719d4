// Random programs under a conditioning: what is true of every program. FERMIAC_FUZZ_PROGRAMS and FERMIAC_FUZZ_SEED make the run longer or another
// one:
//   FERMIAC_FUZZ_PROGRAMS=2000 FERMIAC_FUZZ_SEED=5000 build/tests/conditioning_fuzz_test
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "interp/model/conditioned_model.h"
#include "interp/queries/explain_text.h"
#include "interp/queries/predict.h"
#include "interp/queries/simulator.h"
#include "interp/queries/trace.h"
#include "support/base/rng.h"
#include "tests/fuzz/programs/generate.h"
#include "tests/shared/setting.h"

namespace fermiac::fuzz {
namespace {

using testing::setting;

using namespace interp;

bool close(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
}

const PrintSink kSilent = [](std::string_view) {};

struct Counts {
  int programs = 0, points = 0, elements = 0, contexts = 0, gradients = 0, drawn = 0;
};

class Program {
 public:
  Program(std::uint64_t seed, Counts& counts) : seed_(seed), program_(generate_program(seed, static_cast<int>(setting("FERMIAC_FUZZ_LONG", kLongPrograms)))), counts_(counts) {
    compiled_ = compile_model({.text = program_.source, .path = "m.stan", .name = "m"});
  }

  void check() {
    ASSERT_TRUE(*compiled_) << "seed " << seed_;
    const DataSource data = DataSource::parse(program_.data, "data");
    const InterpModel plain(compiled_, data, 0, kSilent);
    const auto same = condition(*compiled_, data, {}, 0, kSilent);
    if (plain.compiled().code->reads_target) return;  // its density is no sum of its statements
    ++counts_.programs;
    Rng rng(seed_);
    std::vector<double> theta(plain.unconstrained_size());
    for (int k = 0; k < 2; ++k) {
      for (double& x : theta) x = 2 * rng.uniform() - 1;
      double lp = 0;
      if (!plain.log_density_plain(theta, true, &lp)) continue;
      ++counts_.points;
      sites(*same, theta, lp);
      explained(*same, theta, lp);
      weights(data, theta);
      contexts(data, theta);
    }
    drawn(data);
  }

 private:
  void expect_close(double found, double expected, const char* what) const {
    EXPECT_TRUE(close(found, expected)) << what << ": " << found << " and " << expected << ", seed " << seed_ << "\n" << program_.source << program_.data;
  }

  /// The program with its sites opened is the program; elements sum to sites, sites to target.
  void sites(const ConditionedModel& model, const std::vector<double>& theta, double lp) {
    double opened = 0;
    ASSERT_TRUE(model.log_density_plain(theta, true, &opened)) << "seed " << seed_;
    expect_close(opened, lp, "sites opened");
    ASSERT_TRUE(trace(model, theta, true, false, &traced_)) << "seed " << seed_;
    expect_close(traced_.target, lp, "elements");
    double sum = 0;
    for (const TracedElement& e : traced_.elements) sum += e.lp;
    expect_close(sum, traced_.prior + traced_.likelihood + traced_.unclear, "roles");
    counts_.elements += static_cast<int>(traced_.elements.size());
  }

  /// Lines add up to target, and their gradients to the model's own, where it is finite.
  void explained(const ConditionedModel& model, const std::vector<double>& theta, double lp) {
    constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
    const Explanation x = explain(model, theta, {kAll, kAll});
    ASSERT_TRUE(x.status) << x.status.message << ", seed " << seed_ << "\n" << program_.source;
    expect_close(x.target.lp, lp, "lines");
    EXPECT_FALSE(explanation_text(model, x).empty() || explanation_json(model, theta, x).empty());
    std::vector<double> own(theta.size()), lines(theta.size());
    double ignored = 0;
    if (!model.workspace()->log_density_gradient(theta, {.propto = false, .jacobian = true}, &ignored, own)) return;
    for (const ExplainedLine& line : x.lines)
      for (const Pull& pull : line.share.pulls) lines[pull.parameter] += pull.gradient;
    double largest = 1;
    for (const double g : own) largest = std::max(largest, std::abs(g));
    if (!std::isfinite(x.target.norm) || !(largest < 1e100) || x.lines.empty()) return;
    ++counts_.gradients;
    for (std::size_t i = 0; i < own.size(); ++i)
      EXPECT_NEAR(lines[i], own[i], 1e-8 * largest) << "parameter " << i << ", seed " << seed_ << "\n" << program_.source << program_.data;
  }

  double lp_under(const DataSource& data, const std::vector<double>& theta, const Conditioning& conditioning) {
    const auto model = condition(*compiled_, data, conditioning, 0, kSilent);
    double lp = 0;
    const EvalStatus status = model->log_density_plain(theta, true, &lp);
    if (status.kind == EvalStatus::Kind::Fatal) throw InputError(status.message);  // a statement that no point met before
    EXPECT_TRUE(status) << "seed " << seed_;
    return lp;
  }

  /// Weight 0 is the program without its statements, weight 1 the program, and in between the density is linear.
  void weights(const DataSource& data, const std::vector<double>& theta) {
    const double all = traced_.prior + traced_.likelihood + traced_.unclear;
    for (const double weight : {0.0, 0.25, 1.0}) {
      if (weight > 0 && !std::isfinite(all)) continue;
      Conditioning conditioning;
      conditioning.weights = {{"*", {weight}, false}};
      expect_close(lp_under(data, theta, conditioning), traced_.jacobian + (weight > 0 ? weight * all : 0), "weights");
    }
  }

  void contexts(const DataSource& data, const std::vector<double>& theta) {
    for (const ContextKind kind : {ContextKind::Prior, ContextKind::Likelihood}) {
      Conditioning conditioning;
      conditioning.context = kind;
      try {
        expect_close(lp_under(data, theta, conditioning), traced_.jacobian + (kind == ContextKind::Prior ? traced_.prior : traced_.likelihood), "context");
        ++counts_.contexts;
      } catch (const InputError& e) {  // roles that are not clear
        EXPECT_NE(std::string(e.what()).find("this term names no distribution"), std::string::npos) << e.what() << ", seed " << seed_;
      }
    }
  }

  /// What the program draws has a density, which is the joint one: that of the trace under the drawn data at the drawn parameters.
  void drawn(const DataSource& data) {
    try {
      Predictor predictor(*compiled_, data, Conditioning(), {.prior = true, .what = {}, .only_ask = false});
      PredictorSimulator simulator(predictor);
      std::unique_ptr<Model> given;
      inference::Vec truth;
      const Status result = simulator.simulate(seed_, 0, &given, &truth);
      ASSERT_TRUE(result) << result.message << ", seed " << seed_ << "\n" << program_.source;
      const auto& model = static_cast<const ConditionedModel&>(*given);
      double lp = 0;
      ASSERT_TRUE(model.log_density_plain(truth, false, &lp)) << "seed " << seed_ << "\n" << program_.source;
      ASSERT_TRUE(trace(model, truth, false, false, &traced_)) << "seed " << seed_;
      expect_close(traced_.target, lp, "drawn");
      EXPECT_TRUE(std::isfinite(lp)) << lp << ", seed " << seed_ << "\n" << program_.source << program_.data;
      ++counts_.drawn;
    } catch (const InputError& e) {  // it cannot be drawn from, or hardly any draw keeps to its constraints
      EXPECT_STRNE(e.what(), "");
    }
  }

  std::uint64_t seed_;
  GeneratedProgram program_;
  Counts& counts_;
  std::shared_ptr<const CompiledModel> compiled_;
  Trace traced_;
};

TEST(ConditioningFuzz, ElementsSumToTargetAndContextsAddUp) {
  Counts counts;
  const std::uint64_t first = setting("FERMIAC_FUZZ_SEED", 1), count = setting("FERMIAC_FUZZ_PROGRAMS", 200);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    try {
      Program(seed, counts).check();
    } catch (const std::exception& e) {
      ADD_FAILURE() << e.what() << ", seed " << seed;
    }
  }
  EXPECT_GT(counts.programs, static_cast<int>(count / 2));
  EXPECT_GT(counts.points, static_cast<int>(count / 4));
  EXPECT_GT(counts.elements, 0);
  EXPECT_GT(counts.gradients, static_cast<int>(count / 8));
  EXPECT_GT(counts.drawn, static_cast<int>(count / 100));
  std::printf("%d programs, %d points, %d elements, %d contexts, %d gradients, %d drawn\n", counts.programs, counts.points, counts.elements, counts.contexts,
              counts.gradients, counts.drawn);
}

}  // namespace
}  // namespace fermiac::fuzz
