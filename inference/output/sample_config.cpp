#include "inference/output/sample_config.h"

#include <cmath>
#include <utility>

#include "inference/mcmc/metric.h"

namespace fermiac::inference {

std::string engine_name(Engine engine) {
  if (engine == Engine::Static) return "static";
  return engine == Engine::Walnuts ? "walnuts" : "nuts";
}

namespace {

ConfigNode adapt_config(const SampleOptions& o) {
  const AdaptOptions defaults;
  return ConfigNode::group("adapt", {
                                        ConfigNode::boolean("engaged", o.adapt.engaged, true),
                                        ConfigNode::number("gamma", o.adapt.gamma, defaults.gamma),
                                        ConfigNode::number("delta", o.adapt.delta, defaults.delta),
                                        ConfigNode::number("kappa", o.adapt.kappa, defaults.kappa),
                                        ConfigNode::number("t0", o.adapt.t0, defaults.t0),
                                        ConfigNode::integer("init_buffer", o.adapt.init_buffer, defaults.init_buffer),
                                        ConfigNode::integer("term_buffer", o.adapt.term_buffer, defaults.term_buffer),
                                        ConfigNode::integer("window", o.adapt.window, defaults.window),
                                        ConfigNode::boolean("save_metric", o.save_metric, false),
                                    });
}

ConfigNode engine_config(const SampleOptions& o) {
  const SampleOptions defaults;
  if (o.engine == Engine::Static)
    return ConfigNode::group("static", {ConfigNode::number("int_time", o.integration_time, defaults.integration_time)});
  ConfigNode out = ConfigNode::group(engine_name(o.engine), {ConfigNode::integer("max_depth", o.max_treedepth, defaults.max_treedepth)});
  if (o.engine == Engine::Walnuts) {
    out.children.push_back(ConfigNode::number("max_energy_error", o.max_energy_error, defaults.max_energy_error));
    out.children.push_back(ConfigNode::integer("max_halvings", o.max_halvings, defaults.max_halvings));
  }
  return out;
}

ConfigNode algorithm_config(const SampleOptions& o) {
  if (o.engine == Engine::FixedParam) return ConfigNode::choice("algorithm", "fixed_param", "hmc");
  ConfigNode hmc = ConfigNode::group(
      "hmc", {
                 ConfigNode::choice("engine", engine_name(o.engine), "nuts", {engine_config(o)}),
                 ConfigNode::choice("metric", std::string(metric_name(o.metric)), metric_name(SampleOptions{}.metric)),
                 ConfigNode::text("metric_file", o.metric_file, ""),
                 ConfigNode::number("stepsize", o.stepsize, 1),
                 ConfigNode::number("stepsize_jitter", o.stepsize_jitter, 0),
             });
  return ConfigNode::choice("algorithm", "hmc", "hmc", {std::move(hmc)});
}

/// In as many letters as any other, so that it can be replaced when it is known.
ConfigNode open_count(std::string key, unsigned most) {
  ConfigNode out = ConfigNode::integer(std::move(key), most, -1);
  out.value.resize(kCountWidth, ' ');
  return out;
}

void add_rounds_config(const SampleOptions& o, ConfigNode* sample) {
  if (o.target_ess == 0) return;
  sample->children.push_back(ConfigNode::number("target_ess", o.target_ess));
  sample->children.push_back(ConfigNode::integer("max_samples", o.max_samples, 10000));
  if (std::isfinite(o.target_ess_max_time)) sample->children.push_back(ConfigNode::number("target_ess_max_time", o.target_ess_max_time));
}

}  // namespace

ConfigNode method_config(const SampleOptions& o, unsigned samples, bool is_open, bool is_chain) {
  ConfigNode sample = ConfigNode::group("sample", {
                                                      is_open ? open_count("num_samples", samples) : ConfigNode::integer("num_samples", samples, 1000),
                                                      o.auto_warmup && is_chain ? open_count("num_warmup", o.num_warmup) : ConfigNode::integer("num_warmup", o.num_warmup, 1000),
                                                      ConfigNode::boolean("save_warmup", o.save_warmup, false),
                                                      ConfigNode::integer("thin", o.thin, 1),
                                                      adapt_config(o),
                                                      algorithm_config(o),
                                                      ConfigNode::integer("num_chains", o.chains, 1),
                                                  });
  add_rounds_config(o, &sample);
  if (o.auto_warmup) sample.children.push_back(ConfigNode::boolean("auto_warmup", true, false));
  if (o.max_restarts > 0) sample.children.push_back(ConfigNode::integer("max_restarts", o.max_restarts, 0));
  return ConfigNode::choice("method", "sample", "sample", {std::move(sample)});
}

}  // namespace fermiac::inference
