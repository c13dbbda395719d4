// A Markov chain that moves one block after the other.
#include <algorithm>
#include <cmath>

#include "inference/approximate/start.h"
#include "inference/mcmc/blocks.h"
#include "inference/mcmc/chain_run.h"
#include "inference/mcmc/metric_adaptation.h"
#include "inference/model/output_writer.h"

namespace fermiac::inference {
namespace {

/// Where the chain is.
struct Position {
  BlockState& state;
  Vec theta;
};

// ---------------------------------------------------------------- the target of a block of reals

class BlockWorkspace final : public ModelWorkspace {
 public:
  BlockWorkspace(Position& position, const std::vector<std::size_t>& coordinates)
      : position_(position), coordinates_(coordinates), whole_(position.theta.size()), gradient_(position.theta.size()) {}

  EvalStatus log_density(ConstSpan q, DensityOptions options, double* lp) override {
    return position_.state.workspace().log_density(put(q), options, lp);
  }
  EvalStatus log_density_gradient(ConstSpan q, DensityOptions options, double* lp, Span gradient) override {
    const EvalStatus status = position_.state.workspace().log_density_gradient(put(q), options, lp, gradient_);
    for (std::size_t k = 0; k < q.size(); ++k) gradient[k] = gradient_[coordinates_[k]];
    return status;
  }
  EvalStatus write_array(ConstSpan, bool, bool, Rng&, Span) override { return {EvalStatus::Kind::Fatal, "a block writes no draws"}; }

 private:
  ConstSpan put(ConstSpan q) {
    whole_ = position_.theta;
    for (std::size_t k = 0; k < q.size(); ++k) whole_[coordinates_[k]] = q[k];
    return whole_;
  }
  Position& position_;
  const std::vector<std::size_t>& coordinates_;
  Vec whole_, gradient_;
};

/// The model as a block sees it: everything else is where the chain is.
class BlockModel final : public Model {
 public:
  BlockModel(const Model& whole, Position& position, const std::vector<std::size_t>& coordinates)
      : whole_(whole), position_(position), coordinates_(coordinates) {}
  std::string_view name() const override { return whole_.name(); }
  std::size_t unconstrained_size() const override { return coordinates_.size(); }
  std::vector<std::string> names(bool, bool) const override { return {}; }
  std::vector<std::string> unconstrained_names() const override { return {}; }
  std::unique_ptr<ModelWorkspace> workspace() const override { return std::make_unique<BlockWorkspace>(position_, coordinates_); }
  EvalStatus unconstrain_json(std::string_view, GivenValues, Span) const override { return {EvalStatus::Kind::Fatal, "a block has no values of its own"}; }
  EvalStatus unconstrain_array(ConstSpan, GivenValues, Span) const override { return {EvalStatus::Kind::Fatal, "a block has no values of its own"}; }
  void set_print(PrintSink) override {}

 private:
  const Model& whole_;
  Position& position_;
  const std::vector<std::size_t>& coordinates_;
};

// ---------------------------------------------------------------- movers

/// Moves one block.
class Mover {
 public:
  virtual ~Mover() = default;
  virtual Status begin() { return {}; }
  /// One move; adapts in the warm-up.
  virtual Status move(bool warmup) = 0;
  virtual void end_warmup() {}
  virtual void watch(TransitionWatcher*) {}
  /// Between two sweeps.
  virtual void state(StateWriter& s) = 0;
  virtual void state(StateReader& s) = 0;
  double accept() const { return accept_; }
  const Transition& transition() const { return transition_; }

 protected:
  double accept_ = 1;
  Transition transition_;
};

/// A mover with a template `members`, which hands over what it knows (state.h).
template <class Base, class Self>
class Remembered : public Base {
 public:
  using Base::Base;
  void state(StateWriter& s) override { static_cast<Self*>(this)->members(s); }
  void state(StateReader& s) override { static_cast<Self*>(this)->members(s); }
};

class RealMover : public Mover {
 public:
  RealMover(const Model& whole, Position& position, const Block& block, Rng rng, const std::atomic<bool>* stop)
      : position_(position), block_(block), model_(whole, position, block.coordinates), target_(model_, {}, stop), rng_(rng) {}

 protected:
  Vec here() const {
    Vec q;
    for (const std::size_t i : block_.coordinates) q.push_back(position_.theta[i]);
    return q;
  }
  void put(ConstSpan q) {
    for (std::size_t k = 0; k < q.size(); ++k) position_.theta[block_.coordinates[k]] = q[k];
  }
  Status fatal() const { return target_.fatal() ? target_.ended() : Status{}; }

  Position& position_;
  const Block& block_;
  BlockModel model_;
  Target target_;
  Rng rng_;
};

Engine engine_of(BlockSampler sampler) {
  if (sampler == BlockSampler::Hmc) return Engine::Static;
  return sampler == BlockSampler::Walnuts ? Engine::Walnuts : Engine::Nuts;
}

/// NUTS, WALNUTS and static HMC; energy and gradient are computed anew, for other blocks have moved.
class HmcMover final : public Remembered<RealMover, HmcMover> {
 public:
  HmcMover(const Model& whole, Position& position, const Block& block, Rng rng, const SampleOptions& options, const std::atomic<bool>* stop)
      : Remembered(whole, position, block, rng, stop), averaging_(options.adapt), adapts_(options.adapt.engaged && options.num_warmup > 0),
        metric_adaptation_(make_metric_adaptation(options.metric, block.coordinates.size(), options.num_warmup * block.repeat, options.adapt)) {
    hmc_ = make_engine(engine_of(block.sampler), options, block.time, target_, rng_);
    hmc_->set_stepsize(options.stepsize);
    hmc_->set_jitter(options.stepsize_jitter);
  }
  Status begin() override {
    if (!hmc_->start(here())) return Status::failed("the log density of a block is not finite where it begins");
    return adapts_ ? restart_stepsize() : Status{};
  }
  Status move(bool warmup) override {
    if (!hmc_->start(here())) return fatal();
    transition_ = hmc_->transition();
    if (target_.stopped()) return fatal();
    put(hmc_->position());
    accept_ = transition_.accept_stat;
    if (!position_.state.ints().empty()) transition_.energy -= sweep_density(position_.state, position_.theta) - transition_.lp;
    if (!warmup || !adapts_) return {};
    hmc_->set_stepsize(averaging_.learn(accept_));
    bool changed = false;
    if (Status bad = metric_adaptation_->learn(hmc_->position(), hmc_->gradient(), &hmc_->metric(), &changed); !bad) return bad;
    return changed ? restart_stepsize() : Status{};
  }
  void end_warmup() override {
    if (adapts_) hmc_->set_stepsize(averaging_.adapted());
  }
  void watch(TransitionWatcher* watcher) override { hmc_->watch(watcher); }
  template <class State>
  void members(State& s) { s(accept_, transition_, rng_, averaging_, *hmc_, *metric_adaptation_); }
  double stepsize() const { return hmc_->nominal_stepsize(); }
  const Metric& metric() const { return hmc_->metric(); }

 private:
  Status restart_stepsize() {
    if (Status bad = hmc_->find_stepsize(); !bad) return bad;
    averaging_.restart(hmc_->nominal_stepsize(), hmc_->stepsize_to_exceed());
    return {};
  }
  std::unique_ptr<Hmc> hmc_;
  DualAveraging averaging_;
  bool adapts_;
  std::unique_ptr<MetricAdaptation> metric_adaptation_;
};

/// Random walk with a covariance and a scale that are learnt in the warm-up and stay.
class RwmMover final : public Remembered<RealMover, RwmMover> {
 public:
  RwmMover(const Model& whole, Position& position, const Block& block, Rng rng, const std::atomic<bool>* stop)
      : Remembered(whole, position, block, rng, stop), n_(block.coordinates.size()), moments_(MetricKind::Dense, n_),
        factor_(n_ * n_, 0.0), log_scale_(std::log(block.scale / std::sqrt(static_cast<double>(n_)))) {
    for (std::size_t i = 0; i < n_; ++i) factor_[i * n_ + i] = 1;
  }
  Status move(bool warmup) override {
    const Vec q = here();
    Vec to = q, z(n_);
    rng_.normals(z);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j <= i; ++j) to[i] += std::exp(log_scale_) * factor_[i * n_ + j] * z[j];
    const double from = target_.value(q), there = target_.value(to);
    const double ratio = std::exp(std::min(0.0, there - from));
    accept_ = std::isnan(ratio) ? 0 : ratio;
    if (rng_.uniform() < accept_) put(to);
    if (warmup) adapt();
    return fatal();
  }
  template <class State>
  void members(State& s) { s(accept_, rng_, next_, moments_, factor_, log_scale_, steps_); }

 private:
  void adapt() {
    const double wanted = n_ == 1 ? 0.44 : 0.234;
    log_scale_ += (accept_ - wanted) / std::pow(++steps_, 0.6);
    moments_.add(here());
    if (moments_.count() < 50 || moments_.count() != next_) return;
    next_ *= 2;
    factorise(moments_.regularised());
  }
  /// A matrix that is not positive definite leaves what there was.
  void factorise(Vec s) {
    if (cholesky_in_place(s, n_)) factor_ = std::move(s);
  }
  std::size_t n_, next_ = 50;
  MomentEstimator moments_;
  Vec factor_;
  double log_scale_;
  double steps_ = 0;
};

/// Each coordinate in turn, stepping out (Neal 2003).
class SliceMover final : public Remembered<RealMover, SliceMover> {
 public:
  SliceMover(const Model& whole, Position& position, const Block& block, Rng rng, const std::atomic<bool>* stop)
      : Remembered(whole, position, block, rng, stop), widths_(block.coordinates.size(), block.width), moved_(widths_.size(), 0.0) {}
  Status move(bool warmup) override {
    Vec q = here();
    for (std::size_t k = 0; k < q.size() && !target_.stopped(); ++k) {
      const double before = q[k];
      one(q, k);
      if (!warmup) continue;
      ++moves_;
      moved_[k] += std::fabs(q[k] - before);
      if (moves_ > 20 * q.size() && moved_[k] > 0) widths_[k] = 3 * moved_[k] * static_cast<double>(q.size()) / static_cast<double>(moves_);
    }
    put(q);
    return fatal();
  }
  template <class State>
  void members(State& s) { s(rng_, widths_, moved_, moves_); }

 private:
  void one(Vec& q, std::size_t k) {
    constexpr int kMostSteps = 50, kMostTries = 200;
    const double before = q[k], level = target_.value(q) + std::log(rng_.uniform());
    const auto density = [&](double x) {
      q[k] = x;
      return target_.value(q);
    };
    double left = before - widths_[k] * rng_.uniform(), right = left + widths_[k];
    int below = static_cast<int>(rng_.uniform() * kMostSteps), above = kMostSteps - 1 - below;  // so that both ends may have been chosen from anywhere
    while (below-- > 0 && density(left) > level) left -= widths_[k];
    while (above-- > 0 && density(right) > level) right += widths_[k];
    for (int i = 0; i < kMostTries; ++i) {
      const double x = left + rng_.uniform() * (right - left);
      if (density(x) > level) return;
      (x < before ? left : right) = x;
    }
    q[k] = before;
  }
  Vec widths_, moved_;
  std::size_t moves_ = 0;
};

class IntMover final : public Remembered<Mover, IntMover> {
 public:
  IntMover(Position& position, const Block& block, Rng rng) : position_(position), block_(block), rng_(rng) {}
  Status move(bool) override {
    const bool all = block_.sampler == BlockSampler::Enumerate;
    const EvalStatus status = all ? position_.state.enumerate(block_.ints, position_.theta, rng_)
                                  : position_.state.walk(block_.ints, block_.step, position_.theta, rng_, &accept_);
    return status.kind == EvalStatus::Kind::Fatal ? Status::failed(fatal_text(status)) : Status{};
  }
  template <class State>
  void members(State& s) { s(accept_, rng_); }

 private:
  Position& position_;
  const Block& block_;
  Rng rng_;
};

// ---------------------------------------------------------------- the chain

class BlockRun final : public ChainRun {
 public:
  BlockRun(const Model& model, const SampleOptions& options, std::uint64_t seed, unsigned chain_id, const std::atomic<bool>* stop,
           ChainSink& sink, ChainOutcome* outcome)
      : ChainRun(sink, outcome), model_(model), options_(options), blocks_(*options.blocks), seed_(seed), chain_id_(chain_id), stop_(stop),
        state_(blocks_.state()), position_{*state_, Vec(model.unconstrained_size())},
        generated_(generated_rng(seed, chain_id)), values_(model.names(true, true).size()) {
    make_movers();
  }

  Status warm_up(const InitSpec& init, const Metric*) override {
    if (sampling_) return {};
    if (!restored_)
      if (Status bad = begin(init); !bad) return bad;
    Status result = phase(warmed_, options_.num_warmup, true);
    if (result && !stopped()) end_warmup();
    return result;
  }
  Status sample(unsigned iterations) override {
    sampling_ = true;
    return phase(done_, done_ + iterations, false);
  }
  void watch(TransitionWatcher* watcher) override {
    watcher_ = watcher;
    for (const auto& mover : movers_) mover->watch(watcher);
  }
  bool restore(const std::string& bytes) override {
    StateReader reader(bytes);
    std::vector<std::int32_t> ints;
    reader(ints);
    members(reader);
    std::string history;
    reader(history);
    if (!reader.whole() || ints.size() != position_.state.ints().size()) return false;
    position_.state.set_ints(std::move(ints));
    return restored_ = position_.state.workspace().restore_history(history);
  }
  bool stopped() const override { return is_set(stop_); }
  void finish() override { outcome_.interrupted = stopped(); }

 private:
  template <class State>
  void members(State& s) {
    s(position_.theta, generated_, sampling_, warmed_, done_, outcome_.output_failures, outcome_.elapsed.warmup, outcome_.elapsed.sampling);
    for (const auto& mover : movers_) s(*mover);
  }
  void write_state(StateWriter& writer) override {
    std::vector<std::int32_t> ints = position_.state.ints();
    writer(ints);
    members(writer);
    std::string history = position_.state.workspace().history();
    writer(history);
  }

  Status begin(const InitSpec& init) {
    Rng rng(seed_, chain_id_);
    Target target(state_->model(), {}, stop_);
    std::string report;
    const Status started = find_initial_point(init, target, rng, position_.theta, &report);
    if (!report.empty()) sink_.message(report);
    if (!started) return started;
    for (const auto& mover : movers_)
      if (Status bad = mover->begin(); !bad) return bad;
    return {};
  }

  void make_movers() {
    for (std::size_t b = 0; b < blocks_.blocks.size(); ++b) {
      const Block& block = blocks_.blocks[b];
      Rng rng(seed_ ^ (0x9e3779b97f4a7c15ULL * (b + 1)), chain_id_);
      switch (block.sampler) {
        case BlockSampler::Nuts:
        case BlockSampler::Walnuts:
        case BlockSampler::Hmc: {
          auto mover = std::make_unique<HmcMover>(model_, position_, block, rng, options_, stop_);
          if (!trees_ && builds_trees(block.sampler)) trees_ = mover.get();
          movers_.push_back(std::move(mover));
          break;
        }
        case BlockSampler::Rwm: movers_.push_back(std::make_unique<RwmMover>(model_, position_, block, rng, stop_)); break;
        case BlockSampler::Slice: movers_.push_back(std::make_unique<SliceMover>(model_, position_, block, rng, stop_)); break;
        case BlockSampler::Enumerate:
        case BlockSampler::Walk: movers_.push_back(std::make_unique<IntMover>(position_, block, rng)); break;
      }
    }
  }

  void end_warmup() {
    for (const auto& mover : movers_) mover->end_warmup();
    if (trees_) sink_.adaptation(trees_->stepsize(), trees_->metric());
    else sink_.adaptation(kNaN, Metric(options_.metric, 0));
  }

  Status phase(unsigned begin, unsigned end, bool warmup) {
    begin_timing();
    Status result;
    for (unsigned m = begin; m < end && result && !stopped(); ++m) result = sweep(m, warmup);
    add_elapsed();
    return result;
  }

  /// All blocks, and the draw if there is one.
  Status sweep(unsigned m, bool warmup) {
    for (std::size_t b = 0; b < movers_.size(); ++b)
      for (unsigned r = 0; r < blocks_.blocks[b].repeat; ++r) {
        if (Status bad = move(b, warmup); !bad) return bad;
        if (stopped()) return {};
      }
    if ((!warmup || options_.save_warmup) && m % options_.thin == 0)
      if (Status bad = keep(warmup); !bad || stopped()) return bad;
    iterated(m, warmup);
    return {};
  }

  Status move(std::size_t block, bool warmup) {
    if (watcher_) watcher_->block_begins(block, here());
    Status moved = movers_[block]->move(warmup);
    if (watcher_) watcher_->block_ends(here(), movers_[block]->accept());
    return moved;
  }
  SweepPoint here() const { return {position_.theta, position_.state.ints()}; }

  Status keep(bool warmup) {
    Vec row = {sweep_density(*state_, position_.theta)};
    if (trees_) {
      const Transition& t = trees_->transition();
      row.insert(row.end(), {t.accept_stat, t.stepsize, 1.0 * t.treedepth, 1.0 * t.n_leapfrog, 1.0 * t.divergent, t.energy});
    }
    for (const auto& mover : movers_)
      if (mover.get() != trees_) row.push_back(mover->accept());
    const EvalStatus written = state_->workspace().write_array(position_.theta, true, true, generated_, values_);
    if (written.kind == EvalStatus::Kind::Fatal) return Status::failed(fatal_text(written));
    if (!written) outcome_.output_failures.add(written.message);
    return stopped() ? Status{} : sink_.draw(row, values_, warmup);
  }

  const Model& model_;
  const SampleOptions& options_;
  const BlockSampling& blocks_;
  std::uint64_t seed_;
  unsigned chain_id_;
  const std::atomic<bool>* stop_;
  std::unique_ptr<BlockState> state_;
  Position position_;
  std::vector<std::unique_ptr<Mover>> movers_;
  const HmcMover* trees_ = nullptr;  // whose columns are written
  TransitionWatcher* watcher_ = nullptr;
  Rng generated_;
  Vec values_;
};

}  // namespace

std::unique_ptr<ChainRun> make_block_run(const Model& model, const SampleOptions& options, std::uint64_t seed, unsigned chain_id,
                                         const std::atomic<bool>* stop, ChainSink& sink, ChainOutcome* outcome) {
  return std::make_unique<BlockRun>(model, options, seed, chain_id, stop, sink, outcome);
}

}  // namespace fermiac::inference
