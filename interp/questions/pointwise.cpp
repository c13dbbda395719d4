#include "interp/questions/pointwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "interp/model/conditioned_model.h"
#include "interp/model/layout.h"
#include "interp/questions/pointwise_runs.h"
#include "interp/value/numbers.h"
#include "support/check.h"

namespace fermiac::interp {
namespace {

/// Disjoint sets of elements.
class Sets {
 public:
  explicit Sets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { parent_[std::max(find(a), find(b))] = std::min(find(a), find(b)); }

 private:
  std::vector<std::size_t> parent_;
};

/// Numbers that an element of the likelihood is an observation of.
std::vector<NumberName> observed(const Conditioned& c, const std::vector<NumberName>& names) {
  std::vector<NumberName> out;
  for (const NumberName n : names)
    if (n >= 0 && c.state(n) == NumberState::Observed) out.push_back(n);
  return out;
}

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

void refuse_unsplit(const InterpModel& model, const ElementMet& e, const std::vector<NumberName>& names) {
  if (e.site->kind != mir::SiteKind::Term || names.size() < 2) return;
  const Conditioned& c = *model.conditioned();
  const NumberTable::Variable& v = c.numbers().of(names[0]);
  const bool whole = names.size() == v.count && v.count > 1;
  if (!whole) return;
  std::vector<std::string> each;
  for (const NumberName& n : names) each.push_back(c.numbers().text({&n, 1}));
  throw BindError(fmt::format("the likelihood of {} cannot be split by observation: this is one term for {}{}", v.name, name_list(each),
                              c.place_text(*e.site)));
}

/// Entries of the group variable.
std::vector<std::int32_t> group_of(const InterpModel& model, const std::string& name, std::size_t count) {
  const auto& slots = model.compiled().code->global_slots;
  const auto found = slots.find(name);
  if (found == slots.end()) throw DataError(fmt::format("the program has no data variable '{}'", name));
  const Value& value = model.globals()[found->second];
  if (value.kind() != Value::Kind::Ints || value.int_data().size() != count)
    throw DataError(fmt::format("{} cannot group the observations: it must be an array of ints with {} elements, one for each", name, count));
  return value.int_data();
}

std::string indexes_text(const std::string& name) {
  const std::size_t at = name.find('[');
  if (at == std::string::npos) return {};
  std::string out = "." + name.substr(at + 1, name.size() - at - 2);
  std::ranges::replace(out, ',', '.');
  return out;
}

}  // namespace

Observations::Observations(const InterpModel& model, const std::string& group) {
  const Conditioned& c = *model.conditioned();
  std::vector<std::vector<NumberName>> elements;
  std::vector<std::uint32_t> lines;
  for (const ElementMet& e : elements_met(model)) {
    if (e.role != SiteRole::Likelihood) continue;
    elements.push_back(observed(c, e.names));
    lines.push_back(c.place(*e.site).line);
    refuse_unsplit(model, e, elements.back());
  }
  const std::vector<ComponentMet> components = components_met(model);
  for (const ComponentMet& component : components)
    for (const NumberName n : component.observed) elements.push_back({n}), lines.push_back(0);
  Sets sets(elements.size());
  std::map<NumberName, std::size_t> first;
  for (std::size_t i = 0; i < elements.size(); ++i)
    for (const NumberName n : elements[i]) sets.join(i, first.try_emplace(n, i).first->second);
  std::map<std::size_t, std::vector<NumberName>> joined;
  for (std::size_t i = 0; i < elements.size(); ++i) joined[sets.find(i)].insert(joined[sets.find(i)].end(), elements[i].begin(), elements[i].end());
  const OutputOrder order(c.numbers());
  struct One {
    std::size_t rank;
    std::size_t element;
    std::vector<NumberName> numbers;
  };
  std::vector<One> all;
  for (auto& [element, numbers] : joined) {
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    const std::size_t rank = numbers.empty() ? c.numbers().size() + element : order(*std::ranges::min_element(numbers, {}, std::cref(order)));
    all.push_back({rank, element, numbers});
  }
  std::ranges::sort(all, {}, &One::rank);
  std::vector<std::int32_t> groups;
  if (!group.empty()) groups = group_of(model, group, all.size());
  std::map<std::int32_t, std::size_t> known;
  std::map<std::size_t, std::size_t> of_element;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::size_t at = names_.size();
    if (!group.empty()) at = known.try_emplace(groups[i], at).first->second;
    if (at == names_.size()) {
      numbers_.emplace_back();
      names_.push_back(!group.empty() ? fmt::format("{}={}", group, groups[i])
                       : all[i].numbers.empty() ? fmt::format("@{}[{}]", lines[all[i].element], all[i].element + 1)
                                                : c.numbers().text(all[i].numbers));
      variables_.push_back(all[i].numbers.empty() ? "" : c.numbers().of(all[i].numbers[0]).name);
    }
    numbers_[at].insert(numbers_[at].end(), all[i].numbers.begin(), all[i].numbers.end());
    of_element[all[i].element] = at;
    for (const NumberName n : all[i].numbers) by_number_[n] = at;
  }
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (elements[i].empty()) nameless_.push_back(of_element.at(i));
  for (const ComponentMet& component : components) refuse_shared(c, component);
  // Where observations are numbers of a variable, one each, they have their indexes, whichever have no likelihood.
  std::map<std::string, std::size_t> counts;
  for (const std::string& v : variables_) ++counts[v];
  std::set<std::string> single;
  for (const auto& [v, count] : counts) single.insert(v);
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (numbers_[i].size() != 1) single.erase(variables_[i]);
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const NumberTable::Variable* v = group.empty() ? c.numbers().find(variables_[i]) : nullptr;
    const bool fills = v && !v->is_tuple && single.contains(variables_[i]);
    const std::size_t number = ++seen[group.empty() ? variables_[i] : ""];
    indexes_.push_back(fills ? indexes_text(names_[i]) : fmt::format(".{}", number));
  }
  if (!group.empty() || counts.size() == 1) std::ranges::fill(variables_, "");
}

/// Observations that share unknown ints have no likelihood of their own.
void Observations::refuse_shared(const Conditioned& c, const ComponentMet& component) const {
  if (std::ranges::all_of(component.observed, [&](NumberName n) { return of(n) == of(component.observed[0]); })) return;
  const auto texts = [&](const std::vector<NumberName>& numbers) {
    std::vector<std::string> out;
    for (const NumberName& n : numbers) out.push_back(c.numbers().text({&n, 1}));
    return name_list(out);
  };
  throw BindError(fmt::format("{} share the unknown {}, so their likelihood cannot be split by observation", texts(component.observed),
                              texts(component.unknown)));
}

std::vector<std::string> Observations::columns(const std::string& stem) const {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < size(); ++i) out.push_back(stem + (variables_[i].empty() ? "" : "_" + variables_[i]) + indexes_[i]);
  return out;
}

std::size_t Observations::of(NumberName number) const {
  const auto found = by_number_.find(number);
  return found == by_number_.end() ? size() : found->second;
}

// ---------------------------------------------------------------- as columns

namespace {

class PointwiseOutputs final : public ExtraOutputs {
 public:
  PointwiseOutputs(const InterpModel& model, std::string log_lik, std::string lprior)
      : densities_(model, ""), log_lik_(std::move(log_lik)), lprior_(std::move(lprior)) {}

  std::vector<std::string> names() const override {
    std::vector<std::string> out;
    if (!log_lik_.empty()) out = densities_.observations().columns(log_lik_);
    if (!lprior_.empty()) out.push_back(lprior_);
    return out;
  }
  EvalStatus write(std::span<const double> theta, std::span<double> out) const override {
    std::vector<double> values(densities_.observations().size());
    double lprior = 0;
    const EvalStatus status = densities_(theta, values, &lprior);
    if (!log_lik_.empty()) std::ranges::copy(values, out.begin());
    if (!lprior_.empty()) out.back() = lprior;
    return status;
  }

 private:
  Pointwise densities_;
  std::string log_lik_, lprior_;
};

}  // namespace

void refuse_taken(const InterpModel& model, const std::string& name, const char* option) {
  for (const auto& output : model.outputs())
    if (output.name == name)
      throw BindError(fmt::format("the program has a variable {} already; choose another name with {} NAME", name, option));
}

void add_pointwise_outputs(InterpModel& model, const std::string& log_lik, const std::string& lprior) {
  if (log_lik.empty() && lprior.empty()) return;
  refuse_taken(model, log_lik, "--log-lik");
  refuse_taken(model, lprior, "--lprior");
  model.add_outputs(std::make_shared<PointwiseOutputs>(model, log_lik, lprior));
}

}  // namespace fermiac::interp
