#include "interp/model/interp_model.h"

#include <algorithm>
#include <utility>

#include "autodiff/solvers/strictness.h"
#include "inference/model/column_names.h"
#include "interp/model/draws.h"
#include "interp/model/log_prob_run.h"
#include "interp/model/refusal_advice.h"
#include "interp/model/tape_cache.h"
#include "interp/model/workspace.h"
#include "mir/analysis/program_traits.h"

namespace fermiac::interp {

namespace {

std::shared_ptr<const BoundProgram> bound(std::shared_ptr<const CompiledModel> compiled, const DataSource& data, std::uint64_t seed,
                                          const PrintSink& print, const std::atomic<bool>* stop) {
  return std::make_shared<const BoundProgram>(std::move(compiled), data, nullptr, seed, print, stop);
}

/// `drawn`: names of the generated quantities that are pure draws.
VariableBlock block_of(const Output& output, const std::vector<std::string>& drawn) {
  if (output.block == mir::BlockKind::Parameters) return VariableBlock::Parameters;
  if (output.block == mir::BlockKind::TransformedParameters) return VariableBlock::Transformed;
  return std::ranges::find(drawn, output.name) == drawn.end() ? VariableBlock::Generated : VariableBlock::Simulated;
}

}  // namespace

InterpModel::InterpModel(std::shared_ptr<const CompiledModel> compiled, const DataSource& data, std::uint64_t seed, PrintSink print,
                         const std::atomic<bool>* stop, EvaluationSettings settings)
    : InterpModel(bound(std::move(compiled), data, seed, print, stop), print, stop, std::move(settings)) {}

InterpModel::InterpModel(std::shared_ptr<const BoundProgram> program, PrintSink print, const std::atomic<bool>* stop, EvaluationSettings settings,
                         const InterpModel* origin)
    : context_(std::move(program), std::move(settings), std::move(print), stop, origin ? &origin->context_ : nullptr),
      tapes_(std::make_unique<TapeCache>(context_)),
      draw_tapes_(std::make_unique<DrawTapes>(context_)) {}

InterpModel::~InterpModel() = default;

// ---------------------------------------------------------------- derived models

std::unique_ptr<InterpModel> InterpModel::derived(PrintSink print, const std::atomic<bool>* stop, EvaluationSettings settings) const {
  return std::unique_ptr<InterpModel>(new InterpModel(context_.program, std::move(print), stop, std::move(settings), this));
}

std::unique_ptr<InterpModel> InterpModel::twin(PrintSink print, const std::atomic<bool>* stop) const {
  return derived(std::move(print), stop, context_.inherited());
}

std::unique_ptr<InterpModel> InterpModel::with_settings(EvaluationSettings settings) const {
  return derived(context_.print, context_.stop, std::move(settings));
}

// ---------------------------------------------------------------- the bound program

std::string_view InterpModel::name() const { return compiled().program.name; }

std::vector<std::string> InterpModel::names(bool transformed, bool generated) const {
  std::vector<std::string> out = context_.program->names(transformed, generated);
  if (generated && context_.extra)
    for (std::string& name : context_.extra->names()) out.push_back(std::move(name));
  return out;
}

std::vector<ModelVariable> InterpModel::variables() const {
  std::vector<ModelVariable> out;
  const std::vector<std::string> drawn = mir::pure_draws(compiled().program);
  for (const Output& output : outputs()) out.push_back({output.name, block_of(output, drawn)});
  if (!context_.extra) return out;
  for (const std::string& column : context_.extra->names())
    if (std::string variable(inference::variable_of(column)); out.empty() || out.back().name != variable)
      out.push_back({std::move(variable), VariableBlock::Generated});
  return out;
}

std::string InterpModel::refusal_advice(std::string_view message) const { return interp::refusal_advice(compiled(), message); }

bool InterpModel::solves_differential_equations() const { return mir::solves_differential_equations(compiled().program); }

EvalStatus InterpModel::unconstrain_json(std::string_view json, GivenValues given, std::span<double> theta) const {
  return context_.program->unconstrain_json(json, given, theta, {context_.print, context_.stop});
}

EvalStatus InterpModel::unconstrain_array(std::span<const double> constrained, GivenValues given, std::span<double> theta) const {
  return context_.program->unconstrain_array(constrained, given, theta, {context_.print, context_.stop});
}

// ---------------------------------------------------------------- evaluation

std::unique_ptr<ModelWorkspace> InterpModel::workspace() const {
  return std::make_unique<InterpWorkspace>(context_, *tapes_, *draw_tapes_);
}

std::shared_ptr<void> InterpModel::stricter_solvers(double factor) const { return std::make_shared<ad::StricterSolvers>(factor); }

EvalStatus InterpModel::log_density_plain(std::span<const double> theta, bool jacobian, double* lp) const {
  return interp::log_density_plain(context_, theta, jacobian, lp);
}

// ---------------------------------------------------------------- statistics

std::map<std::thread::id, ProfileCosts> InterpModel::profiles() const {
  return context_.profiles ? context_.profiles->costs() : std::map<std::thread::id, ProfileCosts>();
}

TapeStatistics InterpModel::statistics(DensityOptions options) const { return tapes_->statistics(TapeCache::index(options)); }

DrawStatistics InterpModel::draw_statistics() const { return draw_tapes_->statistics(); }

std::string InterpModel::dump_tape(std::span<const double> theta, DensityOptions options) const {
  const TapeCache::Recording recording = tapes_->record(theta, options, true);
  return recording.status ? recording.recorded.tape->dump() : recording.status.message + "\n";
}

}  // namespace fermiac::interp
