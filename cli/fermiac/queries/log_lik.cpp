// `fermiac log-lik`: the likelihood by observation of draws that exist.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/fermiac/shared/file_sums.h"
#include "cli/fermiac/shared/given_points.h"
#include "cli/fermiac/shared/load.h"
#include "cli/fermiac/shared/questions.h"
#include "cli/fermiac/shared/run_model.h"
#include "inference/methods/method_run.h"
#include "inference/output/config.h"
#include "inference/output/csv.h"
#include "inference/output/run_io.h"
#include "interp/queries/pointwise_runs.h"

namespace fermiac::cli {
namespace {

using namespace inference;

Status write_draws(MethodRun& run, const interp::ConditionedModel& model, const interp::Pointwise& densities, const LogLikArgs& args,
                   std::size_t index) {
  const interp::Observations& observations = densities.observations();
  const std::vector<std::vector<double>> draws = draws_in(model, {args.draws[index]});
  CsvWriter csv(args.options.sig_figs);
  ConfigNode names = ConfigNode::text(args.log_lik, fmt::format("{}", fmt::join(observations.names(), ", ")), "");
  ConfigNode method = ConfigNode::choice("method", "log_lik", "sample", {ConfigNode::group("log_lik", {ConfigNode::text("draws", args.draws[index], "")}), names});
  if (Status bad = run.open(method, fmt::format("_log_lik_{}.csv", index + 1), &csv); !bad) return csv.end(bad);
  std::vector<std::string> columns = observations.columns(args.log_lik);
  columns.push_back(args.lprior);
  csv.header(columns);
  std::vector<double> row(columns.size());
  for (const std::vector<double>& theta : draws) {
    if (run.stopped()) return csv.end(Status::interrupted());
    const EvalStatus status = densities(theta, std::span(row).first(observations.size()), &row.back());
    if (!status) return csv.end(Status::failed(status.message));
    csv.row({}, row);
  }
  return csv.end({});
}

Status run_all(MethodRun& run, const interp::ConditionedModel& model, const LogLikArgs& args) {
  try {
    interp::refuse_taken(model, args.log_lik, "--log-lik");
    interp::refuse_taken(model, args.lprior, "--lprior");
    const interp::Pointwise densities(model, args.group);
    std::fprintf(stderr, "%s: %s", args.log_lik.c_str(), interp::observations_text(densities.observations()).c_str());
    for (std::size_t i = 0; i < args.draws.size(); ++i)
      if (Status bad = write_draws(run, model, densities, args, i); !bad) return bad;
    run.drop_others("_log_lik", 1, args.draws.size());
  } catch (const InputError& e) {
    return Status::failed(e.what());
  }
  return {};
}

}  // namespace

int run_log_lik(const LogLikArgs& args, Stop& stop) {
  const auto model = load_conditioned_model(args.model);
  warn_of_other_data(args.draws, args.model.data);
  CommonOptions options = args.options;
  describe_model(args.model, &options);
  const RunIo io = terminal_io(stop);
  MethodRun run(*model, options, io);
  return exit_status(run.finish(run_all(run, *model, args)));
}

}  // namespace fermiac::cli
