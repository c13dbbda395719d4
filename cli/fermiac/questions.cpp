#include "cli/fermiac/questions.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/fermiac/invocation.h"

namespace fermiac::cli {
namespace {

/// A command, its arguments and what runs it.
template <class Args>
std::pair<CLI::App*, std::shared_ptr<Args>> command(CLI::App& app, Invocation& call, const char* name, const char* about,
                                                    int (*run)(const Args&, Stop&)) {
  CLI::App* sub = app.add_subcommand(name, about);
  auto args = std::make_shared<Args>();
  add_model_options(*sub, args->model);
  sub->callback([&call, args, run] { call = {[args, run](Stop& stop) { return run(*args, stop); }, &args->model, nullptr, &args->model.timeout}; });
  return {sub, args};
}

void add_format(CLI::App& sub, std::string& format, const char* other) {
  sub.add_option("--format", format, "how to print")->check(CLI::IsMember({"table", other}))->capture_default_str();
}

void add_point(CLI::App& sub, PointArgs& point) {
  auto* at = sub.add_option("--at", point.at, "constrained values of the parameters")->type_name("P.json");
  sub.add_option("--draws", point.draws, "CSV files of draws")->type_name("FILES")->excludes(at);
}

void add_output(CLI::App& sub, inference::CommonOptions& options) {
  sub.add_option("--output", options.output_dir, "folder for the CSV files (default: a new one beside the model)")->type_name("DIR");
  sub.add_flag("--overwrite", options.overwrite, "replace files of the same names");
  sub.add_option("--sig-figs", options.sig_figs, "significant digits in the CSV files")->check(CLI::Range(1, 18))->capture_default_str();
}

void add_sites(CLI::App& app, Invocation& call) {
  auto [sub, args] = command<SitesArgs>(app, call, "sites", "the statements of a program that say what is random given what", run_sites);
  add_format(*sub, args->format, "json");
  sub->add_flag("--names", args->names, "names of the free numbers, nothing else");
}

void add_trace(CLI::App& app, Invocation& call) {
  auto [sub, args] = command<TraceArgs>(app, call, "trace", "the log density at a point, by site or by element", run_trace);
  add_point(*sub, args->point);
  auto* elements = sub->add_flag("--elements", args->elements, "a line for each element");
  sub->add_flag("--by-site", args->by_site, "a line for each site (default of tables)")->excludes(elements);
  add_format(*sub, args->format, "jsonl");
}

void add_log_lik(CLI::App& app, Invocation& call) {
  auto [sub, args] = command<LogLikArgs>(app, call, "log-lik", "log likelihood by observation and log prior of draws", run_log_lik);
  sub->add_option("--draws", args->draws, "CSV files of draws")->type_name("FILES")->required();
  sub->add_option("--group", args->group, "int array of the data: observations with equal entries are one")->type_name("NAME");
  sub->add_option("--log-lik", args->log_lik, "name of the columns")->type_name("NAME")->expected(0, 1)->default_str("log_lik");
  sub->add_option("--lprior", args->lprior, "name of the column of the log prior")->type_name("NAME")->expected(0, 1)->default_str("lprior");
  add_output(*sub, args->options);
}

}  // namespace

void add_questions(CLI::App& app, Invocation& call) {
  add_sites(app, call);
  add_trace(app, call);
  add_log_lik(app, call);
}

}  // namespace fermiac::cli
