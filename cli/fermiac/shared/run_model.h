// What the commands that run a method on a model share: the model, the streams, Ctrl-C.
#pragma once

#include <memory>

#include "cli/fermiac/shared/commands.h"
#include "cli/fermiac/shared/stop.h"
#include "support/base/status.h"
#include "inference/output/run_io.h"
#include "interp/model/interp_model.h"

namespace fermiac::cli {

/// Standard output and error, for a run that has results to keep.
inference::RunIo terminal_io(Stop& stop);

/// The exit status of a command whose run had this result.
inline int exit_status(const Status& result) { return result ? 0 : 1; }

/// Fills in what the method's options record of the model and its data.
void describe_model(const ModelArgs& args, inference::CommonOptions* options);

/// Where no start is found: which statement it is, and with what. `model` outlives the run.
void explain_starts(const ModelArgs& args, const interp::InterpModel& model, inference::CommonOptions* options);

}  // namespace fermiac::cli
