// A Stan program behind the code of a library or of a program, which so becomes one that carries this model.
//
//   [code, as the linker made it] [payload] [trailer]
//
// The trailer says where the payload begins and what it sums up to; docs/phases/bundles.md has the layout.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/lex/includes.h"
#include "support/base/status.h"

namespace fermiac::capi {

struct Payload {
  std::string name;  // of the model
  std::string path;  // of the program, as messages print it
  std::string text;
  std::vector<std::string> include_paths;
  CarriedFiles includes;
  std::string compiler;  // what made the bundle, with its version
  std::string flags;     // --O1 and the like, as stanc takes them
  std::string native{};  // a user's header, compiled (interp/native/module.h), or nothing
  bool threads = false;  // as a program it takes num_threads above 1
  bool no_range_checks = false;  // wished for; indexes are checked all the same
  std::string device_module{};   // as a program it takes `opencl` arguments, and opens devices with this file
  std::string mpi_module{};      // as a program it shares jobs of map_rect with the processes of mpirun by this file
};

/// Payload and trailer.
std::string payload_bytes(const Payload& payload);

/// Reads the payload at the end of the file. Throws InputError.
Payload read_payload(const std::string& file);

/// Writes a copy of `code_file` with the payload behind it, executable if that is; a payload that it carries already is
/// replaced.
Status append_payload(const std::string& code_file, const Payload& payload, const std::string& out_file);

}  // namespace fermiac::capi
