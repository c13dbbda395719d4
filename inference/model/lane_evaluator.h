// Gradients at the points of several chains of one thread at once. Every number is what the chain's own workspace gives, but for last bits
// where the compiler fuses products with sums in another way (docs/phases/tape.md).
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "inference/model/model.h"

namespace fermiac {

class LaneEvaluator {
 public:
  virtual ~LaneEvaluator() = default;

  struct Point {
    ModelWorkspace* alone;              // of the chain: evaluates what does not go together
    std::span<const double> theta;
    double* lp;
    std::span<double> gradient;
    EvalStatus* status;
  };
  /// The most points of one call.
  virtual std::size_t width() const = 0;
  /// Log densities, of the default options, and their gradients. No allocation in the steady state.
  virtual void gradients(std::span<const Point> points) = 0;
  /// Whether so many points are to be evaluated together, as far as is known yet; once false, false from then on for as many and
  /// for fewer.
  virtual bool pays(std::size_t points) const = 0;
};

/// A workspace of a model that evaluates several points at once.
class LaneWorkspace : public ModelWorkspace {
 public:
  /// For one thread, and points of all workspaces of the model; null where the model is used in a way that rules it out. It finds
  /// out by time whether that pays, unless it is to do so `always`. The model outlives it.
  virtual std::unique_ptr<LaneEvaluator> lanes(bool always) const = 0;
};

}  // namespace fermiac
