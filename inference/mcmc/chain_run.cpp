#include "inference/mcmc/chain_run.h"

#include "support/base/elapsed.h"

namespace fermiac::inference {

std::string ChainRun::state_bytes() {
  StateWriter writer;
  const ElapsedTime before = outcome_.elapsed;
  add_elapsed();
  write_state(writer);
  outcome_.elapsed = before;
  return writer.bytes();
}

void ChainRun::add_elapsed() { (sampling_ ? outcome_.elapsed.sampling : outcome_.elapsed.warmup) += seconds_since(began_); }

void ChainRun::iterated(unsigned m, bool warmup) {
  (warmup ? warmed_ : done_) = m + 1;
  sink_.progress(m, warmup);
  if (sink_.wants_state()) sink_.state(state_bytes());
}

}  // namespace fermiac::inference
