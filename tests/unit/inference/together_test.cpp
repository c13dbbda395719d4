// Chains and paths that share a thread: each ends as it does alone, whatever happens to the others.
#include "inference/model/together.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "inference/mcmc/chain.h"
#include "inference/model/init.h"
#include "inference/model/lane_group.h"
#include "tests/shared/analytic_models.h"

namespace fermiac::inference {
namespace {

using testing::AnalyticModel;
using testing::AnalyticWorkspace;

/// A model whose points are evaluated together while that pays: not behind `calls` calls.
class LaneModel final : public Model {
 public:
  LaneModel(const AnalyticModel& inner, std::size_t width, std::size_t calls = ~std::size_t{0}) : inner_(inner), width_(width), calls_(calls) {}
  std::string_view name() const override { return inner_.name(); }
  std::size_t unconstrained_size() const override { return inner_.unconstrained_size(); }
  std::vector<std::string> names(bool transformed, bool generated) const override { return inner_.names(transformed, generated); }
  std::vector<std::string> unconstrained_names() const override { return inner_.unconstrained_names(); }
  std::unique_ptr<ModelWorkspace> workspace() const override { return std::make_unique<Workspace>(*this); }
  EvalStatus unconstrain_json(std::string_view json, GivenValues given, std::span<double> theta) const override { return inner_.unconstrain_json(json, given, theta); }
  EvalStatus unconstrain_array(std::span<const double> x, GivenValues given, std::span<double> theta) const override { return inner_.unconstrain_array(x, given, theta); }
  void set_print(PrintSink) override {}
  mutable std::size_t together = 0, most = 0;  // calls, and points of one

 private:
  class Evaluator final : public LaneEvaluator {
   public:
    explicit Evaluator(const LaneModel& model) : model_(model) {}
    std::size_t width() const override { return model_.width_; }
    bool pays(std::size_t points) const override { return points > 1 && model_.together < model_.calls_; }
    void gradients(std::span<const Point> points) override {
      ++model_.together;
      model_.most = std::max(model_.most, points.size());
      for (const Point& p : points) *p.status = p.alone->log_density_gradient(p.theta, {}, p.lp, p.gradient);
    }

   private:
    const LaneModel& model_;
  };
  class Workspace final : public LaneWorkspace {
   public:
    explicit Workspace(const LaneModel& model) : model_(model), inner_(model.inner_) {}
    EvalStatus log_density(std::span<const double> theta, DensityOptions o, double* lp) override { return inner_.log_density(theta, o, lp); }
    EvalStatus log_density_gradient(std::span<const double> theta, DensityOptions o, double* lp, std::span<double> gradient) override {
      return inner_.log_density_gradient(theta, o, lp, gradient);
    }
    EvalStatus write_array(std::span<const double> theta, bool t, bool g, Rng& rng, std::span<double> out) override {
      return inner_.write_array(theta, t, g, rng, out);
    }
    std::unique_ptr<LaneEvaluator> lanes(bool) const override { return std::make_unique<Evaluator>(model_); }

   private:
    const LaneModel& model_;
    AnalyticWorkspace inner_;
  };
  const AnalyticModel& inner_;
  std::size_t width_, calls_;
};

/// What a chain tells, in numbers.
struct Told final : ChainSink {
  void message(std::string_view) override {}
  void adaptation(double stepsize, const Metric&) override { numbers.push_back(stepsize); }
  Status draw(ConstSpan sampler, ConstSpan model, bool) override {
    numbers.insert(numbers.end(), sampler.begin(), sampler.end());
    numbers.insert(numbers.end(), model.begin(), model.end());
    if (fails_at > 0 && ++draws == fails_at) return Status::failed("no room on the disk");
    return {};
  }
  void progress(unsigned, bool) override {}
  Vec numbers;
  std::size_t fails_at = 0, draws = 0;
};

SampleOptions short_run() {
  SampleOptions o;
  o.num_warmup = 200;
  o.num_samples = 100;
  return o;
}

std::string run_chain(const Model& model, unsigned id, Told& told, const std::atomic<bool>* stop = nullptr) {
  const SampleOptions options = short_run();
  Chain chain(model, options, 7, id, stop, told);
  chain.warm_up({.search = id % 2 == 0}, nullptr);
  chain.sample(options.num_samples);
  return chain.outcome().status.message;
}

TEST(Together, ChainsDrawWhatTheyDrawAlone) {
  for (const std::size_t width : {std::size_t{2}, std::size_t{3}, std::size_t{8}}) {
    const AnalyticModel funnel = testing::funnel(4);
    const LaneModel model(funnel, width);
    constexpr std::size_t kChains = 5;
    std::vector<Told> alone(kChains), shared(kChains);
    for (std::size_t c = 0; c < kChains; ++c) EXPECT_EQ(run_chain(model, static_cast<unsigned>(c + 1), alone[c]), "");
    Together together(model, 1, kChains, 0);
    together.run([&](std::size_t c) { EXPECT_EQ(run_chain(together.model(c), static_cast<unsigned>(c + 1), shared[c]), ""); });
    for (std::size_t c = 0; c < kChains; ++c) EXPECT_EQ(shared[c].numbers, alone[c].numbers) << width << " " << c;
    EXPECT_GT(model.together, 100u);
    EXPECT_EQ(model.most, std::min(width, kChains));
  }
}

/// One ends early, one cannot begin, one cannot write.
TEST(Together, ChainsThatEndLeaveTheOthers) {
  const AnalyticModel half("half", 2, [](std::span<const double> q, double* lp, std::span<double> g) {
    *lp = -0.5 * (q[0] * q[0] + q[1] * q[1]);
    g[0] = -q[0], g[1] = -q[1];
    return q[0] > -1.5;
  });
  const LaneModel model(half, 4);
  std::vector<Told> alone(4), shared(4);
  alone[1].fails_at = shared[1].fails_at = 20;
  std::vector<std::string> errors(4);
  for (unsigned c = 0; c < 4; ++c) errors[c] = run_chain(model, c + 1, alone[c]);
  EXPECT_EQ(errors[1], "no room on the disk");
  Together together(model, 1, 4, 0);
  together.run([&](std::size_t c) { EXPECT_EQ(run_chain(together.model(c), static_cast<unsigned>(c + 1), shared[c]), errors[c]); });
  for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(shared[c].numbers, alone[c].numbers) << c;
}

/// From then on each goes its way, to its end.
TEST(Together, WhatDoesNotPayEnds) {
  const AnalyticModel normal = testing::std_normal(3);
  const LaneModel model(normal, 8, 50);
  std::vector<Told> alone(3), shared(3);
  for (unsigned c = 0; c < 3; ++c) run_chain(model, c + 1, alone[c]);
  Together together(model, 1, 3, 0);
  together.run([&](std::size_t c) { run_chain(together.model(c), static_cast<unsigned>(c + 1), shared[c]); });
  for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(shared[c].numbers, alone[c].numbers) << c;
  EXPECT_EQ(model.together, 50u);
}

TEST(Together, TheStopFlagEndsAll) {
  const AnalyticModel normal = testing::std_normal(3);
  const LaneModel model(normal, 8);
  std::atomic<bool> stop{false};
  std::size_t interrupted = 0;
  Together together(model, 1, 4, 0);
  together.run([&](std::size_t c) {
    struct Stops final : ChainSink {
      explicit Stops(std::atomic<bool>& f) : flag(f) {}
      void message(std::string_view) override {}
      void adaptation(double, const Metric&) override {}
      Status draw(ConstSpan, ConstSpan, bool) override { return {}; }
      void progress(unsigned m, bool) override {
        if (m == 50) flag = true;
      }
      std::atomic<bool>& flag;
    } sink(stop);
    const SampleOptions options = short_run();
    Chain chain(together.model(c), options, 7, static_cast<unsigned>(c + 1), &stop, sink);
    chain.warm_up({}, nullptr);
    chain.sample(options.num_samples);
    interrupted += chain.outcome().interrupted;
  });
  EXPECT_EQ(interrupted, 4u);
}

TEST(Together, ThreadsComeFirst) {
  const AnalyticModel normal = testing::std_normal(2);
  const LaneModel model(normal, 4);
  const auto rounds = [&](unsigned threads, std::size_t n, unsigned lanes) { return Together(model, threads, n, lanes).rounds(n); };
  EXPECT_EQ(rounds(4, 4, 0), 1u);
  EXPECT_EQ(rounds(2, 4, 0), 1u);  // two at a time
  EXPECT_EQ(rounds(2, 9, 0), 2u);  // 3 groups of at most 4
  EXPECT_EQ(rounds(1, 4, 1), 4u);             // never
  EXPECT_EQ(rounds(1, 4, 2), 2u);
  EXPECT_EQ(rounds(1, 9, 64), 3u);            // no more than the model takes
  EXPECT_EQ(Together(normal, 1, 4, 0).rounds(4), 4u);
}

/// Chains are pieces like any other, and can go on in another group later.
TEST(Together, PiecesGoOnLater) {
  const AnalyticModel normal = testing::std_normal(3);
  const LaneModel model(normal, 4);
  const SampleOptions options = short_run();
  std::vector<Told> alone(4), shared(4);
  for (unsigned c = 0; c < 4; ++c) run_chain(model, c + 1, alone[c]);
  Together together(model, 1, 4, 0);
  std::vector<std::unique_ptr<Chain>> chains(4);
  together.run([&](std::size_t c) {
    chains[c] = std::make_unique<Chain>(together.model(c), options, 7, static_cast<unsigned>(c + 1), nullptr, shared[c]);
    chains[c]->warm_up({.search = (c + 1) % 2 == 0}, nullptr);
    chains[c]->sample(30);
  });
  const std::vector<std::size_t> some = {3, 1};
  together.run(some, [&](std::size_t c) { chains[c]->sample(70); });
  for (const std::size_t c : {0, 2}) chains[c]->sample(70);  // alone, in the end
  for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(shared[c].numbers, alone[c].numbers) << c;
}

TEST(Together, ErrorsOfABodyComeOut) {
  const AnalyticModel normal = testing::std_normal(2);
  const LaneModel model(normal, 4);
  Together together(model, 1, 4, 0);
  int ended = 0;
  EXPECT_THROW(together.run([&](std::size_t c) {
    const auto workspace = together.model(c).workspace();
    Vec theta(2), gradient(2);
    double lp = 0;
    EXPECT_TRUE(workspace->log_density_gradient(theta, {}, &lp, gradient));
    if (c == 1) throw std::runtime_error("a mistake of ours");
    EXPECT_TRUE(workspace->log_density_gradient(theta, {}, &lp, gradient));
    ++ended;
  }),
               std::runtime_error);
  EXPECT_EQ(ended, 3);
}

}  // namespace
}  // namespace fermiac::inference
