// Draws by tapes: when one is recorded, for which statements, and when nodes do the work after all. Depends on the points of one
// workspace alone, never on time or on other threads, so that runs can be repeated; a run that is resumed takes it over
// (InterpWorkspace::history).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "autodiff/tape/replay/tape.h"
#include "interp/model/draw_tape.h"

namespace fermiac::interp {

/// Records the tapes of one model, and keeps what is known of them.
class DrawTapes {
 public:
  explicit DrawTapes(const EvaluationContext& context) : context_(context) {}
  RecordedDraw record(std::span<const double> theta, const Rng& rng, const LeftOut& left_out);
  /// Of the tape that was recorded last.
  DrawStatistics statistics() const;

 private:
  const EvaluationContext& context_;
  mutable std::mutex mutex_;
  DrawStatistics statistics_;
};

/// Those of one workspace.
class Draws {
 public:
  Draws(const EvaluationContext& context, DrawTapes& tapes);
  ~Draws();

  /// Computes what a tape can: those columns of `row`. Null: nodes have to do it all.
  /// Random numbers come from `rng`, in the order in which nodes would draw them.
  const DrawTape* replay(std::span<const double> theta, Rng& rng, std::span<double> row);
  /// The same of a draw that is nothing but a short tape, which has no stop points and takes no memory. False: it is something else.
  bool replay_short(std::span<const double> theta, Rng& rng, std::span<double> row);
  /// What the rest of the draw that was replayed reads in `slots`.
  void fill_in(Value* slots) const;
  void poison();

  /// All of it, as inference/mcmc/state.h says. What was read is recorded again when it is needed.
  template <class State>
  void state(State& s) {
    std::vector<std::uint8_t> left_out(left_out_.begin(), left_out_.end());
    s(left_out, origin_, seen_, misses_, replays_, failures_);
    if constexpr (State::kReads) left_out_.assign(left_out.begin(), left_out.end());
  }

 private:
  /// Where the tape was recorded, if there is one.
  struct Origin {
    bool is_set = false;
    std::vector<double> theta;
    Rng::State rng{};
    template <class State>
    void state(State& s) { s(is_set, theta, rng); }
  };
  struct Replay {
    explicit Replay(std::shared_ptr<const DrawTape> t)
        : draw(std::move(t)), numbers(draw->tape), is_short(draw->is_whole() && !draw->has_long_ops && !draw->tape->has_guards()) {}
    std::shared_ptr<const DrawTape> draw;
    ad::Workspace numbers;
    bool is_short;
  };
  bool can_record() const;
  void record_again();
  void record(std::span<const double> theta, const Rng& rng);
  void missed();
  void begin(std::span<const double> theta, const Rng& rng);
  void end(Rng& rng, std::span<double> row) const;

  const EvaluationContext& context_;
  DrawTapes& tapes_;
  LeftOut left_out_;
  std::unique_ptr<Replay> replay_;
  Origin origin_;
  std::size_t seen_ = 0;                 // draws
  std::size_t misses_ = 0, replays_ = 0; // of this tape: points on other paths, all
  std::size_t failures_ = 0;             // to record
};

}  // namespace fermiac::interp
