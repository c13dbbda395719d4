// Draws as netCDF files for ArviZ.
#pragma once

#include <string>
#include <vector>

#include "cli/fermiac/shared/commands.h"
#include "inference/methods/sample.h"

namespace fermiac::cli {

struct ConvertArgs {
  std::vector<std::string> files;  // of draws, or the folder of a run
  std::string output;
  bool overwrite = false;
  ModelArgs model;                 // `model` may be empty
};

/// One netCDF file of draws and, where the program and its data are given, of these. The exit status.
int run_convert(const ConvertArgs& args);

/// In the place of the run's CSV files. Where it fails, they stay, and the reason is told: false.
bool pack_draws(const interp::CompiledModel& program, const ModelArgs& args, inference::SampleRun* run);

}  // namespace fermiac::cli
