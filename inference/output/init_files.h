// Initial values and metrics as options and files give them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "inference/mcmc/metric.h"
#include "inference/model/init.h"
#include "inference/model/options.h"

namespace fermiac::inference {

/// One per chain, by `options.init`.
Status load_inits(const CommonOptions& options, unsigned chains, unsigned first_id, std::vector<InitSpec>* out);

/// A line for each source of values that names no parameter of the model; empty if all do, or CmdStan's words are wanted.
std::string unknown_inits(const std::vector<InitSpec>& specs, const Model& model);

/// Where the chains of a run start: looked for, or as `options.init` says.
Status load_starts(const SampleOptions& options, std::vector<InitSpec>* out);

// Metrics as JSON files: what --save-metric writes and --metric-file reads.
//
//   {"stepsize": 0.9, "metric_type": "diag_e", "inv_metric": [1.5, 0.2]}
//
// "inv_metric" is an array for diag_e, fisher_diag and unit_e, an array of rows for dense_e, and for low_rank an object of
// "scales" [n], "eigenvalues" [rank] and "directions" [rank × n]; low_rank takes an array too, a diagonal.

/// The text of such a file with `digits` significant digits; of directions, 17.
std::string metric_file_text(double stepsize, const Metric& metric, int digits);

/// What options.metric_file has for each chain; nothing where there is none. Errors name the file and what was expected.
Status load_metrics(const SampleOptions& options, std::size_t n, std::vector<std::optional<Metric>>* out);

}  // namespace fermiac::inference
