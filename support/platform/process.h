// This process: its program, its arguments, its environment.
#pragma once

#include <string>
#include <vector>

namespace fermiac {

/// Opens the file of the running program, even where that has another name by now.
std::string own_program();
/// With the name of the program first; from anywhere, not only in main.
std::vector<std::string> own_arguments();
/// Before there are threads.
void set_environment(const char* name, const std::string& value);
/// Starts the running program anew in this process, with the environment as it is. Returns only where that fails: why.
std::string start_anew(std::vector<std::string> arguments);

}  // namespace fermiac
