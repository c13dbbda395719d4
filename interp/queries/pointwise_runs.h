// The densities of observations at many points: run by nodes at first, replayed from a tape then.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "autodiff/tape/replay/tape.h"
#include "interp/queries/pointwise.h"

namespace fermiac::interp {

/// Several threads may ask at the same time. The model outlives it.
class Pointwise {
 public:
  /// Throws as Observations does.
  Pointwise(const ConditionedModel& model, const std::string& group, bool split = true) : model_(model), observations_(model, group, split) {}

  const Observations& observations() const { return observations_; }
  /// ℓ of every observation [observations().size()] with all constants, and the prior's target without Jacobian. Allocates
  /// nothing once there is a tape.
  EvalStatus operator()(std::span<const double> theta, std::span<double> log_lik, double* lprior) const;
  /// Ops of the tape after rewriting; 0: there is none. For tests.
  std::size_t tape_ops() const;

 private:
  /// Results of the tape are added up by observation; the prior's stand behind the last one.
  struct Recorded {
    std::shared_ptr<const ad::Tape> tape;
    std::vector<std::size_t> shares;   // by result
    std::vector<double> constants;     // by share: what is the same at every point
  };
  struct Replay {
    std::shared_ptr<const Recorded> recorded;
    ad::Workspace numbers;
    std::vector<double> results;
    explicit Replay(std::shared_ptr<const Recorded> r) : recorded(std::move(r)), numbers(recorded->tape), results(recorded->tape->outputs()) {}
  };
  EvalStatus by_nodes(std::span<const double> theta, std::span<double> log_lik, double* lprior) const;
  std::shared_ptr<const Recorded> record(std::span<const double> theta) const;
  std::unique_ptr<Replay> take(std::span<const double> theta) const;
  void give_back(std::unique_ptr<Replay> replay, bool missed) const;

  const ConditionedModel& model_;
  Observations observations_;
  mutable std::mutex mutex_;
  mutable std::size_t asked_ = 0, misses_ = 0;
  mutable std::shared_ptr<const Recorded> recorded_;
  mutable std::vector<std::unique_ptr<Replay>> idle_;
};

/// Adds columns to what the model writes: the log likelihood by observation, the log prior; an empty name: not these. Returns what is
/// observed (observations_text), if that is asked for. Throws InputError where the program has a variable of that name, and as
/// Observations does.
std::string add_pointwise_outputs(ConditionedModel& model, const std::string& log_lik, const std::string& lprior);

}  // namespace fermiac::interp
