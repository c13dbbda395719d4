// `fermiac sbc` and `fermiac sensitivity`: is the sampler calibrated; does the prior matter.
#include <fmt/format.h>

#include <cstdio>

#include "autodiff/interrupted.h"
#include "cli/fermiac/given_points.h"
#include "cli/fermiac/load.h"
#include "cli/fermiac/questions.h"
#include "cli/fermiac/run_model.h"
#include "inference/csv.h"
#include "inference/output.h"
#include "inference/sensitivity.h"
#include "interp/model/block_states.h"
#include "interp/questions/component_sums.h"
#include "interp/questions/predict.h"
#include "interp/questions/trace.h"
#include "support/output.h"

namespace fermiac::cli {
namespace {

using namespace inference;

int refuse(const std::string& why) {
  std::fprintf(stderr, "fermiac: %s\n", why.c_str());
  return 1;
}

class PredictorSimulator final : public Simulator {
 public:
  explicit PredictorSimulator(interp::Predictor& predictor) : predictor_(predictor), row_(predictor.names().size()) {}

  Result simulate(std::uint64_t seed, std::size_t i, std::unique_ptr<Model>* model, Vec* truth) override {
    Rng rng(seed * 0x9e3779b97f4a7c15ULL + i);
    predictor_.draw({}, rng, row_);
    auto given = predictor_.model_given_draw();
    truth->assign(given->unconstrained_size(), 0);
    const EvalStatus status = predictor_.drawn_point(*given, *truth);
    *model = std::move(given);
    return status ? Result{} : Result::fail(status.message);
  }
  EvalStatus log_lik(const Model& model, ConstSpan theta, double* out) const override {
    interp::Trace trace;
    const EvalStatus status = interp::trace(static_cast<const interp::InterpModel&>(model), theta, false, false, &trace);
    *out = trace.likelihood;
    return status;
  }

 private:
  interp::Predictor& predictor_;
  Vec row_;
};

}  // namespace

int run_sbc(const SbcArgs& args, Stop& stop) {
  const auto program = load_program(args.model);
  if (!program) return 1;
  try {
    const interp::DataSource data = open_data(args.model, *program);
    interp::Predictor predictor(*program, data, read_conditioning(args.model.conditioning), {.prior = true, .what = {}, .only_ask = false}, &Stop::flag());
    PredictorSimulator simulator(predictor);
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

namespace {

/// Columns of the free parameters, and what prior (or the components asked for) and likelihood add at each draw.
ScaledDraws scaled_draws(const SensitivityArgs& args, const interp::InterpModel& model) {
  ScaledDraws out;
  for (const std::string& name : model.names(false, false)) out.names.push_back(pretty_name(name));
  out.values.resize(out.names.size());
  out.components = {args.component.empty() ? "prior" : args.component, "likelihood"};
  out.sums.resize(2);
  out.r_eff = args.r_eff.value_or(1);
  const interp::ComponentSums sums(model, args.component);
  const auto workspace = model.workspace();
  Vec row(out.names.size());
  Rng rng(1);
  for (const std::string& file : args.draws)
    for (const Vec& theta : draws_in(model, file)) {
      double component = 0, likelihood = 0;
      if (const EvalStatus status = sums(theta, &component, &likelihood); !status) throw DataError(status.message);
      if (const EvalStatus status = workspace->write_array(theta, false, false, rng, row); !status) throw DataError(status.message);
      out.sums[0].push_back(component);
      out.sums[1].push_back(likelihood);
      for (std::size_t i = 0; i < row.size(); ++i) out.values[i].push_back(row[i]);
    }
  return out;
}

}  // namespace

int run_sensitivity(const SensitivityArgs& args, Stop& stop) {
  ModelArgs given = args.model;
  given.always_conditioned = true;
  const auto model = load_interp_model(given, stop);
  if (!model) return 1;
  try {
    const ScaledDraws draws = scaled_draws(args, *model);
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
