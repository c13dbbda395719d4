// Which files a program may include.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/base/status.h"
#include "support/base/text_file.h"

namespace fermiac::lex {

enum class IncludeRule : std::uint8_t {
  Anywhere,  // whatever a name leads to from the include paths
  Confined,  // only what lies in one of them, links resolved: for text from strangers
  None       // no file at all
};

inline constexpr std::size_t kMostIncludes = 10000;

/// Texts by the paths that directives lead to, for a program that carries its includes along: no file is read.
using CarriedFiles = std::map<std::string, std::string>;

/// Finds and reads what include directives name, and keeps count.
class IncludeFinder {
 public:
  IncludeFinder(const std::vector<std::string>& paths, IncludeRule rule, const CarriedFiles* carried = nullptr)
      : paths_(paths), rule_(rule), carried_(carried) {}

  struct Found {
    TextFile::State state = TextFile::State::Missing;
    std::string path;
    std::string text;
    std::string problem;  // why it was refused
  };
  Found find(std::string_view name);
  /// Counts a file that is spliced in. Fails if it may not be.
  Status count(const std::string& text);
  /// True the first time, under whatever name.
  bool first_time(const std::string& path);

 private:
  bool inside(const std::string& path, const std::string& folder) const;
  Found find_carried(std::string_view name) const;

  const std::vector<std::string>& paths_;
  IncludeRule rule_;
  const CarriedFiles* carried_;  // null: files are read
  std::set<std::string> seen_;
  std::size_t files_ = 0, bytes_ = 0;
};

}  // namespace fermiac::lex

namespace fermiac {
using lex::CarriedFiles;
using lex::IncludeRule;
}
