// Files that a run leaves, compared.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace fermiac::testing {

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// All of a CSV file but what tells when, how long and where.
inline std::string timeless(const std::filesystem::path& path) {
  std::istringstream in(text_of(path));
  std::string out;
  for (std::string line; std::getline(in, line);) {
    const auto has = [&](const char* word) { return line.find(word) != std::string::npos; };
    if (line.starts_with("#") && (has("start_datetime") || has(" seconds (") || has("file = "))) continue;
    out += line + "\n";
  }
  return out;
}

}  // namespace fermiac::testing
