// What can be said of a model only by running it with its data: `fermiac check-model`.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "interp/conditioning/conditioning.h"
#include "interp/io/data.h"
#include "interp/model/compiled_model.h"

namespace fermiac::interp {

struct ModelFinding {
  Span span;  // nothing in particular: empty
  std::string text;
  bool fatal = false;  // the model cannot be run with these data at all
};

/// Runs the model at a handful of points and reports
/// - arguments of densities that do not depend on parameters and whose value with these data is far from 1,
/// - parameters to which the density does not react at any of the points,
/// - statements that make the density infinite or undefined at typical points,
/// - parameters without a prior, or with several, and numbers that one statement scores again and again,
/// - parameters, and directions in which several move together, along which the density does not fall fast enough for a
///   proper posterior, however far out,
/// - columns of data on very different scales,
/// - adjoints (`@grad_adj_jac`) with which the gradient is another one than by automatic differentiation.
/// The findings are suspicions: points are few, tails are looked at along the axes and the flat directions of the Hessian
/// only. Priors, and what is scored more than once, are those of the sites that run with these data.
/// Throws InputError and ad::Interrupted where `stop` is set meanwhile.
std::vector<ModelFinding> check_model(const std::shared_ptr<const CompiledModel>& compiled, const DataSource& data,
                                      const Conditioning& conditioning = {}, const std::atomic<bool>* stop = nullptr);

// What the sites that run with some data say of a model: priors that are missing or come twice, and numbers that are scored too often.

/// - Parameters that no site has a prior for, unless declared bounds or their structure are one, and those with several;
/// - statements with a left side that is scored again for each element of an argument (`y[n] ~ normal(a + b * x, s)`).
/// Empty where the program has no sites that can be told apart, or does not run at any of some points. Throws as binding does.
std::vector<ModelFinding> site_findings(const CompiledModel& compiled, const DataSource& data, const Conditioning& conditioning,
                                        const std::atomic<bool>* stop);

}  // namespace fermiac::interp
