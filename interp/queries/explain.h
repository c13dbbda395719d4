// What each statement, and each element of it, adds to the log density and to its gradient at a point.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "interp/model/conditioned_model.h"
#include "interp/queries/non_finite.h"

namespace fermiac::interp {

/// How much a gradient has of one free number.
struct Pull {
  std::size_t parameter = 0;  // Model::unconstrained_names()
  double gradient = 0;
};

struct Contribution {
  double lp = 0;                // weighted
  bool has_gradient = false;    // else it would have taken too long
  double norm = 0;              // of the gradient with respect to the free numbers; NaN where that is not finite
  std::vector<Pull> pulls;      // the largest in size, largest first; none are 0
};

struct ExplainedElement {
  std::string name;             // `y[3]`; of one without a name `no. 3`, as it came
  Contribution share;
};

/// All executions of one site; ints that are summed out together; the log Jacobian of the constraints.
struct ExplainedLine {
  std::shared_ptr<const mir::Site> site;   // null: no statement
  std::string what;                        // in its place: `z[1] and z[2] summed out`
  std::string_view role;                   // prior, likelihood, unclear, mixed; empty without a site
  Contribution share;
  std::size_t elements = 0;
  std::vector<ExplainedElement> largest;   // in size, largest first: all of them, or as many as were asked for
};

/// An element that has no finite density: its distribution, and what it was evaluated with.
struct BadElement {
  std::shared_ptr<const mir::Site> site;
  std::string name;
  std::vector<std::pair<std::string, std::string>> arguments;  // by name, as JSON
};

struct Explanation {
  std::vector<ExplainedLine> lines;        // largest in size first; those that are not finite before all
  Contribution target;
  EvalStatus status;                       // where not Ok, `lines` has what came before
  std::optional<BadValue> bad_value;       // the first, where target is not finite or the status is not Ok
  std::optional<BadElement> bad_element;   // the same
};

struct ExplainOptions {
  std::size_t elements = 3;                // to keep of each line
  std::size_t pulls = 3;                   // to keep of each gradient
};

/// Of a conditioned model, with all constants and the log Jacobian. One recording, and one reverse sweep for each line and each
/// element; elements have no gradients where these sweeps would take seconds.
Explanation explain(const ConditionedModel& model, std::span<const double> theta, const ExplainOptions& options = {});

}  // namespace fermiac::interp
