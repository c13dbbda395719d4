// The elements of a log density at a point: what each is, which values it has, what it adds.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interp/model/conditioned_model.h"

namespace fermiac::interp {

struct TracedElement {
  std::shared_ptr<const mir::Site> site;
  std::vector<NumberName> numbers;   // what it names; none if its left side is computed
  std::string name;                  // `y[2]`; empty without a name
  std::string_view left;             // parameter, data, missing, constant, derived; empty for terms
  SiteRole role = SiteRole::Prior;
  std::vector<std::pair<std::string, Value>> arguments;  // behind the left side
  Value value, lower, upper;         // None where there is none
  double lp = 0;                     // with all constants, not weighted
  double weight = 1;
};

/// Unknown ints that elements connect, summed out with these elements.
struct TracedComponent {
  std::vector<NumberName> unknown, observed;  // what is summed out, and what it is likelihood of
  double lp = 0, prior = 0, likelihood = 0;   // weighted: the sum of all elements, of those of the prior, and the difference
};

struct Trace {
  std::vector<TracedElement> elements;  // in order of execution; those that read unknown ints are in `components`
  std::vector<TracedComponent> components;
  double prior = 0, likelihood = 0, unclear = 0;  // weighted
  double jacobian = 0, target = 0;
};

/// Of a conditioned model. `details`: arguments and values too. Where the status is not Ok, `out` has what came before.
EvalStatus trace(const ConditionedModel& model, std::span<const double> theta, bool jacobian, bool details, Trace* out);

/// Names of the arguments of a site's density behind the left side: of the function table, or of the program's function.
std::vector<std::string> argument_names(const ConditionedModel& model, const mir::Site& site);
/// What the left side of an element is called.
std::string_view left_name(const Conditioned& conditioned, const mir::Site& site, std::span<const NumberName> names);
/// A number or a container of numbers as JSON: nested lists, rows of matrices outermost.
std::string value_json(const Value& value);

/// A line for each site, its elements summed; then what was summed out, and the totals.
std::string trace_by_site(const ConditionedModel& model, const Trace& trace);
/// A line for each element.
std::string trace_by_element(const ConditionedModel& model, const Trace& trace);
/// One JSON object a line: elements, components, totals.
std::string trace_json(const ConditionedModel& model, const Trace& trace);
/// `normal of y[3] is nan`, of the first element that is not finite; empty where all are.
std::string not_finite_text(const Trace& trace);

}  // namespace fermiac::interp
