// CmdStan's layout of a run's output: the paths that its arguments give, its configuration, its messages.
#pragma once

#include <string>
#include <vector>

#include "inference/output/output_layout.h"

namespace fermiac::cmdstan {

/// The version of CmdStan that the output is like.
inline constexpr inference::StanVersion kVersion{2, 39, 0};

class CmdStanLayout final : public inference::OutputLayout {
 public:
  CmdStanLayout(std::vector<inference::ConfigNode> config, std::vector<inference::ConfigNode> environment);

  std::vector<std::string> csv_files;         // one for each chain; of pathfinder all draws, then one for each path
  std::vector<std::string> metric_files;      // one for each chain
  std::vector<std::string> diagnostic_files;  // one for each chain, or none
  std::vector<std::string> path_records;      // one JSON file for each path of pathfinder
  std::string config_path;

  inference::StanVersion version() const override { return kVersion; }
  std::vector<inference::ConfigNode> config(std::vector<inference::ConfigNode>) const override { return config_; }
  std::vector<inference::ConfigNode> environment() const override { return environment_; }
  std::string csv(std::string, std::size_t index) const override { return csv_files.at(index); }
  std::string metric(std::string, std::size_t index) const override { return metric_files.at(index); }
  std::string config_file(std::string) const override { return config_path; }
  std::string diagnostic(std::size_t index) const override { return diagnostic_files.empty() ? std::string() : diagnostic_files.at(index); }
  std::string path_record(std::size_t index) const override { return path_records.empty() ? std::string() : path_records.at(index); }

 private:
  std::vector<inference::ConfigNode> config_, environment_;
};

}  // namespace fermiac::cmdstan
