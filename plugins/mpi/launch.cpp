#include "plugins/mpi/launch.h"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "support/platform/module.h"
#include "support/platform/process.h"

namespace fermiac {
namespace {

std::optional<int> number_in(const char* variable) {
  const char* text = std::getenv(variable);
  if (!text) return std::nullopt;
  const std::string_view all = text;
  int number = 0;
  const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), number);
  return error == std::errc() && end == all.data() + all.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

LaunchPlace launch_place() {
  const char* wish = std::getenv("FERMIAC_MPI");
  if (wish && std::string_view(wish) == "off") return {};
  for (const auto& [rank, size] : {std::pair{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}})
    if (const auto r = number_in(rank), s = number_in(size); r && s) return {*r, *s};
  return {};
}

std::string own_mpi_module() { return private_file("fermiac_mpi.so"); }

Status join_processes(const LaunchPlace& place, const std::string& module, std::unique_ptr<Transport>* out) {
  Module loaded(module, Module::Symbols::Visible);  // MPI's own modules look for its symbols
  loaded.keep();
  void* join = loaded.symbol(kJoinTransport);
  if (!join) return Status::failed("the module for MPI cannot be loaded: " + loaded.why());
  out->reset(reinterpret_cast<JoinTransport>(join)());
  return (*out)->size() == place.size ? Status{} : Status::failed("the module was built for another MPI than mpirun's");
}

}  // namespace fermiac
