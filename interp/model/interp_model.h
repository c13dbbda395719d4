// A Stan program with data as a Model: the interpreter records its log density on a tape and replays it; everything else
// (transformed data, transformed parameters, generated quantities) runs on the plain evaluator.
// docs/phases/interpreter.md describes the way from text to a first gradient.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "inference/model/model.h"
#include "interp/model/bound_program.h"
#include "interp/model/compiled_model.h"
#include "interp/model/evaluation.h"

namespace fermiac::interp {

class DrawTapes;
class Enumeration;
class TapeCache;

class InterpModel : public Model {
 public:
  /// Binds data. Throws InputError and ad::Interrupted if `stop` is set in the meantime. `seed` is for random
  /// numbers in transformed data. The limit on memory under which a model is made (ad::MemoryScope) holds wherever it is
  /// evaluated.
  InterpModel(std::shared_ptr<const CompiledModel> compiled, const DataSource& data, std::uint64_t seed, PrintSink print = {},
              const std::atomic<bool>* stop = nullptr, EvaluationSettings settings = {});
  ~InterpModel() override;

  /// The same program with the same data, which both share, and with a `print` and a stop flag of its own. It records its own
  /// tapes; nothing is read again and no random numbers are drawn. Takes over the device, and whether there are tapes.
  std::unique_ptr<InterpModel> twin(PrintSink print, const std::atomic<bool>* stop) const;
  /// A twin that is evaluated under other settings and shares `print` and stop flag.
  std::unique_ptr<InterpModel> with_settings(EvaluationSettings settings) const;

  std::string_view name() const override;
  std::size_t unconstrained_size() const override { return context_.program->unconstrained_size(); }
  std::vector<std::string> names(bool transformed, bool generated) const override;
  std::vector<std::string> unconstrained_names() const override { return context_.program->unconstrained_names(); }
  std::vector<ModelVariable> variables() const override;
  std::unique_ptr<ModelWorkspace> workspace() const override;
  EvalStatus unconstrain_json(std::string_view json, GivenValues given, std::span<double> theta) const override;
  EvalStatus unconstrain_array(std::span<const double> constrained, GivenValues given, std::span<double> theta) const override;
  void set_print(PrintSink sink) override { context_.print = std::move(sink); }
  void set_stop(const std::atomic<bool>* stop) override { context_.stop = stop; }
  std::string refusal_advice(std::string_view message) const override;
  bool solves_differential_equations() const override;
  std::shared_ptr<void> stricter_solvers(double factor) const override;

  /// The log density by the plain evaluator, with all constants: what the tape is tested against.
  EvalStatus log_density_plain(std::span<const double> theta, bool jacobian, double* lp) const;
  /// Written with the generated quantities of every workspace made from now on. The outputs may refer to this model.
  void add_outputs(std::shared_ptr<const ExtraOutputs> outputs) { context_.extra = std::move(outputs); }

  const EvaluationContext& context() const { return context_; }
  const EvaluationSettings& settings() const { return context_.settings; }
  const CompiledModel& compiled() const { return context_.compiled(); }
  /// Data and transformed data, by slot (Code::global_slots).
  const std::vector<Value>& globals() const { return context_.program->globals(); }
  const std::vector<Output>& outputs() const { return context_.program->outputs(); }

  TapeStatistics statistics(DensityOptions options) const;
  /// Statistics of draws, after some have been written.
  DrawStatistics draw_statistics() const;
  /// What workspaces that have ended measured, by thread; empty without EvaluationSettings::profiles.
  std::map<std::thread::id, ProfileCosts> profiles() const;
  /// The tape as text, recorded at `theta`; or the reason why there is none.
  std::string dump_tape(std::span<const double> theta, DensityOptions options) const;

 protected:
  /// `origin`: the model that this one is derived from; null if there is none.
  InterpModel(std::shared_ptr<const BoundProgram> program, PrintSink print, const std::atomic<bool>* stop, EvaluationSettings settings,
              const InterpModel* origin = nullptr);

 private:
  /// A model of the same kind as this one, with the same program and data.
  virtual std::unique_ptr<InterpModel> derived(PrintSink print, const std::atomic<bool>* stop, EvaluationSettings settings) const;

  EvaluationContext context_;
  std::unique_ptr<TapeCache> tapes_;
  std::unique_ptr<DrawTapes> draw_tapes_;
};

}  // namespace fermiac::interp
