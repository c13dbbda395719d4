// From settings and a model to one of the methods of inference/.
#pragma once

#include "cli/cmdstan/cmdstan.h"
#include "cli/cmdstan/setting.h"
#include "inference/model/model.h"
#include "inference/model/options.h"
#include "inference/output/config.h"
#include "inference/output/run_io.h"

namespace fermiac::cmdstan {

/// Runs the method that was chosen. The exit status; why a run fails stands on io.errors.
/// `surroundings`: as of a Face.
int run_method(const Model& model, const Setting& settings, const ModelSource& source, std::vector<inference::ConfigNode> surroundings,
               const inference::RunIo& io);

}  // namespace fermiac::cmdstan
