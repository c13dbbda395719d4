#include "support/platform/stack.h"

#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace fermiac {
namespace {

constexpr std::size_t kReserve = std::size_t{1} << 20;

// A property of the thread that changes with its stack alone, and costs too much to ask for in every call.
constinit thread_local std::uintptr_t lowest_frame = 0;

std::uintptr_t lowest_frame_of(const void* low, std::size_t size) {
  return reinterpret_cast<std::uintptr_t>(low) + std::min(kReserve, size / 4);
}

std::uintptr_t find_lowest_frame() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 1;
  void* low = nullptr;
  std::size_t size = 0, guard = 0;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_getguardsize(&attributes, &guard);
  pthread_attr_destroy(&attributes);
  return guard + lowest_frame_of(low, size);
}

}  // namespace

bool stack_runs_out() {
  if (lowest_frame == 0) [[unlikely]] lowest_frame = find_lowest_frame();
  // Not the address of a variable: a sanitizer may keep those elsewhere.
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < lowest_frame;
}

void use_stack(const void* low, std::size_t size) { lowest_frame = size > 0 ? lowest_frame_of(low, size) : 0; }

}  // namespace fermiac
