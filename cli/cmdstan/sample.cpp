#include "inference/methods/sample.h"

#include <algorithm>

#include "cli/cmdstan/files.h"
#include "cli/cmdstan/method.h"

namespace fermiac::cmdstan {
namespace {

using namespace inference;

constexpr double kDeepestTree = 50;  // a trajectory of 2^50 steps does not end

Engine engine_of(const Setting& sample) {
  if (sample.text("algorithm") == "fixed_param") return Engine::FixedParam;
  return sample.text("algorithm.hmc.engine") == "static" ? Engine::Static : Engine::Nuts;
}

MetricKind metric_of(const std::string& name) {
  for (const MetricKind kind : {MetricKind::Unit, MetricKind::Diag})
    if (name == metric_name(kind)) return kind;
  return MetricKind::Dense;
}

AdaptOptions adapt_options(const Setting& adapt) {
  return {.engaged = adapt.truth("engaged"),
          .gamma = adapt.number("gamma"),
          .delta = adapt.number("delta"),
          .kappa = adapt.number("kappa"),
          .t0 = adapt.number("t0"),
          .init_buffer = adapt.count("init_buffer"),
          .term_buffer = adapt.count("term_buffer"),
          .window = adapt.count("window")};
}

void fill_sample(const Setting& s, SampleOptions& o) {
  const Setting& hmc = s.at("algorithm.hmc");
  o.chains = s.count("num_chains");
  o.num_warmup = s.count("num_warmup");
  o.num_samples = s.count("num_samples");
  o.save_warmup = s.truth("save_warmup");
  o.thin = s.count("thin");
  o.reports_zero_densities = false;
  o.adapt = adapt_options(s.at("adapt"));
  o.save_metric = s.truth("adapt.save_metric");
  o.engine = engine_of(s);
  o.max_treedepth = static_cast<int>(std::min(hmc.number("engine.nuts.max_depth"), kDeepestTree));
  o.integration_time = hmc.number("engine.static.int_time");
  o.metric = metric_of(hmc.text("metric"));
  o.metric_file = hmc.text("metric_file");
  o.stepsize = hmc.number("stepsize");
  o.stepsize_jitter = hmc.number("stepsize_jitter");
}

}  // namespace

Status run_sample(Run& run) {
  SampleOptions o;
  fill_common(run, o);
  fill_sample(run.method, o);
  if (Status bad = name_files(run, o.chains); !bad) return fail(run, bad);
  if (Status bad = fill_init(o.chains, o); !bad) return fail(run, bad);
  if (!o.metric_file.empty()) {
    std::vector<std::string> files;
    if (Status bad = input_files(o.metric_file, o.chains, o.id, &files); !bad) return fail(run, bad);
    warn_of_r_dump(files[0]);
    o.metric_file = joined(files);
  }
  return outcome(sample(run.model, o, run.io));
}

}  // namespace fermiac::cmdstan
