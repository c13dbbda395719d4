// Parts of the log density at a point: what power-scaling weights.
#pragma once

#include <set>
#include <string>

#include "inference/diagnostics/sensitivity.h"
#include "interp/model/conditioned_model.h"

namespace fermiac::interp {

class ComponentSums {
 public:
  /// `names`: variables or elements with commas between, whose distributions are the component; empty: the prior. Throws
  /// InputError where roles are unclear, and InputError.
  ComponentSums(const ConditionedModel& model, const std::string& names);
  /// Sums of log densities with all constants.
  EvalStatus operator()(std::span<const double> theta, double* component, double* likelihood) const;

 private:
  const ConditionedModel& model_;
  std::set<NumberName> numbers_;  // none: the prior
};

/// What power-scaling starts from: at each point the parameters, and what the component (see above) and the likelihood add. Throws InputError.
inference::ScaledDraws scaled_draws(const ConditionedModel& model, const std::vector<std::vector<double>>& points, const std::string& component,
                                    double r_eff);

}  // namespace fermiac::interp
