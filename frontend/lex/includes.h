// Which files a program may include.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/text_file.h"

namespace fermiac::lex {

enum class IncludeRule : std::uint8_t {
  Anywhere,  // whatever a name leads to from the include paths
  Confined,  // only what lies in one of them, links resolved: for text from strangers
  None       // no file at all
};

inline constexpr std::size_t kMostIncludes = 10000;

/// Finds and reads what include directives name, and keeps count.
class IncludeFinder {
 public:
  IncludeFinder(const std::vector<std::string>& paths, IncludeRule rule) : paths_(paths), rule_(rule) {}

  struct Found {
    TextFile::State state = TextFile::State::Missing;
    std::string path;
    std::string text;
    std::string problem;  // why it was refused
  };
  Found find(std::string_view name);
  /// Counts a file that is spliced in. Empty, or why it may not be.
  std::string count(const std::string& text);
  /// True the first time, under whatever name.
  bool first_time(const std::string& path);

 private:
  bool inside(const std::string& path, const std::string& folder) const;

  const std::vector<std::string>& paths_;
  IncludeRule rule_;
  std::set<std::string> seen_;
  std::size_t files_ = 0, bytes_ = 0;
};

}  // namespace fermiac::lex

namespace fermiac {
using lex::IncludeRule;
}
