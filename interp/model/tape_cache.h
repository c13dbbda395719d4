// The tapes of one model: recorded at need, rewritten. A tape holds for one path through the program; where a guard says that a
// point takes another path, another tape serves, or the point is recorded anew. Workspaces share a tape that every point gives
// alike. Others depend on the point at which they were recorded, so each workspace has its own, and what it computes does not depend
// on what other threads have evaluated.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "autodiff/tape/replay/tape.h"
#include "interp/model/interp_model.h"

namespace fermiac::interp {

struct RecordedTape {
  std::shared_ptr<const ad::Tape> tape;
  bool guarded = false;      // it stops at points that take another path, or may fail where the program does not
  bool speculative = false;  // it computes branches that are not taken (Recorder::select)
  bool general = false;      // recorded at any other point, it would be the same
  std::uint64_t path = 0;    // a hash of the outcomes of its guards
};

class TapeCache {
 public:
  explicit TapeCache(const InterpModel& model) : model_(model) {}

  static std::size_t index(DensityOptions options) { return (options.propto ? 1u : 0u) + (options.jacobian ? 2u : 0u); }

  struct Recording {
    EvalStatus status;
    RecordedTape recorded;                 // where the status is Ok
    bool printed = false;                  // while it was recorded: not to be replayed at other points
  };
  /// `speculates`: branches that are not taken may be recorded.
  Recording record(std::span<const double> theta, DensityOptions options, bool speculates) const;
  /// Rewritten as set, and laid out.
  std::shared_ptr<const ad::Tape> tape_of(ad::Trace trace, std::shared_ptr<ad::device::DeviceUse> device = nullptr) const;
  /// Offers a general recording to the other workspaces.
  void publish(std::size_t index, const RecordedTape& tape);
  /// The general recording, if there is one.
  std::optional<RecordedTape> general(std::size_t index) const;

  TapeStatistics statistics(std::size_t index) const;
  void set_rewrite(bool enabled, std::vector<std::string> skip);
  void set_short_tiles(bool enabled);
  /// What was recorded so far is not replayed again.
  void forget();
  static constexpr std::size_t kMaxTapes = 16;  // of one workspace, of each kind

 private:
  void tell_not_placed(const ad::Tape& tape) const;

  const InterpModel& model_;
  bool rewrite_ = true;
  bool short_tiles_ = false;
  std::vector<std::string> skip_;
  mutable std::atomic<bool> told_ = false;
  mutable std::mutex mutex_;
  struct Entry {
    std::optional<RecordedTape> general;
    TapeStatistics statistics;
  };
  mutable std::array<Entry, 4> entries_;
};

}  // namespace fermiac::interp
