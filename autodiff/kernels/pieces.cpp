#include "autodiff/kernels/pieces.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "support/base/memory.h"
#include "support/base/stop.h"

namespace fermiac::ad {
namespace {

constinit thread_local const PieceThreads* threads_of_caller = nullptr;

/// On the threads of the arena that the caller is in. Isolated: a thread that waits for its pieces must not start
/// somebody else's chain meanwhile.
void share_out(std::uint32_t count, void (*body)(void*, std::uint32_t), void* context) {
  const auto piece = [body, context, flag = watched_flag(), most = memory_limit()](std::uint32_t k) {
    const StopScope stoppable(flag);
    const MemoryScope limited(most);
    body(context, k);
  };
  tbb::this_task_arena::isolate([&] { tbb::parallel_for(std::uint32_t{0}, count, piece); });
}

}  // namespace

struct PieceThreads::Arena {
  tbb::task_arena threads;
};

PieceThreads::PieceThreads(unsigned count) {
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const unsigned most = count == 0 ? cores : std::min(count, cores);
  if (most > 1) arena_ = std::make_unique<Arena>(Arena{tbb::task_arena(static_cast<int>(most))});
}
PieceThreads::~PieceThreads() = default;

PieceScope::PieceScope(const PieceThreads& threads) : before_(std::exchange(threads_of_caller, &threads)) {}
PieceScope::~PieceScope() {
  threads_of_caller = before_;
}

void run_pieces(std::uint32_t count, void (*body)(void*, std::uint32_t), void* context) {
  const PieceThreads* own = count > 1 ? threads_of_caller : nullptr;
  if (own && own->arena_) return own->arena_->threads.execute([&] { share_out(count, body, context); });
  if (count > 1 && !own && tbb::this_task_arena::max_concurrency() > 1) return share_out(count, body, context);
  for (std::uint32_t k = 0; k < count; ++k) body(context, k);
}

}  // namespace fermiac::ad
