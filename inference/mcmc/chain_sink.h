// What a Markov chain reports: draws, adaptation, progress and states while it runs, and its outcome.
#pragma once

#include <string>
#include <string_view>

#include "inference/mcmc/metric.h"
#include "inference/model/init.h"
#include "inference/model/options.h"
#include "inference/model/pulse.h"
#include "support/base/elapsed.h"

namespace fermiac::inference {

/// What a chain tells while it runs. Each chain has its own; calls come from the thread that runs the chain.
class ChainSink {
 public:
  virtual ~ChainSink() = default;
  virtual void message(std::string_view text) = 0;
  /// The warm-up settled and ends after so many iterations in all.
  virtual void settled(unsigned) {}
  /// After the warm-up, before the first sampling draw.
  virtual void adaptation(double stepsize, const Metric& metric) = 0;
  /// A draw to keep: values of sampler_names(), then of Model::names(true, true). An error ends the chain.
  virtual Status draw(ConstSpan sampler, ConstSpan model, bool warmup) = 0;
  /// The same draw as the sampler sees it: position, momentum, gradient of the log density.
  virtual void phase_point(ConstSpan, ConstSpan, ConstSpan, ConstSpan) {}
  /// Where the chain stands; null: nobody asks.
  virtual Pulse* pulse() { return nullptr; }
  /// Iteration m (from 0) of the phase is done.
  virtual void progress(unsigned m, bool warmup) = 0;
  /// After an iteration: whether state() is to be called, with what Chain::restore takes.
  virtual bool wants_state() { return false; }
  virtual void state(const std::string&) {}
};

struct ChainOutcome {
  Status status;             // of the run and its files
  bool interrupted = false;  // ended by the stop flag
  ElapsedTime elapsed;
  RejectLog rejects;          // refused proposals
  RejectLog output_failures;  // draws whose transformed parameters or generated quantities failed
};

}  // namespace fermiac::inference
