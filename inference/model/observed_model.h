// A model that knows its observations: what cross-validation asks of one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "inference/math/vectors.h"
#include "inference/model/model.h"

namespace fermiac::inference {

class ObservedModel {
 public:
  virtual ~ObservedModel() = default;
  virtual const Model& model() const = 0;
  /// Names of the observations.
  virtual const std::vector<std::string>& observations() const = 0;
  /// What they are observations of, in words for users: `y`.
  virtual const std::vector<std::string>& of_what() const = 0;
  /// Log density of each observation at `theta` [unconstrained_size()], with all constants.
  virtual EvalStatus pointwise(ConstSpan theta, Span log_lik) const = 0;
  /// The model in which these observations do not count; data, sizes and everything else stay.
  virtual std::unique_ptr<Model> without(const std::vector<std::size_t>& left_out) const = 0;
};

}  // namespace fermiac::inference
