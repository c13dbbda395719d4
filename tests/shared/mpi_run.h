// Programs under mpirun.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/shared/programs.h"
#include "tests/shared/shell.h"

namespace fermiac::testing {

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
