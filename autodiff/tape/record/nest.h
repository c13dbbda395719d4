// The `for` loops that run while a program is recorded, and which of them is to be recorded by columns (loop.h).
//
// Of a long nest it is the longest loop that fits: loops around it repeat its columns, loops within it are unrolled. So
// there are few vector operations, and what a loop around the columns computes stays a scalar, what one within it reads
// stays a run of consecutive numbers: nothing is repeated to fill columns. How long the nest is turns out while its
// first rounds are recorded op by op. A loop that does not fit (a recurrence) leaves the place to the next longest.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad {

class LoopNest {
 public:
  /// A running loop: its depth from 1; 0 is none.
  using Id = std::uint32_t;

  Id begin(Site site, std::int64_t rounds);
  void next_round(Id loop);
  /// The loop is over, and what runs within it (after an error that somebody caught).
  void end(Id loop);

  /// Whether the rest of the loop, its present round included, is to be recorded by columns.
  bool wants_columns(Id loop, std::size_t ops) const;
  /// It is from now on. Returns how many rounds to prepare for.
  std::uint32_t start_columns(Id loop);
  /// It is no longer, after so many rounds, and would not have been so soon if `fits`.
  void stop_columns(std::uint32_t rounds, bool fits);
  Id by_columns() const { return columns_; }

 private:
  /// Rounds of a nest: of all its loops, and but for those that are short (of which equal expressions are more likely
  /// than long columns).
  struct Rounds {
    double all = 0, of_long = 0;
  };
  /// What is known of the loops of one statement.
  struct History {
    Rounds inside;                     // of the loops within one of its rounds
    std::uint32_t longest_inside = 0;  // of the loops within it that fit
    std::uint32_t longest = 0;
    std::uint64_t collected = 0;       // rounds by columns
    std::uint32_t short_runs = 0;      // attempts that ended at once
    std::uint32_t last_run = 0;        // rounds of the attempt that ended early, or 0
    bool unfit = false;
  };
  struct Open {
    History* history = nullptr;
    std::uint32_t rounds = 0;
    std::uint32_t done = 0;    // the present one included
    std::uint32_t seen = 0;    // those whose inner loops were announced, and how many rounds these had
    Rounds inside;
    bool long_nest = false;
    std::uint32_t left() const { return rounds - done + (done > 0 ? 1 : 0); }
  };

  static Rounds repeated(std::uint32_t n, const Rounds& inside);
  void estimate();
  bool outlasts(const Open& around, const Open& loop) const;

  std::unordered_map<Site, History> histories_;
  std::vector<Open> open_;  // outermost first
  Id columns_ = 0;
  History* columns_history_ = nullptr;
};

}  // namespace fermiac::ad
