#include "support/text_file.h"

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

bool is_stream(const struct stat& info, int descriptor) {
  return S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode) || (S_ISCHR(info.st_mode) && isatty(descriptor) != 0);
}

}  // namespace

TextFile read_text(int descriptor, const std::string& name, std::size_t most) {
  TextFile out{TextFile::State::Read, {}, {}};
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t n = read(descriptor, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return missing("cannot read " + name + ": " + std::strerror(errno));
    if (n == 0) return out;
    out.text.append(buffer.data(), static_cast<std::size_t>(n));
    if (out.text.size() > most) return refused(name + " is longer than " + std::to_string(most >> 20) + " MiB");
  }
}

TextFile read_text_file(const std::string& path, bool streams, std::size_t most) {
  // Opening a pipe without this waits for somebody to write to it.
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | (streams ? 0 : O_NONBLOCK));
  if (descriptor < 0) return missing("cannot open '" + path + "': " + std::strerror(errno));
  struct stat info {};
  fstat(descriptor, &info);
  TextFile out;
  if (S_ISDIR(info.st_mode))
    out = missing("'" + path + "' is a folder, a file was expected");
  else if (S_ISREG(info.st_mode) || (streams && is_stream(info, descriptor)))
    out = read_text(descriptor, "'" + path + "'", most);
  else
    out = refused("'" + path + "' is no regular file");
  close(descriptor);
  return out;
}

}  // namespace fermiac
