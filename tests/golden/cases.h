// Small programs with what passes make of them: files *.cases, each case
//   === name
//   // why
//   PASS pass, pass
//   SHOW section, section
//   DATA {"x": 1}
//   …program…
//   --- in
//   …before…
//   --- out
//   …after…
// SHOW and DATA may be missing. FERMIAC_UPDATE_GOLDENS=1 rewrites what follows the program.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace fermiac::test {

using Lines = std::vector<std::string>;

inline bool updating() {
  return std::getenv("FERMIAC_UPDATE_GOLDENS") != nullptr;
}

/// Files with this extension in a folder of tests/golden.
inline std::vector<std::filesystem::path> golden_files(const std::string& folder, const std::string& extension) {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::directory_iterator(FERMIAC_SOURCE_DIR "/tests/golden/" + folder))
    if (entry.path().extension() == extension) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

inline Lines lines_of(std::istream& in) {
  Lines out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}
inline Lines lines_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  return lines_of(in);
}
inline Lines lines_of(const std::string& text) {
  std::istringstream in(text);
  return lines_of(in);
}

inline void write(const std::filesystem::path& path, const Lines& lines) {
  std::ofstream out(path);
  for (const std::string& line : lines) out << line << "\n";
}

struct Case {
  std::string name;
  Lines head;  // up to the program's end
  Lines passes, sections{"log_prob"};
  std::string data = "{}";
  std::string source, in, out;
};

inline Lines words(const std::string& text) {
  std::string blanks = text;
  std::replace(blanks.begin(), blanks.end(), ',', ' ');
  std::istringstream in(blanks);
  return {std::istream_iterator<std::string>(in), {}};
}

inline void take_head(Case& c, const std::string& line) {
  c.head.push_back(line);
  if (line.starts_with("PASS "))
    c.passes = words(line.substr(5));
  else if (line.starts_with("SHOW "))
    c.sections = words(line.substr(5));
  else if (line.starts_with("DATA "))
    c.data = line.substr(5);
  else if (!line.starts_with("===") && !line.starts_with("//"))
    c.source += line + "\n";
}

inline std::vector<Case> cases_of(const std::filesystem::path& path) {
  std::vector<Case> out;
  std::string* to = nullptr;  // null within the head
  for (const std::string& line : lines_of(path)) {
    if (line.starts_with("=== ")) {
      out.emplace_back().name = line.substr(4);
      to = nullptr;
    }
    if (out.empty()) continue;
    if (line == "--- in")
      to = &out.back().in;
    else if (line == "--- out")
      to = &out.back().out;
    else if (to == nullptr)
      take_head(out.back(), line);
    else
      *to += line + "\n";
  }
  return out;
}

struct Shown {
  std::string in, out;
};

/// Compares what `show` gives for each case of the files with what they say. Returns the number of cases.
inline std::size_t check_cases(const std::string& folder, const std::function<Shown(const std::filesystem::path&, const Case&)>& show) {
  std::size_t count = 0;
  for (const std::filesystem::path& path : golden_files(folder, ".cases")) {
    Lines rewritten;
    for (const Case& c : cases_of(path)) {
      SCOPED_TRACE(path.filename().string() + ": " + c.name);
      const Shown shown = show(path, c);
      ++count;
      rewritten.insert(rewritten.end(), c.head.begin(), c.head.end());
      for (const std::string& line : lines_of("--- in\n" + shown.in + "--- out\n" + shown.out)) rewritten.push_back(line);
      if (updating()) continue;
      EXPECT_EQ(shown.in, c.in);
      EXPECT_EQ(shown.out, c.out);
    }
    if (updating()) write(path, rewritten);
  }
  return count;
}

}  // namespace fermiac::test
