// What a Chain is made of: one sampler for all parameters, or one for each block of them.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "inference/chain.h"

namespace fermiac::inference {

/// Chain (chain.h) says what the functions are for; here nothing is caught, and errors end the chain.
class ChainRun {
 public:
  virtual ~ChainRun() = default;
  virtual Result warm_up(const InitSpec& init, const Metric* metric) = 0;
  virtual Result sample(unsigned iterations) = 0;
  virtual void watch(TransitionWatcher*) {}
  /// False: the bytes are not those of such a chain.
  virtual bool restore(const std::string& bytes) = 0;
  virtual std::string state_bytes() = 0;
  virtual unsigned iterations() const = 0;
  virtual bool stopped() const = 0;
  /// What is to be told of the chain so far goes into its outcome.
  virtual void finish() = 0;
};

/// By blocks (options.blocks).
std::unique_ptr<ChainRun> make_block_run(const Model& model, const SampleOptions& options, std::uint64_t seed, unsigned chain_id,
                                         const std::atomic<bool>* stop, ChainSink& sink, ChainOutcome* outcome);

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace fermiac::inference
