// This process: its program, its arguments, its environment, the files that came with it.
#pragma once

#include <filesystem>
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

// Files that came with the program. In the build and in an installation they lie at the same places, relative to it.

/// The folder that bin/, lib/fermiac/ and the like lie in.
std::filesystem::path own_prefix();
/// What belongs to the program alone: templates of bundles, modules. Within libfermiac, in a program of somebody else's, beside the
/// library.
std::filesystem::path private_file(const std::string& name);
/// The folder that clients take for CmdStan's; empty where there is none.
std::filesystem::path cmdstan_folder();

}  // namespace fermiac
