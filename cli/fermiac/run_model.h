// What the commands that run a method on a model share: the model, the streams, Ctrl-C.
#pragma once

#include <atomic>
#include <memory>

#include "cli/fermiac/commands.h"
#include "inference/model.h"

namespace fermiac::cli {

/// The model bound to its data; null after the diagnostics were printed to standard error.
std::unique_ptr<Model> load_model(const ModelArgs& args);

/// Standard output and error. The first Ctrl-C asks the run to end and keep its draws, the second ends the program.
inference::RunIo terminal_io();

/// What the first Ctrl-C sets, once terminal_io() was called.
const std::atomic<bool>* interrupt_flag();

/// Fills in what the method's options record of the model and its data.
void describe_model(const ModelArgs& args, inference::CommonOptions* options);

}  // namespace fermiac::cli
