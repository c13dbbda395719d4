// Questions to the sites of a program in which ints may be unknown: these are summed out beside what the question itself does.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "interp/conditioning/enumeration.h"
#include "interp/model/conditioned_model.h"

namespace fermiac::interp {

class EnumeratingHandler : public SiteHandler {
 public:
  void choose(const SiteNode& node, Frame& f) final;
  /// Runs the sites of the model. Where ints are unknown, they are summed out as `options` say, and components() gets the sums.
  /// `with`: what else the run may have.
  EvalStatus run(const ConditionedModel& model, std::span<const double> theta, bool jacobian, Enumeration::Options options,
                 RunWith with = {});

 protected:
  virtual void components(const std::vector<ComponentSum>& sums) = 0;
  /// Null where no element of the site may read unknown ints; else what takes those that do.
  Enumeration* enumeration_of(const mir::Site& site) const { return enumeration_ && enumeration_->involves(site) ? enumeration_ : nullptr; }

 private:
  Enumeration* enumeration_ = nullptr;
};

/// Minus infinity where nothing is possible.
double log_sum_of(const std::optional<Value>& sum);

}  // namespace fermiac::interp
