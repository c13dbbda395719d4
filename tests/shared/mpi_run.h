// Programs under mpirun.
#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/shared/programs.h"

namespace fermiac::testing {

struct Outcome {
  int status = 0;
  std::string text;  // standard output and error
};

inline Outcome shell(const std::string& command) {
  Outcome o;
  std::FILE* pipe = popen(("{ " + command + "; } 2>&1 </dev/null").c_str(), "r");
  for (int c; (c = std::fgetc(pipe)) != EOF;) o.text += static_cast<char>(c);
  const int status = pclose(pipe);
  o.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return o;
}

/// A command in so many processes.
inline std::string in_processes(int processes, const std::string& command, const std::string& more = "") {
  return "exec mpirun --allow-run-as-root --oversubscribe --mca plm isolated " + more + " -n " + std::to_string(processes) + " " + command;
}
/// The beginning of a command line: fermiac in so many processes.
inline std::string mpirun(int processes, const std::string& more = "") { return in_processes(processes, kFermiac + " ", more); }

/// Empty, or why processes cannot be tested.
inline std::string why_no_mpi() {
  if (!std::filesystem::exists(std::filesystem::path(FERMIAC_BINARY_DIR) / "lib/fermiac/fermiac_mpi.so")) return "built without MPI";
  return std::system("command -v mpirun >/dev/null") == 0 ? "" : "no mpirun";
}

}  // namespace fermiac::testing
