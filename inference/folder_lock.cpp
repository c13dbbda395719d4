#include "inference/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace fermiac::inference {

FolderLock::~FolderLock() {
  if (fd_ >= 0) close(fd_);
}

void FolderLock::share(const std::string& folder) {
  fd_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd_ >= 0 && flock(fd_, LOCK_SH | LOCK_NB) != 0) errno = 0;
}

bool FolderLock::take_alone(const std::string& folder) {
  fd_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return fd_ < 0 || flock(fd_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

}  // namespace fermiac::inference
