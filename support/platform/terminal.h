// Whether a stream is shown in a terminal, and the window of that.
#pragma once

#include <cstdio>

namespace fermiac {

bool is_terminal(std::FILE* file);

/// Whether lines in the terminal can be drawn again and colored: the stream is a terminal, and TERM names one that understands escape
/// sequences (not `dumb`, `unknown`, an Emacs shell or nothing).
bool understands_escapes(std::FILE* file);
/// The same, unless NO_COLOR is set to anything but the empty text (no-color.org).
bool wants_color(std::FILE* file);

struct Screen {
  unsigned rows = 24, columns = 80;
};
/// What is usual where the stream is no terminal or does not say.
Screen screen_of(std::FILE* file);
/// Columns of the terminal; 0 (no limit) where the stream is none.
unsigned terminal_columns(std::FILE* file);

}  // namespace fermiac
