// The processes of a run that only serve: they evaluate jobs of map_rect for process 0, which runs the method.
#pragma once

#include "interp/exec/runs/code.h"
#include "plugins/mpi/transport.h"

namespace fermiac::interp {

/// Answers requests of process 0 (cluster.h) until it says that the run is over. `code`: the program that process 0 has
/// loaded too; null when it could not be loaded, which is then the answer to every request. Jobs of a request run on as
/// many threads as the caller's task arena has; requests one after the other.
///
/// Shapes:  whatever a request says. The data of the jobs come with it once, when they are recorded; each evaluation
///          brings the point and takes results and gradients back.
/// Errors:  none. What a job throws is told to process 0, which throws it there.
/// Cost:    one message each way for each evaluation, of eight bytes for each parameter, result and slope.
/// Source:  Stan User's Guide, parallelization, "Map-rect"; CmdStan's guide, parallelization with MPI.
void serve(Transport& transport, const Code* code);

/// Ends serve() in all other processes.
void end_serving(Transport& transport);

}  // namespace fermiac::interp
