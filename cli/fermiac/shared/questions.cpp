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
  sub.add_option("--format", format, "Output format")->check(CLI::IsMember({"table", other}))->capture_default_str();
}

void add_point(CLI::App& sub, PointArgs& point) {
  auto* at = sub.add_option("--at", point.at, "JSON file with constrained values of the parameters")->type_name("P.json");
  sub.add_option("--draws", point.draws, "Folder of a run, or its CSV files")->type_name("FILES")->excludes(at);
}

void add_output(CLI::App& sub, inference::CommonOptions& options) {
  OptionRows rows;
  rows.folder(options.output_dir, "Folder for the CSV files");
  rows.flag("overwrite", options.overwrite, "Replace existing output files");
  rows.number("sig-figs", options.sig_figs, "Number of significant digits in CSV files", {1, 18});
  add_options(sub, rows);
  add_timestamp(sub, options);
}

void sites_options(CLI::App& sub, SitesArgs& args) {
  add_format(sub, args.format, "json");
  sub.add_flag("--names", args.names, "Print only the names of the unconstrained parameters");
}

void trace_options(CLI::App& sub, TraceArgs& args) {
  add_point(sub, args.point);
  auto* elements = sub.add_flag("--elements", args.elements, "Print a line per element");
  sub.add_flag("--by-site", args.by_site, "Print a line per density statement (default of tables)")->excludes(elements);
  add_format(sub, args.format, "jsonl");
}

void explain_options(CLI::App& sub, ExplainArgs& args) {
  auto* at = sub.add_option("--at", args.at, "JSON file with constrained values of the parameters (default: values near the bulk of the posterior)")->type_name("P.json");
  sub.add_option("--draws", args.draws, "Folder of a run, or its CSV files: compare divergent draws with the others")->type_name("DIR")->excludes(at);
  sub.add_flag("--elements", args.elements, "Show every element of a statement instead of the largest");
  add_seed(sub, args.seed, "Random seed of the search for these values");
  add_format(sub, args.format, "json");
}

void query_options(CLI::App& sub, QueryArgs& args) {
  args.model.keep_tree = true;  // expressions may call functions of the program
  sub.add_option("query", args.text, "Query: `logprob EVENTS | GIVEN` or `prob …`; - reads queries from standard input")->type_name("QUERY");
  sub.add_option("--draws", args.draws, "Folder of a run, or its CSV files, whose draws supply parameters and events")->type_name("FILES");
  sub.add_flag("--normalized,--normalised", args.normalized, "Divide densities by the probability of the declared bounds");
}

void predict_options(CLI::App& sub, PredictArgs& args) {
  sub.add_flag("--prior", args.prior, "Draw the parameters from their prior too");
  add_point(sub, args.point);
  sub.add_option("--variables", args.what, "Variables to draw (default: all modeled data; with --prior also parameters)")->type_name("NAMES")->allow_extra_args(false);
  OptionRows rows;
  rows.number("num-draws", args.num_draws, "Number of draws; not with --draws", {1, inference::kMostCount});
  rows.threads(args.options.threads);
  rows.seed(args.options.seed);
  add_options(sub, rows);
  add_output(sub, args.options);
}

void log_lik_options(CLI::App& sub, LogLikArgs& args) {
  sub.add_option("--draws", args.draws, "Folder of a run, or its CSV files")->type_name("FILES")->required();
  sub.add_option("--group", args.group, "Integer array in the data; observations with equal entries form one group")->type_name("NAME");
  sub.add_option("--log-lik", args.log_lik, "Name of the columns of the log likelihood")->type_name("NAME")->expected(0, 1)->default_str("log_lik");
  sub.add_option("--lprior", args.lprior, "Name of the column of the log prior")->type_name("NAME")->expected(0, 1)->default_str("lprior");
  add_output(sub, args.options);
}

void loo_options(CLI::App& sub, LooArgs& args) {
  sub.add_option("files", args.files, "Folder of a run, or its CSV files (default: sample the model)")->type_name("FILES");
  sub.add_flag("--waic", args.waic, "Compute WAIC instead of PSIS-LOO");
  sub.add_option("--group", args.group, "Integer array in the data; observations with equal entries form one group")->type_name("NAME");
  add_number(sub, "k-threshold", args.k_threshold, "Largest acceptable Pareto k (default: min(1 - 1/log10(draws), 0.7))", {0, inference::kNoBound});
  sub.add_flag("--moment-match", args.moment_match, "Use moment matching for observations with a high Pareto k");
  sub.add_flag("--reloo", args.refit, "Refit the model without each observation whose Pareto k is (still) high");
  sub.add_option("--kfold", args.kfold, "Folds: their number, group, or a JSON file with the fold of each observation")->type_name("K|FILE|group");
  add_number(sub, "r-eff", args.r_eff, "Relative efficiency of the draws (default: from their autocorrelation)", {0, inference::kNoBound, true});
  add_format(sub, args.format, "json");
  OptionRows rows;
  inference::add_options(rows, args.options);
  add_options(sub, rows);
  add_timestamp(sub, args.options);
}

void sbc_options(CLI::App& sub, SbcArgs& args) {
  inference::SampleOptions& o = args.options.sampling;
  OptionRows rows;
  rows.number("simulations", args.options.simulations, "Number of simulated data sets", {1, inference::kMostCount});
  rows.number("draws", args.options.draws, "Number of posterior draws that a rank refers to", {1, 1000000});
  rows.number("warmup", args.warmup, "Number of warmup iterations", {0, inference::kMostCount});
  rows.number("bins", args.options.bins, "Number of histogram bins", {2, 1000});
  rows.number("band", args.options.band, "Probability of the simultaneous ECDF band", {0, 1, true});
  inference::add_engine_options(rows, o);
  rows.number("stepsize", o.stepsize, "Initial step size", {0, inference::kNoBound, true});
  rows.unset("no-adapt", o.adapt.engaged, "Disable adaptation");
  rows.number_or("thin", args.options.thin, "auto", args.thin_auto,
                 "Thinning interval of the ranked draws; auto: 10, or more if the draws are autocorrelated", {1, 1000000});
  rows.text("output", o.output_dir, "Folder for NAME_sbc.csv, one row per quantity and simulation (default: none)", "DIR");
  rows.seed(o.seed);
  add_options(sub, rows);
  sub.add_flag("--resume", args.options.resume, "Continue the simulations in the folder of --output")->needs(sub.get_option("--output"));
  add_block_option(sub, args.model.conditioning);
  add_format(sub, args.format, "json");
}

void sensitivity_options(CLI::App& sub, SensitivityArgs& args) {
  sub.add_option("--draws", args.draws, "Folder of a run, or its CSV files")->type_name("FILES")->required();
  sub.add_option("--component", args.component, "Variables whose distributions are scaled (default: all of the prior)")->type_name("NAMES");
  sub.add_option("--alpha", args.alpha, "Powers at which means and standard deviations are printed")->delimiter(',')->type_name("A,B,…")->allow_extra_args(false);
  add_number(sub, "r-eff", args.r_eff, "Relative efficiency of the draws (default: 1)", {0, inference::kNoBound, true});
  add_format(sub, args.format, "json");
}

}  // namespace

void add_questions(Commands& commands) {
  commands.add_for_model<SitesArgs>("sites", "List the density statements of a program", sites_options, run_sites);
  commands.add_for_model<TraceArgs>("terms", "Print the log density terms at a point, by statement or element", trace_options, run_trace);
  commands.add_for_model<ExplainArgs>("explain", "Show each statement's contribution to the log density and gradient", explain_options, run_explain);
  commands.add_for_model<MarginalsArgs>("discrete-marginals", "Compute marginal probabilities of missing integers (JSON lines)", [](CLI::App& sub, MarginalsArgs& args) { add_point(sub, args.point); }, run_marginals);
  commands.add_for_model<LogLikArgs>("log-lik", "Compute the log likelihood of each observation, and the log prior, of draws", log_lik_options, run_log_lik);
  commands.add_for_model<QueryArgs>("query", "Compute the probability of an event, optionally given another (JSON)", query_options, run_query);
  commands.add_for_model<LooArgs>("loo", "Cross-validate by PSIS-LOO, K-fold or WAIC", loo_options, run_loo);
  commands.add_for_model<PredictArgs>("predict", "Draw from the prior, prior predictive or posterior predictive distribution", predict_options, run_predict);
  commands.add_for_model<SbcArgs>("sbc", "Check calibration by simulation (SBC): rank true values among posterior draws", sbc_options, run_sbc);
  commands.add_for_model<SensitivityArgs>("sensitivity", "Measure sensitivity to prior and likelihood by power-scaling", sensitivity_options, run_sensitivity);
}

}  // namespace fermiac::cli
