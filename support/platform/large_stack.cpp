// Compiling walks trees by recursion, and `a + b + c + …` is a tree as high as it is long. What walks trees of programs
// runs on a stack of its own that is large enough for the highest the parser lets pass.
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <exception>

#include "support/platform/stack.h"

namespace fermiac {
namespace {

#if defined(FERMIAC_SANITIZED)
constexpr std::size_t kBytesPerLevel = 16384;  // instrumented frames
#elif !defined(__OPTIMIZE__)
constexpr std::size_t kBytesPerLevel = 8192;
#else
constexpr std::size_t kBytesPerLevel = 4096;  // the deepest phase takes less than half
#endif
constexpr int kHighest = 200000;
constexpr std::size_t kLargest = kBytesPerLevel * kHighest, kLeast = std::size_t{16} << 20;
constexpr std::size_t kGuard = std::size_t{64} << 10;

/// Where data are limited, stacks count, and there must be room for the rest.
std::size_t most_bytes() {
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kLargest;
  return std::clamp(static_cast<std::size_t>(limit.rlim_cur) / 8, kLeast, kLargest);
}

/// Address space; pages come when they are touched. Under a limit of address space a smaller piece.
class Stack {
 public:
  Stack() {
    for (size_ = most_bytes(); size_ >= kLeast; size_ /= 2) {
      base_ =
          mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
      if (base_ != MAP_FAILED) break;
    }
    if (base_ != MAP_FAILED) mprotect(base_, kGuard, PROT_NONE);
  }
  ~Stack() {
    if (base_ != MAP_FAILED) munmap(base_, size_);
  }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  explicit operator bool() const { return base_ != MAP_FAILED; }
  void* base() const { return base_; }
  std::size_t size() const { return size_; }
  int height() const { return std::max(kPlainTreeHeight, static_cast<int>(size_ / kBytesPerLevel)); }

 private:
  void* base_ = MAP_FAILED;
  std::size_t size_ = 0;
};

struct Job {
  const std::function<void(int)>& work;
  int height;
  std::exception_ptr thrown;
};

void* run(void* job) {
  Job& j = *static_cast<Job*>(job);
  try {
    j.work(j.height);
  } catch (...) {
    j.thrown = std::current_exception();
  }
  return nullptr;
}

bool started(pthread_t& thread, const Stack& stack, Job& job) {
  if (!stack) return false;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  const bool ok = pthread_attr_setstack(&attributes, stack.base(), stack.size()) == 0 &&
                  pthread_create(&thread, &attributes, run, &job) == 0;
  pthread_attr_destroy(&attributes);
  return ok;
}

}  // namespace

void on_large_stack(const std::function<void(int height)>& work) {
  const Stack stack;
  Job job{work, stack.height(), {}};
  pthread_t thread{};
  if (!started(thread, stack, job)) return work(kPlainTreeHeight);
  pthread_join(thread, nullptr);
  if (job.thrown) std::rethrow_exception(job.thrown);
}

}  // namespace fermiac
