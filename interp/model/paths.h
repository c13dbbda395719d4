// Which paths through the program the evaluations of one workspace took, and what follows for the next one: replay tapes,
// record one, or evaluate without (autodiff/tape/record/direct_sink.h). Depends on the evaluated points alone, never on time or on
// other threads, so that runs can be repeated; a run that is resumed takes it over (InterpWorkspace::history).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fermiac::interp {

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
