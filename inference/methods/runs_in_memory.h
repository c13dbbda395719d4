// Runs whose draws stay in memory: cross-validation by sampling again without observations, the simulations of a calibration.
#pragma once

#include <vector>

#include "inference/diagnostics/loo.h"
#include "inference/diagnostics/sbc.h"
#include "inference/diagnostics/summary.h"
#include "inference/model/model.h"
#include "inference/methods/sample.h"
#include "inference/model/options.h"
#include "support/base/status.h"
#include "inference/output/run_io.h"

namespace fermiac::inference {

/// A run that prints nothing and writes no files: all draws are kept in memory. Fails also if they do not fit there.
Status sample_quietly(const Model& model, SampleOptions options, const RunIo& io, SampleRun* out);

/// Draws of a model kept in memory: log likelihoods of `observed` under draws of `model`. No files are written. Problems of the run
/// (divergences, R-hat, ESS, …) are one warning that says which draws they are: `of_what`, such as "without y[3]".
Status sampled_log_lik(const ObservedModel& observed, const Model& model, const std::string& of_what, const SampleOptions& options, const RunIo& io,
                       LogLik* out);

/// Replaces the estimates whose shape is bad by those of a run without the observation: plain averages, with their own shape and error.
Status refit_bad(const ObservedModel& observed, const SampleOptions& options, const RunIo& io, CrossValidation* out);
/// `fold`: of each observation; equal numbers are left out together.
Status kfold(const ObservedModel& observed, const std::vector<int>& fold, const SampleOptions& options, const RunIo& io, const LogLik* full,
             CrossValidation* out);

/// One after the other, chain by chain. Errors: a parameter of the model is not among the columns, or has a value that it cannot have.
Status chain_points(const Model& model, const ChainSet& chains, std::vector<Vec>* out);

/// Where it ends early, `out` has the simulations that were over.
Status run_sbc(Simulator& simulator, const SbcOptions& options, std::uint64_t seed, const RunIo& io, SbcResult* out);

}  // namespace fermiac::inference
