#include "autodiff/kernels/pieces.h"

#include <algorithm>
#include <utility>

#include "support/base/memory.h"
#include "support/base/stop.h"
#include "support/platform/threads.h"

namespace fermiac::ad {
namespace {

constinit thread_local const PieceThreads* threads_of_caller = nullptr;

/// Pieces keep to the stop flag and the memory limit of the caller.
void share_out(std::uint32_t count, void (*body)(void*, std::uint32_t), void* context) {
  const auto piece = [body, context, flag = watched_flag(), most = memory_limit()](std::uint32_t k) {
    const StopScope stoppable(flag);
    const MemoryScope limited(most);
    body(context, k);
  };
  share_pieces(count, [](void* of, std::uint32_t k) { (*static_cast<decltype(piece)*>(of))(k); }, const_cast<void*>(static_cast<const void*>(&piece)));
}

}  // namespace

PieceThreads::PieceThreads(unsigned count) {
  const unsigned most = count == 0 ? processor_count() : std::min(count, processor_count());
  if (most > 1) group_ = std::make_unique<ThreadGroup>(most);
}
PieceThreads::~PieceThreads() = default;

PieceScope::PieceScope(const PieceThreads& threads) : before_(std::exchange(threads_of_caller, &threads)) {}
PieceScope::~PieceScope() {
  threads_of_caller = before_;
}

void run_pieces(std::uint32_t count, void (*body)(void*, std::uint32_t), void* context) {
  const PieceThreads* own = count > 1 ? threads_of_caller : nullptr;
  if (own && own->group_) return own->group_->run([&] { share_out(count, body, context); });
  if (count > 1 && !own && can_share_pieces()) return share_out(count, body, context);
  for (std::uint32_t k = 0; k < count; ++k) body(context, k);
}

}  // namespace fermiac::ad
