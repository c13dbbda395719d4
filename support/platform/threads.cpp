#include "support/platform/threads.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <charconv>
#include <thread>

#include "support/platform/stack.h"

namespace fermiac {

unsigned processor_count() { return std::max(1U, std::thread::hardware_concurrency()); }

std::optional<unsigned> threads_in_text(std::string_view text) {
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  if (count == -1) return 0;
  return count >= 1 && count <= static_cast<int>(kMostThreads) ? std::optional(static_cast<unsigned>(count)) : std::nullopt;
}

unsigned resolved_threads(unsigned threads) { return threads > 0 ? threads : processor_count(); }

void run_parallel(unsigned threads, std::size_t n, const std::function<void(std::size_t)>& body) {
  threads = resolved_threads(threads);
  // More threads than cores is the user's choice; TBB would cap it with a warning.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, std::max(threads, processor_count()));
  const tbb::global_control stacks(tbb::global_control::thread_stack_size, kThreadStack);
  tbb::task_arena arena(static_cast<int>(threads));
  arena.execute([&] {
    tbb::parallel_for(
        std::size_t{0}, n, [&](std::size_t i) { tbb::this_task_arena::isolate([&] { body(i); }); },
        tbb::simple_partitioner());
  });
}

struct ThreadGroup::Arena {
  tbb::task_arena threads;
};

ThreadGroup::ThreadGroup(unsigned threads) : arena_(std::make_unique<Arena>(Arena{tbb::task_arena(static_cast<int>(threads))})) {}
ThreadGroup::~ThreadGroup() = default;

void ThreadGroup::run(const std::function<void()>& body) { arena_->threads.execute(body); }

bool can_share_pieces() { return tbb::this_task_arena::max_concurrency() > 1; }

void share_pieces(std::uint32_t count, void (*piece)(void* context, std::uint32_t k), void* context) {
  tbb::this_task_arena::isolate([&] { tbb::parallel_for(std::uint32_t{0}, count, [&](std::uint32_t k) { piece(context, k); }); });
}

}  // namespace fermiac
