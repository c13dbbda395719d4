// How the metric follows the draws of the warm-up, one iteration at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "inference/mcmc/adapt.h"
#include "inference/mcmc/state.h"

namespace fermiac::inference {

class MetricAdaptation {
 public:
  virtual ~MetricAdaptation() = default;
  /// What is to be said about the warm-up before it begins.
  virtual const std::optional<std::string>& warning() const = 0;
  /// After an iteration that ended at `position`. `changed` tells whether the metric did, and the step size has to be found
  /// anew. Errors: the draws make no metric.
  virtual Status learn(ConstSpan position, ConstSpan gradient, Metric* metric, bool* changed) = 0;
  /// The metric stays as it is from now on. Only where it is learnt from gradients.
  virtual void end() = 0;
  virtual void state(StateWriter& writer) = 0;
  virtual void state(StateReader& reader) = 0;
};

std::unique_ptr<MetricAdaptation> make_metric_adaptation(MetricKind kind, std::size_t n, unsigned num_warmup,
                                                         const AdaptOptions& options);

}  // namespace fermiac::inference
