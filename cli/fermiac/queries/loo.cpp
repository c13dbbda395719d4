// `fermiac loo`: cross-validation of a model, or of log likelihoods in files.
#include "inference/diagnostics/loo.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "cli/fermiac/shared/file_sums.h"
#include "cli/fermiac/shared/given_points.h"
#include "cli/fermiac/shared/load.h"
#include "cli/fermiac/shared/questions.h"
#include "cli/fermiac/shared/refuse.h"
#include "cli/fermiac/shared/run_model.h"
#include "inference/diagnostics/summary.h"
#include "inference/methods/runs_in_memory.h"
#include "inference/output/draw_files.h"
#include "inference/output/run_io.h"
#include "interp/queries/observed.h"
#include "support/base/json_tree.h"
#include "support/base/text_file.h"
#include "support/platform/output.h"

namespace fermiac::cli {
namespace {

using namespace inference;

/// Log likelihoods at the draws of files.
Status log_lik_of_files(const interp::Observed& observed, const interp::ConditionedModel& model, const std::vector<std::string>& files, LogLik* out) {
  std::size_t chains = 0;
  const std::vector<std::vector<double>> draws = draws_in(model, files, &chains);
  return log_lik_at(observed, draws, chains, out);
}

/// From columns `log_lik…` alone.
Status log_lik_in_files(const std::vector<std::string>& files, LogLik* out) {
  ChainSet chains;
  if (Status bad = load_chains(files, &chains); !bad) return bad;
  *out = log_lik_columns(chains);
  return out->values.empty() ? Status::failed("the files have no columns log_lik; give the program and its data") : Status{};
}

Status folds_of(const std::string& text, std::size_t n, std::vector<int>* out) {
  int k = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), k);
  if (text == "group" || (error == std::errc() && end == text.data() + text.size())) {
    if (text != "group" && k < 2) return Status::failed("--kfold needs at least two folds");
    for (std::size_t i = 0; i < n; ++i) out->push_back(text == "group" ? static_cast<int>(i) : static_cast<int>(i) % k);
    return {};
  }
  fermiac::TextFile file = read_text_file(text, true);
  if (file.state != fermiac::TextFile::State::Read) return Status::failed(file.problem);
  JsonValue json;
  std::vector<double> numbers;
  std::vector<std::size_t> shape;
  if (const Status bad = parse_json(file.text, &json); !bad) return Status::failed("'" + text + "', " + bad.message);
  if (!json_numbers(json, &numbers, &shape) || shape.size() != 1 || numbers.size() != n)
    return Status::failed(fmt::format("'{}' must be an array of {} folds, one for each observation", text, n));
  for (const double x : numbers) out->push_back(static_cast<int>(x));
  return {};
}

Status validate(const LooArgs& args, const interp::ConditionedModel& model, const RunIo& io, CrossValidation* out) {
  const interp::Observed observed(model, args.group);
  LogLik log_lik;
  const bool needs = args.kfold.empty() || !args.files.empty();
  if (!args.files.empty()) {
    if (Status bad = log_lik_of_files(observed, model, args.files, &log_lik); !bad) return bad;
  } else if (needs) {
    if (Status bad = sampled_log_lik(observed, model, "of the posterior", args.options, io, &log_lik); !bad) return bad;
  }
  if (!args.kfold.empty()) {
    std::vector<int> folds;
    if (Status bad = folds_of(args.kfold, observed.observations().size(), &folds); !bad) return bad;
    return kfold(observed, folds, args.options, io, needs ? &log_lik : nullptr, out);
  }
  *out = args.waic ? waic(log_lik) : psis_loo(log_lik, args.r_eff, args.k_threshold);
  if (args.moment_match && !args.waic)
    if (Status bad = match_moments(observed, log_lik, args.r_eff, io.stop, out); !bad) return bad;
  return args.refit ? refit_bad(observed, args.options, io, out) : Status{};
}

int print(const LooArgs& args, const CrossValidation& result) {
  return write_output(args.format == "json" ? cross_validation_json(result) : cross_validation_text(result)) ? 0 : 1;
}

}  // namespace

int run_loo(const LooArgs& args, Stop& stop) {
  CrossValidation result;
  if (!args.model.model.ends_with(".stan")) {
    std::vector<std::string> files = {args.model.model};
    files.insert(files.end(), args.files.begin(), args.files.end());
    LogLik log_lik;
    if (const Status bad = log_lik_in_files(files, &log_lik); !bad) return refuse(bad.message);
    return print(args, args.waic ? waic(log_lik) : psis_loo(log_lik, args.r_eff, args.k_threshold));
  }
  const auto model = load_conditioned_model(args.model);
  if (args.kfold.empty()) warn_of_other_data(args.files, args.model.data);
  if (const Status bad = validate(args, *model, terminal_io(stop), &result); !bad)
    return refuse(error_text(bad, stop.reason()));
  return print(args, result);
}

}  // namespace fermiac::cli
