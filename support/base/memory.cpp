#include "support/base/memory.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <new>
#include <utility>

#include "support/platform/process_memory.h"

namespace fermiac::ad {
namespace {

// As with stop points (stop.cpp): a scope of the thread reaches the few places that need it.
thread_local std::size_t limit_of_thread = 0;

// Like the handler that gives it up, the reserve is the process's.
constexpr std::size_t kReserve = std::size_t{1} << 20;
std::atomic<void*> reserve = nullptr;
std::atomic<bool> spent = false;

/// Throws instead of letting the allocation that failed have it.
void give_up_reserve() {
  if (void* memory = reserve.exchange(nullptr)) {
    std::free(memory);
    spent = true;
  }
  throw std::bad_alloc();
}

}  // namespace

void keep_memory_reserve() {
  spent = true;
  renew_memory_reserve();
  std::set_new_handler(give_up_reserve);
}

void renew_memory_reserve() {
  if (!spent.load(std::memory_order_relaxed)) [[likely]] return;
  void* memory = std::malloc(kReserve);
  if (memory == nullptr) return;
  spent = false;
  std::free(reserve.exchange(memory));
}

MemoryScope::MemoryScope(std::size_t limit) : before_(std::exchange(limit_of_thread, limit)) {}
MemoryScope::~MemoryScope() {
  limit_of_thread = before_;
}

std::size_t memory_limit() {
  return limit_of_thread;
}

void large_memory_point(std::size_t bytes) {
  const std::size_t limit = limit_of_thread;
  if (limit == 0) return;
  const std::size_t used = bytes > limit ? 0 : memory_in_use();
  if (bytes <= limit && used <= limit - bytes) return;
  throw MemoryError(fmt::format("out of memory: {} more are needed{}, but the limit is {}", memory_text(bytes),
                                used > 0 ? fmt::format(" beside {} in use", memory_text(used)) : "", memory_text(limit)));
}

std::string memory_text(std::size_t bytes) {
  constexpr std::array kUnits{"bytes", "kB", "MB", "GB", "TB"};
  double x = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; x >= 1024 && unit + 1 < kUnits.size(); ++unit) x /= 1024;
  return fmt::format("{:.{}f} {}", x, unit > 0 && x < 100 ? 1 : 0, kUnits[unit]);
}

}  // namespace fermiac::ad
