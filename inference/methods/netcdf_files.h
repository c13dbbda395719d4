// netCDF files of draws in the place of CSV files, or made of them.
#pragma once

#include <string>
#include <vector>

#include "inference/methods/sample.h"
#include "inference/output/inference_data.h"

namespace fermiac::inference {

/// Writes the draws of `given` (files, or the folder of a run) and the data as InferenceData to `path`, which changes only when all
/// of it is written.
Status write_netcdf(const std::vector<std::string>& given, const std::vector<DataArray>& data, const std::string& path);

/// DIR/NAME.nc of a run that ended well. When it is whole, the CSV files go, and with them what the run could have gone on from;
/// `run->csv_files` names the new file.
Status pack_run(const std::vector<DataArray>& data, SampleRun* run);

}  // namespace fermiac::inference
