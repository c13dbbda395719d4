#include "inference/output/config.h"

#include "support/base/json.h"
#include "support/base/number_text.h"
#include "support/base/text.h"

namespace fermiac::inference {
namespace {

using Kind = ConfigNode::Kind;

void append_text(const ConfigNode& node, std::string_view prefix, int level, std::string& out) {
  out += prefix;
  out.append(2 * static_cast<std::size_t>(level), ' ');
  out += node.key;
  if (node.kind != Kind::Group) {
    out += " = " + as_one_line(node.value);
    if (node.is_default) out += " (Default)";
  }
  out += '\n';
  for (const ConfigNode& child : node.children) append_text(child, prefix, level + 1, out);
}

void append_json_members(const std::vector<ConfigNode>& nodes, int level, std::string& out);

void append_object(const std::vector<ConfigNode>& members, int level, std::string& out) {
  if (members.empty()) {
    out += "{}";
    return;
  }
  out += "{\n";
  append_json_members(members, level + 1, out);
  out.append(2 * static_cast<std::size_t>(level), ' ');
  out += "}";
}

void append_json_value(const ConfigNode& node, int level, std::string& out) {
  switch (node.kind) {
    case Kind::Number:
    case Kind::Bool:
      out += node.exact.empty() ? node.value : node.exact;
      return;
    case Kind::Text:
      out += json_quote(node.value);
      return;
    case Kind::Group:
      append_object(node.children, level, out);
      return;
    case Kind::Choice: {
      std::vector<ConfigNode> members = {ConfigNode::text("value", node.value, "")};
      members.insert(members.end(), node.children.begin(), node.children.end());
      append_object(members, level, out);
      return;
    }
  }
}

void append_json_members(const std::vector<ConfigNode>& nodes, int level, std::string& out) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    out.append(2 * static_cast<std::size_t>(level), ' ');
    out += json_quote(nodes[i].key) + " : ";
    append_json_value(nodes[i], level, out);
    out += i + 1 < nodes.size() ? ",\n" : "\n";
  }
}

}  // namespace

ConfigNode ConfigNode::group(std::string key, std::vector<ConfigNode> children) {
  return {Kind::Group, std::move(key), "", false, std::move(children), ""};
}
ConfigNode ConfigNode::number(std::string key, double value, double default_value) {
  return {Kind::Number, std::move(key), format_number(value, 6), value == default_value, {}, ""};
}
ConfigNode ConfigNode::number(std::string key, double value) {
  return {Kind::Number, std::move(key), format_number(value, 6), false, {}, ""};
}
ConfigNode ConfigNode::integer(std::string key, long long value, long long default_value) {
  return {Kind::Number, std::move(key), std::to_string(value), value == default_value, {}, ""};
}
ConfigNode ConfigNode::boolean(std::string key, bool value, bool default_value) {
  return {Kind::Bool, std::move(key), value ? "true" : "false", value == default_value, {}, ""};
}
ConfigNode ConfigNode::text(std::string key, std::string value, std::string_view default_value) {
  const bool is_default = value == default_value;
  return {Kind::Text, std::move(key), std::move(value), is_default, {}, ""};
}
ConfigNode ConfigNode::choice(std::string key, std::string value, std::string_view default_value,
                              std::vector<ConfigNode> children) {
  const bool is_default = value == default_value;
  return {Kind::Choice, std::move(key), std::move(value), is_default, std::move(children), ""};
}

std::string config_text(const std::vector<ConfigNode>& nodes, std::string_view prefix) {
  std::string out;
  for (const ConfigNode& node : nodes) append_text(node, prefix, 0, out);
  return out;
}

std::string config_json(const std::vector<ConfigNode>& nodes) {
  std::string out;
  append_object(nodes, 0, out);
  return out + "\n";
}

}  // namespace fermiac::inference
