// Manual pages, in the macros of man(7).
#pragma once

#include <string>

#include "cli/fermiac/spec/program_text.h"

namespace fermiac::cli {

/// The page NAME(1) of the program, which lists its commands, or its options if it has no commands.
std::string program_page(const ProgramText& program);
/// The page NAME-COMMAND(1).
std::string command_page(const ProgramText& program, const CommandText& command);

}  // namespace fermiac::cli
