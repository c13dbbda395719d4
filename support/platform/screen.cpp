// The window that a stream is shown in.
#include <sys/ioctl.h>
#include <unistd.h>

#include "support/platform/output.h"

namespace fermiac {

Screen screen_of(std::FILE* file) {
  winsize size{};
  const int fd = fileno(file);
  if (fd < 0 || ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return {};
  return {size.ws_row, size.ws_col};
}

unsigned terminal_columns(std::FILE* file) {
  const int fd = fileno(file);
  return fd >= 0 && isatty(fd) != 0 ? screen_of(file).columns : 0;
}

}  // namespace fermiac
