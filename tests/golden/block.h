// Programs with what is expected of them in a block at their end: `//|` lines. Shared by the tests that run stanc on
// them.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace fermiac::golden {

namespace fs = std::filesystem;

inline std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void spill(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// `text` as lines of a block, under `title`.
inline std::string section(const std::string& title, const std::string& text) {
  if (text.empty()) return "";
  std::string result = "//|" + title + "\n";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    result += line.empty() ? "//|\n" : "//| " + line + "\n";
    at = end + 1;
  }
  return result;
}

/// The arguments of the RUN line, with the file's name for %s.
inline std::string arguments(const std::string& program, const fs::path& file) {
  const std::size_t at = program.find("// RUN: ");
  std::string args = at == std::string::npos ? "" : program.substr(at + 8, program.find('\n', at) - at - 8);
  const std::size_t name = args.find("%s");
  if (name != std::string::npos) args.replace(name, 2, file.filename().string());
  return args;
}

inline std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> result;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) result.push_back(entry.path());
  std::sort(result.begin(), result.end());
  return result;
}

inline std::string test_name(const fs::path& file) {
  std::string name = file.filename().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

}  // namespace fermiac::golden
