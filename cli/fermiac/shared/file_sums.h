// Checksums of the files that draws depend on, and whether they are still those of a run.
#pragma once

#include <string>
#include <vector>

namespace fermiac::cli {

/// The checksum of a file as 16 hexadecimal digits, or `none` if there is no file.
std::string sum_of_file(const std::string& path);
/// The checksums of several files in the given order, separated by spaces.
std::string sum_of_files(const std::vector<std::string>& paths);

/// Prints a warning for each of `draws`, files or folders of runs, whose run record names data other than these. Draws without a record
/// pass.
void warn_of_other_data(const std::vector<std::string>& draws, const std::vector<std::string>& data);

}  // namespace fermiac::cli
