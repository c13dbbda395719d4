// Whether a stream is shown in a terminal, and the window of that.
#pragma once

#include <cstdio>

namespace fermiac {

bool is_terminal(std::FILE* file);

struct Screen {
  unsigned rows = 24, columns = 80;
};
/// What is usual where the stream is no terminal or does not say.
Screen screen_of(std::FILE* file);
/// Columns of the terminal; 0 (no limit) where the stream is none.
unsigned terminal_columns(std::FILE* file);

}  // namespace fermiac
