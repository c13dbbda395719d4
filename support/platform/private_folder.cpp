#include "support/platform/private_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iterator>

namespace fermiac {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kOthersWrite = S_IWGRP | S_IWOTH;

std::string reason(const fs::path& path) { return fmt::format("'{}': {}", path.string(), std::strerror(errno)); }

/// A folder that cannot be made here may be there already.
bool make_folder(const Descriptor& parent, const fs::path& name) {
  return mkdirat(parent.get(), name.c_str(), S_IRWXU) == 0 || errno == EEXIST || errno == EROFS || errno == EACCES;
}

/// The folder is opened part by part; its last part must not be a symbolic link.
Descriptor open_parts(const fs::path& path, bool make) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  Descriptor at("/", OpenMode::Folder);
  for (auto part = std::next(path.begin()); part != path.end() && at; ++part) {
    if (make && !make_folder(at, *part)) return Descriptor();
    const bool last = std::next(part) == path.end();
    at = Descriptor(openat(at.get(), part->c_str(), kFlags | (last ? O_NOFOLLOW : 0)));
  }
  return at;
}

/// A regular file of this user that no one else can change.
bool is_own_file(int file) {
  struct stat info {};
  return fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() && (info.st_mode & kOthersWrite) == 0;
}

}  // namespace

PrivateFolder::PrivateFolder(const fs::path& path, bool make) : folder_(open_parts(path, make)) {
  problem_ = folder_ ? distrust(path) : reason(path);
  if (!problem_.empty()) folder_ = Descriptor();
}

/// Empty, or why the folder cannot be trusted.
std::string PrivateFolder::distrust(const fs::path& path) const {
  struct stat info {};
  if (fstat(folder_.get(), &info) != 0) return reason(path);
  if (info.st_uid != geteuid()) return fmt::format("'{}' belongs to another user", path.string());
  if ((info.st_mode & kOthersWrite) != 0) return fmt::format("'{}' can be written by other users", path.string());
  if ((info.st_mode & 0777) != S_IRWXU) fchmod(folder_.get(), S_IRWXU);  // other users need not read it
  return {};
}

std::string PrivateFolder::read(const std::string& name) const {
  const Descriptor file(openat(folder_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  std::string out;
  if (!file || !is_own_file(file.get())) return out;
  return read_rest(file.get(), &out) == 0 ? out : std::string();
}

bool PrivateFolder::keep(const std::string& name, std::string_view content) const {
  const std::string unfinished = fmt::format("{}.{}", name, getpid());
  unlinkat(folder_.get(), unfinished.c_str(), 0);  // of a process with this number that was killed
  const Descriptor file(openat(folder_.get(), unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  const bool written = file && write_all(file.get(), content).error == 0 && fsync(file.get()) == 0 &&
                       renameat(folder_.get(), unfinished.c_str(), folder_.get(), name.c_str()) == 0;
  if (written) return fsync(folder_.get()), true;
  const int why = errno;
  if (file) unlinkat(folder_.get(), unfinished.c_str(), 0);
  errno = why;
  return false;
}

}  // namespace fermiac
