// Files that are expensive to make, kept between runs in $XDG_CACHE_HOME/fermiac, else ~/.cache/fermiac, else fermiac-UID in the folder
// for temporary files.
//
// Some of them are executed, so nothing is taken from anyone else: the folder and the files must belong to this user, be writable by no
// one else, and not be symbolic links; the folder gets mode 0700. Each file starts with the SHA-256 sum of its content. A file that is
// damaged, cut or written by others counts as absent.
#pragma once

#include <filesystem>
#include <string>

namespace fermiac {

std::filesystem::path cache_folder();

/// Returns the content kept under this name, or an empty string.
std::string read_cached(const std::string& name);
/// Keeps the content under this name, synced to disk and renamed into place: readers find all of it or nothing. Returns why it could
/// not be kept, or an empty string.
std::string keep_cached(const std::string& name, const std::string& bytes);

}  // namespace fermiac
