#include "interp/questions/component_sums.h"

#include <fmt/format.h>

#include <algorithm>

#include "interp/questions/trace.h"

namespace fermiac::interp {

ComponentSums::ComponentSums(const InterpModel& model, const std::string& names) : model_(model) {
  const NumberTable& table = model.conditioned()->numbers();
  int depth = 0;
  std::string name;
  const auto add = [&] {
    if (name.empty()) return;
    const Pattern pattern = read_pattern(name);
    const NumberTable::Variable* v = pattern.kind == Pattern::Kind::Name ? table.find(pattern.name) : nullptr;
    if (!v) throw DataError(fmt::format("the program has no data variable or parameter '{}'", pattern.name));
    for (const NumberName n : table.numbers(*v, pattern.indexes, name)) numbers_.insert(n);
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

}  // namespace fermiac::interp
