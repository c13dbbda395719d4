#include "interp/queries/pointwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "inference/diagnostics/observed_text.h"
#include "interp/model/conditioned_model.h"
#include "interp/model/layout.h"
#include "interp/value/numbers.h"

namespace fermiac::interp {
namespace {

constexpr const char* kNoObservations = "there are 0 observations: no statement of the program gives data a distribution";

/// Position of a number among those of its variable, as the output has them.
class OutputOrder {
 public:
  explicit OutputOrder(const NumberTable& numbers) {
    std::size_t at = 0;
    for (const NumberTable::Variable& v : numbers.variables())
      if (v.has_names)
        for (const NumberName n : numbers.numbers(v)) order_[n] = at++;
  }
  std::size_t operator()(NumberName n) const { return order_.at(n); }

 private:
  std::map<NumberName, std::size_t> order_;
};

/// Entries of the group variable.
std::vector<std::int32_t> group_of(const ConditionedModel& model, const std::string& name) {
  const auto& slots = model.compiled().code->global_slots;
  const auto found = slots.find(name);
  if (found == slots.end()) throw InputError(fmt::format("the program has no data variable '{}'", name));
  const Value& value = model.globals()[found->second];
  if (value.kind() != Value::Kind::Ints) throw InputError(fmt::format("{} cannot group the observations: it must be an array of ints", name));
  return value.int_data();
}

/// Whether the group has an entry for each row of all that is observed.
bool has_rows(const Conditioned& c, const std::vector<NumberName>& numbers, std::size_t entries) {
  return !numbers.empty() && std::ranges::all_of(numbers, [&](NumberName n) { return NumberTable::rows(c.numbers().of(n)) == entries; });
}

std::string indexes_text(const std::string& name) {
  const std::size_t at = name.find('[');
  if (at == std::string::npos) return {};
  std::string out = "." + name.substr(at + 1, name.size() - at - 2);
  std::ranges::replace(out, ',', '.');
  return out;
}

}  // namespace

namespace {

void refuse_nameless_unknowns(const Conditioned& c, const std::vector<ComponentMet>& components) {
  for (const ComponentMet& component : components)
    if (component.nameless) {
      const NumberName n = component.unknown[0];
      throw InputError(fmt::format("a part of the likelihood that names no number reads the unknown {}, so it cannot be split by observation",
                                  c.numbers().text({&n, 1})));
    }
}

/// Elements of the likelihood of a model of which they are asked.
LikelihoodRows rows_of(const ConditionedModel& model, const std::vector<ComponentMet>& components, bool split) {
  const Conditioned& c = model.conditioned();
  bool found = false;
  const std::vector<ElementMet> met = elements_met(model, &found);
  if (!found) throw InputError("the observations cannot be found: the program does not run to its end at any of 20 points");
  for (const ElementMet& e : met)
    if (e.role == SiteRole::Unclear) throw InputError(c.unclear_text(*e.site) + c.place_text(*e.site));
  if (split) refuse_nameless_unknowns(c, components);
  LikelihoodRows rows = likelihood_rows(model, met, components);
  for (LikelihoodElement& e : rows.elements) e.met = nullptr;  // `met` ends here
  if (split && rows.elements.empty()) throw InputError(kNoObservations);
  return rows;
}

}  // namespace

std::vector<Observations::Unit> Observations::units(const Conditioned& c, const LikelihoodRows& rows) {
  std::map<std::size_t, Unit> joined;
  for (std::size_t i = 0; i < rows.elements.size(); ++i) {
    const LikelihoodElement& e = rows.elements[i];
    Unit& unit = joined[rows.first[i]];
    unit.numbers.insert(unit.numbers.end(), e.numbers.begin(), e.numbers.end());
    unit.shown.insert(unit.shown.end(), e.shown.begin(), e.shown.end());
    if (!e.named) unit.nameless.push_back(e.key);
    if (unit.line == 0) unit.line = e.line;
  }
  std::vector<Unit> out;
  for (auto& [first, unit] : joined) {
    for (auto* numbers : {&unit.numbers, &unit.shown}) {
      std::ranges::sort(*numbers);
      numbers->erase(std::unique(numbers->begin(), numbers->end()), numbers->end());
    }
    unit.first = first;
    out.push_back(std::move(unit));
  }
  sort(c, out);
  return out;
}

/// In the order of the output; where some consist of several numbers, by variable and row first.
void Observations::sort(const Conditioned& c, std::vector<Unit>& units) {
  const OutputOrder order(c.numbers());
  const bool rows = std::ranges::any_of(units, [](const Unit& unit) { return unit.shown.size() > 1; });
  for (Unit& unit : units) {
    if (unit.shown.empty()) {
      unit.rank = {c.numbers().size(), 0, unit.first};
      continue;
    }
    const NumberName n = *std::ranges::min_element(unit.shown, {}, std::cref(order));
    unit.rank = {0, 0, order(n)};
    if (rows) unit.rank = {static_cast<std::size_t>(c.numbers().of(n).first), c.numbers().row(n), order(n)};
  }
  std::ranges::sort(units, {}, &Unit::rank);
}

void Observations::add(const Unit& unit, std::size_t at) {
  numbers_[at].insert(numbers_[at].end(), unit.numbers.begin(), unit.numbers.end());
  nameless_of_[at].insert(nameless_of_[at].end(), unit.nameless.begin(), unit.nameless.end());
  for (const NumberName n : unit.numbers) by_number_[n] = at;
  for (const ElementKey& key : unit.nameless) by_key_[key] = at;
}

void Observations::describe(const Conditioned& c, const std::vector<Unit>& units, const std::string& group) {
  const auto say = [&](std::string what) {
    if (std::ranges::find(of_what_, what) == of_what_.end()) of_what_.push_back(std::move(what));
  };
  for (const Unit& unit : units) {
    for (const NumberName n : unit.shown) say(c.numbers().of(n).name);
    if (unit.shown.empty()) say(fmt::format("line {}", unit.line));
  }
  if (!group.empty() && !of_what_.empty()) of_what_.back() += " in groups of " + group;
}

namespace {

/// The group of a unit by the rows of its numbers, which must agree.
std::int32_t row_group(const Conditioned& c, const std::vector<NumberName>& numbers, const std::string& group, const std::vector<std::int32_t>& entries,
                       const std::string& doubt) {
  const std::int32_t first = entries[c.numbers().row(numbers[0])];
  for (const NumberName& n : numbers)
    if (entries[c.numbers().row(n)] != first)
      throw InputError(fmt::format("{}{} and {} belong together, but are in groups {} and {} of {}", doubt.empty() ? "" : doubt + "; ",
                                  c.numbers().text({&numbers[0], 1}), c.numbers().text({&n, 1}), first, entries[c.numbers().row(n)], group));
  return first;
}

}  // namespace

namespace {

/// The group of every unit.
template <class Units, class List>
std::vector<std::int32_t> groups_of(const ConditionedModel& model, const std::string& group, const Units& all, const std::string& doubt, List list) {
  const Conditioned& c = model.conditioned();
  const std::vector<std::int32_t> entries = group_of(model, group);
  if (entries.size() == all.size()) return entries;
  if (!std::ranges::all_of(all, [&](const auto& unit) { return has_rows(c, unit.shown, entries.size()); }))
    throw InputError(fmt::format("{} cannot group the observations: it must be an array of ints with {} elements, one for each{}", group, all.size(),
                                doubt.empty() ? "" : ": " + list()));
  std::vector<std::int32_t> out;
  for (const auto& unit : all) out.push_back(row_group(c, unit.shown, group, entries, doubt));
  return out;
}

}  // namespace

Observations::Observations(const ConditionedModel& model, const std::string& group, bool split) {
  const Conditioned& c = model.conditioned();
  const std::vector<ComponentMet> components = components_met(model);
  const LikelihoodRows rows = rows_of(model, components, split);
  const std::vector<Unit> all = units(c, rows);
  if (split && group.empty() && !rows.doubt.empty())
    throw InputError(fmt::format("{}; give loo or log-lik --group NAME, an int array of the data with equal entries for what is one{}", rows.doubt,
                                rows.doubtful ? c.place_text(*rows.doubtful) : ""));
  std::vector<std::int32_t> groups;
  if (!group.empty()) groups = groups_of(model, group, all, rows.doubt, [&] { return unit_list(c, all); });
  std::map<std::int32_t, std::size_t> known;
  std::vector<Unit> each;  // a unit of each observation
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::size_t at = names_.size();
    if (!group.empty()) at = known.try_emplace(groups[i], at).first->second;
    if (at == names_.size()) {
      numbers_.emplace_back(), nameless_of_.emplace_back(), each.push_back(all[i]);
      names_.push_back(group.empty() ? unit_name(c, all[i]) : fmt::format("{}={}", group, groups[i]));
    }
    add(all[i], at);
  }
  describe(c, all, group);
  name(c, each, group);
  for (const ComponentMet& component : components)
    if (split) refuse_shared(c, component);
}

/// Where observations are numbers of a variable, one each, their columns have its indexes, whichever have no likelihood.
void Observations::name(const Conditioned& c, const std::vector<Unit>& units, const std::string& group) {
  for (const Unit& unit : units) variables_.push_back(unit.shown.empty() ? "" : c.numbers().of(unit.shown[0]).name);
  std::set<std::string> several(variables_.begin(), variables_.end()), single = several;
  for (std::size_t i = 0; i < units.size(); ++i)
    if (units[i].shown.size() != 1) single.erase(variables_[i]);
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const NumberTable::Variable* v = group.empty() ? c.numbers().find(variables_[i]) : nullptr;
    const bool fills = v && !v->is_tuple && single.contains(variables_[i]);
    const std::size_t number = ++seen[group.empty() ? variables_[i] : ""];
    indexes_.push_back(fills ? indexes_text(names_[i]) : fmt::format(".{}", number));
  }
  if (!group.empty() || several.size() == 1) std::ranges::fill(variables_, "");
}

ObservedCount observed_count(const ConditionedModel& model) {
  const Observations all(model, "", false);
  if (all.size() == 0) throw InputError(kNoObservations);
  return {all.size(), all.of_what()};
}

std::string Observations::unit_name(const Conditioned& c, const Unit& unit) {
  return unit.shown.empty() ? fmt::format("@{}[{}]", unit.line, unit.first + 1) : c.numbers().text(unit.shown);
}

/// What the entries of a group are about.
std::string Observations::unit_list(const Conditioned& c, const std::vector<Unit>& all) {
  std::vector<std::string> out;
  for (const Unit& unit : all) out.push_back(unit_name(c, unit));
  return name_list(out);
}

std::string observations_text(const Observations& observations) {
  return inference::observations_line(observations.size(), observations.of_what());
}

/// Observations that share unknown ints have no likelihood of their own.
void Observations::refuse_shared(const Conditioned& c, const ComponentMet& component) const {
  if (std::ranges::all_of(component.observed, [&](NumberName n) { return of(n) == of(component.observed[0]); })) return;
  const auto texts = [&](const std::vector<NumberName>& numbers) {
    std::vector<std::string> out;
    for (const NumberName& n : numbers) out.push_back(c.numbers().text({&n, 1}));
    return name_list(out);
  };
  throw InputError(fmt::format("{} share the unknown {}, so their likelihood cannot be split by observation", texts(component.observed),
                              texts(component.unknown)));
}

std::vector<std::string> Observations::columns(const std::string& stem) const {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < size(); ++i) out.push_back(stem + (variables_[i].empty() ? "" : "_" + variables_[i]) + indexes_[i]);
  return out;
}

std::size_t Observations::of(const ElementKey& nameless) const {
  const auto found = by_key_.find(nameless);
  return found == by_key_.end() ? size() : found->second;
}

std::size_t Observations::of(NumberName number) const {
  const auto found = by_number_.find(number);
  return found == by_number_.end() ? size() : found->second;
}

void refuse_taken(const ConditionedModel& model, const std::string& name, const char* option) {
  for (const auto& output : model.outputs())
    if (output.name == name)
      throw InputError(fmt::format("the program has a variable {} already; choose another name with {} NAME", name, option));
}

}  // namespace fermiac::interp
