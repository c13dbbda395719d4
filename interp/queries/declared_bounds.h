// Bounds that the declaration of a variable puts on its distribution, and the probability between them.
#pragma once

#include <string>
#include <vector>

#include "interp/conditioning/conditioned.h"
#include "interp/exec/runs/site_call.h"
#include "interp/model/conditioned_model.h"

namespace fermiac::interp {

/// Values that a relation allows, closed; none where lower > upper.
struct Interval {
  double lower, upper;
};

class DeclaredBounds {
 public:
  explicit DeclaredBounds(const ConditionedModel& model) : model_(model), c_(model.conditioned()) {}

  /// Of one number, where the program runs. The whole line for variables without bounds.
  Interval of(NumberName number, Frame& f) const;
  /// Parameters that the bounds are computed from.
  std::vector<std::string> sources(NumberName number) const;
  /// `ordered vector` and the like, which hold the numbers of a variable together; empty for others.
  std::string structure(NumberName number) const;

 private:
  std::size_t position(NumberName number) const;
  mir::TransformKind transform(NumberName number) const;

  const ConditionedModel& model_;
  const Conditioned& c_;
};

/// Log probability of the distribution of element i in an interval, within `bounds` and the truncation.
double log_mass_within(SiteCall& call, std::size_t i, const Interval& bounds, const Interval& interval);
/// Log probability of its distribution, truncation included, within `bounds`.
double log_mass_of_bounds(SiteCall& call, std::size_t i, const Interval& bounds);

}  // namespace fermiac::interp
