// A program as C++ for machine code of its plain evaluation: functions, and the loops of its sections. Whatever has no
// machine code stays with the interpreter, statement by statement and function by function.
#pragma once

#include <string>
#include <string_view>

#include "mir/ir/ir.h"

namespace fermiac::codegen::native {

struct EmitOptions {
  std::string version;  // of the program, for the comment
  std::string program;  // what the code is made of, as a sum over the text; the loader compares
};

/// One file, to be compiled behind codegen/runtime/native.h; where the program has external
/// functions, also behind a user's header (external.h).
std::string emit(const mir::Program& program, const EmitOptions& options);

/// The header that emitted text needs.
std::string_view runtime_header();

}  // namespace fermiac::codegen::native
