// Machine code for a TangentProgram: its values as straight code, then the tangents of all ops, a vector of directions at a time
// with the rows that are wanted next in registers. Every operation rounds as sweep_tangents() rounds it: the same numbers bit for
// bit, whenever the code is made.
//
// Cost: some 50 µs and 0.3 µs an op to make; so it is made once a program has run often.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "autodiff/solvers/tangents.h"
#include "support/platform/code_pages.h"

namespace fermiac::ad {

/// For one number of lanes; 0: values only. Points to the ops of its program.
class TangentCode {
 public:
  /// Values [program.value_slots() + partials()] begin with the inputs, tangents [tangent_rows() * lanes] with their rows; the
  /// results go to out and rows. False when a guard or a domain rule fails. Does not throw.
  bool run(double* values, double* tangents, double* out, double* rows) const { return entry_(values, tangents, out, rows); }
  std::size_t lanes() const { return lanes_; }
  /// How many numbers it keeps behind the values.
  std::size_t partials() const { return partials_; }

 private:
  friend std::unique_ptr<const TangentCode> make_tangent_code(const TangentProgram& program, std::size_t lanes);
  bool (*entry_)(double*, double*, double*, double*) = nullptr;
  std::size_t lanes_ = 0, partials_ = 0;
  jit::CodePages pages_;
};

/// Null where there is no machine code on this machine, or no room.
std::unique_ptr<const TangentCode> make_tangent_code(const TangentProgram& program, std::size_t lanes);

}  // namespace fermiac::ad
