// Draws as ArviZ's InferenceData (https://python.arviz.org, "InferenceData schema specification"): groups `posterior`,
// `sample_stats`, `log_likelihood`, `observed_data`, `constant_data`, `warmup_…`, dimensions `chain`, `draw` and `NAME_dim_K`, and back.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "inference/output/csv.h"
#include "plugins/netcdf/array_file.h"

namespace fermiac::inference {

/// A variable of the data, rows first.
struct DataArray {
  std::string name;
  std::vector<std::size_t> shape;
  std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::int8_t>> values;
  bool observed = false;  // some statement says how it is distributed
};

/// A column of a CSV file: `theta.2.1` is element (2, 1) of `theta`, `t.3:2` element 3 of `t:2`, `z.1.imag` element 1 of `z.imag`.
struct ColumnPlace {
  std::string variable;
  std::vector<std::size_t> index;  // from 1
  std::string pattern;             // the column with .* for each index: `t.*:2`
};
ColumnPlace place_of_column(std::string_view csv_name);

/// Chains of one run; of chains of different lengths the first draws of each, as many as the shortest has. Elements of a variable that
/// have no column are NaN. Variables called `log_lik` go to `log_likelihood`. Errors: no chains, no draws, or other columns.
Status inference_data(const std::vector<CsvDraws>& chains, const std::vector<DataArray>& data, ArrayFile* out);

/// The chains in a file, ours or another program's; `path` names it in messages. Columns: those of the sampler, then variables in the
/// order of the file, the first index fastest. Errors: there is no posterior, or its variables are not by chain and draw.
Status chains_in(const ArrayFile& file, const std::string& path, std::vector<CsvDraws>* out);

}  // namespace fermiac::inference
