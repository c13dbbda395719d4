// CmdStan's command line over the methods of inference/. docs/phases/cmdstan.md tells how a value of the table flows
// into the echo, the files and the methods, and in what this command line differs from `fermiac sample`.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "interp/model/interp_model.h"

namespace fermiac::cmdstan {

/// A program and how it was made.
struct ModelSource {
  CompileOptions program;         // named NAME_model
  std::shared_ptr<const native::Module> header{};  // the user's header, compiled, if there is one
  std::string command = "model";  // as the program was called, for its usage text
  std::string stancflags;         // what the compiler was given
  bool threads = false;           // made with STAN_THREADS: num_threads may be more than 1
  bool no_range_checks = false;   // made with STAN_NO_RANGE_CHECKS, which `info` tells
  std::string device_module{};    // made with STAN_OPENCL: it takes `opencl` arguments (plugins/opencl/device.h, own_device_module)
  std::string mpi_module{};       // made with STAN_MPI: processes of mpirun share the jobs of map_rect (plugins/mpi/launch.h, own_mpi_module)
};

/// The whole program: results in the files asked for, messages and progress on standard output, what went wrong on
/// standard error. The exit status, 0 or 1. Around it `main` prepares and finishes the streams (support/platform/output.h).
int cmdstan_main(const ModelSource& source, std::span<const std::string> args);

}  // namespace fermiac::cmdstan
