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

int refuse(const std::string& command, const std::string& why) {
  std::fprintf(stderr, "%s: %s\n", command.c_str(), why.c_str());
  return 1;
}

int run(const std::string& command, const std::vector<std::string>& args) {
  if (fermiac::cli::asks_for_portable())
    if (const fermiac::Status bad = fermiac::cli::become_portable(); !bad) return refuse(command, bad.message);
  if (const std::string bad = fermiac::unknown_isa(); !bad.empty()) return refuse(command, bad);
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
  } catch (const fermiac::InputError& e) {
    return refuse(command, std::string("there is no model in this program: ") + e.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  fermiac::prepare_streams();
  const std::string command = argc > 0 ? argv[0] : "model";
  return fermiac::finish_output(command.c_str(), run(command, {argv + std::min(argc, 1), argv + argc}));
}
