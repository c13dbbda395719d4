// Command line of `fermiac`: subcommands, their options and help. The work is in the other files of this folder.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <span>
#include <sstream>
#include <string>
#include <system_error>

#include "cli/fermiac/options/arguments.h"
#include "cli/fermiac/options/checked_option.h"
#include "cli/fermiac/options/conditioning_options.h"
#include "cli/fermiac/options/include_options.h"
#include "cli/fermiac/options/levels.h"
#include "cli/fermiac/options/process_options.h"
#include "cli/fermiac/runs/methods.h"
#include "cli/fermiac/runs/netcdf.h"
#include "cli/fermiac/shared/command_list.h"
#include "cli/fermiac/shared/invocation.h"
#include "cli/fermiac/shared/questions.h"
#include "cli/fermiac/shared/refuse.h"
#include "cli/fermiac/shared/run_model.h"
#include "cli/fermiac/tools/describe.h"
#include "cli/fermiac/tools/plot.h"
#include "cli/lsp/server.h"
#include "inference/methods/summary_commands.h"
#include "inference/report/report.h"
#include "plugins/opencl/device.h"
#include "support/base/memory.h"
#include "support/platform/descriptor.h"
#include "support/platform/isa.h"
#include "support/platform/output.h"
#include "support/platform/process_memory.h"

namespace fermiac::cli {
namespace {

constexpr std::string_view kWho = "fermiac: ";  // in front of what goes wrong

}  // namespace

void add_model_options(CLI::App& app, ModelArgs& args) {
  app.add_option("model", args.model, "Stan program")->required()->type_name("M.stan");
  add_data_option(app, args.data);
  add_include_options(app, args.include_paths, args.include_rule);
  add_timeout(app, args.timeout, "Time limit in seconds, after which the command stops and keeps its results");
  add_level_options(app, args.level);
  add_conditioning_options(app, args.conditioning);
  add_retired_option(app, "--native", false);
  app.add_flag("--no-jit", args.no_jit, "Disable just-in-time compilation of functions and loops");
  app.add_option("--device", args.device, "Device for the parts of the log density that run faster there: none, auto, gpu, cpu or opencl:PLATFORM:DEVICE")
      ->type_name("DEVICE")
      ->check(CLI::Validator([](const std::string& choice) { return check_device_choice(choice).message; }, ""))
      ->capture_default_str();
  app.add_flag("--portable", args.portable, "Produce identical results on all x86-64 machines (slower)");
}

namespace {

void log_prob_options(CLI::App& command, LogProbArgs& a) {
  command.add_option("--at", a.at, "Points: arrays of unconstrained values, or objects with the parameters by name; - for standard input")
      ->required()
      ->type_name("POINTS.json");
  command.add_flag("--propto", a.propto, "Drop terms that do not depend on parameters");
  command.add_flag("--no-jacobian{false}", a.jacobian, "Omit the log Jacobian of the constraints");
  command.add_flag("--gradient", a.gradient, "Print the gradient too");
  command.add_option("--evaluator", a.engine, "Evaluator: replay of the recorded tape, or execution of the program by the interpreter")
      ->check(CLI::IsMember({"interp", "replay", "native"}))
      ->capture_default_str();
  command.add_option("--disable-pass", a.model.no_rewrite, "Tape optimization passes to disable, or all")->delimiter(',');
}

void bench_options(CLI::App& command, BenchArgs& a) {
  add_number(command, "seconds", a.seconds, "Duration of the measurement in seconds", {0, 1e6, true});
  add_number(command, "spread", a.spread, "Maximum change of each coordinate between evaluations", {0, kNoBound});
  add_number(command, "threads", a.threads, "Number of threads for large operations", {1, 4096});
  command.add_flag("--dump-tape", a.dump_tape, "Print the operations of the tape instead");
  command.add_flag("--draws", a.draws, "Measure the time of writing one draw: transformed parameters, generated quantities and formatting");
  CLI::Option* const dump = command.add_flag("--dump-code", a.dump_code, "Print the linear IR of compiled loops and functions instead");
  command.add_flag("--asm", a.assembler, "With --dump-code: print the machine code too")->needs(dump);
  command.add_option("--evaluator", a.engine, "Evaluator: replay of the recorded tape, or execution of the program by the interpreter")
      ->check(CLI::IsMember({"interp", "replay", "native"}))
      ->capture_default_str();
  command.add_option("--disable-pass", a.model.no_rewrite, "Tape optimization passes to disable, or all")->delimiter(',');
}

void bundle_options(CLI::App& command, BundleArgs& a) {
  command.add_option("model", a.model.model, "Stan program")->required()->type_name("M.stan");
  command.add_option("-o,--output", a.output, "Output file (default: M_model.so beside the program)")->type_name("FILE");
  command.add_option("flags", a.stanc_flags, "After --: options of stanc (--O1, --include-paths, --name, …)");
  command.add_flag("--exe", a.program, "Without -o: write the executable M");
  command.add_flag("--stan-threads", a.threads, "Allow num_threads above 1 in the executable");
  command.add_flag("--stan-opencl", a.opencl, "Support opencl device=D platform=P in the executable, which then needs this installation");
  command.add_flag("--stan-mpi", a.mpi, "Distribute map_rect over MPI processes, which then needs this installation");
  command.add_flag("--stan-no-range-checks", a.no_range_checks, "Accepted for compatibility; indexes are checked anyway");
  command.add_option("--user-header", a.user_header, "C++ header that defines functions which are only declared; requires a C++ compiler")->type_name("F.hpp");
  command.add_option("--template", a.code, "Library or executable to copy (default: the installed one)")->type_name("FILE");
  add_include_options(command, a.model.include_paths, a.model.include_rule);
  add_level_options(command, a.model.level);
  command.add_flag("--keep-cpp", a.keep_cpp, "With --user-header: keep the generated C++ in FILE.cpp");
}

void functions_options(CLI::App& command, FunctionsArgs& a) {
  command.add_flag("--signatures", a.signatures, "Print all signatures, one per line");
  command.add_flag("--reference", a.reference, "Print the reference page as Markdown");
  command.add_option("--check", a.check, "Run the cases of an oracle file")->type_name("FILE.jsonl");
  command.add_flag("--coverage", a.coverage, "Call every signature and check values, gradients and vectorized forms");
  command.add_option("--only", a.only, "With --coverage: prefix of the function names")->type_name("NAME");
  add_seed(command, a.seed, "With --coverage: random seed of the arguments");
}

void eval_options(CLI::App& command, EvalArgs& a) {
  command.add_option("text", a.statements, "Stan expressions or statements")->required()->type_name("'EXPR'");
  add_seed(command, a.seed, "Random seed of _rng functions");
  add_timeout(command, a.timeout);
}

void add_repl(Commands& commands) {
  CLI::App* const command = commands.offer("repl", "Start an interactive session");
  if (!command) return;
  auto a = std::make_shared<ReplArgs>();
  command->add_option("model", a->model, "Stan program to load")->type_name("M.stan");
  add_data_option(*command, a->data);
  add_seed(*command, a->seed, "Random seed of _rng functions");
  command->add_option("--history", a->history, "History file (default: in the user's state folder)")
      ->type_name("FILE");
  add_include_rules(*command, a->include_rule);
  add_timeout(*command, a->timeout, "Time limit of each input in seconds");
  command->callback([&call = commands.call(), a] { call.session = [a] { return run_repl(*a); }; });
}

void add_lsp(Commands& commands) {
  CLI::App* const command = commands.offer("lsp", "Start the language server on standard input and output");
  if (!command) return;
  auto stdio = std::make_shared<bool>(true);
  command->add_flag("--stdio", *stdio, "Accepted for editors that pass it; standard input and output are always used");
  command->callback([&call = commands.call(), stdio] { call.session = [] { return lsp::serve(kStandardInput, stdout); }; });
}

struct JupyterArgs {
  std::string action, prefix;
  bool user = true;
};

void jupyter_options(CLI::App& command, JupyterArgs& a) {
  command.add_option("action", a.action, "Action")->required()->check(CLI::IsMember({"install"}));
  auto* const own = command.add_flag("--user", a.user, "Install for the current user (default)");
  command.add_option("--prefix", a.prefix, "Install under DIR/share/jupyter, for example /usr/local or the folder of an environment")->type_name("DIR")->excludes(own);
}

constexpr const char* kRunAbout = "CSV files of one run, a netCDF file, or the folder of the run";

void summary_options(CLI::App& command, inference::SummaryOptions& a) {
  command.add_option("files", a.files, kRunAbout)->required()->type_name("FILES");
  command.add_option("--pars", a.pars, "Variables or elements to show, for example mu,theta,x[2]")
      ->type_name("NAMES")
      ->expected(1);
  command.add_option("--percentiles", a.percentiles, "Percentiles: increasing numbers between 0 and 100, separated by commas")
      ->type_name("P,…")
      ->capture_default_str();
  add_number(command, "digits", a.digits, "Number of significant digits (default: as the Monte Carlo error allows; 6 with --csv)", {1, 18});
  add_number(command, "sig-figs", a.digits, "Alias of --digits", {1, 18});
  add_choice(command, "sort", a.order, {{"declared", inference::RowOrder::AsDeclared}, {"rhat", inference::RowOrder::WorstRhat}, {"ess", inference::RowOrder::LeastEss}},
             "Order of the rows: as declared, largest R-hat first, or smallest ESS first");
  command.add_flag("--all", a.all, "Show every row, including long containers and sampler columns");
  command.add_flag("--csv", a.csv, "Print CSV");
}

void check_options(CLI::App& command, inference::CheckOptions& a) {
  command.add_option("files", a.files, kRunAbout)->required()->type_name("FILES");
  command.add_flag("--strict", a.strict, "Return exit status 1 if there is any problem");
}

void convert_options(CLI::App& command, ConvertArgs& a) {
  command.add_option("files", a.files, kRunAbout)->required()->type_name("FILES");
  command.add_option("-o,--output", a.output, "Output file")->required()->type_name("F.nc");
  command.add_option("--model", a.model.model, "Stan program, which determines the observed data")->type_name("M.stan");
  add_data_option(command, a.model.data);
  add_include_options(command, a.model.include_paths, a.model.include_rule);
  command.add_flag("--overwrite", a.overwrite, "Replace an existing file");
}

void report_options(CLI::App& command, inference::ReportOptions& a) {
  command.add_option("files", a.files, kRunAbout)->required()->type_name("FILES");
  command.add_option("-o,--output", a.output, "Output file (default: report.html beside the draws)")->type_name("F.html");
  command.add_option("--model", a.model, "Stan program to show (default: NAME.stan beside the draws or their folder)")->type_name("M.stan");
  command.add_flag("--overwrite", a.overwrite, "Replace an existing file even if it is not a report");
}

void plot_options(CLI::App& command, PlotArgs& a) {
  command.add_option("run", a.run, "Folder of a run, or one CSV file")->required()->type_name("DIR");
  command.add_option("names", a.names, "Variables or elements, for example mu tau theta[2] (default: all, if they are few)")->type_name("NAMES");
}

struct ManualArgs {
  std::string page = "fermiac", folder;
};

void manual_options(CLI::App& command, ManualArgs& a) {
  command.add_option("page", a.page, "Command, fermiac or stanc")->type_name("PAGE")->capture_default_str();
  command.add_option("--to", a.folder, "Write all pages to this folder")->type_name("DIR");
}

void completion_options(CLI::App& command, std::string& shell) {
  command.add_option("shell", shell, "Shell")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
}

void add_run_commands(Commands& commands) {
  using inference::CheckOptions, inference::ReportOptions, inference::SummaryOptions;
  commands.add<SummaryOptions>("summary", "Summarize the draws of a run", summary_options, [](SummaryOptions& a) {
    a.pars = names_between_commas(a.pars);
    return exit_status(inference::run_summary(a, {.prefix = kWho}));
  });
  commands.add<ConvertArgs>("convert", "Convert draws to one netCDF file (ArviZ InferenceData)", convert_options, run_convert);
  commands.add<CheckOptions>("check-draws", "Report sampling problems found in draws", check_options,
                             [](const CheckOptions& a) { return exit_status(inference::run_check(a, {.prefix = kWho})); });
  commands.add<ReportOptions>("report", "Write an HTML report of a run: summary, diagnostics and plots", report_options,
                              [](const ReportOptions& a) { return exit_status(inference::run_report(a, {.prefix = kWho})); });
  const auto plot_them = [](PlotArgs& a) {
    a.names = names_between_commas(a.names);
    return run_plot(a);
  };
  commands.add<PlotArgs>("plot", "Plot draws in the terminal: histograms, traces and pairs", plot_options, plot_them);
}

struct CheckModelArgs {
  ModelArgs model;
  bool strict = false;
};

/// The arguments of `eval` are indexes into `texts` (see prepared_arguments).
void add_tools(Commands& commands, const std::vector<std::string>& texts) {
  commands.add_for_model<BenchArgs>("bench", "Measure the time of one gradient, or of writing one draw (JSON)", bench_options, run_bench);
  commands.add_for_model<CheckModelArgs>(
      "check-model", "Check a model and its data, statically and by evaluating it; exit status 1 if it rejects every point tried",
      [](CLI::App& command, CheckModelArgs& a) { command.add_flag("--strict", a.strict, "Return exit status 1 if there is any finding"); },
      [](const CheckModelArgs& a) { return run_check_model(a.model, a.strict); });
  commands.add<BundleArgs>("bundle",
                           "Package a model as a BridgeStan shared library (name ends in .so) or as a CmdStan-compatible executable; no compiler needed",
                           bundle_options, run_bundle);
  commands.add<EvalArgs>("eval", "Evaluate Stan expressions and statements in order", eval_options, [&texts](EvalArgs& a, Stop& stop) {
    a.statements = texts;
    return run_eval(a, stop);
  });
  add_repl(commands);
  add_lsp(commands);
  commands.add<JupyterArgs>("jupyter", "Install the Jupyter kernel for Stan", jupyter_options,
                            [](const JupyterArgs& a) { return run_jupyter_install(a.prefix); });
  commands.add<FunctionsArgs>("functions", "List the built-in functions", functions_options, run_functions);
  commands.add("devices", "List OpenCL platforms and devices for --device; exit status 1 if there are none", run_devices);
  commands.add("cmdstan-home", "Print the folder to use as CmdStan and BridgeStan installation", run_cmdstan_home);
  commands.add<ManualArgs>("manual", "Print a manual page in roff format", manual_options,
                           [&app = commands.app()](const ManualArgs& a) { return run_manual(app, a.page, a.folder); });
  commands.add<std::string>("completion", "Print a shell completion script", completion_options,
                            [&app = commands.app()](const std::string& shell) { return run_completion(app, shell); });
}

/// Runs the command with so much memory. What gets here would otherwise end the program without a word.
int start_limited(const Invocation& call, std::size_t max_memory) {
  if (call.model && call.model->portable)
    if (const Status bad = become_portable(); !bad) return refuse(bad.message);
  limit_process_memory(max_memory);
  const ad::MemoryScope limited(max_memory);
  try {
    return start(call);
  } catch (const std::bad_alloc&) {
    std::fputs("fermiac: out of memory\n", stderr);
  } catch (const std::system_error& e) {
    const bool thread = e.code() == std::errc::resource_unavailable_try_again;  // too little memory, or too many of them
    std::fprintf(stderr, "fermiac: %s%s\n", thread ? "no thread can be started: " : "", e.what());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "fermiac: %s\n", e.what());
  }
  return 1;
}

/// `command` with a blank behind it, if there is one.
int wrong_usage(const std::string& problem, const std::string& command) {
  std::fprintf(stderr, "fermiac: %s\nSee 'fermiac %s--help'.\n", problem.c_str(), command.c_str());
  return 2;
}

int usage_error(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& given) {
  const CLI::App* at = &app;
  for (const CLI::App* sub : app.get_subcommands()) at = sub;
  return wrong_usage(usage_problem(*at, error, given), at == &app ? "" : at->get_name() + " ");
}

/// --help, --version
int say(const CLI::App& app, const CLI::Success& what) {
  std::ostringstream out;
  app.exit(what, out, out);
  write_output(out.str());
  return 0;
}

/// `help`, `help sample` and `--help sample` are `--help` and `sample --help`.
std::vector<std::string> with_help_behind(std::vector<std::string> given) {
  constexpr std::string_view kHelp[] = {"help", "--help", "-h"};
  if (given.empty() || given.size() > 2 || std::ranges::find(kHelp, given[0]) == std::end(kHelp)) return given;
  given[0] = "--help";
  std::ranges::reverse(given);
  return given;
}

int run(const std::vector<std::string>& typed) {
  std::vector<std::string> given = with_help_behind(typed);
  if (!given.empty()) given[0] = present_command_name(given[0]);
  if (const std::string bad = unknown_isa(); !bad.empty()) return refuse(bad, 2);
  if (!given.empty() && given[0] == kCmdstanRun) return run_as_cmdstan(std::span(given).subspan(1));
  CLI::App app{"fermiac: compile and sample Stan models in milliseconds", "fermiac"};
  app.require_subcommand(1);
  app.set_version_flag("-V,-v,--version", version_text);
  app.failure_message(CLI::FailureMessage::help);
  Invocation call;
  std::vector<std::string> texts;
  Commands commands(app, given.empty() ? "" : given[0], call);
  add_sample(commands);
  add_methods(commands);
  add_resume(commands);
  add_run_commands(commands);
  commands.add_for_model<LogProbArgs>("log-prob", "Evaluate the log density and gradient at given points (JSON lines)", log_prob_options, run_log_prob);
  add_questions(commands);
  add_tools(commands, texts);
  std::size_t max_memory = 0;
  for (CLI::App* command : commands.offered()) {
    add_memory_option(*command, max_memory);
    refuse_empty_names(*command);
  }
  given = with_present_names(app, std::move(given));
  if (const std::string unknown = unknown_words(app, given); !unknown.empty())
    return wrong_usage(unknown, !given.empty() && command_named(app, given[0]) ? given[0] + " " : "");
  try {
    std::vector<std::string> arguments = prepared_arguments(app, given, &texts);
    std::ranges::reverse(arguments);  // as the library wants them
    app.parse(std::move(arguments));
  } catch (const CLI::Success& e) {
    return say(app, e);
  } catch (const CLI::ParseError& e) {
    return usage_error(app, e, given);
  }
  return start_limited(call, max_memory > 0 ? max_memory : ad::default_memory_limit());
}

}  // namespace
}  // namespace fermiac::cli

int main(int argc, char** argv) {
  fermiac::prepare_streams();
  if (fermiac::cli::asks_for_portable())
    if (const fermiac::Status bad = fermiac::cli::become_portable(); !bad) return fermiac::cli::refuse(bad.message);
  return fermiac::finish_output("fermiac", fermiac::cli::run({argv + 1, argv + std::max(argc, 1)}));
}
