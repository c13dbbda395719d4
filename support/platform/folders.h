// Folders of the user in which programs keep their files, as the system wants it (here the XDG Base Directory Specification).
#pragma once

#include <filesystem>
#include <string>

namespace fermiac {

/// For files that can be made again: $XDG_CACHE_HOME/NAME, else ~/.cache/NAME, else NAME-UID in the folder for temporary files. Absolute.
std::filesystem::path user_cache_folder(const std::string& name);
/// For the history of sessions; empty where there is no home.
std::filesystem::path user_state_folder();
/// For data; empty where there is no home.
std::filesystem::path user_data_folder();

}  // namespace fermiac
