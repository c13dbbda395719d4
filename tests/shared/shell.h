// Commands of the shell in tests.
#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <string>

namespace fermiac::testing {

struct ProgramRun {
  int status = 0;    // 0: success; of a signal 128 and its number
  std::string text;  // standard output and error together
};

/// Standard input is empty. A program that the command executes has the process number $$.
inline ProgramRun shell(const std::string& command) {
  ProgramRun run;
  std::FILE* pipe = popen(("{ " + command + "\n} 2>&1 </dev/null").c_str(), "r");
  for (int c; (c = std::fgetc(pipe)) != EOF;) run.text += static_cast<char>(c);
  const int status = pclose(pipe);
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return run;
}

}  // namespace fermiac::testing
