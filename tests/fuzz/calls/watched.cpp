#include "tests/fuzz/calls/watched.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

namespace fermiac::fuzz {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

/// What the child tells: in memory that both processes see, for a child that dies tells nothing afterwards.
struct Shared {
  std::atomic<std::uint64_t> step;
  std::atomic<bool> has_fault;  // of `step`
  char what[4000];
};

class SharedMemory {
 public:
  SharedMemory()
      : shared_(static_cast<Shared*>(
            mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~SharedMemory() { munmap(shared_, sizeof(Shared)); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  Shared* operator->() const { return shared_; }

 private:
  Shared* shared_;
};

std::uint64_t address_space() {
  std::uint64_t pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%lu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void limit_memory(std::uint64_t bytes) {
  if (kSanitized) return;
  const rlimit limit{address_space() + bytes, RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &limit);
}

/// Waits for the child; false if it was ended because one step took too long.
bool finishes(pid_t child, const SharedMemory& shared, double seconds, int* status) {
  using Clock = std::chrono::steady_clock;
  std::uint64_t step = shared->step;
  auto since = Clock::now();
  for (auto pause = std::chrono::microseconds(200); waitpid(child, status, WNOHANG) == 0;
       std::this_thread::sleep_for(pause)) {
    if (pause < std::chrono::milliseconds(20)) pause *= 2;
    if (shared->step != step) step = shared->step, since = Clock::now();
    if (Clock::now() - since < std::chrono::duration<double>(seconds)) continue;
    kill(child, SIGKILL);
    waitpid(child, status, 0);
    return false;
  }
  return true;
}

std::string death(int status) {
  if (WIFSIGNALED(status)) return fmt::format("ends the process: {}", strsignal(WTERMSIG(status)));
  return fmt::format("ends the process with status {}", WEXITSTATUS(status));
}

}  // namespace

std::vector<Fault> run_watched(std::uint64_t first, std::uint64_t count,
                               const std::function<std::optional<std::string>(std::uint64_t)>& step,
                               const WatchOptions& options) {
  std::vector<Fault> faults;
  SharedMemory shared;
  const std::uint64_t end = first + count;
  for (std::uint64_t from = first; from < end;) {
    shared->step = from;
    shared->has_fault = false;
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is ended leaves nothing behind
      limit_memory(options.memory);
      for (std::uint64_t k = from; k < end; ++k) {
        shared->step = k;
        const auto what = step(k);
        if (!what) continue;
        std::strncpy(shared->what, what->c_str(), sizeof(Shared::what) - 1);
        shared->has_fault = true;
        _exit(1);  // the next child goes on behind it
      }
      shared->step = end;
      _exit(0);
    }
    int status = 0;
    const bool ended = finishes(child, shared, options.seconds, &status);
    const std::uint64_t at = shared->step;
    if (at == end && ended && WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
    if (!ended)
      faults.push_back({at, fmt::format("takes longer than {} s", options.seconds)});
    else
      faults.push_back({at, shared->has_fault ? std::string(shared->what) : death(status)});
    from = at + 1;
  }
  return faults;
}

}  // namespace fermiac::fuzz
