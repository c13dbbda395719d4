// Loops too long to record op by op. While such a loop is recorded, the scalar ops of all its rounds are collected by
// their place in the round: ops at the same place become one vector op, whose operands are columns with one entry per
// round. Rounds that take different paths (an `if` on data) form a tree of places. No op of a single round is ever
// kept.
//
// Columns are computed one after another, in the order in which their places came up first: an operand is either older
// than the loop or a result of an earlier place, of the same round or of one before it. Of recurrences only sums fit
// (s += x, s -= x): their terms are a column, their partial sums another one, which is computed behind all columns of its
// level; what reads partial sums is of the next level. Whoever records leaves the loop (Recorder) as soon as an op does not
// fit; the columns so far stay what they are.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad {

/// An operand of one place over the rounds: one reference for all, a run of consecutive ones, or a list.
struct RefColumn {
  enum class Form : std::uint8_t { Uniform, Run, List } form = Form::Uniform;
  Ref first;
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
  /// Additions to a running sum that do not continue it (`s + b` for another purpose), by site and map. What was taken
  /// for the next partial sum turns out not to be one when the one before it is added to again; next time it is known.
  using Readers = std::unordered_set<std::uint64_t>;

  /// `trips`: rounds to be expected. Results get slots of `trace`.
  LoopRecording(Trace& trace, std::uint32_t trips, Readers& readers);

  void next_round();
  std::uint32_t rounds() const { return round_; }

  /// One more scalar op (kind, map, masks, keep, operands) of this round. False if it does not fit, else `op.d` is the
  /// slot of its result. An op whose operands never change keeps one slot for all rounds.
  bool add(Op& op, Site site);
  /// It did not fit because of an addition that is among the readers by now.
  bool learned() const { return learned_; }

  /// What the rounds add up to: `op` of n instances, results from op.d on.
  struct Collected {
    Op op;
    Site site = kNoSite;
    std::uint32_t n = 0;
    std::vector<RefColumn> refs;        // operand j, where ad_mask has bit j
    std::vector<NumberColumn> numbers;  // … where not
  };
  /// A running sum: the results from `d` on are first + terms[0], … + terms[1], ….
  struct Sum {
    Site site = kNoSite;
    Ref first;
    RefColumn terms;
    std::uint32_t n = 0, capacity = 0;
    Ref d;
  };
  /// What is computed before what else follows. Ends the recording.
  struct Level {
    std::vector<Collected> columns;  // in an order that respects dependencies
    std::vector<Sum> sums;
  };
  std::vector<Level> collect();

 private:
  static constexpr std::uint32_t kNone = ~0u;
  struct Place {
    Collected now;  // the instances since the last full block
    std::vector<Collected> full;
    std::uint32_t capacity = 0;
    std::uint32_t level = 0;
    Ref slot;                // of the latest instance
    bool invariant = true;  // one instance so far, shared by all rounds
    std::uint32_t first_child = kNone, next = kNone;
  };
  struct Block {
    Ref begin;
    std::uint32_t index = 0;  // of a place, or of a sum
    bool sum = false;
  };
  /// When a number is computed: columns of a level in the order of their places, then its sums.
  struct When {
    std::uint32_t level = 0, place = 0;
    auto operator<=>(const When&) const = default;
  };
  struct OpenSum {
    Sum now;
    std::uint32_t level = 0;
    std::uint64_t latest = 0;  // the addition, as in Readers
  };

  std::uint32_t find_place(const Op& op, Site site, std::optional<std::uint32_t> level);
  const Block* block_of(Ref r) const;
  When when(const Op& op, int j) const;
  bool put(Op& op, Site site);
  bool is_sum(Ref r) const;
  bool joins_sum(Op& op, Site site);
  bool opens_sum(Op& op, Site site, int j, std::uint32_t place, std::uint32_t level, std::uint32_t capacity);
  bool starts_sum(Op& op, Site site, std::uint32_t place);
  bool adds_negative(Op& op, Site site);
  void append_term(std::uint32_t sum, Op& op, int term);
  bool repeats(const Place& place, const Op& op) const;
  bool make_room(std::uint32_t index);
  void append(Place& place, const Op& op);

  Trace& trace_;
  Readers& readers_;
  std::uint64_t addition_ = 0;  // the op at hand, as in Readers
  bool learned_ = false;
  std::uint32_t trips_;
  Ref first_slot_;
  std::uint32_t round_ = 0;
  std::size_t most_places_ = 0;  // from the second round on
  std::uint32_t last_ = 0;       // place of the latest op; place 0 is the start of a round
  std::vector<Place> places_;
  std::vector<OpenSum> sums_;
  std::vector<Block> blocks_;  // by begin
  std::size_t reserved_ = 0;   // slots
};

}  // namespace fermiac::ad
