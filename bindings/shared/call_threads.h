// Threads that one call may use.
#pragma once

#include "autodiff/kernels/pieces.h"

namespace fermiac::capi {

/// As many as STAN_NUM_THREADS said when the library was first called, -1 for one for each core; otherwise the caller's
/// alone. Calls that come at the same time share those beyond their own.
const ad::PieceThreads& call_threads();
/// STAN_NUM_THREADS as a number of threads, 0 for one for each core; `otherwise` where it says none.
unsigned wanted_threads(unsigned otherwise);

}  // namespace fermiac::capi
