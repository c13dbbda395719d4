// Machine code of a program: C++ text, compiled by the system's compiler, kept for the next time.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "codegen/runtime/native.h"
#include "interp/model/interp_model.h"

namespace fermiac::interp {

/// No compiler, or one that fails.
struct MachineCodeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The text, with the header that it needs. `version`: of the program that makes it, for a comment.
std::string machine_code_text(const CompiledModel& compiled, mir::OptLevel level, const std::string& version);

/// The shared object of the text: from the folder of earlier ones ($XDG_CACHE_HOME/fermiac, else ~/.cache/fermiac) if the
/// compiler is the same, else compiled into it. $CXX names the compiler, with its options; else c++, g++ or clang++.
/// Throws MachineCodeError.
std::string machine_code_file(const std::string& text);

/// That file, loaded. Throws MachineCodeError.
std::shared_ptr<const native::Module> machine_code(const std::string& text);

}  // namespace fermiac::interp
