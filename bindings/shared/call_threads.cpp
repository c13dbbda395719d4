#include "bindings/shared/call_threads.h"

#include <cstdlib>

#include "support/platform/threads.h"

namespace fermiac::capi {

/// A text that is not a number of threads is ignored: a library has no channel to report it.
unsigned wanted_threads(unsigned otherwise) {
  const char* wish = std::getenv("STAN_NUM_THREADS");
  return threads_in_text(wish ? wish : "").value_or(otherwise);
}

const ad::PieceThreads& call_threads() {
  static const ad::PieceThreads threads(wanted_threads(1));
  return threads;
}

}  // namespace fermiac::capi
