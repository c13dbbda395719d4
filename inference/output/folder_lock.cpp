#include "inference/output/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace fermiac::inference {

FolderLock::~FolderLock() {
  if (fd_ >= 0) close(fd_);
}

void FolderLock::open(const std::string& folder) {
  if (fd_ < 0) fd_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

bool FolderLock::lock(int how) {
  return fd_ < 0 || flock(fd_, how) == 0 || errno != EWOULDBLOCK;
}

FolderLock::Taken FolderLock::take(const std::string& folder) {
  constexpr auto kPatience = std::chrono::seconds(2);
  constexpr auto kPause = std::chrono::milliseconds(20);
  open(folder);
  for (const auto end = std::chrono::steady_clock::now() + kPatience;; std::this_thread::sleep_for(kPause)) {
    if (lock(LOCK_EX | LOCK_NB)) return Taken::Alone;
    if (lock(LOCK_SH | LOCK_NB)) return Taken::Shared;
    if (std::chrono::steady_clock::now() > end) return Taken::Refused;
  }
}

bool FolderLock::take_alone(const std::string& folder) {
  open(folder);
  return is_alone();
}

void FolderLock::let_others_in() { lock(LOCK_SH); }

bool FolderLock::is_alone() { return lock(LOCK_EX | LOCK_NB); }

}  // namespace fermiac::inference
