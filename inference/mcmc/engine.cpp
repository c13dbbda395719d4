// The engine that options ask for.
#include "inference/mcmc/chain_run.h"
#include "inference/mcmc/walnuts.h"

namespace fermiac::inference {

std::unique_ptr<Hmc> make_engine(Engine engine, const SampleOptions& o, double integration_time, Target& target, Rng rng) {
  if (engine == Engine::Static) return std::make_unique<StaticHmc>(target, o.metric, rng, integration_time);
  if (engine == Engine::Walnuts)
    return std::make_unique<Walnuts>(target, o.metric, rng, o.max_treedepth, WalnutsOptions{o.max_energy_error, o.max_halvings});
  return std::make_unique<Nuts>(target, o.metric, rng, o.max_treedepth);
}

}  // namespace fermiac::inference
