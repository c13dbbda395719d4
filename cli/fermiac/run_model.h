// What the commands that run a method on a model share: the model, the streams, Ctrl-C.
#pragma once

#include <memory>

#include "cli/fermiac/commands.h"
#include "cli/fermiac/stop.h"
#include "inference/model.h"

namespace fermiac::cli {

/// The model bound to its data; null after the diagnostics were printed to standard error.
std::unique_ptr<Model> load_model(const ModelArgs& args, const Stop& stop);

/// Standard output and error, for a run that has results to keep.
inference::RunIo terminal_io(Stop& stop);

/// Fills in what the method's options record of the model and its data.
void describe_model(const ModelArgs& args, inference::CommonOptions* options);

}  // namespace fermiac::cli
