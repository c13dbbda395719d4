// Where programs keep what took time to make: $XDG_CACHE_HOME/fermiac, else ~/.cache/fermiac.
#pragma once

#include <filesystem>
#include <string>

namespace fermiac {

std::filesystem::path cache_folder();

/// The bytes of a file there; empty where there is none.
std::string read_cached(const std::string& name);
/// Whoever reads at the same time finds all of it, or nothing. What cannot be kept is made again: no error.
void keep_cached(const std::string& name, const std::string& bytes);

}  // namespace fermiac
