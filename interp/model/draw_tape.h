// What of a draw a tape computes: parameters, transformed parameters and generated quantities, random ones too. Statements
// that print, call solvers or work with drawn ints run as nodes afterwards, and with them what needs what they compute: on a
// frame in which the tape has set what they read. A tape holds for one path through the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/replay/tape.h"
#include "interp/exec/runs/code.h"
#include "interp/exec/runs/frame.h"
#include "interp/model/column_copies.h"
#include "interp/model/evaluation.h"
#include "interp/value/value.h"

namespace fermiac::interp {

struct DrawTape {
  /// What a slot of the frame holds when the rest begins; a reference of slot k stands for result k.
  struct Start {
    std::size_t slot = 0;
    Value value;
    bool ints = false;                   // the results are ints
  };
  /// An output that the rest computes.
  struct Later {
    std::size_t slot = 0, to = 0;
  };

  std::shared_ptr<const ad::Tape> tape;
  std::vector<std::uint32_t> places;     // of the results, among the numbers of a workspace
  ColumnCopies columns;                  // from there
  std::vector<double> row;               // the columns that are the same at every point
  ColumnCopies constants;                // which these are: columns of `row`, to the same columns
  std::vector<Start> starts;
  std::vector<std::size_t> rest;         // statements of generate_quantities, in order
  std::vector<Later> later;
  std::vector<std::size_t> choosing;     // statements of the tape that took one of several paths
  std::size_t taped = 0;                 // statements of the tape
  bool draws = false;                    // random numbers: the last results are the generator's state
  bool has_long_ops = false;             // calls of kernels, long vectors: what may be stopped or take memory
  std::size_t recorded_ops = 0;
  /// Nothing is left to nodes.
  bool is_whole() const { return rest.empty() && later.empty(); }
};

/// Statements that a tape is not to have, by their number.
using LeftOut = std::vector<bool>;

struct RecordedDraw {
  std::shared_ptr<const DrawTape> tape;  // null: it could not be recorded at this point
  std::optional<std::size_t> too_long;   // because this statement is too long for a tape
};

/// Inputs of the tape: free parameters, then the state of the generator (functions/record_random.h). The last results are the
/// state that it leaves behind.
std::vector<double> tape_inputs(std::span<const double> theta, const Rng& rng);

/// One run of the program at theta, to record it; it draws from a copy of `rng`.
class DrawRecording {
 public:
  DrawRecording(const EvaluationContext& context, std::span<const double> theta, const Rng& rng, const LeftOut& left_out);
  RecordedDraw operator()();

 private:
  /// Slots that statements read and write.
  class Uses {
   public:
    explicit Uses(std::size_t slots) : read_(slots, false), written_(slots, false), drawn_(slots, false) {}
    void add(const DrawStep& step);
    /// The step may run before those that were added, although it stands behind them.
    bool can_overtake(const DrawStep& step) const;
    bool touches(std::size_t slot) const { return read_[slot] || written_[slot]; }
    bool writes(std::size_t slot) const { return written_[slot]; }
    bool draws() const { return draws_; }
    /// The slot has ints that were drawn.
    bool has_drawn(std::size_t slot) const { return drawn_[slot]; }

   private:
    std::vector<bool> read_, written_, drawn_;
    bool draws_ = false;
  };

  void choose_statements(const LeftOut& left_out);
  bool goes_on_tape(const DrawStep& step) const;
  void run();
  Ref result(Ref r);
  void take_outputs();
  void take_output(const Value& value, std::size_t to);
  Value with_places(const Value& value, std::vector<Ref>& refs);
  void take_starts();
  void find_choices(const ad::Trace& trace);
  void place_columns();

  const EvaluationContext& context_;
  const Code& code_;
  Uses by_tape_, by_nodes_;
  std::vector<std::size_t> taped_;       // statements
  ad::Recorder recorder_;
  Machine machine_;
  Ref random_;                           // state of the generator
  Value* slots_;
  std::size_t at_ = 0;                   // of taped_
  std::vector<std::size_t> ends_;        // ops behind each of taped_
  std::vector<Ref> results_;
  std::vector<std::size_t> columns_;     // of the first of them, one after the other
  std::shared_ptr<DrawTape> out_;
};

}  // namespace fermiac::interp
