// Room for scalar results of machine code while it runs.
#pragma once

#include <cstddef>

#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/record/trail.h"
#include "jit/layout.h"

namespace fermiac::interp {

static_assert(sizeof(jit::Trail) == sizeof(ad::Trail) && offsetof(jit::Trail, steps) == offsetof(ad::Trail, steps) &&
              offsetof(jit::Trail, results) == offsetof(ad::Trail, results) && offsetof(jit::Trail, first) == offsetof(ad::Trail, first) &&
              offsetof(jit::Trail, room) == offsetof(ad::Trail, room) && offsetof(jit::Trail, path) == offsetof(ad::Trail, path));
static_assert(sizeof(jit::TrailStep) == sizeof(ad::ScalarStep) && offsetof(jit::TrailStep, a) == offsetof(ad::ScalarStep, a) &&
              offsetof(jit::TrailStep, db) == offsetof(ad::ScalarStep, db) && jit::kNoRef == ad::Ref::none().bits());

/// The trail of one statement or call; what it used is kept whether it ends or throws.
class LentTrail {
 public:
  explicit LentTrail(ad::Recorder& recorder) : recorder_(recorder) { settle(); }
  LentTrail(const LentTrail&) = delete;
  LentTrail& operator=(const LentTrail&) = delete;
  ~LentTrail() { settle(); }
  jit::Trail* get() { return static_cast<jit::Trail*>(static_cast<void*>(&trail_)); }
  /// Makes more room.
  void more() { recorder_.lend(trail_); }
  /// A result with its derivatives by x, and by y unless that carries none.
  jit::Traced result(double value, const jit::Traced& x, double dx, const jit::Traced& y = {}, double dy = 0) {
    if (trail_.used == trail_.room) more();
    const std::uint32_t k = trail_.used++, d = trail_.first + k;
    trail_.steps[k] = {d, Ref::from_bits(x.ref), Ref::from_bits(y.ref), dx, dy};
    trail_.results[k] = value;
    return {value, d};
  }
  /// Others may add to the evaluation until machine code goes on, which finds the numbers where they lie then.
  void settle() { recorder_.take_back(trail_); }

 private:
  ad::Recorder& recorder_;
  ad::Trail trail_;
};

}  // namespace fermiac::interp
