// Which options of a run of sample go together.
#include <algorithm>
#include <cmath>

#include "inference/mcmc/blocks.h"
#include "inference/mcmc/chain_plan.h"
#include "inference/mcmc/metric.h"
#include "inference/methods/sample.h"
#include "inference/output/output.h"
#include "support/base/number_text.h"

namespace fermiac::inference {
namespace {

Status check_restarts(const SampleOptions& o) {
  if (o.max_restarts == 0) return {};
  if (o.target_ess > 0) return Status::failed("max_restarts is not there for runs with target_ess, which draw on until the chains agree");
  return {};
}

/// Counts that would be without effect.
Status check_rounds(const SampleOptions& o) {
  const SampleOptions defaults;
  const bool limited = o.max_samples != defaults.max_samples || std::isfinite(o.target_ess_max_time);
  if (o.target_ess == 0 && limited) return Status::failed("max_samples and target_ess_max_time are limits of target_ess, which is not given");
  if (o.target_ess > 0 && o.num_samples != defaults.num_samples)
    return Status::failed("samples says how many draws there are to be, target_ess that there are to be as many as it takes; max_samples limits those");
  return {};
}

Status check_warmup(const SampleOptions& o) {
  if (!o.auto_warmup) return {};
  if (!uses_gradients(o.metric)) return Status::failed("warmup is auto, which the metrics low_rank and fisher_diag have; " + std::string(metric_name(o.metric)) + " has windows of its own");
  if (o.blocks) return Status::failed("warmup is auto, which samplers by block do not have");
  return o.adapt.engaged ? Status{} : Status::failed("warmup is auto, but without adaptation nothing settles");
}

/// Settings of one way to move under another.
Status check_engine(const SampleOptions& o) {
  const SampleOptions defaults;
  if (o.blocks && (o.engine == Engine::Walnuts || o.engine == Engine::Static))
    return Status::failed(std::string("each block has its own sampler, of which ") + (o.engine == Engine::Static ? "hmc" : "walnuts") +
                        " is one: sampler cannot say it for all of them");
  const bool limited = o.max_energy_error != defaults.max_energy_error || o.max_halvings != defaults.max_halvings;
  const bool halves = o.blocks ? std::ranges::count(o.blocks->blocks, BlockSampler::Walnuts, &Block::sampler) > 0
                               : o.engine == Engine::Walnuts;
  if (limited && !halves) return Status::failed("max_energy_error and max_halvings are settings of the sampler walnuts, which is not chosen");
  if (o.integration_time != defaults.integration_time && o.engine != Engine::Static)
    return Status::failed("int_time is a setting of the sampler static, which is not chosen");
  if (o.max_treedepth != defaults.max_treedepth && o.engine == Engine::Static)
    return Status::failed("max_treedepth limits the trees of nuts and walnuts; static, which is chosen, has none: int_time says how far it goes");
  return {};
}

struct Rule {
  bool holds;
  const char* name;
  double value;
  const char* rule;
};

}  // namespace

Status check_options(const SampleOptions& o) {
  if (Status bad = check_common(o); !bad) return bad;
  const Rule rules[] = {
      {o.chains > 0 && o.chains <= kMostRuns, "chains", double(o.chains), "0 < chains <= 10000"},
      {o.num_samples > 0 || o.num_warmup > 0, "samples", double(o.num_samples), "0 < samples + warmup"},
      {o.thin > 0, "thin", double(o.thin), "0 < thin"},
      {o.max_treedepth > 0 && o.max_treedepth <= 50, "max_treedepth", double(o.max_treedepth),
       "0 < max_treedepth <= 50"},
      {o.max_energy_error > 0 && std::isfinite(o.max_energy_error), "max_energy_error", o.max_energy_error, "0 < max_energy_error"},
      {o.max_halvings >= 0 && o.max_halvings <= kMostHalvings, "max_halvings", double(o.max_halvings), "0 <= max_halvings <= 20"},
      {o.adapt.delta > 0 && o.adapt.delta < 1, "adapt_delta", o.adapt.delta, "0 < adapt_delta < 1"},
      {o.adapt.gamma > 0, "adapt_gamma", o.adapt.gamma, "0 < adapt_gamma"},
      {o.adapt.kappa > 0, "adapt_kappa", o.adapt.kappa, "0 < adapt_kappa"},
      {o.adapt.t0 > 0, "adapt_t0", o.adapt.t0, "0 < adapt_t0"},
      {o.stepsize > 0 && std::isfinite(o.stepsize), "stepsize", o.stepsize, "0 < stepsize"},
      {o.stepsize_jitter >= 0 && o.stepsize_jitter <= 1, "stepsize_jitter", o.stepsize_jitter,
       "0 <= stepsize_jitter <= 1"},
      {o.integration_time > 0, "int_time", o.integration_time, "0 < int_time"},
  };
  for (const Rule& r : rules)
    if (!r.holds)
      return Status::failed(format_number(r.value, 6) + " is not a valid value for " + r.name +
                          "\n  Valid values: " + r.rule);
  if (Status bad = check_rounds(o); !bad) return bad;
  if (Status bad = check_restarts(o); !bad) return bad;
  if (Status bad = check_engine(o); !bad) return bad;
  if (Status bad = check_warmup(o); !bad) return bad;
  if (Status bad = check_chain_ids(o); !bad) return bad;
  const AdaptOptions defaults;
  if (uses_gradients(o.metric) && (o.adapt.window != defaults.window || o.adapt.init_buffer != defaults.init_buffer))
    return Status::failed("window and init_buffer shape the windows of the metrics diag_e and dense_e; " +
                        std::string(metric_name(o.metric)) + " has none");
  return {};
}

bool keeps_states(const SampleOptions& options) {
  return !options.record.options.empty();
}

}  // namespace fermiac::inference
