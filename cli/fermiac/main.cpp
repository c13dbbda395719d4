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
  add_timeout(app, args.timeout, "end after so many seconds and keep what there is");
  add_level_options(app, args.level);
  add_conditioning_options(app, args.conditioning);
  add_retired_option(app, "--native", false);
  app.add_flag("--no-jit", args.no_jit, "make no machine code of functions and loops while they run");
  app.add_option("--device", args.device, "evaluate log densities there as far as that pays: none, auto, gpu, cpu or opencl:PLATFORM:DEVICE ('fermiac devices' lists them)")
      ->type_name("DEVICE")
      ->check(CLI::Validator([](const std::string& choice) { return check_device_choice(choice).message; }, ""))
      ->capture_default_str();
  app.add_flag("--portable", args.portable, "the same numbers on every x86-64 machine, whatever instructions it has; slower");
}

namespace {

void log_prob_options(CLI::App& command, LogProbArgs& a) {
  command.add_option("--at", a.at, "JSON: arrays of unconstrained values, or objects with values of the parameters by name; - for standard input")
      ->required()
      ->type_name("POINTS.json");
  command.add_flag("--propto", a.propto, "drop terms that do not depend on parameters");
  command.add_flag("--no-jacobian{false}", a.jacobian, "leave out the log Jacobian of the constraints");
  command.add_flag("--gradient", a.gradient, "give the gradient too");
  command.add_option("--engine", a.engine, "how to evaluate: interp and native run the program, replay its tape")
      ->check(CLI::IsMember({"interp", "replay", "native"}))
      ->capture_default_str();
  command.add_option("--no-rewrite", a.model.no_rewrite, "passes over the tape to leave out, or all")->delimiter(',');
}

void bench_options(CLI::App& command, BenchArgs& a) {
  add_number(command, "seconds", a.seconds, "how long to measure", {0, 1e6, true});
  add_number(command, "spread", a.spread, "move the point by up to so much from one evaluation to the next", {0, kNoBound});
  add_number(command, "threads", a.threads, "threads for large operations", {1, 4096});
  command.add_flag("--dump-tape", a.dump_tape, "print the tape's operations instead");
  command.add_flag("--draws", a.draws, "time what writing one draw takes: transformed parameters, generated quantities, the row as text");
  CLI::Option* const dump = command.add_flag("--dump-code", a.dump_code, "print the code of loops and functions that may become machine code instead");
  command.add_flag("--asm", a.assembler, "and the machine code")->needs(dump);
  command.add_option("--engine", a.engine, "how to evaluate: interp and native run the program at every point, replay its tape")
      ->check(CLI::IsMember({"interp", "replay", "native"}))
      ->capture_default_str();
  command.add_option("--no-rewrite", a.model.no_rewrite, "passes over the tape to leave out, or all")->delimiter(',');
}

void bundle_options(CLI::App& command, BundleArgs& a) {
  command.add_option("model", a.model.model, "Stan program")->required()->type_name("M.stan");
  command.add_option("-o,--output", a.output, "file to write (default: M_model.so beside the program)")->type_name("FILE");
  command.add_option("flags", a.stanc_flags, "behind --: options as stanc takes them (--O1, --include-paths, --name, …)");
  command.add_flag("--exe", a.program, "without -o: write the program M");
  command.add_flag("--stan-threads", a.threads, "the program takes num_threads above 1");
  command.add_flag("--stan-opencl", a.opencl, "the program takes opencl device=D platform=P, and needs this installation for it");
  command.add_flag("--stan-mpi", a.mpi, "under mpirun the program shares jobs of map_rect, and needs this installation for it");
  command.add_flag("--stan-no-range-checks", a.no_range_checks, "what is made says so; indexes are checked all the same");
  command.add_option("--user-header", a.user_header, "C++ for functions that are only declared; needs a compiler")->type_name("F.hpp");
  command.add_option("--template", a.code, "library or program to copy (default: the one that came with fermiac)")->type_name("FILE");
  add_include_options(command, a.model.include_paths, a.model.include_rule);
  add_level_options(command, a.model.level);
}

void build_options(CLI::App& command, BundleArgs& a) {
  bundle_options(command, a);
  command.add_flag("--keep-cpp", a.keep_cpp, "with --user-header: leave the C++ text in FILE.cpp");
}

void functions_options(CLI::App& command, FunctionsArgs& a) {
  command.add_flag("--signatures", a.signatures, "every signature, one a line");
  command.add_flag("--reference", a.reference, "the reference page, as Markdown");
  command.add_option("--check", a.check, "run the cases of an oracle file")->type_name("FILE.jsonl");
  command.add_flag("--coverage", a.coverage, "call every signature: values, gradients, loops over elements");
  command.add_option("--only", a.only, "with --coverage: functions whose names begin like this")->type_name("NAME");
  add_seed(command, a.seed, "with --coverage: which arguments are made up");
}

void eval_options(CLI::App& command, EvalArgs& a) {
  command.add_option("text", a.statements, "Stan expressions or statements")->required()->type_name("'EXPR'");
  add_seed(command, a.seed, "seed for _rng functions");
  add_timeout(command, a.timeout);
}

void add_repl(Commands& commands) {
  CLI::App* const command = commands.offer("repl", "interactive session: values, gradients, pictures, models");
  if (!command) return;
  auto a = std::make_shared<ReplArgs>();
  command->add_option("model", a->model, "Stan program to load first")->type_name("M.stan");
  add_data_option(*command, a->data);
  add_seed(*command, a->seed, "seed for _rng functions");
  command->add_option("--history", a->history, "file that keeps the inputs (default: in the state folder of the user)")
      ->type_name("FILE");
  add_include_rules(*command, a->include_rule);
  add_timeout(*command, a->timeout, "end each input after so many seconds");
  command->callback([&call = commands.call(), a] { call.session = [a] { return run_repl(*a); }; });
}

void add_lsp(Commands& commands) {
  CLI::App* const command = commands.offer("lsp", "language server for editors, on standard input and output");
  if (!command) return;
  auto stdio = std::make_shared<bool>(true);
  command->add_flag("--stdio", *stdio, "what happens anyway; some editors start every server with it");
  command->callback([&call = commands.call(), stdio] { call.session = [] { return lsp::serve(kStandardInput, stdout); }; });
}

struct JupyterArgs {
  std::string action, prefix;
  bool user = true;
};

void jupyter_options(CLI::App& command, JupyterArgs& a) {
  command.add_option("action", a.action, "what to do")->required()->check(CLI::IsMember({"install"}));
  auto* const own = command.add_flag("--user", a.user, "for this user alone, which is the default");
  command.add_option("--prefix", a.prefix, "below DIR/share/jupyter: of an environment, /usr/local for everybody")->type_name("DIR")->excludes(own);
}

constexpr const char* kRunAbout = "CSV files of one run, a netCDF file, or the folder that has them";

void summary_options(CLI::App& command, inference::SummaryOptions& a) {
  command.add_option("files", a.files, kRunAbout)->required()->type_name("FILES");
  command.add_option("--pars", a.pars, "variables or elements to show, separated by commas: mu,theta,x[2]; all of their rows")
      ->type_name("NAMES")
      ->expected(1);
  command.add_option("--percentiles", a.percentiles, "increasing numbers between 0 and 100, separated by commas")
      ->type_name("P,…")
      ->capture_default_str();
  add_number(command, "digits", a.digits, "significant digits (default: those that the Monte Carlo error leaves; 6 with --csv)", {1, 18});
  add_number(command, "sig-figs", a.digits, "the same", {1, 18});
  add_choice(command, "sort", a.order, {{"declared", inference::RowOrder::AsDeclared}, {"rhat", inference::RowOrder::WorstRhat}, {"ess", inference::RowOrder::LeastEss}},
             "order of the rows: the worst R-hat or the least effective sample size first");
  command.add_flag("--all", a.all, "long containers whole, and the sampler's own columns");
  command.add_flag("--csv", a.csv, "print CSV for other programs");
}

void check_options(CLI::App& command, inference::CheckOptions& a) {
  command.add_option("files", a.files, kRunAbout)->required()->type_name("FILES");
  command.add_flag("--strict", a.strict, "exit status 1 if there is a problem");
}

void convert_options(CLI::App& command, ConvertArgs& a) {
  command.add_option("files", a.files, kRunAbout)->required()->type_name("FILES");
  command.add_option("-o,--output", a.output, "file to write")->required()->type_name("F.nc");
  command.add_option("--model", a.model.model, "the program, which says what of the data is observed")->type_name("M.stan");
  add_data_option(command, a.model.data);
  add_include_options(command, a.model.include_paths, a.model.include_rule);
  command.add_flag("--overwrite", a.overwrite, "replace a file that is there");
}

void report_options(CLI::App& command, inference::ReportOptions& a) {
  command.add_option("files", a.files, kRunAbout)->required()->type_name("FILES");
  command.add_option("-o,--output", a.output, "file to write (default: report.html beside the draws)")->type_name("F.html");
  command.add_option("--model", a.model, "the program, to show it (default: NAME.stan beside the draws or their folder)")->type_name("M.stan");
  command.add_flag("--overwrite", a.overwrite, "replace a file that is no earlier report too");
}

void plot_options(CLI::App& command, PlotArgs& a) {
  command.add_option("run", a.run, "folder of a run, or one CSV file")->required()->type_name("DIR");
  command.add_option("names", a.names, "variables or elements, all where they are few: mu tau theta[2]")->type_name("NAMES");
}

struct ManualArgs {
  std::string page = "fermiac", folder;
};

void manual_options(CLI::App& command, ManualArgs& a) {
  command.add_option("page", a.page, "the command")->type_name("PAGE")->capture_default_str();
  command.add_option("--to", a.folder, "write all pages into this folder")->type_name("DIR");
}

void completion_options(CLI::App& command, std::string& shell) {
  command.add_option("shell", shell, "which shell")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
}

void add_run_commands(Commands& commands) {
  using inference::CheckOptions, inference::ReportOptions, inference::SummaryOptions;
  commands.add<SummaryOptions>("summary", "posterior summary of CSV files", summary_options, [](SummaryOptions& a) {
    a.pars = names_between_commas(a.pars);
    return exit_status(inference::run_summary(a, {.prefix = kWho}));
  });
  commands.add<ConvertArgs>("convert", "one netCDF file of draws, as ArviZ's InferenceData", convert_options, run_convert);
  commands.add<CheckOptions>("check", "sampling problems in CSV files; exit status 0 where the files can be read", check_options,
                             [](const CheckOptions& a) { return exit_status(inference::run_check(a, {.prefix = kWho})); });
  commands.add<ReportOptions>("report", "one HTML file to look at a run: summary, traces, ranks, densities, pairs, energy, settings", report_options,
                              [](const ReportOptions& a) { return exit_status(inference::run_report(a, {.prefix = kWho})); });
  const auto plot_them = [](PlotArgs& a) {
    a.names = names_between_commas(a.names);
    return run_plot(a);
  };
  commands.add<PlotArgs>("plot", "pictures in the terminal: histogram and trace of quantities, and of two one against the other", plot_options, plot_them);
}

struct CheckModelArgs {
  ModelArgs model;
  bool strict = false;
};

/// On the command line stand the numbers of `texts` (see prepared_arguments).
void add_tools(Commands& commands, const std::vector<std::string>& texts) {
  commands.add_for_model<BenchArgs>("bench", "time of one gradient of the sampling density, or of writing one draw, as JSON", bench_options, run_bench);
  commands.add_for_model<CheckModelArgs>(
      "check-model", "what may be wrong with a model and its data, by reading and running it; exit status 1 if it refuses every point that is tried",
      [](CLI::App& command, CheckModelArgs& a) { command.add_flag("--strict", a.strict, "exit status 1 if there is any remark"); },
      [](const CheckModelArgs& a) { return run_check_model(a.model, a.strict); });
  commands.add<BundleArgs>("bundle",
                           "one file that carries the model: a shared object with BridgeStan's entry points if its name ends in .so, "
                           "else a program with CmdStan's command line; no compiler is needed",
                           bundle_options, run_bundle);
  commands.add<BundleArgs>("build", "the same file as bundle makes", build_options, run_bundle);
  commands.add<EvalArgs>("eval", "evaluate expressions and statements, one after the other", eval_options, [&texts](EvalArgs& a, Stop& stop) {
    a.statements = texts;
    return run_eval(a, stop);
  });
  add_repl(commands);
  add_lsp(commands);
  commands.add<JupyterArgs>("jupyter", "notebooks: 'jupyter install' tells Jupyter where the kernel for Stan is", jupyter_options,
                            [](const JupyterArgs& a) { return run_jupyter_install(a.prefix); });
  commands.add<FunctionsArgs>("functions", "the built-in functions", functions_options, run_functions);
  commands.add("devices", "what --device may name: platforms of OpenCL, their devices, memory; exit status 1 if there are none", run_devices);
  commands.add("cmdstan-home", "print the folder that clients of CmdStan and BridgeStan take for theirs", run_cmdstan_home);
  commands.add<ManualArgs>("manual", "print a manual page, as man -l reads it: of a command, of fermiac or of stanc", manual_options,
                           [&app = commands.app()](const ManualArgs& a) { return run_manual(app, a.page, a.folder); });
  commands.add<std::string>("completion", "print what makes a shell complete commands, options and files", completion_options,
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
  const std::vector<std::string> given = with_help_behind(typed);
  if (const std::string bad = unknown_isa(); !bad.empty()) return refuse(bad, 2);
  if (!given.empty() && given[0] == kCmdstanRun) return run_as_cmdstan(std::span(given).subspan(1));
  CLI::App app{"fermiac: Stan models without a compiler", "fermiac"};
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
  commands.add_for_model<LogProbArgs>("log-prob", "log density and gradient at given points, as JSON lines", log_prob_options, run_log_prob);
  add_questions(commands);
  add_tools(commands, texts);
  std::size_t max_memory = 0;
  for (CLI::App* command : commands.offered()) {
    add_memory_option(*command, max_memory);
    refuse_empty_names(*command);
  }
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
