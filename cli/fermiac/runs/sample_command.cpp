// `fermiac sample`, and `fermiac resume` and `fermiac inspect-draw`, which take the options of the former from what its run left.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/fermiac/options/arguments.h"
#include "cli/fermiac/options/checked_option.h"
#include "cli/fermiac/options/conditioning_options.h"
#include "cli/fermiac/options/process_options.h"
#include "cli/fermiac/runs/methods.h"
#include "cli/fermiac/shared/command_list.h"
#include "cli/fermiac/shared/commands.h"
#include "cli/fermiac/shared/questions.h"
#include "inference/mcmc/chain_plan.h"
#include "inference/methods/settings.h"
#include "inference/output/checkpoint.h"

namespace fermiac::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kChainIds = "--chain-ids";

void add_chain_ids(CLI::App& command, std::vector<unsigned>& ids, const char* about) {
  const auto read = [&ids](const std::string& text) {
    if (const Status bad = inference::read_chain_ids(text, &ids); !bad)
      throw CLI::ValidationError(std::string(kChainIds) + ": " + bad.message, CLI::ExitCodes::ValidationError);
  };
  command.add_option_function<std::string>(kChainIds, read, about)->type_name("IDS");
}

void add_sample_options(CLI::App& command, SampleArgs& a) {
  add_model_options(command, a.model);
  add_pointwise_options(command, a.model.conditioning);
  add_block_option(command, a.model.conditioning);
  command.add_flag("--allow-improper", a.model.conditioning.allow_improper, "With --density prior: allow parameters without a prior")->group("Conditioning");
  OptionRows rows;
  inference::add_options(rows, a.options);
  add_options(command, rows);
  add_timestamp(command, a.options);
  add_choice<bool>(command, "format", a.options.netcdf, {{"csv", false}, {"netcdf", true}},
                   "Output format: CSV files, or one netCDF file for ArviZ");
  add_number(command, "checkpoint-interval", a.options.save_every, "Seconds between checkpoints, from which fermiac resume continues", {0, 1e9})
      ->type_name("SECONDS");
  add_number(command, "max-restarts", a.options.max_restarts,
             "Maximum number of restarts of a stuck chain, each with new random numbers", {0, 100});
  add_chain_ids(command, a.options.chain_ids, "Run only these chains, for example 5,9; other processes or later runs draw the others");
  command.add_flag("--gather-files", a.gather, "Under mpirun without a shared folder: let the first process write all files");
  command.add_option("--profile", a.options.profile_file, "CSV file for the times of profile blocks; gradients take several times as long")
      ->type_name("P.csv");
}

/// The options that were given, by name. Those that choose chains are left out: the record is that of the whole run.
auto given_options(const CLI::App& command) {
  decltype(inference::RunRecord::options) out;
  for (const CLI::Option* option : command.get_options()) {
    if (option->empty() || option->check_name(kChainIds)) continue;
    std::vector<std::string> values = option->get_items_expected_max() > 0 ? option->results() : std::vector<std::string>();
    std::erase(values, "");  // of an option that may be given without a value
    out.emplace_back(option->get_single_name(), std::move(values));
  }
  return out;
}

struct ResumeArgs {
  std::string folder;
  std::vector<unsigned> chain_ids;
  std::optional<unsigned> samples;
  unsigned threads = 0;
  double timeout = inference::kNoLimit;
};

/// Fills in the arguments from the record, and its options. Throws InputError: another version may have taken them.
void read_options(inference::RunRecord& record, SampleArgs* out) {
  CLI::App app;
  std::size_t ignored_memory = 0;
  auto* command = app.add_subcommand("sample");
  add_sample_options(*command, *out);
  add_memory_option(*command, ignored_memory);
  std::vector<std::string> texts, given = inference::recorded_words(record);
  given.insert(given.begin(), "sample");
  given = with_present_names(app, std::move(given));
  try {
    std::vector<std::string> arguments = prepared_arguments(app, given, &texts);
    std::ranges::reverse(arguments);  // as the library wants them
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& e) {
    throw InputError("the run's own options are not understood: " + std::string(e.what()));
  }
  record.options = given_options(*command);
  record.arguments.clear();
}

/// How the run in the folder was started; this process works from then on where it was. Throws InputError.
SampleArgs recorded_run(const std::string& given) {
  inference::RunRecord record;
  SampleArgs out;
  if (const Status bad = inference::read_run_record(given, &record); !bad) throw InputError(bad.message);
  read_options(record, &out);
  if (out.model.portable)
    if (const Status bad = become_portable(); !bad) throw InputError(bad.message);
  std::error_code failed;
  const std::string folder = fs::absolute(given, failed).lexically_normal().string();
  fs::current_path(record.folder, failed);  // where the paths of the arguments lead from
  if (failed) throw InputError("cannot enter '" + record.folder + "', where the run was started: " + failed.message());
  inference::SampleOptions& o = out.options;
  o.resume = true;
  o.output_dir = folder;
  o.output_name = record.name;
  o.seed = record.seed;
  o.num_samples = record.samples;
  o.record = std::move(record);
  return out;
}

void resume_options(CLI::App& command, ResumeArgs& a) {
  command.add_option("folder", a.folder, "Folder of the run")->required()->type_name("DIR");
  add_number(command, "samples", a.samples, "Number of draws per chain (default: that of the run)", {1, kMostCount});
  add_chain_ids(command, a.chain_ids, "Continue only these chains, for example 5,9");
  OptionRows rows;
  rows.threads(a.threads);
  add_options(command, rows);
  add_timeout(command, a.timeout, "Time limit in seconds, after which the command stops and keeps its results");
}

int run_resume(const ResumeArgs& a, Stop& stop) {
  SampleArgs args = recorded_run(a.folder);
  args.options.chain_ids = a.chain_ids;
  if (a.samples) args.options.num_samples = *a.samples;
  if (a.threads > 0) args.options.threads = a.threads;
  return run_sample(args.model, args.options, stop);
}

void replay_options(CLI::App& command, ReplayArgs& a) {
  command.add_option("folder", a.folder, "Folder of the run")->required()->type_name("DIR");
  add_number(command, "chain", a.chain, "Chain id, as in the file names", {1, kMostCount});
  add_number(command, "draw", a.draw, "Index of the draw in its file, from 1 after warmup", {1, kMostCount})->required();
  command.add_option("--pars", a.names, "Variables or elements to show, for example mu,theta[2] (default: those that move most)")->type_name("NAMES")->allow_extra_args(false);
  command.add_option("--format", a.format, "Output format")->check(CLI::IsMember({"table", "json"}))->capture_default_str();
  add_timeout(command, a.timeout);
}

int replay_of_record(ReplayArgs& a, Stop& stop) {
  a.names = names_between_commas(a.names);
  const SampleArgs args = recorded_run(a.folder);
  return run_replay(args.model, args.options, a, stop);
}

}  // namespace

void add_sample(Commands& commands) {
  const inference::Method& method = inference::methods().front();
  CLI::App* const command = commands.offer(std::string(method.name), std::string(method.about));
  if (!command) return;
  auto a = std::make_shared<SampleArgs>();
  add_sample_options(*command, *a);
  command->callback([&call = commands.call(), command, a] {
    std::error_code failed;
    a->options.record.folder = fs::current_path(failed).string();
    if (!failed) a->options.record.options = given_options(*command);
    call = {[a](Stop& stop) { return run_sample(a->model, a->options, stop); }, &a->model, &a->options.threads, &a->model.timeout};
    call.chains = a.get();
  });
}

void add_resume(Commands& commands) {
  commands.add<ResumeArgs>("resume", "Continue an interrupted run, or add draws to a finished one", resume_options, run_resume);
  commands.add<ReplayArgs>("inspect-draw", "Rerun one transition of a saved run and print every leapfrog step", replay_options, replay_of_record);
}

}  // namespace fermiac::cli
