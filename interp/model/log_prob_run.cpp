#include "interp/model/log_prob_run.h"

#include <algorithm>

#include "interp/conditioning/enumeration.h"
#include "interp/exec/runs/code.h"
#include "interp/exec/runs/profile.h"
#include "interp/functions/functions.h"
#include "interp/model/guarded.h"

namespace fermiac::interp {

LogProbRun::LogProbRun(const InterpModel& model)
    : model_(model), slots_(machine_.stack.take(model.compiled_->code->log_prob.slots)) {
  std::copy(model.globals_.begin(), model.globals_.end(), slots_);
  const Conditioned* conditioned = model.conditioned_.get();
  if (!conditioned) return;
  weigher_ = std::make_unique<Weigher>(*conditioned);
  machine_.held = &conditioned->held();
  machine_.names = &conditioned->numbers().values();
  machine_.sites = weigher_.get();
}

bool LogProbRun::enumerates() const { return model_.conditioned_ && !model_.conditioned_->unknowns().empty(); }

void LogProbRun::prepare(ad::Recorder& recorder, DensityOptions options) {
  machine_.recorder = &recorder;
  machine_.print = &model_.print_;
  machine_.stop = model_.stop_;
  machine_.remote = model_.remote_.get();
  machine_.jacobian = options.jacobian;
  machine_.next_free = 0;
  machine_.site = ad::kNoSite;
  machine_.depth = 0;
  machine_.printed = false;
  machine_.only_here = false;
  if (machine_.profile) machine_.profile->forget_spans();
}

EvalStatus LogProbRun::operator()(ad::Recorder& recorder, DensityOptions options) {
  prepare(recorder, options);
  Frame f{.m = machine_, .slots = slots_, .recording = true, .propto = options.propto};
  return guarded(*model_.compiled_, machine_, [&] {
    const Section& section = model_.compiled_->code->log_prob;
    if (!enumerates()) return run_section(section, f);
    Enumeration enumeration(*model_.conditioned_, {});
    weigher_->set_enumeration(&enumeration);
    run_enumerated(section, f, *weigher_, enumeration);
    recorder.set_site(ad::kNoSite);  // what is summed out belongs to no single statement
    interp::add_to_target(recorder, enumeration.target(f));
  });
}

}  // namespace fermiac::interp
