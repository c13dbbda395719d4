#include "interp/queries/component_sums.h"

#include <fmt/format.h>

#include <algorithm>

#include "inference/model/column_names.h"
#include "inference/output/csv.h"
#include "interp/queries/pointwise.h"
#include "interp/queries/trace.h"

namespace fermiac::interp {

ComponentSums::ComponentSums(const ConditionedModel& model, const std::string& names) : model_(model) {
  const NumberTable& table = model.conditioned().numbers();
  int depth = 0;
  std::string name;
  const auto add = [&] {
    if (name.empty()) return;
    const Pattern pattern = read_pattern(name);
    const NumberTable::Variable* v = pattern.kind == Pattern::Kind::Name ? table.find(pattern.name) : nullptr;
    if (!v) throw InputError(fmt::format("the program has no data variable or parameter '{}'", pattern.name));
    for (const NumberName n : table.numbers(*v, pattern.steps, name)) numbers_.insert(n);
    name.clear();
  };
  for (const char c : names) {
    depth += c == '[';
    depth -= c == ']';
    if (c == ',' && depth == 0) add();
    else name += c;
  }
  add();
}

EvalStatus ComponentSums::operator()(std::span<const double> theta, double* component, double* likelihood) const {
  Trace t;
  const EvalStatus status = trace(model_, theta, false, false, &t);
  *component = *likelihood = 0;
  for (const TracedElement& e : t.elements) {
    if (e.role == SiteRole::Unclear) return {EvalStatus::Kind::Fatal, model_.conditioned().unclear_text(*e.site)};
    if (e.role == SiteRole::Likelihood) *likelihood += e.lp;
    const bool named = std::ranges::any_of(e.numbers, [&](NumberName n) { return numbers_.contains(n); });
    if (numbers_.empty() ? e.role == SiteRole::Prior : named) *component += e.lp;
  }
  for (const TracedComponent& c : t.components) {
    *likelihood += c.likelihood;
    if (numbers_.empty()) *component += c.prior;
  }
  return status;
}

inference::ScaledDraws scaled_draws(const ConditionedModel& model, const std::vector<std::vector<double>>& points, const std::string& component,
                                    double r_eff) {
  inference::ScaledDraws out{.names = {}, .values = {}, .components = {component.empty() ? "prior" : component, "likelihood"}, .sums = {}, .r_eff = r_eff};
  for (const std::string& name : model.names(false, false)) out.names.push_back(inference::pretty_name(name));
  out.values.resize(out.names.size());
  out.sums.resize(2);
  ObservedCount observed = observed_count(model);
  out.observations = observed.observations;
  out.of_what = std::move(observed.of_what);
  const ComponentSums sums(model, component);
  const auto workspace = model.workspace();
  std::vector<double> row(out.names.size());
  Rng rng(1);
  for (const std::vector<double>& theta : points) {
    double first = 0, likelihood = 0;
    if (const EvalStatus status = sums(theta, &first, &likelihood); !status) throw InputError(status.message);
    if (const EvalStatus status = workspace->write_array(theta, false, false, rng, row); !status) throw InputError(status.message);
    out.sums[0].push_back(first);
    out.sums[1].push_back(likelihood);
    for (std::size_t i = 0; i < row.size(); ++i) out.values[i].push_back(row[i]);
  }
  return out;
}

}  // namespace fermiac::interp
