#include "support/base/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace fermiac {
namespace {

TextFile missing(std::string problem) {
  return {TextFile::State::Missing, {}, std::move(problem)};
}
TextFile refused(std::string problem) {
  return {TextFile::State::Refused, {}, std::move(problem)};
}

void drop_byte_order_mark(std::string& text) {
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
}

bool is_stream(const struct stat& info, int descriptor) {
  return S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode) || (S_ISCHR(info.st_mode) && isatty(descriptor) != 0);
}

TextFile not_opened(const std::string& path) { return missing("cannot open '" + path + "': " + std::strerror(errno)); }
TextFile not_read(const std::string& name, int error) {
  return missing("cannot read " + name + ": " + std::strerror(error));
}

}  // namespace

Descriptor::Descriptor(const std::string& path, int flags) : fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | flags)) {}

Descriptor::~Descriptor() {
  if (fd >= 0) close(fd);
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

std::string read_beginning(const std::string& path, std::size_t most) {
  const Descriptor file(path);
  std::string out;
  if (file.fd < 0) return out;
  read_pieces(file.fd, [&](std::string_view piece) {
    out += piece.substr(0, most - out.size());
    return out.size() < most;
  });
  return out;
}

TextFile read_text(int descriptor, const std::string& name, std::size_t most) {
  TextFile out{TextFile::State::Read, {}, {}};
  const int error = read_pieces(descriptor, [&](std::string_view piece) {
    out.text += piece;
    return out.text.size() <= most;
  });
  if (error != 0) return not_read(name, error);
  if (out.text.size() > most) return refused(name + " is longer than " + std::to_string(most >> 20) + " MiB");
  drop_byte_order_mark(out.text);
  return out;
}

TextFile read_text_file(const std::string& path, bool streams, std::size_t most) {
  // Opening a pipe without this waits for somebody to write to it.
  const Descriptor file(path, streams ? 0 : O_NONBLOCK);
  if (file.fd < 0) return not_opened(path);
  struct stat info {};
  fstat(file.fd, &info);
  if (S_ISDIR(info.st_mode)) return missing("'" + path + "' is a folder, a file was expected");
  if (!S_ISREG(info.st_mode) && !(streams && is_stream(info, file.fd))) return refused("'" + path + "' is no regular file");
  return read_text(file.fd, "'" + path + "'", most);
}

TextFile read_plain_text(const std::string& path) {
  const Descriptor file(path);
  if (file.fd < 0) return not_opened(path);
  TextFile out{TextFile::State::Read, {}, {}};
  bool plain = true;
  const int error = read_pieces(file.fd, [&](std::string_view piece) {
    plain = piece.find('\0') == std::string_view::npos;
    if (plain) out.text += piece;
    return plain;
  });
  if (error != 0) return not_read("'" + path + "'", error);
  if (!plain) return refused("'" + path + "' is no text: it has a zero byte");
  drop_byte_order_mark(out.text);
  return out;
}

}  // namespace fermiac
