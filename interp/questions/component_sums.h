// Parts of the log density at a point: what power-scaling weights.
#pragma once

#include <set>
#include <string>

#include "interp/model/interp_model.h"

namespace fermiac::interp {

class ComponentSums {
 public:
  /// `names`: variables or elements with commas between, whose distributions are the component; empty: the prior. Throws
  /// BindError where roles are unclear, and DataError.
  ComponentSums(const InterpModel& model, const std::string& names);
  /// Sums of log densities with all constants.
  EvalStatus operator()(std::span<const double> theta, double* component, double* likelihood) const;

 private:
  const InterpModel& model_;
  std::set<NumberName> numbers_;  // none: the prior
};

}  // namespace fermiac::interp
