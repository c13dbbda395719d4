// Draws of chains from files.
#pragma once

#include <string>
#include <vector>

#include "inference/diagnostics/summary.h"
#include "inference/model/result.h"

namespace fermiac::inference {

/// Reads files of one run; a folder stands for those of the run in it (draw_files.h). Of chains of different lengths the statistics take the first draws of each, as many as the
/// shortest has, and files without draws are left out; `missing` says so. Errors: a file cannot be read, its columns
/// differ from the first file's, it is there twice, or none has draws.
Result load_chains(const std::vector<std::string>& files, ChainSet* out);

}  // namespace fermiac::inference
