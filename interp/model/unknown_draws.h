// Ints that are not known, drawn back from their distribution given the parameters and the data.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "interp/conditioning/elimination.h"
#include "interp/exec/runs/frame.h"
#include "interp/model/evaluation.h"

namespace fermiac::interp {

/// Those of one model that has some; of one thread.
class UnknownDraws {
 public:
  explicit UnknownDraws(const EvaluationContext& context) : context_(context) {}

  /// Draws all of them at a point of the parameters.
  EvalStatus draw(std::span<const double> theta, Rng& rng);
  /// Variables with the values drawn, by position.
  const std::vector<const HeldNumbers*>& held() const { return held_; }

 private:
  const EvaluationContext& context_;
  std::vector<HeldNumbers> own_;
  std::vector<const HeldNumbers*> held_;
};

/// Probability of each value, from Conditioned::unknowns' lower bound on, by unknown int that has two bounds.
struct UnknownMarginals {
  std::vector<std::size_t> unknowns;
  std::vector<std::vector<double>> probability;
};
EvalStatus unknown_marginals(const EvaluationContext& context, std::span<const double> theta, UnknownMarginals* out);

}  // namespace fermiac::interp
