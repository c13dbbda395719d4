#include "cli/stanc/model_name.h"

#include <cctype>
#include <string_view>

namespace fermiac::stanc {
namespace {

/// `path` without `.stan` or `.stanfunctions`.
std::string without_suffix(const std::string& path) {
  for (const std::string_view suffix : {".stanfunctions", ".stan"})
    if (path.ends_with(suffix)) return path.substr(0, path.size() - suffix.size());
  return path;
}

}  // namespace

std::string model_name(const std::string& source) {
  if (source == "-") return "stdin";
  const std::string file = source.substr(source.rfind('/') + 1);
  std::string name = without_suffix(file);
  if (name != source) name += "_model";
  std::string result;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 128 && (std::isalnum(byte) || c == '_'))
      result += c;
    else
      result += c == '-' ? "_" : "x" + std::to_string(byte);
  }
  const bool letter = !result.empty() && std::isalpha(static_cast<unsigned char>(result[0]));
  return letter ? result : "_" + result;
}

std::string default_output(const std::string& model) {
  return (model == "-" ? "stdin" : without_suffix(model)) + ".hpp";
}

}  // namespace fermiac::stanc
