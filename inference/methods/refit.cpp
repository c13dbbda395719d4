// Cross-validation by sampling again without observations.
#include <memory>
#include <set>

#include "inference/methods/runs_in_memory.h"
#include "inference/methods/sample.h"
#include "inference/model/quiet_listener.h"
#include "inference/output/run_io.h"

namespace fermiac::inference {

Result sampled_log_lik(const ObservedModel& observed, const Model& model, const SampleOptions& options, const RunIo& io, LogLik* out) {
  QuietListener quiet;
  RunIo silent = io;
  silent.listener = &quiet;
  SampleOptions o = options;
  o.output_dir.clear();
  o.refresh = 0;
  o.keep_many = true;
  const SampleRun run = sample(model, o, silent);
  if (run.interrupted) return Result::fail(kInterrupted);
  if (!run.succeeded || !run.has_draws) return Result::fail(run.error.empty() ? quiet.reason : run.error);
  std::vector<Vec> points;
  if (Result bad = chain_points(model, run.chains, &points); !bad) return bad;
  return log_lik_at(observed, points, run.chains.rows.size(), out);
}

Result refit_bad(const ObservedModel& observed, const SampleOptions& options, const RunIo& io, CrossValidation* out) {
  for (const std::size_t i : out->bad()) {
    const std::unique_ptr<Model> model = observed.without({i});
    LogLik log_lik;
    if (Result bad = sampled_log_lik(observed, *model, options, io, &log_lik); !bad) return bad;
    CrossValidation::Point& point = out->points[i];
    const double whole = point.p + point.elpd;
    point.elpd = log_mean_exp(log_lik.values[i]);
    point.p = whole - point.elpd;
    point.k = 0;
    out->refitted.push_back(point.observation);
  }
  return {};
}

Result kfold(const ObservedModel& observed, const std::vector<int>& fold, const SampleOptions& options, const RunIo& io, const LogLik* full,
             CrossValidation* out) {
  *out = {};
  out->kind = "kfold";
  out->of_what = observed.of_what();
  out->limit = kInf;
  const std::vector<std::string>& names = observed.observations();
  out->points.resize(names.size());
  for (const int k : std::set<int>(fold.begin(), fold.end())) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (fold[i] == k) members.push_back(i);
    const std::unique_ptr<Model> model = observed.without(members);
    LogLik log_lik;
    if (Result bad = sampled_log_lik(observed, *model, options, io, &log_lik); !bad) return bad;
    for (const std::size_t i : members) {
      out->points[i].observation = names[i];
      out->points[i].elpd = log_mean_exp(log_lik.values[i]);
      if (full) out->points[i].p = log_mean_exp(full->values[i]) - out->points[i].elpd;
    }
  }
  return {};
}

}  // namespace fermiac::inference
