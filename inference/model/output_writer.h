// Transformed parameters and generated quantities of draws.
#pragma once

#include <cstdint>
#include <string>

#include "inference/model/target.h"

namespace fermiac::inference {

/// Draws the output columns at theta: one per name. On failure what cannot be computed is NaN and the message counted.
class OutputWriter {
 public:
  OutputWriter(const Model& model, ModelWorkspace& workspace, Rng rng);
  ConstSpan write(ConstSpan theta, RejectLog* failures);
  template <class State>
  void state(State& s) { s(rng_); }
  /// The failure that ends the run (fatal_error, say), with its place; empty as long as there is none.
  const std::string& fatal_message() const { return fatal_message_; }

 private:
  ModelWorkspace& workspace_;
  Rng rng_;
  Vec values_;
  std::string fatal_message_;
  std::size_t num_params_;
};

/// The generator of generated quantities: apart from the sampler's, so that the draws of the parameters do not depend
/// on what is generated.
Rng generated_rng(std::uint64_t seed, unsigned chain_id);

}  // namespace fermiac::inference
