// The record of how a run was configured, which every output file starts with: a tree printed as CmdStan's indented
// `key = value (Default)` comments or as its JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fermiac::inference {

struct ConfigNode {
  enum class Kind {
    Group,  // data / file = ...: no value of its own
    Number,
    Bool,
    Text,
    Choice,  // algorithm = hmc, whose settings stand in a child group of that name
  };
  Kind kind = Kind::Group;
  std::string key, value;
  bool is_default = false;
  std::vector<ConfigNode> children;
  std::string exact;  // of a number, as JSON has it; empty: like `value`

  static ConfigNode group(std::string key, std::vector<ConfigNode> children = {});
  static ConfigNode number(std::string key, double value, double default_value);
  static ConfigNode number(std::string key, double value);  // has no default
  static ConfigNode integer(std::string key, long long value, long long default_value);
  static ConfigNode boolean(std::string key, bool value, bool default_value);
  static ConfigNode text(std::string key, std::string value, std::string_view default_value);
  static ConfigNode choice(std::string key, std::string value, std::string_view default_value,
                           std::vector<ConfigNode> children = {});
};

/// One line per entry, indented by two blanks a level, each starting with `prefix`.
std::string config_text(const std::vector<ConfigNode>& nodes, std::string_view prefix);
/// The same as a JSON object.
std::string config_json(const std::vector<ConfigNode>& nodes);
}  // namespace fermiac::inference
