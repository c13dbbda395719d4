#include "support/base/model_name.h"

namespace fermiac {
namespace {

constexpr std::string_view kSuffix = "_model";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_plain(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; }

std::string spelled(char c) {
  if (is_plain(c)) return std::string(1, c);
  return c == '-' ? "_" : "x" + std::to_string(static_cast<unsigned char>(c));
}

}  // namespace

std::string without_program_suffix(const std::string& path) {
  for (const std::string_view suffix : {".stanfunctions", ".stan"})
    if (path.ends_with(suffix)) return path.substr(0, path.size() - suffix.size());
  return path;
}

std::string model_name(const std::string& source) {
  if (source == "-") return "stdin";
  std::string name = without_program_suffix(source.substr(source.rfind('/') + 1));
  if (name != source) name += kSuffix;
  std::string result;
  for (const char c : name) result += spelled(c);
  return !result.empty() && is_letter(result[0]) ? result : "_" + result;
}

std::string plain_name_of_file(const std::string& path) {
  std::string name = without_program_suffix(path.substr(path.rfind('/') + 1));
  for (char& c : name) c = is_plain(c) ? c : '_';
  return name.empty() ? "model" : name;
}

std::string bare_model_name(std::string_view name) {
  if (name.ends_with(kSuffix)) name.remove_suffix(kSuffix.size());
  if (name.starts_with('_')) name.remove_prefix(1);
  return name.empty() ? "model" : std::string(name);
}

}  // namespace fermiac
