// The simulations of a calibration.
#pragma once

#include "inference/diagnostics/sbc.h"
#include "inference/output/run_io.h"

namespace fermiac::inference {

/// Where it ends early, `out` has the simulations that were over.
Result run_sbc(Simulator& simulator, const SbcOptions& options, std::uint64_t seed, const RunIo& io, SbcResult* out);

}  // namespace fermiac::inference
