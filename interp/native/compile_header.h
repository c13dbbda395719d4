// A user's header in C++ that defines functions of a program: compiled by the system's compiler.
#pragma once

#include <string>

#include "interp/model/interp_model.h"

namespace fermiac::interp {

/// The text to compile. `version`: of the program that makes it, for a comment. Throws InputError if a function cannot come
/// from a header.
std::string header_text(const CompiledModel& compiled, const std::string& version, const std::string& header);

/// The content of the shared object of such a text (interp/native/module.h). $CXX names the compiler, with its options; else c++, g++
/// or clang++. Throws InputError.
std::string compile_header(const std::string& text, const std::string& header);

}  // namespace fermiac::interp
