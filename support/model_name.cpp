#include "support/model_name.h"

#include <string_view>

namespace fermiac {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_plain(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

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
    if (is_plain(c) || c == '_') result += c;
    else result += c == '-' ? "_" : "x" + std::to_string(static_cast<unsigned char>(c));
  }
  return !result.empty() && is_letter(result[0]) ? result : "_" + result;
}

std::string plain_name_of_file(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  if (name.ends_with(".stan")) name.resize(name.size() - 5);
  for (char& c : name)
    if (!is_plain(c)) c = '_';
  return name;
}

std::string default_cpp_output(const std::string& model) {
  return (model == "-" ? "stdin" : without_suffix(model)) + ".hpp";
}

}  // namespace fermiac
