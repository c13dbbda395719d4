#include "frontend/lex/includes.h"

#include <filesystem>

namespace fermiac::lex {
namespace {

std::string resolved(const std::string& path) {
  std::error_code failed;
  std::filesystem::path real = std::filesystem::weakly_canonical(path, failed);
  return failed ? path : real.string();
}

}  // namespace

bool IncludeFinder::inside(const std::string& path, const std::string& folder) const {
  std::string root = resolved(folder);
  if (!root.ends_with('/')) root += '/';
  return resolved(path).starts_with(root);
}

IncludeFinder::Found IncludeFinder::find_carried(std::string_view name) const {
  for (const std::string& folder : paths_) {
    const auto found = carried_->find(folder + "/" + std::string(name));
    if (found != carried_->end()) return {TextFile::State::Read, found->first, found->second, {}};
  }
  return {};
}

IncludeFinder::Found IncludeFinder::find(std::string_view name) {
  if (carried_) return find_carried(name);
  const std::string quoted = "include file '" + std::string(name) + "'";
  if (rule_ == IncludeRule::None)
    return {TextFile::State::Refused, {}, {}, "Includes are switched off: " + quoted + " is not read."};
  for (const std::string& folder : paths_) {
    std::string path = folder + "/" + std::string(name);
    const bool allowed = rule_ != IncludeRule::Confined || inside(path, folder);
    if (!allowed) {
      std::error_code ignored;
      if (!std::filesystem::exists(path, ignored)) continue;
      return {TextFile::State::Refused, {}, {}, "The " + quoted + " lies outside the include path '" + folder + "'."};
    }
    TextFile file = read_text_file(rule_ == IncludeRule::Confined ? resolved(path) : path, false);
    if (file.state == TextFile::State::Missing) continue;
    return {file.state, std::move(path), std::move(file.text), "Cannot include: " + file.problem + "."};
  }
  return {};
}

Status IncludeFinder::count(const std::string& text) {
  bytes_ += text.size();
  if (++files_ > kMostIncludes) return Status::invalid("More than " + std::to_string(kMostIncludes) + " files are included.");
  if (bytes_ > kLongestProgram)
    return Status::invalid("The included files are longer than " + std::to_string(kLongestProgram >> 20) + " MiB together.");
  return {};
}

bool IncludeFinder::first_time(const std::string& path) {
  return seen_.insert(resolved(path)).second;
}

}  // namespace fermiac::lex
