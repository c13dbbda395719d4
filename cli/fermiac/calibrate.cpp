// `fermiac sbc` and `fermiac sensitivity`: is the sampler calibrated; does the prior matter.

#include "autodiff/interrupted.h"
#include "cli/fermiac/given_points.h"
#include "cli/fermiac/load.h"
#include "cli/fermiac/questions.h"
#include "cli/fermiac/refuse.h"
#include "cli/fermiac/run_model.h"
#include "inference/output.h"
#include "inference/sensitivity.h"
#include "interp/model/block_states.h"
#include "interp/questions/component_sums.h"
#include "interp/questions/simulator.h"
#include "support/output.h"

namespace fermiac::cli {

using namespace inference;

int run_sbc(const SbcArgs& args, Stop& stop) {
  const auto program = load_program(args.model);
  if (!program) return 1;
  try {
    const interp::DataSource data = open_data(args.model, *program);
    interp::Predictor predictor(*program, data, read_conditioning(args.model.conditioning), {.prior = true, .what = {}, .only_ask = false}, &Stop::flag());
    interp::PredictorSimulator simulator(predictor);
    SbcOptions options = args.options;
    options.sampling.num_warmup = args.warmup;
    if (const std::vector<Block> blocks = read_blocks(args.model.conditioning); !blocks.empty())
      options.prepare = [blocks](const Model& model, SampleOptions* sampling) {
        std::string note;  // said of each simulation
        sampling->blocks = interp::resolve_blocks(static_cast<const interp::InterpModel&>(model), blocks, &note);
        return Result{};
      };
    SbcResult result;
    const Result bad = inference::run_sbc(simulator, options, settle_seed(options.sampling), terminal_io(stop), &result);
    if (!bad) return refuse(bad.error == kInterrupted ? stop.reason() : bad.error);
    return write_output(args.format == "json" ? sbc_json(result) : sbc_text(result, options)) ? 0 : 1;
  } catch (const interp::BindError& e) {
    return refuse(e.what());
  } catch (const DataError& e) {
    return refuse(e.what());
  } catch (const ad::Interrupted&) {
    return refuse(stop.reason());
  }
}

int run_sensitivity(const SensitivityArgs& args, Stop& stop) {
  ModelArgs given = args.model;
  given.always_conditioned = true;
  const auto model = load_interp_model(given, stop);
  if (!model) return 1;
  try {
    const ScaledDraws draws = interp::scaled_draws(*model, draws_in(*model, args.draws), args.component, args.r_eff.value_or(1));
    const auto found = sensitivities(draws);
    const auto powers = scaled(draws, args.alpha);
    return write_output(args.format == "json" ? sensitivity_json(draws, found, powers) : sensitivity_text(draws, found, powers)) ? 0 : 1;
  } catch (const interp::BindError& e) {
    return refuse(e.what());
  } catch (const DataError& e) {
    return refuse(e.what());
  }
}

}  // namespace fermiac::cli
