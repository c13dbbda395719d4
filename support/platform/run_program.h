// Running another program to its end.
#pragma once

#include <string>
#include <vector>

namespace fermiac {

struct ProgramRun {
  int status = -1;     // as a shell has it: 127 where the program is not found, 128 and the signal where one ended it
  std::string output;  // of both streams
};

/// `words[0]` is a path, or a name to be found on PATH; standard input is empty.
ProgramRun run_program(const std::vector<std::string>& words);

/// The same with the input, output and errors of this process; returns the exit status.
int run_attached_program(const std::vector<std::string>& words);

/// The words as the system takes them: pointers into `words`, then a null pointer.
std::vector<char*> argument_pointers(const std::vector<std::string>& words);

/// Whether a program of this name or path can be run.
bool has_program(const std::string& name);

}  // namespace fermiac
