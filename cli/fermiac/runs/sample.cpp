#include "inference/methods/sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string_view>

#include "autodiff/kernels/isa.h"
#include "cli/cmdstan/profile_file.h"
#include "cli/fermiac/runs/netcdf.h"
#include "cli/fermiac/shared/file_sums.h"
#include "cli/fermiac/shared/load.h"
#include "cli/fermiac/shared/refuse.h"
#include "cli/fermiac/shared/run_model.h"
#include "inference/methods/settings.h"
#include "inference/output/checkpoint.h"
#include "inference/output/run_io.h"
#include "interp/model/block_states.h"
#include "interp/model/conditioned_model.h"
#include "plugins/netcdf/array_file.h"
#include "support/base/replaceable.h"
#include "support/base/text_file.h"

namespace fermiac::cli {
namespace {

/// The names in a rule between options as options: `--max-treedepth` for `max_treedepth`.
std::string with_options(std::string text) {
  inference::SampleOptions ignored;
  inference::OptionRows rows;
  inference::add_options(rows, ignored);
  std::vector<std::string> names = {"chain-ids", "max-restarts"};  // of this command alone
  for (const inference::OptionRow& row : rows) names.push_back(row.name);
  std::ranges::sort(names, std::greater(), &std::string::size);  // `int_time` is part of a longer name
  for (const std::string& name : names) {
    std::string in_rule = name;
    std::ranges::replace(in_rule, '-', '_');
    const std::string option = "--" + name;
    if (in_rule == name) continue;  // a word of any sentence
    for (std::size_t at = text.find(in_rule); at != std::string::npos; at = text.find(in_rule, at + option.size()))
      text.replace(at, name.size(), option);
  }
  return text;
}

/// What the blocks cost, in the file that the draws name.
int write_profile(const interp::InterpModel& model, const std::string& path) {
  const std::string rows = cmdstan::profile_csv(model);
  if (rows.empty()) return refuse("the program has no profile block: '" + path + "' was not written");
  const Status written = write_whole_file(path, rows);
  return written ? 0 : refuse("cannot write '" + path + "': " + written.message);
}

/// What draws depend on besides options; the last bits of a gradient are those of its instructions.
std::vector<std::pair<std::string, std::string>> identity_of(const interp::InterpModel& model, const ModelArgs& args, const inference::SampleOptions& o) {
  return {{"the program", interp::program_sum(model.compiled())},
          {std::string(inference::kDataSum), sum_of_files(args.data)},
          {"the file of initial values", sum_of_file(o.init)},
          {"the metric file", sum_of_file(o.metric_file)},
          {"the version of fermiac", FERMIAC_VERSION},
          {"the instruction set", std::string(ad::isa_name(ad::active_isa()))}};
}

void use_blocks(const interp::ConditionedModel& model, const ConditioningArgs& args, inference::SampleOptions* options) {
  if (!model.conditioned().sampled().empty() && (!args.log_lik.empty() || !args.lprior.empty()))
    throw InputError("log_lik and lprior are not written where ints are sampled by blocks; sum them out instead");
  std::string note;
  options->blocks = interp::resolve_blocks(model, read_blocks(args), &note);
  if (!note.empty()) std::fprintf(stderr, "%s\n", note.c_str());
}

}  // namespace

std::unique_ptr<interp::InterpModel> sampled_model(const ModelArgs& args, inference::SampleOptions* options) {
  if (options->netcdf && !has_array_files()) throw InputError("--format netcdf: " + no_array_files());
  ModelArgs given = args;
  given.always_conditioned |= !args.conditioning.blocks.empty();
  given.profiles = !options->profile_file.empty();
  std::unique_ptr<interp::InterpModel> model = load_interp_model(given);
  if (!args.conditioning.blocks.empty()) use_blocks(*interp::as_conditioned(*model), args.conditioning, options);
  const bool prior = interp::as_conditioned(*model) && read_conditioning(args.conditioning).context == interp::ContextKind::Prior;
  if (prior && !args.conditioning.allow_improper) interp::refuse_improper(*interp::as_conditioned(*model));
  describe_model(args, options);
  explain_starts(args, *model, options);
  if (inference::keeps_states(*options)) {
    auto identity = identity_of(*model, args, *options);
    if (options->resume)
      if (const Status bad = inference::check_identity(options->record, identity); !bad) throw InputError(bad.message);
    options->record.identity = std::move(identity);
  }
  return model;
}

int run_sample(const ModelArgs& args, inference::SampleOptions options, Stop& stop) {
  // Wrong options are told before a model is read.
  if (const Status bad = inference::check_options(options); !bad) return refuse(with_options(bad.message));
  if (const Status bad = check_replaceable(options.profile_file, kProfileFile); !bad) return refuse("--profile: " + bad.message);
  const std::unique_ptr<interp::InterpModel> model = sampled_model(args, &options);
  const inference::RunIo io = terminal_io(stop);
  inference::SampleRun run = inference::sample(*model, options, io);
  const bool packed = !options.netcdf || !run.status || pack_draws(model->compiled(), args, &run);
  const int status = exit_status(inference::conclude_sample(std::move(run), options, io));
  if (!packed) return 1;
  if (status != 0 || options.profile_file.empty()) return status;
  return write_profile(*model, options.profile_file);
}

}  // namespace fermiac::cli
