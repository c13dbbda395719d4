// Draws by tapes: when one is recorded, for which statements, and when nodes do the work after all. Depends on the points
// alone, never on time, so that runs can be repeated.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "autodiff/tape/replay/tape.h"
#include "interp/model/draw_tape.h"

namespace fermiac::interp {

/// Those of one model. What takes one path alone serves every workspace.
class DrawTapes {
 public:
  explicit DrawTapes(const InterpModel& model) : model_(model) {}
  RecordedDraw record(std::span<const double> theta, const Rng& rng, const LeftOut& left_out);
  /// Of the tape that was recorded last.
  DrawStatistics statistics() const;
  void forget();

 private:
  struct Known {
    LeftOut left_out;
    std::shared_ptr<const DrawTape> tape;
  };
  const InterpModel& model_;
  mutable std::mutex mutex_;
  std::vector<Known> known_;
  DrawStatistics statistics_;
};

/// Those of one workspace.
class Draws {
 public:
  explicit Draws(const InterpModel& model);
  ~Draws();

  /// Computes what a tape can: those columns of `row`. Null: nodes have to do it all.
  /// Random numbers come from `rng`, in the order in which nodes would draw them.
  const DrawTape* replay(std::span<const double> theta, Rng& rng, std::span<double> row);
  /// The same of a draw that is nothing but a short tape, which has no stop points and takes no memory. False: it is something else.
  bool replay_short(std::span<const double> theta, Rng& rng, std::span<double> row);
  /// What the rest of the draw that was replayed reads in `slots`.
  void fill_in(Value* slots) const;
  void poison();

 private:
  struct Replay {
    explicit Replay(std::shared_ptr<const DrawTape> t)
        : draw(std::move(t)), numbers(draw->tape), is_short(draw->is_whole() && !draw->has_long_ops && !draw->tape->has_guards()) {}
    std::shared_ptr<const DrawTape> draw;
    ad::Workspace numbers;
    bool is_short;
  };
  bool can_record() const;
  void record(std::span<const double> theta, const Rng& rng);
  void missed();
  void begin(std::span<const double> theta, const Rng& rng);
  void end(Rng& rng, std::span<double> row) const;

  const InterpModel& model_;
  LeftOut left_out_;
  std::unique_ptr<Replay> replay_;
  std::size_t seen_ = 0;                 // draws
  std::size_t misses_ = 0, replays_ = 0; // of this tape: points on other paths, all
  std::size_t failures_ = 0;             // to record
};

}  // namespace fermiac::interp
