// What is wrong with a command line, in the words of who typed it: near misses with a guess, choices as a plain list.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace fermiac::cli {

/// Commands and options that do not exist, in the order in which they stand; empty if all do. `given` is without the
/// program's name.
std::string unknown_words(CLI::App& app, const std::vector<std::string>& given);

/// What the library found, said plainly; `given` as before.
std::string usage_problem(const CLI::App& command, const CLI::ParseError& error, const std::vector<std::string>& given);

}  // namespace fermiac::cli
