#include "cli/fermiac/spec/program_text.h"

#include <sstream>

namespace fermiac::cli {
namespace {

std::vector<std::string> parts(const std::string& text, char separator) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string part; std::getline(in, part, separator);)
    if (!part.empty()) out.push_back(part);
  return out;
}

/// `a|b|c`, or as the library of the command line writes choices: `TEXT:{a,b,c}`.
std::vector<std::string> choices_in(const std::string& name) {
  const std::size_t open = name.find(":{");
  if (open != std::string::npos) return parts(name.substr(open + 2, name.find('}') - open - 2), ',');
  return name.find('|') == std::string::npos ? std::vector<std::string>() : parts(name, '|');
}

std::string without_rest(const std::string& name) {
  return name.substr(0, name.find_first_of(": "));
}

}  // namespace

ValueText value_of(const std::string& name) {
  if (name.empty()) return {};
  if (std::vector<std::string> choices = choices_in(name); !choices.empty())
    return {.kind = ValueText::Kind::Choice, .name = "WORD", .endings = {}, .choices = std::move(choices)};
  ValueText out{.kind = ValueText::Kind::Anything, .name = without_rest(name), .endings = {}, .choices = {}};
  if (out.name == "DIR" || out.name == "DIRS") out.kind = ValueText::Kind::Folder;
  if (out.name == "F" || out.name == "FILE" || out.name == "FILES") out.kind = ValueText::Kind::File;
  if (const std::size_t dot = out.name.find('.'); dot != std::string::npos) {
    out.kind = ValueText::Kind::File;
    out.endings = {out.name.substr(dot + 1)};
  }
  return out;
}

}  // namespace fermiac::cli
