// The processes that mpirun started for one run: which of them this is, and how it joins the others.
#pragma once

#include <memory>
#include <string>

#include "plugins/mpi/transport.h"
#include "support/base/status.h"

namespace fermiac {

/// Of this process among those that were started.
struct LaunchPlace {
  int rank = 0, size = 1;
};

/// What the launcher says: Open MPI, then MPICH and its kin. One process alone where FERMIAC_MPI is `off`.
LaunchPlace launch_place();

/// The module beside this program.
std::string own_mpi_module();

/// Messages to the other processes by the module. Fails if it cannot be loaded or is made for another MPI than the launcher's.
Status join_processes(const LaunchPlace& place, const std::string& module, std::unique_ptr<Transport>* out);

}  // namespace fermiac
