#include "cli/fermiac/shared/file_sums.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <set>

#include "inference/output/checkpoint.h"
#include "support/base/checksum.h"

namespace fermiac::cli {
namespace {

namespace fs = std::filesystem;

/// The folder that may have the record of the run.
std::string folder_of(const std::string& draws) {
  std::error_code ignored;
  if (fs::is_directory(draws, ignored)) return draws;
  const fs::path parent = fs::path(draws).parent_path();
  return parent.empty() ? "." : parent.string();
}

}  // namespace

std::string sum_of_file(const std::string& path) {
  const std::optional<std::uint64_t> sum = path.empty() ? std::nullopt : checksum_of_file(path);
  return sum ? fmt::format("{:016x}", *sum) : "none";
}

std::string sum_of_files(const std::vector<std::string>& paths) {
  std::string out;
  for (const std::string& path : paths) out += (out.empty() ? "" : " ") + sum_of_file(path);
  return out.empty() ? sum_of_file("") : out;
}

void warn_of_other_data(const std::vector<std::string>& draws, const std::vector<std::string>& data) {
  std::set<std::string> folders;
  for (const std::string& given : draws) folders.insert(folder_of(given));
  for (const std::string& folder : folders) {
    inference::RunRecord record;
    if (!inference::read_run_record(folder, &record)) continue;
    if (!inference::check_identity(record, {{std::string(inference::kDataSum), sum_of_files(data)}}))
      fmt::print(stderr, "Warning: the draws in '{}' were made with other data than these: the checksum of the files differs. What follows is right only if "
                         "the numbers in them are the same.\n", folder);
  }
}

}  // namespace fermiac::cli
