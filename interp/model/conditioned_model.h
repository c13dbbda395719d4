// A program under a conditioning: its sites are opened, and data that are not known become variables of the density.
#pragma once

#include <memory>

#include "interp/model/interp_model.h"

namespace fermiac::interp {

/// The program once more, prepared to be conditioned: data in `unknown` are variables of the density, `held` names
/// parameters whose values are given. Throws BindError with the
/// place where that is not possible.
std::shared_ptr<const CompiledModel> conditioned_program(const CompiledModel& plain, const std::set<std::string>& unknown,
                                                         const std::set<std::string>& held = {});

/// Data variables of which some number is not known.
std::set<std::string> unknown_data(const mir::Program& program, const DataSource& data, const Conditioning& conditioning);

/// Whether the data or the options ask for more than the program as it is.
bool conditions(const CompiledModel& plain, const DataSource& data, const Conditioning& conditioning);

/// The program bound to data under the conditioning, which is checked: patterns that match nothing, roles that are needed and
/// not clear, missing numbers without a distribution. Throws as InterpModel does.
std::unique_ptr<InterpModel> condition(const CompiledModel& plain, const DataSource& data, const Conditioning& conditioning,
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
std::vector<ElementMet> elements_met(const InterpModel& model, bool* found = nullptr);

/// What of the unknown ints hangs together; none where there are none, or no point was found.
struct ComponentMet {
  std::vector<NumberName> unknown, observed;
  bool nameless = false;  // likelihood that names no number is among it
};
std::vector<ComponentMet> components_met(const InterpModel& model);

/// Whether parameter `position` lives in a bounded set: bounded on both sides by constants, or a simplex and the like.
bool is_closed(const InterpModel& model, std::size_t position);

/// Throws BindError where a free parameter has no distribution that counts, is not bounded on both sides by constants, and does
/// not live in a bounded set: then the target of the run is improper.
void refuse_improper(const InterpModel& model);

/// `y[3], y[5] are missing: 2 free numbers`, `z[1] is missing: 1 int summed out`; empty where nothing is.
std::string missing_text(const InterpModel& model);

}  // namespace fermiac::interp
