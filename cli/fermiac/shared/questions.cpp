#include "cli/fermiac/shared/questions.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/fermiac/options/checked_option.h"
#include "cli/fermiac/shared/command_list.h"
#include "inference/methods/runs_in_memory.h"
#include "inference/methods/settings.h"

namespace fermiac::cli {
namespace {

void add_format(CLI::App& sub, std::string& format, const char* other) {
  sub.add_option("--format", format, "how to print")->check(CLI::IsMember({"table", other}))->capture_default_str();
}

void add_point(CLI::App& sub, PointArgs& point) {
  auto* at = sub.add_option("--at", point.at, "constrained values of the parameters")->type_name("P.json");
  sub.add_option("--draws", point.draws, "folder of a run, or its CSV files")->type_name("FILES")->excludes(at);
}

void add_output(CLI::App& sub, inference::CommonOptions& options) {
  OptionRows rows;
  rows.folder(options.output_dir, "folder for the CSV files");
  rows.flag("overwrite", options.overwrite, "replace files of the same names");
  rows.number("sig-figs", options.sig_figs, "significant digits in the CSV files", {1, 18});
  add_options(sub, rows);
  add_timestamp(sub, options);
}

void sites_options(CLI::App& sub, SitesArgs& args) {
  add_format(sub, args.format, "json");
  sub.add_flag("--names", args.names, "names of the free numbers, nothing else");
}

void trace_options(CLI::App& sub, TraceArgs& args) {
  add_point(sub, args.point);
  auto* elements = sub.add_flag("--elements", args.elements, "a line for each element");
  sub.add_flag("--by-site", args.by_site, "a line for each site (default of tables)")->excludes(elements);
  add_format(sub, args.format, "jsonl");
}

void explain_options(CLI::App& sub, ExplainArgs& args) {
  auto* at = sub.add_option("--at", args.at, "constrained values of the parameters (default: values near the bulk of the posterior)")->type_name("P.json");
  sub.add_option("--draws", args.draws, "folder of a run, or its CSV files: which lines make divergent draws different")->type_name("DIR")->excludes(at);
  sub.add_flag("--elements", args.elements, "every element of a line, not the largest");
  add_seed(sub, args.seed, "random numbers of the search for those values");
  add_format(sub, args.format, "json");
}

void query_options(CLI::App& sub, QueryArgs& args) {
  sub.add_option("query", args.text, "`logprob EVENTS | GIVEN` or `prob …`; - reads queries from standard input")->type_name("QUERY");
  sub.add_option("--draws", args.draws, "folder of a run, or its CSV files: events of these draws, and values of the parameters")->type_name("FILES");
  sub.add_flag("--normalized,--normalised", args.normalized, "divide densities by the probability of the declared bounds");
}

void predict_options(CLI::App& sub, PredictArgs& args) {
  sub.add_flag("--prior", args.prior, "draw the parameters too");
  add_point(sub, args.point);
  sub.add_option("--what", args.what, "names of what to draw (default: all modelled data, with --prior parameters too)")->type_name("NAMES")->allow_extra_args(false);
  OptionRows rows;
  rows.number("num-draws", args.num_draws, "number of draws, except with --draws", {1, inference::kMostCount});
  rows.threads(args.options.threads);
  rows.seed(args.options.seed);
  add_options(sub, rows);
  add_output(sub, args.options);
}

void log_lik_options(CLI::App& sub, LogLikArgs& args) {
  sub.add_option("--draws", args.draws, "folder of a run, or its CSV files")->type_name("FILES")->required();
  sub.add_option("--group", args.group, "int array of the data: observations with equal entries are one")->type_name("NAME");
  sub.add_option("--log-lik", args.log_lik, "name of the columns")->type_name("NAME")->expected(0, 1)->default_str("log_lik");
  sub.add_option("--lprior", args.lprior, "name of the column of the log prior")->type_name("NAME")->expected(0, 1)->default_str("lprior");
  add_output(sub, args.options);
}

void loo_options(CLI::App& sub, LooArgs& args) {
  sub.add_option("files", args.files, "folder of a run, or its CSV files (default: the model is sampled)")->type_name("FILES");
  sub.add_flag("--waic", args.waic, "the widely applicable information criterion instead");
  sub.add_option("--group", args.group, "int array of the data: observations with equal entries are one")->type_name("NAME");
  add_number(sub, "k-threshold", args.k_threshold, "tail shapes above it are bad (default: min(1 - 1/log10(draws), 0.7))", {0, inference::kNoBound});
  sub.add_flag("--moment-match", args.moment_match, "move the draws for observations whose shape is bad to where they are without");
  sub.add_flag("--refit", args.refit, "sample again without each observation whose shape is (still) bad");
  sub.add_option("--kfold", args.kfold, "leave out folds: how many, or group, or a JSON file with the fold of each observation")->type_name("K|FILE|group");
  add_number(sub, "r-eff", args.r_eff, "relative efficiency of the draws (default: from their autocorrelation)", {0, inference::kNoBound, true});
  add_format(sub, args.format, "json");
  OptionRows rows;
  inference::add_options(rows, args.options);
  add_options(sub, rows);
  add_timestamp(sub, args.options);
}

void sbc_options(CLI::App& sub, SbcArgs& args) {
  inference::SampleOptions& o = args.options.sampling;
  OptionRows rows;
  rows.number("simulations", args.options.simulations, "how many", {1, inference::kMostCount});
  rows.number("draws", args.options.draws, "draws among which a rank is taken", {1, 1000000});
  rows.number("warmup", args.warmup, "warm-up iterations", {0, inference::kMostCount});
  rows.number("bins", args.options.bins, "bins of the histograms", {2, 1000});
  rows.number("band", args.options.band, "probability of the simultaneous band of the ECDF", {0, 1, true});
  inference::add_engine_options(rows, o);
  rows.number("stepsize", o.stepsize, "initial step size", {0, inference::kNoBound, true});
  rows.unset("no-adapt", o.adapt.engaged, "no adaptation");
  rows.number_or("thin", args.options.thin, "auto", args.thin_auto,
                 "rank among every N-th draw; auto: every tenth, of more draws where they depend on each other", {1, 1000000});
  rows.text("output", o.output_dir, "folder for NAME_sbc.csv, a row for each quantity of each simulation (default: none)", "DIR");
  rows.seed(o.seed);
  add_options(sub, rows);
  sub.add_flag("--resume", args.options.resume, "go on with the simulations in that folder")->needs(sub.get_option("--output"));
  add_block_option(sub, args.model.conditioning);
  add_format(sub, args.format, "json");
}

void sensitivity_options(CLI::App& sub, SensitivityArgs& args) {
  sub.add_option("--draws", args.draws, "folder of a run, or its CSV files")->type_name("FILES")->required();
  sub.add_option("--component", args.component, "names whose distributions are scaled (default: all of the prior)")->type_name("NAMES");
  sub.add_option("--alpha", args.alpha, "means and standard deviations under these powers")->delimiter(',')->type_name("A,B,…")->allow_extra_args(false);
  add_number(sub, "r-eff", args.r_eff, "relative efficiency of the draws (default 1)", {0, inference::kNoBound, true});
  add_format(sub, args.format, "json");
}

}  // namespace

void add_questions(Commands& commands) {
  commands.add_for_model<SitesArgs>("sites", "the statements of a program that say what is random given what", sites_options, run_sites);
  commands.add_for_model<TraceArgs>("trace", "the log density at a point, by site or by element", trace_options, run_trace);
  commands.add_for_model<ExplainArgs>("explain", "what each line adds to the log density and its gradient, and what is not finite", explain_options, run_explain);
  commands.add_for_model<MarginalsArgs>("marginals", "probabilities of the values of missing ints, as JSON lines", [](CLI::App& sub, MarginalsArgs& args) { add_point(sub, args.point); }, run_marginals);
  commands.add_for_model<LogLikArgs>("log-lik", "log likelihood by observation and log prior of draws", log_lik_options, run_log_lik);
  commands.add_for_model<QueryArgs>("query", "probability of what a program says, as JSON", query_options, run_query);
  commands.add_for_model<LooArgs>("loo", "leave-one-out cross-validation, WAIC and K folds", loo_options, run_loo);
  commands.add_for_model<PredictArgs>("predict", "draws from the prior, the prior predictive or the posterior predictive distribution", predict_options, run_predict);
  commands.add_for_model<SbcArgs>("sbc", "calibration: ranks of the truth among draws, for data simulated from the program", sbc_options, run_sbc);
  commands.add_for_model<SensitivityArgs>("sensitivity", "how much draws depend on prior and likelihood, by power-scaling", sensitivity_options, run_sensitivity);
}

}  // namespace fermiac::cli
