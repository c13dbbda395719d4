// Metrics as JSON files: what --save-metric writes and --metric-file reads.
//
//   {"stepsize": 0.9, "metric_type": "diag_e", "inv_metric": [1.5, 0.2]}
//
// "inv_metric" is an array for diag_e, fisher_diag and unit_e, an array of rows for dense_e, and for low_rank an object of
// "scales" [n], "eigenvalues" [rank] and "directions" [rank × n]; low_rank takes an array too, a diagonal.
#pragma once

#include <optional>

#include "inference/mcmc/metric.h"
#include "inference/model/options.h"

namespace fermiac::inference {

/// The text of such a file with `digits` significant digits; of directions, 17.
std::string metric_file_text(double stepsize, const Metric& metric, int digits);

/// What options.metric_file has for each chain; nothing where there is none. Errors name the file and what was expected.
Result load_metrics(const SampleOptions& options, std::size_t n, std::vector<std::optional<Metric>>* out);

}  // namespace fermiac::inference
