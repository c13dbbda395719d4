// Cross-validation by sampling again without observations.
#include <cmath>
#include <cstdio>
#include <memory>
#include <set>
#include <string>

#include "inference/methods/runs_in_memory.h"
#include "inference/methods/sample.h"
#include "inference/model/quiet_listener.h"
#include "inference/output/run_io.h"
#include "support/base/text.h"

namespace fermiac::inference {
namespace {

void warn_of_problems(const ChainSet& chains, const std::string& of_what, const RunIo& io) {
  const std::string problems = problems_in_brief(find_problems(chains, summarise(chains)));
  if (problems.empty()) return;
  const std::string line = "Warning: draws " + of_what + ": " + problems + "\n";
  if (io.listener) return io.listener->message(line);
  std::fputs(line.c_str(), io.err);
}

/// `without y[3]`, `without y[1], y[4] and 17 more`
std::string without_text(const std::vector<std::string>& names, const std::vector<std::size_t>& left_out) {
  std::vector<std::string> out;
  for (const std::size_t i : left_out) out.push_back(names[i]);
  return "without " + first_names(out, 3);
}

}  // namespace

Status sample_quietly(const Model& model, SampleOptions options, const RunIo& io, SampleRun* out) {
  QuietListener quiet;
  RunIo silent = io;
  silent.listener = &quiet;
  options.output_dir.clear();
  options.refresh = 0;
  options.keep_many = true;
  *out = sample(model, options, silent);
  if (out->status.is_interrupted()) return Status::interrupted();
  return out->status && !out->has_draws ? Status::failed(quiet.reason) : out->status;
}

Status sampled_log_lik(const ObservedModel& observed, const Model& model, const std::string& of_what, const SampleOptions& options, const RunIo& io,
                       LogLik* out) {
  SampleRun run;
  if (Status bad = sample_quietly(model, options, io, &run); !bad) return bad;
  warn_of_problems(run.chains, of_what, io);
  std::vector<Vec> points;
  if (Status bad = chain_points(model, run.chains, &points); !bad) return bad;
  return log_lik_at(observed, points, run.chains.rows.size(), out);
}

Status refit_bad(const ObservedModel& observed, const SampleOptions& options, const RunIo& io, CrossValidation* out) {
  for (const std::size_t i : out->bad()) {
    const std::unique_ptr<Model> model = observed.without({i});
    LogLik log_lik;
    if (Status bad = sampled_log_lik(observed, *model, without_text(observed.observations(), {i}), options, io, &log_lik); !bad) return bad;
    CrossValidation::Point& point = out->points[i];
    const double whole = point.p + point.elpd;
    const LooPoint mean = average_point(log_lik.values[i], log_lik.chains);
    point = {.observation = point.observation, .elpd = mean.elpd, .k = mean.k, .mcse = mean.mcse, .p = whole - mean.elpd};
    out->refitted.push_back(point.observation);
  }
  return {};
}

Status kfold(const ObservedModel& observed, const std::vector<int>& fold, const SampleOptions& options, const RunIo& io, const LogLik* full,
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
    if (Status bad = sampled_log_lik(observed, *model, without_text(names, members), options, io, &log_lik); !bad) return bad;
    for (const std::size_t i : members) {
      out->points[i].observation = names[i];
      out->points[i].elpd = log_mean_exp(log_lik.values[i]);
      if (full) out->points[i].p = log_mean_exp(full->values[i]) - out->points[i].elpd;
    }
  }
  return {};
}

}  // namespace fermiac::inference
