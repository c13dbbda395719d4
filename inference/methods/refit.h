// Cross-validation by sampling again without observations.
#pragma once

#include <vector>

#include "inference/diagnostics/loo.h"
#include "inference/model/options.h"
#include "inference/output/run_io.h"

namespace fermiac::inference {

/// Draws of a model kept in memory: log likelihoods of `observed` under draws of `model`. No files are written.
Result sampled_log_lik(const ObservedModel& observed, const Model& model, const SampleOptions& options, const RunIo& io, LogLik* out);

/// Replaces what importance sampling could not give by sampling again without the observation.
Result refit_bad(const ObservedModel& observed, const SampleOptions& options, const RunIo& io, CrossValidation* out);
/// `fold`: of each observation; equal numbers are left out together.
Result kfold(const ObservedModel& observed, const std::vector<int>& fold, const SampleOptions& options, const RunIo& io, const LogLik* full,
             CrossValidation* out);

}  // namespace fermiac::inference
