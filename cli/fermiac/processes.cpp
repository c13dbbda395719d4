// Several processes for one command. MPI comes as a module beside the program, loaded only when a launcher started us.
#include <dlfcn.h>

#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>

#include "cli/fermiac/invocation.h"
#include "cli/fermiac/load.h"
#include "inference/parallel.h"
#include "interp/parts/cluster.h"
#include "interp/parts/serve.h"
#include "support/own_files.h"

namespace fermiac::cli {
namespace {

struct Place {
  int rank = 0, size = 1;
};

std::optional<int> number_in(const char* variable) {
  const char* text = std::getenv(variable);
  if (!text) return std::nullopt;
  const std::string_view all = text;
  int number = 0;
  const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), number);
  return error == std::errc() && end == all.data() + all.size() ? std::optional(number) : std::nullopt;
}

/// What the launcher says: Open MPI, then MPICH and its kin.
Place place_from_environment() {
  const char* wish = std::getenv("FERMIAC_MPI");
  if (wish && std::string_view(wish) == "off") return {};
  for (const auto& [rank, size] : {std::pair{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}})
    if (const auto r = number_in(rank), s = number_in(size); r && s) return {*r, *s};
  return {};
}

/// Null, and the reason in `why`, where the module cannot be loaded.
std::unique_ptr<Transport> join_processes(std::string* why) {
  const auto module = private_file("fermiac_mpi.so");
  void* handle = dlopen(module.c_str(), RTLD_NOW | RTLD_GLOBAL);  // MPI's own modules look for its symbols
  void* join = handle ? dlsym(handle, kJoinTransport) : nullptr;
  if (!join) {
    *why = dlerror();
    return nullptr;
  }
  return std::unique_ptr<Transport>(reinterpret_cast<JoinTransport>(join)());
}

int refuse(const Place& place, const std::string& why) {
  if (place.rank == 0)
    std::fprintf(stderr,
                 "fermiac: one of %d processes started by mpirun, but %s\nFERMIAC_MPI=off lets each run for itself.\n",
                 place.size, why.c_str());
  return 1;
}

/// Only process 0 says anything, and only it decides when the run ends.
int run_worker(const Invocation& invocation, Transport& transport) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  if (!std::freopen("/dev/null", "w", stdout) || !std::freopen("/dev/null", "w", stderr)) return 1;
  const auto program = load_program(*invocation.model);
  const interp::Code* code = program ? program->code.get() : nullptr;
  inference::run_parallel(invocation.threads ? *invocation.threads : 1, 1,
                          [&](std::size_t) { interp::serve(transport, code); });
  transport.leave();
  return 0;
}

int run_alone(const Invocation& invocation) {
  if (invocation.session) return invocation.session();
  Stop stop(invocation.timeout ? *invocation.timeout : inference::kNoLimit);
  return invocation.run(stop);
}

int run_first(const Invocation& invocation, Transport& transport) {
  interp::Cluster cluster(transport, &Stop::flag());
  invocation.model->cluster = &cluster;
  const int status = run_alone(invocation);
  interp::end_serving(transport);
  transport.leave();
  return status;
}

}  // namespace

int start(const Invocation& invocation) {
  const Place place = place_from_environment();
  if (place.size <= 1) return run_alone(invocation);
  if (!invocation.model) return place.rank == 0 ? run_alone(invocation) : 0;
  std::string why;
  const std::unique_ptr<Transport> transport = join_processes(&why);
  if (!transport) return refuse(place, "the module for MPI cannot be loaded: " + why);
  if (transport->size() != place.size) return refuse(place, "the module was built for another MPI than mpirun's");
  return transport->rank() == 0 ? run_first(invocation, *transport) : run_worker(invocation, *transport);
}

}  // namespace fermiac::cli
