#include "inference/mcmc/chain.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>

#include "inference/approximate/start.h"
#include "inference/mcmc/chain_run.h"
#include "inference/mcmc/metric_adaptation.h"
#include "inference/mcmc/settling.h"
#include "inference/mcmc/state.h"
#include "inference/model/init.h"
#include "inference/model/output_writer.h"
#include "support/base/elapsed.h"
#include "support/base/number_text.h"

namespace fermiac::inference {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kFewZeros = 0.01;  // of the draws: long steps may end where every density is too small for a double
constexpr const char* kZeroDensity =
    "the density is 0 there. Where it ends at bounds, the program has to declare them, as in real<lower=0, upper=1>";

/// One sampler for all parameters.
class WholeRun final : public ChainRun {
 public:
  WholeRun(const Model& model, const SampleOptions& options, std::uint64_t seed, unsigned chain_id,
      const std::atomic<bool>* stop, ChainSink& sink, ChainOutcome* outcome)
      : ChainRun(sink, outcome),
        options_(options),
        target_(model, {}, stop),
        rng_(seed, chain_id),
        averaging_(options.adapt),
        metric_adaptation_(
            make_metric_adaptation(options.metric, model.unconstrained_size(), options.num_warmup, options.adapt)),
        writer_(model, target_.workspace(), generated_rng(seed, chain_id)),
        theta_(model.unconstrained_size()),
        warmup_end_(options.num_warmup) {
    target_.set_pulse(sink.pulse());
  }

  Status warm_up(const InitSpec& init, const Metric* metric) override {
    if (restored_) return theta_.empty() || options_.engine == Engine::FixedParam ? rest_of_standing() : rest_of_warmup();
    std::string report;
    const Status started = find_initial_point(init, target_, rng_, theta_, &report);
    if (!report.empty()) sink_.message(report);
    if (!started) return started;
    if (options_.engine == Engine::FixedParam) return {};
    if (init.search && !theta_.empty()) {
      const std::string found = search_start(init, target_, rng_, theta_);
      if (options_.tell_times) sink_.message(found);
    }
    return theta_.empty() ? rest_of_standing() : adapt_engine(metric);
  }

  bool restore(const std::string& bytes) override {
    if (!theta_.empty() && options_.engine != Engine::FixedParam) begin_engine();
    StateReader reader(bytes);
    state(reader);
    std::string history;
    reader(history);
    restored_ = reader.whole() && target_.workspace().restore_history(history);
    return restored_;
  }

  void watch(TransitionWatcher* watcher) override {
    if (hmc_) hmc_->watch(watcher);
  }

  Status sample(unsigned iterations) override {
    if (!sampling_) zero_before_ = target_.zero_densities();
    sampling_ = true;
    begin_timing();
    const unsigned end = done_ + iterations;
    Status result = options_.engine == Engine::FixedParam ? fixed_param(done_, end)
                    : theta_.empty()                      ? stand_still(done_, end, false)
                                                          : phase(done_, end, false);
    add_elapsed();
    return ended(std::move(result));
  }

  bool stopped() const override { return target_.stopped(); }

  void finish() override {
    outcome_.rejects = target_.rejects();
    const std::uint64_t zero = target_.zero_densities() - zero_before_;
    if (options_.reports_zero_densities && sampling_ && static_cast<double>(zero) > kFewZeros * done_) outcome_.rejects.add(kZeroDensity, zero);
    outcome_.interrupted = target_.stopped() && !target_.fatal();
  }

 private:
  template <class State>
  void state(State& s) {
    s(theta_, rng_, sampling_, warmed_, done_, adapting_, averaging_, writer_, target_.rejects(), outcome_.output_failures,
      outcome_.elapsed.warmup, outcome_.elapsed.sampling);
    if (hmc_) s(*hmc_);
    if (adapting_) s(*metric_adaptation_);
    if (options_.auto_warmup) s(settling_, warmup_end_);
  }

  void write_state(StateWriter& writer) override {
    state(writer);
    std::string history = target_.workspace().history();
    writer(history);
  }

  void count(unsigned m, bool warmup) {
    if (Pulse* const pulse = sink_.pulse()) {
      pulse->iterations.store(m + 1 + (warmup ? done_ : warmed_), std::memory_order_relaxed);
      pulse->before.store(target_.evaluations(), std::memory_order_relaxed);
    }
    iterated(m, warmup);
  }

  Status fixed_param(unsigned begin, unsigned end) {
    for (unsigned m = begin; m < end; ++m) {
      if (Status bad = keep(Vec{0, 0}, theta_, m, false); !bad) return bad;
      if (target_.stopped()) return {};
      count(m, false);
    }
    return {};
  }

  /// Up to the draws of a model that has nothing to move or is not to be moved.
  Status rest_of_standing() {
    if (sampling_ || options_.engine == Engine::FixedParam) return {};
    begin_timing();
    Status result = stand_still(warmed_, options_.num_warmup, true);
    add_elapsed();
    sink_.adaptation(kNaN, Metric(options_.metric, 0));
    return result;
  }

  /// A model without parameters where the engine is to stay: every transition is accepted and goes nowhere.
  Status stand_still(unsigned begin, unsigned end, bool warmup) {
    const double row[] = {0, 1, kNaN, 1, 1, 0, 0};
    for (unsigned m = begin; m < end; ++m) {
      if (!warmup || options_.save_warmup)
        if (Status bad = keep(static_row(row), theta_, m, warmup); !bad) return bad;
      if (target_.stopped()) return {};
      count(m, warmup);
    }
    return {};
  }

  Status adapt_engine(const Metric* metric) {
    begin_engine();
    if (metric) hmc_->metric() = *metric;
    const auto timing = Clock::now();
    hmc_->start(theta_);
    if (options_.tell_times) sink_.message(gradient_time_text(seconds_since(timing)));
    hmc_->set_stepsize(options_.stepsize);
    hmc_->set_jitter(options_.stepsize_jitter);
    adapting_ = options_.adapt.engaged && options_.num_warmup > 0;
    if (adapting_)
      if (Status bad = begin_adaptation(); !bad) return bad;
    return rest_of_warmup();
  }

  Status rest_of_warmup() {
    if (sampling_) return {};
    begin_timing();
    Status result = phase(warmed_, warmup_end_, true);
    add_elapsed();
    if (!result || target_.stopped()) return ended(std::move(result));
    if (adapting_) hmc_->set_stepsize(averaging_.adapted());
    adapting_ = false;
    sink_.adaptation(hmc_->nominal_stepsize(), hmc_->metric());
    return {};
  }

  void begin_engine() { hmc_ = make_engine(options_.engine, options_, options_.integration_time, target_, rng_); }

  Status begin_adaptation() {
    if (metric_adaptation_->warning()) sink_.message(*metric_adaptation_->warning() + "\n");
    return restart_stepsize();
  }

  Status restart_stepsize() {
    Pulse* const pulse = sink_.pulse();
    if (pulse) pulse->finds_stepsize.store(true, std::memory_order_relaxed);
    const Status found = hmc_->find_stepsize();
    if (pulse) pulse->finds_stepsize.store(false, std::memory_order_relaxed);
    if (!found) return found;
    averaging_.restart(hmc_->nominal_stepsize(), hmc_->stepsize_to_exceed());
    return {};
  }

  /// A warm-up may find on the way that it ends earlier.
  Status phase(unsigned begin, const unsigned& end, bool warmup) {
    for (unsigned m = begin; m < end; ++m) {
      if (Pulse* const pulse = sink_.pulse()) pulse->stepsize.store(hmc_->nominal_stepsize(), std::memory_order_relaxed);
      const Transition t = hmc_->transition();
      if (target_.stopped()) return {};  // the transition was cut short: not a draw
      if (adapting_)
        if (Status bad = adapt(t); !bad) return bad;
      if (!warmup || options_.save_warmup) {
        const double row[] = {
            t.lp, t.accept_stat, t.stepsize, 1.0 * t.treedepth, 1.0 * t.n_leapfrog, 1.0 * t.divergent, t.energy};
        if (Status bad = keep(static_row(row), hmc_->position(), m, warmup); !bad) return bad;
        if (m % options_.thin == 0)
          sink_.phase_point(static_row(row), hmc_->position(), hmc_->momentum(), hmc_->gradient());
      }
      if (target_.stopped()) return {};  // its draw may be missing
      count(m, warmup);
    }
    return {};
  }

  /// The static engine reports its integration time where NUTS reports the tree.
  ConstSpan static_row(ConstSpan nuts_row) {
    if (options_.engine != Engine::Static) return nuts_row;
    static_row_ = {nuts_row[0], nuts_row[1], nuts_row[2], options_.integration_time, nuts_row[6]};
    return static_row_;
  }

  Status adapt(const Transition& t) {
    hmc_->set_stepsize(averaging_.learn(t.accept_stat));
    bool changed = false;
    if (Status bad = metric_adaptation_->learn(hmc_->position(), hmc_->gradient(), &hmc_->metric(), &changed); !bad)
      return Status::failed(
          "Numerical overflow in metric adaptation. This occurs when the sampler encounters extreme "
          "values on the unconstrained space; this may happen when the posterior density function is "
          "too wide or improper. There may be problems with your model specification. (" +
          bad.message + ")");
    if (options_.auto_warmup) settle(t, changed);
    return changed ? restart_stepsize() : Status{};
  }

  /// Iteration warmed_ is being done. What remains after the last update of the metric is the final interval for the step size.
  void settle(const Transition& t, bool metric_changed) {
    settling_.add(t);
    const unsigned end = warmed_ + 1 + options_.adapt.term_buffer;
    if (!metric_changed || !settling_.at_update(hmc_->metric()) || end >= warmup_end_) return;
    metric_adaptation_->end();
    warmup_end_ = end;
    sink_.settled(end);
  }

  Status keep(ConstSpan sampler, ConstSpan q, unsigned m, bool warmup) {
    if (m % options_.thin != 0) return {};
    const ConstSpan values = writer_.write(q, &outcome_.output_failures);
    if (!writer_.fatal_message().empty()) return Status::failed(writer_.fatal_message());
    if (target_.stopped()) return {};  // the generated quantities may have been cut short: not a draw
    return sink_.draw(sampler, values, warmup);
  }

  Status ended(Status result) const {
    return result && target_.fatal() ? target_.ended() : std::move(result);
  }

  const SampleOptions& options_;
  Target target_;
  Rng rng_;
  std::unique_ptr<Hmc> hmc_;
  DualAveraging averaging_;
  std::unique_ptr<MetricAdaptation> metric_adaptation_;
  OutputWriter writer_;
  Vec theta_, static_row_;
  bool adapting_ = false;
  std::uint64_t zero_before_ = 0;   // densities of 0 until draws began
  unsigned warmup_end_;
  Settling settling_;
};

}  // namespace

std::vector<std::string> sampler_names(Engine engine) {
  switch (engine) {
    case Engine::FixedParam:
      return {"lp__", "accept_stat__"};
    case Engine::Static:
      return {"lp__", "accept_stat__", "stepsize__", "int_time__", "energy__"};
    case Engine::Nuts:
    case Engine::Walnuts:
      break;
  }
  return {"lp__", "accept_stat__", "stepsize__", "treedepth__", "n_leapfrog__", "divergent__", "energy__"};
}

Chain::Chain(const Model& model, const SampleOptions& options, std::uint64_t seed, unsigned chain_id,
             const std::atomic<bool>* stop, ChainSink& sink) {
  guarded([&] {
    if (options.blocks) run_ = make_block_run(model, options, seed, chain_id, stop, sink, &outcome_);
    else run_ = std::make_unique<WholeRun>(model, options, seed, chain_id, stop, sink, &outcome_);
    return Status{};
  });
}

Chain::~Chain() = default;

/// The other chains go on where this one has no memory.
template <class Piece>
void Chain::guarded(Piece piece) {
  try {
    outcome_.status = piece();
    if (run_) run_->finish();
  } catch (const std::bad_alloc&) {
    outcome_.status = {StatusCode::NoMemory, "out of memory"};
  }
}

void Chain::warm_up(const InitSpec& init, const Metric* metric) {
  if (goes_on()) guarded([&] { return run_->warm_up(init, metric); });
}

void Chain::sample(unsigned iterations) {
  if (goes_on()) guarded([&] { return run_->sample(iterations); });
  else if (run_) run_->finish();  // the stop flag may be newer than the last piece
}

Status Chain::restore(const std::string& state) {
  bool fits = false;
  guarded([&] {
    fits = run_ && run_->restore(state);
    return Status{};
  });
  if (!goes_on()) return outcome_.status ? Status::interrupted() : outcome_.status;
  return fits ? Status{} : Status::failed("the state is not that of a chain of this model and these options");
}

void Chain::watch(TransitionWatcher* watcher) {
  if (run_) run_->watch(watcher);
}

std::string Chain::state() const {
  return run_->state_bytes();
}

unsigned Chain::iterations() const {
  return run_ ? run_->iterations() : 0;
}

bool Chain::goes_on() const {
  return run_ && outcome_.status && !outcome_.interrupted && !run_->stopped();
}

}  // namespace fermiac::inference
