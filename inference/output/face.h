// How a command line of its own names the files of a run and describes the run in them. Without one a run has our
// manners: a folder of results with the model's name, a configuration made from the method's options.
#pragma once

#include <string>
#include <vector>

#include "inference/output/config.h"

namespace fermiac::inference {

struct StanVersion {
  int major = 2, minor = 35, patch = 0;
};

struct Face {
  StanVersion version;
  std::vector<ConfigNode> config;       // the configuration as it was given
  std::vector<ConfigNode> surroundings;  // what the files say behind it of where the run took place
  std::vector<std::string> csv;         // one for each chain; of pathfinder the draws, then one for each path
  std::vector<std::string> metric;      // one for each chain
  std::vector<std::string> diagnostic;  // one for each chain, or none
  std::vector<std::string> paths;       // one JSON file for each path of pathfinder
  std::string config_file;
};

}  // namespace fermiac::inference
