// Room for scalar results of machine code while it runs.
#pragma once

#include <cstddef>

#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/record/trail.h"
#include "codegen/runtime/native.h"

namespace fermiac::interp {

static_assert(sizeof(native::Trail) == sizeof(ad::Trail) && offsetof(native::Trail, steps) == offsetof(ad::Trail, steps) &&
              offsetof(native::Trail, results) == offsetof(ad::Trail, results) && offsetof(native::Trail, first) == offsetof(ad::Trail, first) &&
              offsetof(native::Trail, room) == offsetof(ad::Trail, room) && offsetof(native::Trail, path) == offsetof(ad::Trail, path));
static_assert(sizeof(native::TrailStep) == sizeof(ad::ScalarStep) && offsetof(native::TrailStep, a) == offsetof(ad::ScalarStep, a) &&
              offsetof(native::TrailStep, db) == offsetof(ad::ScalarStep, db) && native::kNoRef == ad::Ref::none().bits());

/// The trail of one statement or call; what it used is kept whether it ends or throws.
class LentTrail {
 public:
  explicit LentTrail(ad::Recorder& recorder) : recorder_(recorder) { settle(); }
  LentTrail(const LentTrail&) = delete;
  LentTrail& operator=(const LentTrail&) = delete;
  ~LentTrail() { settle(); }
  native::Trail* get() { return static_cast<native::Trail*>(static_cast<void*>(&trail_)); }
  /// Others may add to the evaluation until machine code goes on, which finds the numbers where they lie then.
  void settle() { recorder_.take_back(trail_); }

 private:
  ad::Recorder& recorder_;
  ad::Trail trail_;
};

}  // namespace fermiac::interp
