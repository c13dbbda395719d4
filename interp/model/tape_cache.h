// The tapes of one model: recorded at need, rewritten, shared by all workspaces. A tape holds for one path through the
// program; where a guard says that a point takes another path, another tape serves, or the point is recorded anew.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
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
  /// Recordings that other workspaces may use too.
  void publish(std::size_t index, RecordedTape tape);
  std::vector<RecordedTape> known(std::size_t index) const;

  TapeStatistics statistics(std::size_t index) const;
  void set_rewrite(bool enabled, std::vector<std::string> skip);
  void set_short_tiles(bool enabled);
  /// What was recorded so far is not replayed again.
  void forget();
  static constexpr std::size_t kMaxTapes = 16;  // of each kind

 private:
  void tell_not_placed(const ad::Tape& tape) const;

  const InterpModel& model_;
  bool rewrite_ = true;
  bool short_tiles_ = false;
  std::vector<std::string> skip_;
  mutable std::atomic<bool> told_ = false;
  mutable std::mutex mutex_;
  struct Entry {
    std::vector<RecordedTape> tapes;
    TapeStatistics statistics;
  };
  mutable std::array<Entry, 4> entries_;
};

}  // namespace fermiac::interp
