// Files that came with the program: in the build and in an installation they lie at the same places, seen from it.
#pragma once

#include <filesystem>
#include <string>

namespace fermiac {

/// The folder that bin/, lib/fermiac/ and the like lie in.
std::filesystem::path own_prefix();
/// What belongs to the program alone: templates of bundles, modules. Within libfermiac, in a program of somebody else's, beside the
/// library.
std::filesystem::path private_file(const std::string& name);
/// The folder that clients take for CmdStan's; empty where there is none.
std::filesystem::path cmdstan_folder();

}  // namespace fermiac
