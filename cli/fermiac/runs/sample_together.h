// `fermiac sample` under mpirun: the chains of one run are drawn by several processes. The first settles seed and folder, and sums up.
#pragma once

#include <vector>

#include "cli/fermiac/runs/chain_collector.h"
#include "cli/fermiac/runs/chain_reporter.h"
#include "cli/fermiac/shared/invocation.h"
#include "inference/mcmc/chain_plan.h"

namespace fermiac::cli {

/// Whether the chains may be drawn apart: there are several, and none looks at the others.
bool can_draw_apart(const SampleArgs& args);

/// Of the first process: draws its own chains, waits for those of the others, and prints the summary of all. The exit status.
int sample_and_collect(const Invocation& invocation, const inference::ChainPlan& plan, ChainCollector& others, Stop& stop);

/// Of another process that draws. Nothing is printed; the reporter tells how it ended. False where the first process is gone.
bool sample_and_report(const Invocation& invocation, const std::vector<unsigned>& ids, ChainReporter& reporter, Stop& stop);

}  // namespace fermiac::cli
