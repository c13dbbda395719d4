// The standard streams of a program, checked: output that cannot be written is an error and never lost in silence. The window that a stream
// is shown in.
#pragma once

#include <cstdio>
#include <string_view>

namespace fermiac {

/// First in main. A standard stream that is closed stays so: no file opened later gets its number, and with it what is
/// written to the stream. A pipe that nobody reads and a limit on the size of files make a write fail; they no longer
/// end the program.
void prepare_streams();

/// Writes to standard output, or to another stream that a caller put in its place. False if that fails now, or if
/// standard output failed before.
bool write_output(std::string_view text, std::FILE* file = stdout);
bool flush_output(std::FILE* file = stdout);

/// Last in main: says on standard error if standard output was not written to its end (nothing if its reader went away).
/// The exit status: `status`, or 1 in place of 0 where something is missing.
int finish_output(std::string_view program, int status);

struct Screen {
  unsigned rows = 24, columns = 80;
};
/// What is usual where the stream is no terminal or does not say.
Screen screen_of(std::FILE* file);
/// Columns of the terminal; 0 (no limit) where the stream is none.
unsigned terminal_columns(std::FILE* file);

}  // namespace fermiac
