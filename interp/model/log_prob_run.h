// Runs the statements of a model's log density on a recorder.
#pragma once

#include <memory>

#include "autodiff/tape/record/recorder.h"
#include "interp/conditioning/weigher.h"
#include "interp/exec/runs/frame.h"
#include "interp/model/interp_model.h"

namespace fermiac::interp {

class LogProbRun {
 public:
  explicit LogProbRun(const InterpModel& model);
  /// May be called again, with another recorder or the same one started over.
  EvalStatus operator()(ad::Recorder& recorder, DensityOptions options);
  /// The last run printed something, which a replay would not repeat, or holds at its point alone.
  bool is_for_once() const { return machine_.printed || machine_.only_here; }
  /// Sums unknown ints out: what is possible at this point may be impossible at others, where the gradient is not a number.
  bool enumerates() const;
  /// The statement where the last run stopped.
  ad::Site site() const { return machine_.site; }
  /// Measures `profile` blocks of the runs to come, or nothing.
  void set_profile(Profile* profile) { machine_.profile = profile; }

 private:
  void prepare(ad::Recorder& recorder, DensityOptions options);

  const InterpModel& model_;
  Machine machine_;
  std::unique_ptr<Weigher> weigher_;  // of a conditioned model
  Value* slots_;
};

}  // namespace fermiac::interp
