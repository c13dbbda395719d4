// What a Chain is made of: one sampler for all parameters, or one for each block of them.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "inference/mcmc/chain_sink.h"
#include "inference/mcmc/hmc.h"
#include "inference/mcmc/metric.h"
#include "inference/mcmc/state.h"
#include "inference/model/init.h"
#include "inference/model/options.h"

namespace fermiac::inference {

/// Chain (chain.h) says what the functions are for; here nothing is caught, and errors end the chain.
class ChainRun {
 public:
  ChainRun(ChainSink& sink, ChainOutcome* outcome) : sink_(sink), outcome_(*outcome) {}
  virtual ~ChainRun() = default;
  virtual Status warm_up(const InitSpec& init, const Metric* metric) = 0;
  virtual Status sample(unsigned iterations) = 0;
  virtual void watch(TransitionWatcher*) {}
  /// False: the bytes are not those of such a chain.
  virtual bool restore(const std::string& bytes) = 0;
  std::string state_bytes();
  unsigned iterations() const { return done_; }
  virtual bool stopped() const = 0;
  /// What is to be told of the chain so far goes into its outcome.
  virtual void finish() = 0;

 protected:
  /// All that restore() reads.
  virtual void write_state(StateWriter& writer) = 0;
  void begin_timing() { began_ = std::chrono::steady_clock::now(); }
  /// Of the phase that runs now.
  void add_elapsed();
  /// Iteration m is done, with its draw if it has one.
  void iterated(unsigned m, bool warmup);

  ChainSink& sink_;
  ChainOutcome& outcome_;
  bool sampling_ = false, restored_ = false;
  unsigned warmed_ = 0, done_ = 0;  // iterations of the two phases

 private:
  std::chrono::steady_clock::time_point began_;  // the phase, or its rest
};

/// By blocks (options.blocks).
std::unique_ptr<ChainRun> make_block_run(const Model& model, const SampleOptions& options, std::uint64_t seed, unsigned chain_id,
                                         const std::atomic<bool>* stop, ChainSink& sink, ChainOutcome* outcome);

/// Any engine but FixedParam; `integration_time` is that of the static one.
std::unique_ptr<Hmc> make_engine(Engine engine, const SampleOptions& options, double integration_time, Target& target, Rng rng);

}  // namespace fermiac::inference
