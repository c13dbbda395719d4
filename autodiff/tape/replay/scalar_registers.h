// Numbers and adjoints of a run in registers: which register has which, and what must go back to memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "autodiff/tape/replay/scalar_machine.h"

namespace fermiac::ad {

/// What is not in memory yet goes there when its register is wanted for something else.
class ScalarRegisters {
 public:
  using Pointer = ScalarMachine::Pointer;
  using Real = ScalarMachine::Real;
  using Place = ScalarMachine::Place;

  ScalarRegisters(ScalarMachine& machine, const Pointer& values, const Pointer& adjoints) : do_(machine), values_(values), adjoints_(adjoints) {}

  /// Registers of the op before may be given away from now on.
  void next_op() { ++now_; }
  Real value(std::uint32_t slot) { return held(slot, false); }
  Real adjoint(std::uint32_t slot) { return held(slot, true); }
  /// The register in which the value of the slot will stand; the caller stores it, too.
  Real new_value(std::uint32_t slot) { return take(slot, false); }
  /// Its register has another value than memory.
  void changed_adjoint(std::uint32_t slot) { find(slot, true)->dirty = true; }
  /// Nobody reads it any more.
  void drop_adjoint(std::uint32_t slot) {
    if (Entry* e = find(slot, true)) e->busy = e->dirty = false;
  }
  /// A register for the op alone.
  Real temporary() {
    Entry& e = oldest();
    e = {.used = now_};
    return reg(e);
  }
  void write_back() {
    for (Entry& e : entries_) write_back(e);
  }
  /// All registers are somebody else's.
  void forget() { entries_ = {}; }

  Place value_place(std::uint32_t slot) const { return ScalarMachine::place(values_, std::size_t{slot} * 8); }
  Place adjoint_place(std::uint32_t slot) const { return ScalarMachine::place(adjoints_, std::size_t{slot} * 8); }

 private:
  struct Entry {
    std::uint32_t slot = 0;
    bool adjoint = false, busy = false, dirty = false;
    std::uint64_t used = 0;  // the op
  };

  Real reg(const Entry& e) const { return ScalarMachine::held(static_cast<std::uint32_t>(&e - entries_.data())); }
  Entry* find(std::uint32_t slot, bool adjoint) {
    for (Entry& e : entries_)
      if (e.busy && e.slot == slot && e.adjoint == adjoint) return &e;
    return nullptr;
  }
  Entry& oldest() {
    Entry* best = entries_.data();
    for (Entry& e : entries_)
      if (e.used < best->used) best = &e;
    write_back(*best);
    return *best;
  }
  Real take(std::uint32_t slot, bool adjoint) {
    Entry& e = oldest();
    e = {.slot = slot, .adjoint = adjoint, .busy = true, .used = now_};
    return reg(e);
  }
  Real held(std::uint32_t slot, bool adjoint) {
    if (Entry* e = find(slot, adjoint)) {
      e->used = now_;
      return reg(*e);
    }
    const Real to = take(slot, adjoint);
    do_.load(to, adjoint ? adjoint_place(slot) : value_place(slot));
    return to;
  }
  void write_back(Entry& e) {
    if (e.busy && e.dirty) do_.store(adjoint_place(e.slot), reg(e));
    e.dirty = false;
  }

  ScalarMachine& do_;
  Pointer values_, adjoints_;
  std::array<Entry, ScalarMachine::kHeld> entries_{};
  std::uint64_t now_ = 1;
};

}  // namespace fermiac::ad
