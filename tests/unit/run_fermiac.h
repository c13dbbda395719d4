// Runs the program as a user does, for tests that look at its messages and exit status.
#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <string>

namespace fermiac::testing {

struct ProgramRun {
  int status = 0;
  std::string text;  // standard output and error together
};

/// `arguments` and `environment` (`NAME=VALUE `) go through the shell; standard input is empty.
inline ProgramRun run_fermiac(const std::string& arguments, const std::string& environment = {}) {
  const std::string command = environment + std::string(FERMIAC_BINARY_DIR) + "/bin/fermiac " + arguments + " 2>&1 </dev/null";
  ProgramRun run;
  std::FILE* pipe = popen(command.c_str(), "r");
  for (int c; (c = std::fgetc(pipe)) != EOF;) run.text += static_cast<char>(c);
  const int status = pclose(pipe);
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return run;
}

}  // namespace fermiac::testing
