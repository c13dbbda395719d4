#include "interp/model/log_prob_run.h"

#include <algorithm>

#include "interp/conditioning/enumeration.h"
#include "interp/exec/runs/code.h"
#include "interp/exec/runs/profile.h"
#include "interp/functions/functions.h"
#include "interp/model/plain_run.h"
#include "interp/value/numbers.h"
#include "support/base/stop.h"

namespace fermiac::interp {

LogProbRun::LogProbRun(const EvaluationContext& context)
    : context_(context), slots_(machine_.stack.take(context.code().log_prob.slots)) {
  std::ranges::copy(context.program->globals(), slots_);
  const Conditioned* conditioned = context.conditioned();
  if (!conditioned) return;
  weigher_ = std::make_unique<Weigher>(*conditioned);
  machine_.held = &conditioned->held();
  machine_.names = &conditioned->numbers().values();
  machine_.sites = weigher_.get();
}

bool LogProbRun::enumerates() const { return context_.conditioned() && !context_.conditioned()->unknowns().empty(); }

void LogProbRun::prepare(ad::Recorder& recorder, DensityOptions options) {
  machine_.recorder = &recorder;
  machine_.print = &context_.print;
  machine_.stop = context_.stop;
  machine_.remote = context_.remote.get();
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
  return guarded(context_.compiled(), machine_, [&] {
    const Section& section = context_.code().log_prob;
    if (!enumerates()) return run_section(section, f);
    Enumeration enumeration(*context_.conditioned(), {});
    weigher_->set_enumeration(&enumeration);
    run_enumerated(section, f, *weigher_, enumeration);
    recorder.set_site(ad::kNoSite);  // what is summed out belongs to no single statement
    interp::add_to_target(recorder, enumeration.target(f));
  });
}

// ---------------------------------------------------------------- plain numbers

EvalStatus run_sites(const EvaluationContext& context, std::span<const double> theta, bool jacobian, SiteHandler& handler, double* target,
                     const RunWith& with) {
  const ad::MemoryScope limited(context.max_memory);
  const ad::StopScope stoppable(context.stop);
  const Section& section = context.code().log_prob;
  PlainRun run(context.program->globals(), section, with.print ? context.print : no_print(), context.stop);
  run.m.theta = theta;
  run.m.jacobian = jacobian;
  run.m.held = with.held ? with.held : &context.conditioned()->held();
  run.m.names = &context.conditioned()->numbers().values();
  run.m.sites = &handler;
  run.m.rng = with.rng;
  run.m.lenient = with.lenient;
  run.m.recorder = with.recorder;
  run.f.recording = with.recorder != nullptr;
  const EvalStatus status = guarded(context.compiled(), run.m, [&] {
    if (!with.enumeration) return run_section(section, run.f);
    run_enumerated(section, run.f, handler, *with.enumeration);
    if (with.sums) with.sums(run.f);
  });
  if (with.ended) with.ended(run.f);
  *target = run.m.lp;
  return status;
}

namespace {

/// Counts every site with its weight, and sums unknown ints out.
EvalStatus weighed_density(const EvaluationContext& context, std::span<const double> theta, bool jacobian, double* lp) {
  const Conditioned& conditioned = *context.conditioned();
  Weigher weigher(conditioned);
  if (conditioned.unknowns().empty()) return run_sites(context, theta, jacobian, weigher, lp, {.print = true});
  Enumeration enumeration(conditioned, {});
  weigher.set_enumeration(&enumeration);
  double summed = 0;
  const auto add = [&](Frame& f) { summed = sum_of(enumeration.target(f)); };
  const EvalStatus status = run_sites(context, theta, jacobian, weigher, lp, {.print = true, .enumeration = &enumeration, .sums = add});
  *lp += summed;
  return status;
}

}  // namespace

EvalStatus log_density_plain(const EvaluationContext& context, std::span<const double> theta, bool jacobian, double* lp) {
  if (context.conditioned()) return weighed_density(context, theta, jacobian, lp);
  const ad::MemoryScope limited(context.max_memory);
  const ad::StopScope stoppable(context.stop);
  const Section& section = context.code().log_prob;
  PlainRun run(context.program->globals(), section, context.print, context.stop);
  run.m.theta = theta;
  run.m.jacobian = jacobian;
  const EvalStatus status = guarded(context.compiled(), run.m, [&] { run_section(section, run.f); });
  *lp = run.m.lp;
  return status;
}

}  // namespace fermiac::interp
