// Which files a command means where it is given a folder.
#pragma once

#include <string>
#include <vector>

#include "inference/result.h"

namespace fermiac::inference {

/// The files of `given`, in order; a folder among them stands for the CSV files of the one run in it, by the numbers of their
/// chains. What is no folder is taken as it is, whether it exists or not. Errors: a folder that cannot be read, or that has no
/// draws, or those of several runs. Reads the first 16 KiB of each CSV file of a folder.
Result draw_files(const std::vector<std::string>& given, std::vector<std::string>* out);

}  // namespace fermiac::inference
