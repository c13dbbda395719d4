// The names of a run's files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/base/status.h"

namespace fermiac::cmdstan {

/// `out.csv` with the tag `_metric` is `out_metric.csv`.
std::string with_tag(std::string_view file, std::string_view tag);
/// The same with another ending: `out_metric.json`.
std::string with_tag(std::string_view file, std::string_view tag, std::string_view ending);

/// Files to write for several chains: the one name for one chain, else the names of a list, else NAME_<id>, NAME_<id +
/// 1> and so on. A tag comes before the number, an ending replaces the name's own.
struct Naming {
  unsigned chains = 1, id = 1;
  std::string_view tag, ending;
};
Status output_files(const std::string& name, const Naming& naming, std::vector<std::string>* out);

/// Files to read for several chains: the names of a list; else NAME_<id> and so on if the first of those is there; else
/// the one name for all. Errors: one is missing.
Status input_files(const std::string& name, unsigned chains, unsigned id, std::vector<std::string>* out);

/// By name, or by two names for the one file that is there.
bool same_file(const std::string& a, const std::string& b);

/// The error of a file that does not open, or success.
Status check_readable(const std::string& file);
/// Values are JSON in files of that ending, else in R's dump format, of which the user is warned.
bool is_json(const std::string& file);
void warn_of_r_dump(const std::string& file);

}  // namespace fermiac::cmdstan
