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

/// The text, with the header that it needs. `version`: of the program that makes it, for a comment. `user_header`: a file that
/// defines functions which the program only declares, or empty. Throws MachineCodeError where one of these cannot come from a
/// header.
std::string machine_code_text(const CompiledModel& compiled, const std::string& version, const std::string& user_header = {});

/// The content of the shared object of the text: from the cache (support/base/cache_folder.h) if the compiler is the same, else compiled
/// and kept there. $CXX names the compiler, with its options; else c++, g++ or clang++. Throws MachineCodeError.
std::string machine_code_bytes(const std::string& text);

/// The content of a shared object of a text with a user's header. None of earlier ones will do, for that may have changed, and
/// what it includes. Throws MachineCodeError.
std::string machine_code_with_header(const std::string& text, const std::string& user_header);

/// Machine code of the text, loaded. Throws MachineCodeError.
std::shared_ptr<const native::Module> machine_code(const std::string& text);

}  // namespace fermiac::interp
