#include "support/platform/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace fermiac {

bool is_terminal(std::FILE* file) {
  const int fd = fileno(file);
  return fd >= 0 && isatty(fd) != 0;
}

Screen screen_of(std::FILE* file) {
  winsize size{};
  const int fd = fileno(file);
  if (fd < 0 || ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return {};
  return {size.ws_row, size.ws_col};
}

unsigned terminal_columns(std::FILE* file) { return is_terminal(file) ? screen_of(file).columns : 0; }

}  // namespace fermiac
