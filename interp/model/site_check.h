// What the sites that run with some data say of a model: priors that are missing or come twice, and numbers that are scored too often.
#pragma once

#include <atomic>
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

/// - Parameters that no site has a prior for, unless declared bounds or their structure are one, and those with several;
/// - statements with a left side that is scored again for each element of an argument (`y[n] ~ normal(a + b * x, s)`).
/// Empty where the program has no sites that can be told apart, or does not run at any of some points. Throws as binding does.
std::vector<ModelFinding> site_findings(const CompiledModel& compiled, const DataSource& data, const Conditioning& conditioning,
                                        const std::atomic<bool>* stop);

}  // namespace fermiac::interp
