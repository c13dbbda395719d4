#include "autodiff/kernels/pieces.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "autodiff/memory.h"
#include "autodiff/stop.h"

namespace fermiac::ad {

void run_pieces(std::uint32_t count, void (*body)(void*, std::uint32_t), void* context) {
  if (count <= 1 || tbb::this_task_arena::max_concurrency() == 1) {
    for (std::uint32_t k = 0; k < count; ++k) body(context, k);
    return;
  }
  // Isolated: a thread that waits for its pieces must not start somebody else's chain meanwhile.
  const auto piece = [body, context, flag = watched_flag(), most = memory_limit()](std::uint32_t k) {
    const StopScope stoppable(flag);
    const MemoryScope limited(most);
    body(context, k);
  };
  tbb::this_task_arena::isolate([&] { tbb::parallel_for(std::uint32_t{0}, count, piece); });
}

}  // namespace fermiac::ad
