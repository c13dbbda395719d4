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

/// The same, unless another thread writes to the stream now. For ends that wait for nobody.
void flush_output_if_free(std::FILE* file = stdout);

/// What is written to the stream from now on is lost. False if that cannot be done.
bool silence(std::FILE* file);
/// The same for standard output and standard error.
bool silence_streams();
/// Another stream that leads where standard error leads now.
std::FILE* copy_of_standard_error();
/// Standard error leads to the open file from now on; false, and it stays as it is, where the system refuses.
bool send_standard_error_to(int descriptor);

/// Last in main: says on standard error if standard output was not written to its end (nothing if its reader went away).
/// The exit status: `status`, or 1 in place of 0 where something is missing.
int finish_output(std::string_view program, int status);

}  // namespace fermiac
