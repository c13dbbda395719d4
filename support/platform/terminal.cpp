#include "support/platform/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace fermiac {

bool is_terminal(std::FILE* file) {
  const int fd = fileno(file);
  return fd >= 0 && isatty(fd) != 0;
}

bool understands_escapes(std::FILE* file) {
  const char* term = std::getenv("TERM");
  const std::string_view name = term ? term : "";
  return is_terminal(file) && !name.empty() && name != "dumb" && name != "unknown" && !name.starts_with("emacs");
}

bool wants_color(std::FILE* file) {
  const char* none = std::getenv("NO_COLOR");
  return understands_escapes(file) && !(none && *none);
}

Screen screen_of(std::FILE* file) {
  winsize size{};
  const int fd = fileno(file);
  if (fd < 0 || ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return {};
  return {size.ws_row, size.ws_col};
}

unsigned terminal_columns(std::FILE* file) { return is_terminal(file) ? screen_of(file).columns : 0; }

}  // namespace fermiac
