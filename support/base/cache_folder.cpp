#include "support/base/cache_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "support/base/checksum.h"

namespace fermiac {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = "fermiac cache 1\n";
constexpr std::size_t kSumSize = 32;
constexpr mode_t kOthersWrite = S_IWGRP | S_IWOTH;

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  explicit operator bool() const { return fd_ >= 0; }
  int get() const { return fd_; }

 private:
  int fd_;
};

/// An absolute path; others are ignored, as the XDG Base Directory Specification requires.
fs::path absolute_path_in(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value == '/' ? fs::path(value) : fs::path();
}

std::string reason(const fs::path& path) { return fmt::format("'{}': {}", path.string(), std::strerror(errno)); }

/// Empty, or why the folder cannot be trusted.
std::string distrust(int folder, const fs::path& path) {
  struct stat info {};
  if (fstat(folder, &info) != 0) return reason(path);
  if (info.st_uid != geteuid()) return fmt::format("'{}' belongs to another user", path.string());
  if ((info.st_mode & kOthersWrite) != 0) return fmt::format("'{}' can be written by other users", path.string());
  if ((info.st_mode & 0777) != S_IRWXU) fchmod(folder, S_IRWXU);  // other users need not read it
  return {};
}

/// The cache folder, or why there is none. Its parents are made with `make`; mode 0700.
Descriptor open_folder(bool make, std::string* why) {
  const fs::path path = cache_folder();
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  Descriptor at(open("/", kFlags));
  for (auto part = std::next(path.begin()); part != path.end() && at; ++part) {
    const bool last = std::next(part) == path.end();
    if (make && mkdirat(at.get(), part->c_str(), S_IRWXU) != 0 && errno != EEXIST && errno != EROFS && errno != EACCES) break;
    at = Descriptor(openat(at.get(), part->c_str(), kFlags | (last ? O_NOFOLLOW : 0)));
    if (!last) continue;
    if (!at) break;
    *why = distrust(at.get(), path);
    return why->empty() ? std::move(at) : Descriptor();
  }
  *why = reason(path);
  return Descriptor();
}

std::string read_all(int file) {
  std::string out;
  char buffer[1 << 16];
  for (ssize_t n; (n = read(file, buffer, sizeof buffer)) != 0;) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return {};
    out.append(buffer, static_cast<std::size_t>(n));
  }
  return out;
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(file, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

/// A regular file of this user that no one else can change.
bool is_own_file(int file) {
  struct stat info {};
  return fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() && (info.st_mode & kOthersWrite) == 0;
}

/// The content, if the sum before it is right.
std::string verified(std::string_view file) {
  if (!file.starts_with(kMark) || file.size() < kMark.size() + kSumSize) return {};
  const std::string_view sum = file.substr(kMark.size(), kSumSize), content = file.substr(kMark.size() + kSumSize);
  return sha256(content) == sum ? std::string(content) : std::string();
}

}  // namespace

fs::path cache_folder() {
  if (const fs::path cache = absolute_path_in("XDG_CACHE_HOME"); !cache.empty()) return (cache / "fermiac").lexically_normal();
  if (const fs::path home = absolute_path_in("HOME"); !home.empty()) return (home / ".cache/fermiac").lexically_normal();
  std::error_code failed;
  const fs::path temporary = fs::temp_directory_path(failed);
  return (failed || !temporary.is_absolute() ? fs::path("/tmp") : temporary).lexically_normal() / fmt::format("fermiac-{}", geteuid());
}

std::string read_cached(const std::string& name) {
  std::string ignored;
  const Descriptor folder = open_folder(false, &ignored);
  if (!folder) return {};
  const Descriptor file(openat(folder.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  return file && is_own_file(file.get()) ? verified(read_all(file.get())) : std::string();
}

std::string keep_cached(const std::string& name, const std::string& bytes) {
  std::string why;
  const Descriptor folder = open_folder(true, &why);
  if (!folder) return why;
  const std::string unfinished = fmt::format("{}.{}", name, getpid());
  unlinkat(folder.get(), unfinished.c_str(), 0);  // of a process with this number that was killed
  const Descriptor file(openat(folder.get(), unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  const bool written = file && write_all(file.get(), std::string(kMark) + sha256(bytes) + bytes) && fsync(file.get()) == 0 &&
                       renameat(folder.get(), unfinished.c_str(), folder.get(), name.c_str()) == 0;
  if (written) return fsync(folder.get()), std::string();
  why = reason(cache_folder() / name);
  if (file) unlinkat(folder.get(), unfinished.c_str(), 0);
  return why;
}

}  // namespace fermiac
