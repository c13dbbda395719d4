#include "support/platform/descriptor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace fermiac {
namespace {

constexpr mode_t kNewFile = 0666;  // less what the umask takes away

int flags_of(OpenMode mode) {
  switch (mode) {
    case OpenMode::Read: return O_RDONLY;
    case OpenMode::ReadAtOnce: return O_RDONLY | O_NONBLOCK;
    case OpenMode::Folder: return O_RDONLY | O_DIRECTORY;
    case OpenMode::Write: return O_WRONLY;
    case OpenMode::Create: return O_WRONLY | O_CREAT;
    case OpenMode::CreateNew: return O_WRONLY | O_CREAT | O_EXCL;
    case OpenMode::Truncate: return O_WRONLY | O_CREAT | O_TRUNC;
  }
  return O_RDONLY;
}

FileType kind_of(const struct stat& info, int descriptor) {
  if (S_ISREG(info.st_mode)) return FileType::Regular;
  if (S_ISDIR(info.st_mode)) return FileType::Folder;
  const bool stream = S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode) || (S_ISCHR(info.st_mode) && isatty(descriptor) != 0);
  return stream ? FileType::Stream : FileType::Other;
}

/// Calls step(done), which returns what it transferred, until there are `size` bytes; signals do not end it. What a step that
/// transfers nothing means is `at_zero`.
template <class Step>
Transfer transfer(std::size_t size, int at_zero, Step step) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n = step(done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return {done, n < 0 ? errno : at_zero};
    done += static_cast<std::size_t>(n);
  }
  return {done, 0};
}

int error_unless(bool done) { return done ? 0 : errno; }

}  // namespace

Descriptor::Descriptor(const std::string& path, OpenMode mode) : number_(open(path.c_str(), flags_of(mode) | O_CLOEXEC, kNewFile)) {}

Descriptor::~Descriptor() { static_cast<void>(close()); }

int Descriptor::close() {
  const int number = std::exchange(number_, -1);
  return number < 0 ? 0 : error_unless(::close(number) == 0);
}

bool read_facts(int descriptor, FileFacts* out) {
  struct stat info {};
  if (fstat(descriptor, &info) != 0) return false;
  *out = {kind_of(info, descriptor), static_cast<std::uint64_t>(info.st_size), static_cast<std::filesystem::perms>(info.st_mode & 07777)};
  return true;
}

bool is_regular(int descriptor) {
  FileFacts facts;
  return read_facts(descriptor, &facts) && facts.kind == FileType::Regular;
}

int read_pieces(int descriptor, const std::function<bool(std::string_view)>& take) {
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t n = read(descriptor, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    if (n == 0 || !take({buffer.data(), static_cast<std::size_t>(n)})) return 0;
  }
}

int read_rest(int descriptor, std::string* out) {
  return read_pieces(descriptor, [&](std::string_view piece) { return *out += piece, true; });
}

std::size_t read_some(int descriptor, std::span<char> out) {
  ssize_t n;
  do n = read(descriptor, out.data(), out.size());
  while (n < 0 && errno == EINTR);
  return n > 0 ? static_cast<std::size_t>(n) : 0;
}

Transfer read_at(int descriptor, std::uint64_t offset, std::span<char> out) {
  return transfer(out.size(), 0, [&](std::size_t done) { return pread(descriptor, out.data() + done, out.size() - done, static_cast<off_t>(offset + done)); });
}

bool input_waits(int descriptor, int milliseconds) {
  pollfd one{.fd = descriptor, .events = POLLIN, .revents = 0};
  return poll(&one, 1, milliseconds) > 0 && (one.revents & POLLIN) != 0;
}

Transfer write_all(int descriptor, std::string_view text) {
  return transfer(text.size(), ENOSPC, [&](std::size_t done) { return write(descriptor, text.data() + done, text.size() - done); });
}

Transfer write_all_at(int descriptor, std::uint64_t offset, std::string_view text) {
  return transfer(text.size(), ENOSPC, [&](std::size_t done) { return pwrite(descriptor, text.data() + done, text.size() - done, static_cast<off_t>(offset + done)); });
}

int truncate_file(int descriptor, std::uint64_t size) { return error_unless(ftruncate(descriptor, static_cast<off_t>(size)) == 0); }

int move_to(int descriptor, std::uint64_t offset) {
  const auto wanted = static_cast<off_t>(offset);
  return error_unless(lseek(descriptor, wanted, SEEK_SET) == wanted);
}

int sync_file(int descriptor) {
  return error_unless(fsync(descriptor) == 0 || errno == EINVAL);  // EINVAL: a file that lies on no disk
}

void sync_data(int descriptor) { fdatasync(descriptor); }

void set_permissions(int descriptor, std::filesystem::perms permissions) {
  if (fchmod(descriptor, static_cast<mode_t>(permissions) & 07777) != 0) errno = 0;  // some file systems have none
}

void sync_folder(const std::string& folder) {
  const Descriptor opened(folder, OpenMode::Folder);
  if (opened) fsync(opened.get());
}

bool may_read(const std::string& path) { return access(path.c_str(), R_OK) == 0; }
bool may_write(const std::string& path) { return access(path.c_str(), W_OK) == 0; }

}  // namespace fermiac
