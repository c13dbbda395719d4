// A program under a conditioning: its sites are opened, and data that are not known become variables of the density.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "interp/model/interp_model.h"
#include "interp/model/log_prob_run.h"

namespace fermiac::interp {

class ConditionedModel final : public InterpModel {
 public:
  /// Binds data under a conditioning; `compiled` is what conditioned_program made. Throws as InterpModel does.
  ConditionedModel(std::shared_ptr<const CompiledModel> compiled, const DataSource& data, const Conditioning& conditioning, std::uint64_t seed,
                   PrintSink print = {}, const std::atomic<bool>* stop = nullptr, EvaluationSettings settings = {});

  /// What is known of the numbers and how much the sites count.
  const Conditioned& conditioned() const { return *context().conditioned(); }
  /// The same program and data under a changed conditioning, with tapes of its own. Without `settings` it takes over what a twin does.
  std::unique_ptr<ConditionedModel> with(std::shared_ptr<const Conditioned> conditioned) const;
  std::unique_ptr<ConditionedModel> with(std::shared_ptr<const Conditioned> conditioned, EvaluationSettings settings) const;

  /// Runs the log density on plain numbers, sites by `handler`; `target` receives what was added to target there.
  EvalStatus run_sites(std::span<const double> theta, bool jacobian, SiteHandler& handler, double* target, const RunWith& with = {}) const;
  /// All parameters, data that are not constants, transformed parameters and generated quantities of values that are held, by
  /// output. `out` has names_of_all().size() entries.
  EvalStatus write_held(std::span<const double> theta, const RunWith& with, std::span<double> out) const;
  std::vector<std::string> names_of_all() const;
  /// Constrained values of the parameters, and of data that are not constants.
  std::vector<Value> parameter_values(std::span<const double> theta) const;
  /// Declared bounds by offset, or one for all numbers, if they depend on constants alone; empty for other constraints.
  std::optional<std::pair<std::vector<double>, std::vector<double>>> constant_bounds(std::size_t position) const;
  /// Rejects values that are held and break the constraint of a parameter.
  EvalStatus check_held(std::span<const double> theta, const RunWith& with) const;
  /// Columns of all parameters and missing data that have free numbers, or of these numbers if others are known.
  std::vector<std::string> names_of_free_numbers() const;

 private:
  ConditionedModel(const ConditionedModel& origin, std::shared_ptr<const BoundProgram> program, PrintSink print, const std::atomic<bool>* stop,
                   EvaluationSettings settings);
  std::unique_ptr<InterpModel> derived(PrintSink print, const std::atomic<bool>* stop, EvaluationSettings settings) const override;
};

/// The model as a conditioned one; null if it is not.
const ConditionedModel* as_conditioned(const InterpModel& model);
ConditionedModel* as_conditioned(InterpModel& model);

/// The program once more, prepared to be conditioned: data in `unknown` are variables of the density, `held` names
/// parameters whose values are given. Throws InputError with the
/// place where that is not possible.
std::shared_ptr<const CompiledModel> conditioned_program(const CompiledModel& plain, const std::set<std::string>& unknown,
                                                         const std::set<std::string>& held = {});

/// Data variables of which some number is not known.
std::set<std::string> unknown_data(const mir::Program& program, const DataSource& data, const Conditioning& conditioning);

/// Whether the data or the options ask for more than the program as it is.
bool conditions(const CompiledModel& plain, const DataSource& data, const Conditioning& conditioning);

/// The program bound to data under the conditioning, which is checked: patterns that match nothing, roles that are needed and
/// not clear, missing numbers without a distribution. Throws as InterpModel does.
std::unique_ptr<ConditionedModel> condition(const CompiledModel& plain, const DataSource& data, const Conditioning& conditioning,
                                       std::uint64_t seed = 0, PrintSink print = {}, const std::atomic<bool>* stop = nullptr);

/// Bound to data: as it is, or under the conditioning where that or the data ask for it.
std::unique_ptr<InterpModel> bound_model(const std::shared_ptr<const CompiledModel>& plain, const DataSource& data,
                                         const Conditioning& conditioning, std::uint64_t seed = 0, PrintSink print = {}, const std::atomic<bool>* stop = nullptr);

/// The same under what the data's member "__conditioning" says: how models that are programs or libraries of their own are conditioned.
std::unique_ptr<InterpModel> bind_as_data_say(const std::shared_ptr<const CompiledModel>& plain, const DataSource& data, std::uint64_t seed = 0,
                                              PrintSink print = {});

/// One element of a site as a run met it.
struct ElementMet {
  std::shared_ptr<const mir::Site> site;
  std::vector<NumberName> names;
  SiteRole role;
  ElementKey key;
  std::vector<RowRead> rows;  // of the likelihood, where it names no observed number
  bool alone = true;          // the only element of its execution
};
/// Whether any of the numbers is observed.
bool any_observed(const Conditioned& conditioned, std::span<const NumberName> names);

/// All elements that are met at some point where the program runs to its end; none if no such point was found (`*found` is false).
std::vector<ElementMet> elements_met(const ConditionedModel& model, bool* found = nullptr);

/// What of the unknown ints hangs together; none where there are none, or no point was found.
struct ComponentMet {
  std::vector<NumberName> unknown, observed;
  bool nameless = false;  // likelihood that names no number is among it
};
std::vector<ComponentMet> components_met(const ConditionedModel& model);

/// Whether parameter `position` lives in a bounded set: bounded on both sides by constants, or a simplex and the like.
bool is_closed(const ConditionedModel& model, std::size_t position);

/// Throws InputError where a free parameter has no distribution that counts, is not bounded on both sides by constants, and does
/// not live in a bounded set: then the target of the run is improper.
void refuse_improper(const ConditionedModel& model);

/// `y[3], y[5] are missing: 2 numbers estimated`, `z[1] is missing: 1 int summed out`; empty where nothing is.
std::string missing_text(const ConditionedModel& model);

}  // namespace fermiac::interp
