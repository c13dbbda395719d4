// Loops too long to record op by op. While such a loop is recorded, the scalar ops of all its rounds are collected by
// their place in the round: ops at the same place become one vector op, whose operands are columns with one entry per
// round. Rounds that take different paths (an `if` on data) form a tree of places. No op of a single round is ever
// kept.
//
// Columns are computed one after another, in the order in which their places came up first: an operand is either older
// than the loop or a result of an earlier place, of the same round or of one before it. A recurrence does not fit. Whoever
// records leaves the loop (Recorder) as soon as an op does not fit; the columns so far stay what they are.
#pragma once

#include <cstdint>
#include <vector>

#include "autodiff/tape/trace.h"

namespace fermiac::ad {

/// An operand of one place over the rounds: one reference for all, a run of consecutive ones, or a list.
struct RefColumn {
  enum class Form : std::uint8_t { Uniform, Run, List } form = Form::Uniform;
  Ref first = 0;
  std::vector<Ref> list;

  void add(Ref r, std::uint32_t before, std::uint32_t capacity);
  Ref at(std::uint32_t i) const { return form == Form::List ? list[i] : form == Form::Run ? first + i : first; }
};

/// The same for constants.
struct NumberColumn {
  double first = 0;
  std::vector<double> list;  // empty: all equal `first`

  void add(double x, std::uint32_t before, std::uint32_t capacity);
};

class LoopRecording {
 public:
  /// `trips`: rounds to be expected. Results get slots of `trace`.
  LoopRecording(Trace& trace, std::uint32_t trips);

  void next_round();
  std::uint32_t rounds() const { return round_; }

  /// One more scalar op (kind, map, masks, keep, operands) of this round. False if it does not fit, else `op.d` is the
  /// slot of its result. An op whose operands never change keeps one slot for all rounds.
  bool add(Op& op, Site site);

  /// What the rounds add up to: `op` of n instances, results from op.d on.
  struct Collected {
    Op op;
    Site site = 0;
    std::uint32_t n = 0;
    std::vector<RefColumn> refs;        // operand j, where ad_mask has bit j
    std::vector<NumberColumn> numbers;  // … where not
  };
  /// In an order that respects dependencies. Ends the recording.
  std::vector<Collected> collect();

 private:
  static constexpr std::uint32_t kNone = ~0u;
  struct Place {
    Collected now;  // the instances since the last full block
    std::vector<Collected> full;
    std::uint32_t capacity = 0;
    Ref slot = 0;            // of the latest instance
    bool invariant = true;  // one instance so far, shared by all rounds
    std::uint32_t first_child = kNone, next = kNone;
  };
  struct Block {
    Ref begin = 0;
    std::uint32_t place = 0;
  };

  std::uint32_t find_place(const Op& op, Site site);
  bool is_older(Ref r, std::uint32_t index) const;
  bool repeats(const Place& place, const Op& op) const;
  bool make_room(std::uint32_t index);
  void append(Place& place, const Op& op);

  Trace& trace_;
  std::uint32_t trips_;
  Ref first_slot_;
  std::uint32_t round_ = 0;
  std::size_t most_places_ = 0;  // from the second round on
  std::uint32_t last_ = 0;       // place of the latest op; place 0 is the start of a round
  std::vector<Place> places_;
  std::vector<Block> blocks_;  // by begin
  std::size_t reserved_ = 0;   // slots
};

}  // namespace fermiac::ad
