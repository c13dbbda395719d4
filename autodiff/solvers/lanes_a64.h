// Two directions at a time on 64-bit Arm. lanes_x86.h has the same for x86-64.
#pragma once

#include <cstddef>
#include <cstdint>

#include "autodiff/tape/replay/scalar_machine.h"

namespace fermiac::ad {

class LaneArithmetic {
 public:
  using Vec = a64::VecV;
  using Place = ScalarMachine::Place;
  using Pointer = ScalarMachine::Pointer;

  explicit LaneArithmetic(ScalarMachine& machine) : machine_(machine), a_(machine.assembler()) {}

  static std::uint32_t width() { return 2; }
  static std::uint32_t registers() { return ScalarMachine::kHeld; }
  static Vec held(std::uint32_t k) { return Vec(ScalarMachine::held_id(k)); }

  void load(const Vec& to, const Place& from) { a_.ldr(to, machine_.within_reach(from, 16)); }
  void store(const Place& to, const Vec& from) { a_.str(from, machine_.within_reach(to, 16)); }
  void copy(const Vec& to, const Vec& from) { a_.mov(to.b16(), from.b16()); }
  void add(const Vec& to, const Vec& x, const Vec& y) { a_.fadd(to.d2(), x.d2(), y.d2()); }
  void subtract(const Vec& to, const Vec& x, const Vec& y) { a_.fsub(to.d2(), x.d2(), y.d2()); }
  /// to = p x for the number p.
  void times(const Vec& to, const Vec& x, const Place& p) { a_.fmul(to.d2(), x.d2(), number(p)); }
  void times_minus_one(const Vec& to, const Vec& x) {
    machine_.load(ScalarMachine::kFree, ScalarMachine::Constant{-1});
    a_.fmul(to.d2(), x.d2(), kNumber.d(0));
  }
  /// sum += p x, rounded once.
  void add_times(const Vec& sum, const Vec& x, const Place& p) { a_.fmla(sum.d2(), x.d2(), number(p)); }
  /// A register that is free otherwise.
  Vec zeros() {
    a_.movi(kNumber.d2(), 0);
    return kNumber;
  }
  void constants() {}

  // ---------------------------------------------------------------- a loop over the directions, which moves where they are

  void begin_directions(const asmjit::Label& next) {
    a_.mov(kDone, 0);
    a_.bind(next);
  }
  static Place place(const Pointer& base, std::size_t offset) { return ScalarMachine::place(base, offset); }
  void end_directions(const Pointer& tangents, const Pointer& results, std::size_t lanes, const asmjit::Label& next) {
    if (lanes <= width()) return;
    for (const Pointer& at : {tangents, results}) a_.add(at, at, 16);
    a_.add(kDone, kDone, width());
    a_.mov(a64::x16, asmjit::Imm(lanes));
    a_.cmp(kDone, a64::x16);
    machine_.jump_if(a64::CondCode::kNE, next);
  }

 private:
  static constexpr Vec kNumber = a64::v0;  // ScalarMachine::kFree
  static constexpr Pointer kDone = a64::x9;

  Vec number(const Place& p) {
    machine_.load(ScalarMachine::kFree, p);
    return kNumber.d(0);
  }

  ScalarMachine& machine_;
  a64::Assembler& a_;
};

}  // namespace fermiac::ad
