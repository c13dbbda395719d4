// A file written as a whole, or left as it was.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "support/base/text_file.h"

namespace fermiac {
namespace {

/// Writes and closes; the error number, or 0.
int write_all(int fd, std::string_view text, bool on_disk = false) {
  int why = 0;
  while (!text.empty() && why == 0) {
    const ssize_t n = write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) why = n < 0 ? errno : ENOSPC;
    else text.remove_prefix(static_cast<std::size_t>(n));
  }
  if (on_disk && why == 0 && fsync(fd) != 0 && errno != EINVAL) why = errno;  // EINVAL: a file that lies on no disk
  if (close(fd) != 0 && why == 0) why = errno;
  return why;
}

/// The new name of a file is in its folder.
void sync_folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

/// Devices and pipes are written to; only a file of our own making is removed where that fails.
int write_in_place(const std::string& path, std::string_view text, bool is_new, bool on_disk = false) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return errno;
  const int why = write_all(fd, text, on_disk);
  if (why != 0 && is_new) unlink(path.c_str());
  return why;
}

/// Beside the file, so that it can take the file's place in one step.
int replace(const std::string& path, std::string_view text, mode_t mode) {
  char real[PATH_MAX];
  if (!realpath(path.c_str(), real)) return errno;
  if (access(real, W_OK) != 0) return errno;
  std::string beside = std::string(real) + ".XXXXXX";
  const int fd = mkostemp(beside.data(), O_CLOEXEC);
  if (fd < 0) return errno == EACCES || errno == EPERM || errno == EROFS ? write_in_place(path, text, false) : errno;
  if (fchmod(fd, mode & 07777) != 0) errno = 0;  // some file systems have no modes
  int why = write_all(fd, text);
  if (why == 0 && rename(beside.c_str(), real) != 0) why = errno;
  if (why != 0) unlink(beside.c_str());
  return why;
}

}  // namespace

std::string replace_file(const std::string& path, std::string_view text, bool on_disk) {
  const std::string unfinished = path + ".new";
  int why = write_in_place(unfinished, text, true, on_disk);
  if (why == 0 && rename(unfinished.c_str(), path.c_str()) != 0) why = errno;
  if (why == 0 && on_disk) sync_folder_of(path);
  return why == 0 ? "" : std::strerror(why);
}

std::string write_whole_file(const std::string& path, std::string_view text) {
  struct stat info {};
  const bool there = stat(path.c_str(), &info) == 0;
  const int why =
      there && S_ISREG(info.st_mode) ? replace(path, text, info.st_mode) : write_in_place(path, text, !there);
  return why == 0 ? "" : std::strerror(why);
}

}  // namespace fermiac
