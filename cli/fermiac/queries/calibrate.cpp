// `fermiac sbc` and `fermiac sensitivity`: is the sampler calibrated; does the prior matter.

#include <fmt/format.h>

#include <filesystem>

#include "cli/fermiac/shared/file_sums.h"
#include "cli/fermiac/shared/given_points.h"
#include "cli/fermiac/shared/load.h"
#include "cli/fermiac/shared/questions.h"
#include "cli/fermiac/shared/refuse.h"
#include "cli/fermiac/shared/run_model.h"
#include "inference/diagnostics/sensitivity.h"
#include "inference/methods/runs_in_memory.h"
#include "inference/output/output.h"
#include "inference/output/sbc_file.h"
#include "interp/model/block_states.h"
#include "interp/queries/component_sums.h"
#include "interp/queries/simulator.h"
#include "support/base/interrupted.h"
#include "support/platform/output.h"

namespace fermiac::cli {

using namespace inference;

namespace {

/// Where simulations are kept.
Status settle_file(const SbcArgs& args, SbcOptions* options, std::uint64_t* seed) {
  if (!options->sampling.output_dir.empty()) {
    OutputFiles files;
    if (Status bad = files.prepare(options->sampling, std::filesystem::path(args.model.model).stem().string()); !bad) return bad;
    options->file = files.path("_sbc.csv");
  }
  if (options->resume && !options->sampling.seed) {
    SbcFileText found;
    bool is_one = false;
    if (Status bad = read_sbc_file(options->file, &is_one, &found); !bad) return bad;
    options->sampling.seed = found.seed;
  }
  *seed = settle_seed(options->sampling);
  return {};
}

std::string why_incomplete(const Status& status, const SbcResult& result, const SbcOptions& options, const Stop& stop) {
  const std::string why = error_text(status, stop.reason());
  if (result.simulations == 0) return why;
  return fmt::format("{}, after {} of {} simulations{}", why, result.simulations, options.simulations,
                     options.file.empty() ? "" : "; --resume goes on");
}

}  // namespace

int run_sbc(const SbcArgs& args, Stop& stop) {
  const auto program = load_program(args.model);
  const interp::DataSource data = open_data(args.model, *program);
  interp::Predictor predictor(*program, data, read_conditioning(args.model.conditioning), {.prior = true, .what = {}, .only_ask = false}, &Stop::flag());
  interp::PredictorSimulator simulator(predictor);
  SbcOptions options = args.options;
  options.sampling.num_warmup = args.warmup;
  std::uint64_t seed = 0;
  if (const Status bad = settle_file(args, &options, &seed); !bad) return refuse(bad.message);
  if (const std::vector<Block> blocks = read_blocks(args.model.conditioning); !blocks.empty())
    options.prepare = [blocks](const Model& model, SampleOptions* sampling) {
      std::string note;  // said of each simulation
      sampling->blocks = interp::resolve_blocks(static_cast<const interp::ConditionedModel&>(model), blocks, &note);
      return Status{};
    };
  SbcResult result;
  const Status complete = inference::run_sbc(simulator, options, seed, terminal_io(stop), &result);
  const bool written = result.simulations == 0 || write_output(args.format == "json" ? sbc_json(result) : sbc_text(result, options));
  if (!complete) return refuse(why_incomplete(complete, result, options, stop));
  return written ? 0 : 1;
}

int run_sensitivity(const SensitivityArgs& args) {
  const auto model = load_conditioned_model(args.model);
  warn_of_other_data(args.draws, args.model.data);
  const ScaledDraws draws = interp::scaled_draws(*model, draws_in(*model, args.draws), args.component, args.r_eff.value_or(1));
  const auto found = sensitivities(draws);
  const auto powers = scaled(draws, args.alpha);
  return write_output(args.format == "json" ? sensitivity_json(draws, found, powers) : sensitivity_text(draws, found, powers)) ? 0 : 1;
}

}  // namespace fermiac::cli
