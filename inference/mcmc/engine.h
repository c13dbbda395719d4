// The engine that options ask for.
#pragma once

#include <memory>

#include "inference/mcmc/hmc.h"

namespace fermiac::inference {

/// Any engine but FixedParam; `integration_time` is that of the static one.
std::unique_ptr<Hmc> make_engine(Engine engine, const SampleOptions& options, double integration_time, Target& target, Rng rng);

}  // namespace fermiac::inference
