#include "cli/cmdstan/files.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "support/platform/descriptor.h"

namespace fermiac::cmdstan {
namespace {

/// Where the ending begins; the length of the name if there is none.
std::size_t ending_of(std::string_view file) {
  const std::size_t slash = file.rfind('/'), dot = file.rfind('.');
  const bool has_ending =
      dot != std::string_view::npos && (slash == std::string_view::npos || dot > slash + 1) && dot > 0;
  return has_ending ? dot : file.size();
}

std::vector<std::string> names_of(const std::string& list) {
  std::vector<std::string> out;
  for (std::size_t start = 0; start <= list.size();) {
    const std::size_t comma = std::min(list.find(',', start), list.size());
    out.push_back(list.substr(start, comma - start));
    start = comma + 1;
  }
  return out;
}

Status wrong_count(const std::string& list, std::size_t found, unsigned chains) {
  return Status::failed("Number of filenames does not match number of chains: '" + list + "' has " +
                      std::to_string(found) + ", expected " + std::to_string(chains));
}

std::string number_tag(unsigned number) {
  return "_" + std::to_string(number);
}

}  // namespace

std::string with_tag(std::string_view file, std::string_view tag) {
  const std::size_t at = ending_of(file);
  return std::string(file.substr(0, at)) + std::string(tag) + std::string(file.substr(at));
}

std::string with_tag(std::string_view file, std::string_view tag, std::string_view ending) {
  return std::string(file.substr(0, ending_of(file))) + std::string(tag) + std::string(ending);
}

Status output_files(const std::string& name, const Naming& naming, std::vector<std::string>* out) {
  out->clear();
  const auto named = [&](std::string_view file, const std::string& number) {
    const std::string tag = std::string(naming.tag) + number;
    return naming.ending.empty() ? with_tag(file, tag) : with_tag(file, tag, naming.ending);
  };
  if (name.find(',') != std::string::npos) {
    const std::vector<std::string> names = names_of(name);
    for (const std::string& file : names) out->push_back(named(file, ""));
    return names.size() == naming.chains ? Status{} : wrong_count(name, names.size(), naming.chains);
  }
  for (unsigned c = 0; c < naming.chains; ++c)
    out->push_back(named(name, naming.chains == 1 ? "" : number_tag(naming.id + c)));
  return {};
}

Status input_files(const std::string& name, unsigned chains, unsigned id, std::vector<std::string>* out) {
  *out = {name};
  if (name.find(',') != std::string::npos) *out = names_of(name);
  if (out->size() > 1 && out->size() != chains) return wrong_count(name, out->size(), chains);
  if (out->size() == 1) {
    const bool numbered = chains > 1 && std::filesystem::exists(with_tag(name, number_tag(id)));
    out->assign(chains, name);
    for (unsigned c = 0; numbered && c < chains; ++c) (*out)[c] = with_tag(name, number_tag(id + c));
  }
  for (const std::string& file : *out)
    if (Status bad = check_readable(file); !bad) return bad;
  return {};
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code not_there;
  return a == b || std::filesystem::equivalent(a, b, not_there);
}

bool is_json(const std::string& file) {
  return file.ends_with(".json");
}

void warn_of_r_dump(const std::string& file) {
  if (is_json(file)) return;
  std::fprintf(stderr,
               "Warning: file '%s' is being read as an R dump.\n\tThis format is deprecated.\n"
               "\tConsider saving your data in JSON format instead.\n",
               file.c_str());
}

Status check_readable(const std::string& file) {
  std::error_code ignored;
  const bool fine = may_read(file) && !std::filesystem::is_directory(file, ignored);
  return fine ? Status{} : Status::failed("Cannot open specified file, \"" + file + "\"");
}

}  // namespace fermiac::cmdstan
