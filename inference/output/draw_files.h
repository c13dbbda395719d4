// Draws that a command is given: files, or the folder of a run.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "inference/diagnostics/summary.h"
#include "support/base/status.h"
#include "inference/output/csv.h"

namespace fermiac::inference {

/// The files of `given`, in order; a folder among them stands for the CSV files of the one run in it, by the numbers of their
/// chains, or for its netCDF file where it has no other; generated quantities and predictions count where there are no draws beside them. Other paths are
/// taken as they are, whether they exist or not. Errors: a folder that cannot be read, or that has no draws, or those of
/// several runs. Reads the first 16 KiB of each CSV file of a folder.
Status draw_files(const std::vector<std::string>& given, std::vector<std::string>* out);

/// Whether the files of the method have draws that commands look for in a folder.
bool writes_draws(std::string_view method);

/// Refuses a folder that has draws or the record of a run of another name (those of other methods of this one may be beside): commands that are given the folder could not tell which run
/// is meant.
Status refuse_folder_of_others(const std::string& folder, const std::string& name);

/// Numbers of the chains of run `name` in a folder that are not among `count` chains from `first`, in increasing order.
std::vector<unsigned> other_chains(const std::string& folder, const std::string& name, unsigned first, unsigned count);
/// Removes the draws, states and metrics of these chains.
void remove_chains(const std::string& folder, const std::string& name, const std::vector<unsigned>& chains);

/// Reads `given` chain by chain: a CSV file is one, a netCDF file has several. Ends with the first error, of a file or of `use`.
Status read_draws(const std::vector<std::string>& given, const std::function<Status(CsvDraws&)>& use);

/// Reads files of one run; a folder stands for those of the run in it (draw_files.h). Of chains of different lengths the statistics take the first draws of each, as many as the
/// shortest has, and files without draws are left out; `missing` says so. Errors: a file cannot be read, its columns
/// differ from the first file's, it is there twice, or none has draws.
Status load_chains(const std::vector<std::string>& files, ChainSet* out);

}  // namespace fermiac::inference
