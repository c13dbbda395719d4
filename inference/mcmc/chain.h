// One Markov chain from its initial point to its last draw.
#pragma once

#include <memory>
#include <string>

#include "inference/mcmc/chain_sink.h"
#include "inference/mcmc/hmc.h"
#include "inference/mcmc/metric.h"
#include "inference/model/init.h"
#include "inference/model/options.h"

namespace fermiac::inference {

/// The sampler's columns, ahead of the model's.
std::vector<std::string> sampler_names(Engine engine);

class ChainRun;

/// A chain a piece at a time: how its draws are divided into pieces changes nothing about them. Options, model and sink outlive
/// it. Calls come one after the other, from any thread.
class Chain {
 public:
  Chain(const Model& model, const SampleOptions& options, std::uint64_t seed, unsigned chain_id, const std::atomic<bool>* stop,
        ChainSink& sink);
  ~Chain();
  /// From the first point to the end of the warm-up. `metric`, of the kind that the options say, replaces the identity if not null.
  void warm_up(const InitSpec& init, const Metric* metric);
  /// Told of the transitions to come; null: nobody is. After warm_up.
  void watch(TransitionWatcher* watcher);
  /// So many iterations more; none after the chain has failed or was interrupted.
  void sample(unsigned iterations);
  /// In place of all that happened up to a state, which is one of a chain of these arguments. Errors: it is not.
  Status restore(const std::string& state);
  /// After warm_up and sample, of a chain that goes on.
  std::string state() const;
  /// Iterations of the sampling phase so far.
  unsigned iterations() const;
  /// It has neither failed nor been interrupted.
  bool goes_on() const;
  const ChainOutcome& outcome() const { return outcome_; }

 private:
  template <class Piece>
  void guarded(Piece piece);
  ChainOutcome outcome_;
  std::unique_ptr<ChainRun> run_;  // null: there was no memory for it
};

}  // namespace fermiac::inference
