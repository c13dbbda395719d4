// The program that carries a model: runs the model that is appended to its own executable (bindings/bridgestan/bundle/payload.h) with
// CmdStan's command line.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "bindings/bridgestan/bundle/payload.h"
#include "bindings/bridgestan/bundle/program_source.h"
#include "cli/cmdstan/cmdstan.h"
#include "cli/fermiac/options/process_options.h"
#include "support/base/memory.h"
#include "support/platform/isa.h"
#include "support/platform/output.h"
#include "support/platform/process.h"
#include "support/platform/process_memory.h"

namespace {

int run(const std::string& command, const std::vector<std::string>& args) {
  if (fermiac::cli::asks_for_portable())
    if (const std::string why = fermiac::cli::become_portable(); !why.empty()) return std::fprintf(stderr, "%s: %s\n", command.c_str(), why.c_str()), 1;
  if (const std::string bad = fermiac::unknown_isa(); !bad.empty()) return std::fprintf(stderr, "%s: %s\n", command.c_str(), bad.c_str()), 1;
  fermiac::cli::limit_process_memory(fermiac::ad::default_memory_limit());
  const fermiac::ad::MemoryScope limited(fermiac::ad::default_memory_limit());
  try {
    const fermiac::capi::Payload payload = fermiac::capi::read_payload(fermiac::own_program());
    const fermiac::cmdstan::ModelSource source{.program = fermiac::capi::compile_options(payload),
                                               .header = fermiac::capi::compiled_header(payload),
                                               .command = command,
                                               .stancflags = payload.flags,
                                               .threads = payload.threads,
                                               .no_range_checks = payload.no_range_checks,
                                               .device_module = payload.device_module,
                                               .mpi_module = payload.mpi_module};
    return fermiac::cmdstan::cmdstan_main(source, args);
  } catch (const fermiac::capi::PayloadError& e) {
    std::fprintf(stderr, "%s: there is no model in this program: %s\n", command.c_str(), e.what());
    return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  fermiac::prepare_streams();
  const std::string command = argc > 0 ? argv[0] : "model";
  return fermiac::finish_output(command.c_str(), run(command, {argv + std::min(argc, 1), argv + argc}));
}
