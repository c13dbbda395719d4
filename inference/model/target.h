// The log density as the algorithms see it: one workspace, counted evaluations, refusals collected instead of printed.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "inference/math/vectors.h"
#include "inference/model/model.h"
#include "inference/model/options.h"
#include "inference/model/pulse.h"
#include "support/base/status.h"

namespace fermiac::inference {

/// The message with `#` in place of its numbers: those that differ in nothing else tell the same. The place in the model stays.
std::string mask_numbers(const std::string& message);

/// Why points were refused. Messages that differ only in the offending numbers count as one.
class RejectLog {
 public:
  struct Entry {
    template <class State>
    void state(State& s) { s(first, count); }
    std::string first;  // the message as it came the first time
    std::uint64_t count = 0;
  };
  template <class State>
  void state(State& s) { s(entries_); }
  void add(const std::string& message, std::uint64_t times = 1);
  void merge(const RejectLog& other);
  void clear() { entries_.clear(); }
  bool empty() const { return entries_.empty(); }
  const std::map<std::string, Entry>& entries() const { return entries_; }

 private:
  std::map<std::string, Entry> entries_;  // by message with its numbers masked
};

/// The message of a status Fatal; never empty.
std::string fatal_text(const EvalStatus& status);

class Target {
 public:
  explicit Target(const Model& model, DensityOptions options = {}, const std::atomic<bool>* stop = nullptr)
      : model_(model), workspace_(model.workspace()), options_(options), stop_(stop) {}

  std::size_t size() const { return model_.unconstrained_size(); }
  const Model& model() const { return model_; }
  ModelWorkspace& workspace() { return *workspace_; }
  DensityOptions options() const { return options_; }

  /// Log density and gradient at q; -inf where the model refuses the point or the value is NaN.
  double gradient(ConstSpan q, Span gradient);
  /// Log density alone, under the same rules.
  double value(ConstSpan q);

  std::uint64_t evaluations() const { return evaluations_; }
  /// Of these, where the density was 0 without a reason of the model's.
  std::uint64_t zero_densities() const { return zero_densities_; }
  RejectLog& rejects() { return rejects_; }
  /// The message of the last evaluation if it was refused, else empty.
  const std::string& last_message() const { return last_message_; }
  /// It was refused for sizes or an index.
  bool last_structural() const { return last_structural_; }
  /// Set once the model reported a failure that no other point can mend: the run must stop.
  bool fatal() const { return !fatal_message_.empty(); }
  const std::string& fatal_message() const { return fatal_message_; }
  /// Told of every evaluation from now on.
  void set_pulse(Pulse* pulse) { pulse_ = pulse; }
  /// The user asked to stop, or the model cannot go on.
  bool stopped() const { return fatal() || is_set(stop_); }
  /// Why no further point is evaluated: a fatal error or the stop flag; success if neither.
  Status ended() const {
    if (fatal()) return {StatusCode::Fatal, fatal_message_};
    return stopped() ? Status::interrupted() : Status{};
  }

 private:
  double settle(const EvalStatus& status, double lp);

  const Model& model_;
  std::unique_ptr<ModelWorkspace> workspace_;
  DensityOptions options_;
  const std::atomic<bool>* stop_;
  Pulse* pulse_ = nullptr;
  std::uint64_t evaluations_ = 0, zero_densities_ = 0;
  RejectLog rejects_;
  std::string last_message_, fatal_message_;
  bool last_structural_ = false;
};

}  // namespace fermiac::inference
