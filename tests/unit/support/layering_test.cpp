// Which folder includes headers of which: the order of docs/design/layout.md.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace fermiac {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

const fs::path kRoot = FERMIAC_SOURCE_DIR;
/// Folders whose sources have a place in the order.
const Names kOrdered = {"support", "plugins", "frontend", "mir", "codegen", "jit", "autodiff", "inference",
                        "interp", "repl", "bindings", "cli", "tests/conformance"};

/// The folders of the map by their place: the first column of its table.
std::map<std::string, int> map_order() {
  static const std::regex kFolder("`([^`]+)`");
  std::ifstream in(kRoot / "docs/design/layout.md");
  std::map<std::string, int> order;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("| `")) continue;
    const std::string cell = line.substr(1, line.find('|', 1) - 1);
    for (std::sregex_iterator at(cell.begin(), cell.end(), kFolder), end; at != end; ++at)
      order.emplace((*at)[1], static_cast<int>(order.size()));
  }
  return order;
}

std::string folder_of(const std::string& path) { return fs::path(path).parent_path().string(); }
bool is_source(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".h" || extension == ".cpp" || extension == ".inc" || extension == ".inl";
}

/// Calls visit(file) for each source of the folders, as a path from the root of the sources.
void for_each_source(const Names& folders, const std::function<void(const std::string&)>& visit) {
  for (const std::string& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder))
      if (is_source(entry.path())) visit(fs::relative(entry.path(), kRoot).string());
}

/// Calls visit(line, number) for each line of a file.
void for_each_line(const std::string& file, const std::function<void(const std::string&, std::size_t)>& visit) {
  std::ifstream in(kRoot / file);
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) visit(line, ++number);
}

TEST(Layering, FilesIncludeOnlyFromFoldersAboveTheirs) {
  static const std::regex kInclude("^\\s*#\\s*include \"([^\"]+)\"");
  const std::map<std::string, int> order = map_order();
  std::size_t seen = 0;
  for_each_source(kOrdered, [&](const std::string& file) {
    for_each_line(file, [&](const std::string& line, std::size_t) {
      std::smatch match;
      if (!std::regex_search(line, match, kInclude)) return;
      const std::string from = folder_of(file), to = folder_of(match[1]);
      ++seen;
      if (from == to) return;
      ASSERT_TRUE(order.contains(from) && order.contains(to)) << file << " includes " << match[1] << ": a folder is not on the map";
      EXPECT_LT(order.at(to), order.at(from)) << file << " includes " << match[1];
    });
  });
  EXPECT_GT(seen, 1000u);
}

TEST(Layering, TheMapHasTheFoldersThatThereAre) {
  const std::map<std::string, int> order = map_order();
  std::set<std::string> present;
  for_each_source(kOrdered, [&](const std::string& file) { present.insert(folder_of(file)); });
  for (const std::string& folder : present) EXPECT_TRUE(order.contains(folder)) << folder;
  for (const auto& [folder, place] : order) EXPECT_TRUE(present.contains(folder)) << folder;
}

/// Lines of code that match, as `file:line`; comments are skipped.
Names lines_with(const std::regex& pattern, const Names& folders) {
  Names out;
  for_each_source(folders, [&](const std::string& file) {
    for_each_line(file, [&](const std::string& line, std::size_t number) {
      if (std::regex_search(line.substr(0, line.find("//")), pattern)) out.push_back(file + ":" + std::to_string(number));
    });
  });
  return out;
}

const std::regex kThrowing("\\bsto(i|l|ll|ul|ull|f|d|ld)\\s*\\(");
const std::regex kUnchecked("\\b(strto(l|ll|ul|ull|f|d|ld|imax|umax)|ato(i|l|ll|f))\\s*\\(");

/// std::stod() throws for 1e-310, strtol() depends on the platform and strtod() on the locale: literal_real(), literal_int()
/// and read_number() of support/base/text.h are for numbers of programs.
TEST(Numbers, ProgramsAreReadByTheHelpers) {
  EXPECT_TRUE(std::regex_search("x = std::stoi(text);", kThrowing));
  EXPECT_TRUE(std::regex_search("std::strtod(text, nullptr)", kUnchecked));
  EXPECT_EQ(lines_with(kThrowing, {"support", "frontend", "mir", "codegen", "interp", "inference", "bindings", "repl", "cli"}), Names{});
  EXPECT_EQ(lines_with(kUnchecked, {"frontend", "mir", "codegen", "interp/exec", "repl", "cli/jupyter", "cli/lsp", "cli/stanc"}), Names{});
}

}  // namespace
}  // namespace fermiac
