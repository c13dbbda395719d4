#include "inference/model/parallel.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <thread>

#include "support/platform/stack.h"

namespace fermiac::inference {

unsigned resolved_threads(unsigned threads) {
  return threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
}

void run_parallel(unsigned threads, std::size_t n, const std::function<void(std::size_t)>& body) {
  const unsigned cores = resolved_threads(0);
  threads = resolved_threads(threads);
  // More threads than cores is the user's choice; TBB would cap it with a warning.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, std::max(threads, cores));
  const tbb::global_control stacks(tbb::global_control::thread_stack_size, kThreadStack);
  tbb::task_arena arena(static_cast<int>(threads));
  arena.execute([&] {
    tbb::parallel_for(
        std::size_t{0}, n, [&](std::size_t i) { tbb::this_task_arena::isolate([&] { body(i); }); },
        tbb::simple_partitioner());
  });
}

}  // namespace fermiac::inference
