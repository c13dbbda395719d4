#include "interp/queries/enumerating.h"

#include <limits>
#include <utility>

#include "interp/value/numbers.h"

namespace fermiac::interp {

void EnumeratingHandler::choose(const SiteNode& node, Frame& f) {
  if (enumeration_) enumeration_->choose(node, f);
  else node.run_as_written(f);
}

EvalStatus EnumeratingHandler::run(const ConditionedModel& model, std::span<const double> theta, bool jacobian, Enumeration::Options options,
                                   RunWith with) {
  double target = 0;
  if (model.conditioned().unknowns().empty()) return model.run_sites(theta, jacobian, *this, &target, with);
  Enumeration enumeration(model.conditioned(), std::move(options));
  enumeration_ = &enumeration;
  with.enumeration = &enumeration;
  with.sums = [&](Frame& f) { components(enumeration.sums(f)); };
  const EvalStatus status = model.run_sites(theta, jacobian, *this, &target, with);
  enumeration_ = nullptr;
  return status;
}

double log_sum_of(const std::optional<Value>& sum) { return sum ? sum_of(*sum) : -std::numeric_limits<double>::infinity(); }

}  // namespace fermiac::interp
