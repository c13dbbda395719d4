// A program as C++ for Stan Math and Stan's services: the text that builds of CmdStan, BridgeStan and rstan compile.
// docs/phases/codegen.md says what stands where in it and why.
#pragma once

#include <string>

#include "mir/ir/ir.h"
#include "support/base/source.h"

namespace fermiac::codegen::stan_math {

struct EmitOptions {
  bool standalone = false;  // functions alone, with wrappers for other languages
  bool opencl = false;      // densities on a device
  std::string version{};    // for messages and model_compile_info
  std::string flags{};      // of the command line, for model_compile_info
};

/// `program` has gone through transform_for_backend() and any passes. `sources` are those that its spans point into.
std::string emit(const mir::Program& program, const SourceMap& sources, const EmitOptions& options);

}  // namespace fermiac::codegen::stan_math
