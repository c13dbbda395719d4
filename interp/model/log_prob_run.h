// Runs the statements of a model's log density: on a recorder, or on plain numbers.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "autodiff/tape/record/recorder.h"
#include "interp/conditioning/weigher.h"
#include "interp/exec/runs/frame.h"
#include "interp/model/evaluation.h"

namespace fermiac::interp {

class Enumeration;

class LogProbRun {
 public:
  explicit LogProbRun(const EvaluationContext& context);
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

  const EvaluationContext& context_;
  Machine machine_;
  std::unique_ptr<Weigher> weigher_;  // of a conditioned program
  Value* slots_;
};

/// What a run of sites may use instead of the model's own.
struct RunWith {
  const std::vector<const HeldNumbers*>* held = nullptr;  // null: those of the conditioning
  Rng* rng = nullptr;
  bool lenient = false;   // checks and reject() do nothing
  bool print = false;     // what the program prints is not dropped
  Enumeration* enumeration = nullptr;           // the handler gives it elements that read unknown ints
  std::function<void(Frame& f)> sums = {};      // called after the last run of an enumeration
  ad::Recorder* recorder = nullptr;             // started at theta: the run is recorded there instead of run on plain numbers
  std::function<void(Frame& f)> ended = {};     // called when all is done, or an error ended it
};

/// Runs the log density of a conditioned program on plain numbers, sites by `handler`; `target` receives what was added to target there.
EvalStatus run_sites(const EvaluationContext& context, std::span<const double> theta, bool jacobian, SiteHandler& handler, double* target,
                     const RunWith& with);

/// The log density by the plain evaluator, with all constants: what the tape is tested against.
EvalStatus log_density_plain(const EvaluationContext& context, std::span<const double> theta, bool jacobian, double* lp);

}  // namespace fermiac::interp
