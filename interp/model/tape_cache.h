// The tapes of one model: recorded at need, rewritten. A tape holds for one path through the program; where a guard says that a
// point takes another path, another tape serves, or the point is recorded anew. Workspaces share a tape that every point gives
// alike. Others depend on the point at which they were recorded, so each workspace has its own, and what it computes does not depend
// on what other threads have evaluated.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "autodiff/tape/replay/tape.h"
#include "interp/model/evaluation.h"

namespace fermiac::interp {

struct RecordedTape {
  std::shared_ptr<const ad::Tape> tape;
  bool guarded = false;      // it stops at points that take another path, or may fail where the program does not
  bool speculative = false;  // it computes branches that are not taken (Recorder::select)
  bool general = false;      // recorded at any other point, it would be the same
  std::uint64_t path = 0;    // a hash of the outcomes of its guards
};

/// The trace as a tape, rewritten as the settings say.
std::shared_ptr<const ad::Tape> tape_of(const EvaluationContext& context, ad::Trace trace, std::shared_ptr<ad::device::DeviceUse> device = nullptr);

class TapeCache {
 public:
  explicit TapeCache(const EvaluationContext& context) : context_(context) {}

  static std::size_t index(DensityOptions options) { return (options.propto ? 1u : 0u) + (options.jacobian ? 2u : 0u); }

  struct Recording {
    EvalStatus status;
    RecordedTape recorded;                 // where the status is Ok
    bool printed = false;                  // while it was recorded: not to be replayed at other points
  };
  /// `speculates`: branches that are not taken may be recorded.
  Recording record(std::span<const double> theta, DensityOptions options, bool speculates) const;
  /// Offers a general recording to the other workspaces.
  void publish(std::size_t index, const RecordedTape& tape);
  /// The general recording, if there is one.
  std::optional<RecordedTape> general(std::size_t index) const;

  TapeStatistics statistics(std::size_t index) const;
  static constexpr std::size_t kMaxTapes = 16;  // of one workspace, of each kind

 private:
  void tell_not_placed(const ad::Tape& tape) const;

  const EvaluationContext& context_;
  mutable std::atomic<bool> told_ = false;
  mutable std::mutex mutex_;
  struct Entry {
    std::optional<RecordedTape> general;
    TapeStatistics statistics;
  };
  mutable std::array<Entry, 4> entries_;
};

/// Which paths through the program the evaluations of one workspace took, and what follows for the next one: replay tapes, record one,
/// or evaluate without (autodiff/tape/record/direct_sink.h). Depends on the evaluated points alone, never on time or on other threads,
/// so that runs can be repeated; a run that is resumed takes it over (InterpWorkspace::history).
class PathHistory {
 public:
  /// Tapes are worth a try.
  bool tries_tapes() {
    if (++evaluations_ == kMemory) forget();
    return settled_ || !restless();
  }
  /// No tape takes the path of this point: whether one is to be recorded, or else the point evaluated directly.
  bool records() const { return !restless() && !prints_; }

  /// A tape of this path served, or was recorded.
  void took_tape(std::uint64_t path) {
    rounds_ = 0;
    settled_ = true;
    if (path == latest_) return;
    latest_ = path;
    if (!restless() && std::ranges::find(seen_, path) == seen_.end()) seen_.push_back(path);
  }
  /// A direct evaluation took this path. `printed`: what a tape would not do.
  void took(std::uint64_t path, bool printed) {
    rounds_ = path == last_ && !printed ? rounds_ + 1 : 1;
    last_ = path;
    settled_ = rounds_ == 2;  // a tape of an earlier time may know it
    prints_ |= printed;
  }
  /// The path lasts: a tape pays.
  bool lasts() const { return rounds_ == kLasting; }
  void printed() { prints_ = true; }

  /// All of it, as inference/mcmc/state.h says.
  template <class State>
  void state(State& s) {
    s(seen_, evaluations_, rounds_, last_, latest_, settled_, prints_);
  }

 private:
  static constexpr std::size_t kFewPaths = 16;        // more are not worth a tape each …
  static constexpr std::size_t kMemory = 20'000;      // … unless that was long ago, in evaluations
  static constexpr std::size_t kLasting = 32;         // direct evaluations cost about what recording and rewriting do

  void forget() {
    seen_.clear();
    evaluations_ = 0;
  }
  bool restless() const { return seen_.size() > kFewPaths; }

  std::vector<std::uint64_t> seen_;
  std::size_t evaluations_ = 0;
  std::size_t rounds_ = 0;     // latest direct evaluations with one path
  std::uint64_t last_ = 0;
  std::uint64_t latest_ = 0;   // of the tapes' paths
  bool settled_ = false;
  bool prints_ = false;        // on some path
};

}  // namespace fermiac::interp
