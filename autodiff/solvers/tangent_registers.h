// Rows of tangents in vector registers: which register has which row, and what is stored when another row wants it. Include only
// from .cpp files that make machine code.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "autodiff/solvers/lanes.h"

namespace fermiac::ad {

/// Straight code whose reads are known in advance: the register that is given away is the one whose row is wanted last.
class RowRegisters {
 public:
  static constexpr std::uint32_t kNever = ~0u;
  using Vec = LaneArithmetic::Vec;
  using Place = LaneArithmetic::Place;

  /// Row r lies at place(r). Rows before `inputs` are there already.
  RowRegisters(LaneArithmetic& arithmetic, std::uint32_t rows, std::uint32_t inputs, std::function<Place(std::uint32_t)> place)
      : do_(arithmetic), held_(arithmetic.registers()), where_(rows, kNever), stored_(rows, false), place_(std::move(place)) {
    std::fill_n(stored_.begin(), inputs, true);
  }

  /// The row; `next`: when it is read again.
  Vec read(std::uint32_t row, std::uint32_t next) {
    if (where_[row] == kNever) {
      take(row);
      do_.load(reg(row), place_(row));
    }
    held_[where_[row]] = {.row = row, .next = next, .pinned = true};
    return reg(row);
  }
  /// A register for a row that is computed now.
  Vec write(std::uint32_t row, std::uint32_t next) {
    take(row);
    held_[where_[row]].next = next;
    return reg(row);
  }
  /// The op is done: what nobody reads any more is free.
  void next_op() {
    for (Held& h : held_) {
      h.pinned = false;
      if (h.row != kNever && h.next == kNever) release(h);
    }
  }

 private:
  struct Held {
    std::uint32_t row = kNever, next = kNever;
    bool pinned = false;
  };

  Vec reg(std::uint32_t row) const { return do_.held(where_[row]); }
  void release(Held& h) {
    where_[h.row] = kNever;
    h = {};
  }
  void take(std::uint32_t row) {
    Held* best = nullptr;
    for (Held& h : held_) {
      if (h.pinned) continue;
      if (h.row == kNever) {
        best = &h;
        break;
      }
      if (best == nullptr || h.next > best->next) best = &h;
    }
    if (best->row != kNever) put_away(*best);
    *best = {.row = row, .pinned = true};
    where_[row] = static_cast<std::uint32_t>(best - held_.data());
  }
  void put_away(Held& h) {
    if (!stored_[h.row]) do_.store(place_(h.row), reg(h.row));
    stored_[h.row] = true;
    release(h);
  }

  LaneArithmetic& do_;
  std::vector<Held> held_;
  std::vector<std::uint32_t> where_;  // register of a row
  std::vector<bool> stored_;
  std::function<Place(std::uint32_t)> place_;
};

}  // namespace fermiac::ad
