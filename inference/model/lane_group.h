// Chains of one thread that wait for each other's gradients: each runs on a fiber of its own (support/platform/fibers.h) and sees the
// model through a seat. Where it asks for a gradient the others have their turns; when all wait, one call evaluates all points.
// Nobody above the seat knows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inference/model/lane_evaluator.h"
#include "support/platform/fibers.h"

namespace fermiac::inference {

class LaneSeat;

class LaneGroup {
 public:
  explicit LaneGroup(std::unique_ptr<LaneEvaluator> evaluator);
  /// Runs body(k) on fiber k, which has seat k; as many as the evaluator takes. Throws what leaves a body. Where there is no room for
  /// their stacks they run one after another.
  void run(std::span<LaneSeat* const> seats, const std::function<void(std::size_t)>& body);

 private:
  friend class LaneSeat;
  bool run_by_turns(std::span<LaneSeat* const> seats, const std::function<void(std::size_t)>& body);
  /// From a body. `alone`: of this chain.
  EvalStatus gradient(ModelWorkspace& alone, std::span<const double> theta, double* lp, std::span<double> gradient);
  void ended(std::size_t left);
  void evaluate();

  std::unique_ptr<LaneEvaluator> evaluator_;
  Fibers fibers_;
  std::vector<LaneEvaluator::Point> waiting_;
  std::size_t running_ = 0;      // bodies that have not ended
  std::uint64_t rounds_ = 0;     // evaluations so far
};

/// The model, whose workspaces have gradients evaluated with those of a group while the seat is in one.
class LaneSeat final : public Model {
 public:
  explicit LaneSeat(const Model& model) : model_(model) {}
  std::string_view name() const override { return model_.name(); }
  std::size_t unconstrained_size() const override { return model_.unconstrained_size(); }
  std::vector<std::string> names(bool transformed, bool generated) const override { return model_.names(transformed, generated); }
  std::vector<std::string> unconstrained_names() const override { return model_.unconstrained_names(); }
  std::string refusal_advice(std::string_view message) const override { return model_.refusal_advice(message); }
  bool solves_differential_equations() const override { return model_.solves_differential_equations(); }
  std::vector<ModelVariable> variables() const override { return model_.variables(); }
  std::unique_ptr<ModelWorkspace> workspace() const override;
  EvalStatus unconstrain_json(std::string_view json, GivenValues given, std::span<double> theta) const override {
    return model_.unconstrain_json(json, given, theta);
  }
  EvalStatus unconstrain_array(std::span<const double> constrained, GivenValues given, std::span<double> theta) const override {
    return model_.unconstrain_array(constrained, given, theta);
  }
  void set_print(PrintSink) override {}  // the model's own

 private:
  class Workspace;
  friend class LaneGroup;
  const Model& model_;
  LaneGroup* group_ = nullptr;
};

}  // namespace fermiac::inference
