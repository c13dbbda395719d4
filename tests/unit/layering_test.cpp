// Who includes from whom: folders as the table says, and no cycles between the folders within them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace fermiac {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;
using Graph = std::map<std::string, Names>;

/// What a folder may include from besides itself.
const Graph kAllowed = {
    {"support", {}},
    {"frontend", {"support"}},
    {"mir", {"frontend", "support"}},
    {"codegen", {"frontend", "mir", "support"}},
    {"autodiff", {"support"}},
    {"inference", {"support"}},
    {"interp", {"autodiff", "codegen", "frontend", "inference", "mir", "support"}},
    {"capi", {"autodiff", "frontend", "inference", "interp", "mir", "support"}},
    {"repl", {"autodiff", "frontend", "inference", "interp", "mir", "support"}},
    {"jupyter", {"repl", "support"}},
    {"lsp", {"autodiff", "frontend", "inference", "mir", "repl", "support"}},
    {"cli", {"autodiff", "capi", "codegen", "frontend", "inference", "interp", "lsp", "mir", "repl", "support"}},
    {"mpi", {"support"}},
    {"netcdf", {"support"}},
    {"opencl", {"support"}},
};

std::string folder_of(const std::string& path) { return path.substr(0, path.find('/')); }
/// `autodiff/tape`, or `mir` for files right in there.
std::string subfolder_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.string();
}

/// Calls visit(file, what it includes), both from the root of the sources.
void for_each_include(const std::function<void(const std::string&, const std::string&)>& visit) {
  static const std::regex kInclude("^\\s*#\\s*include \"([^\"]+)\"");
  const fs::path root = FERMIAC_SOURCE_DIR;
  for (const auto& [folder, allowed] : kAllowed)
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cpp" && extension != ".inc" && extension != ".inl") continue;
      std::ifstream in(entry.path());
      std::smatch match;
      for (std::string line; std::getline(in, line);)
        if (std::regex_search(line, match, kInclude)) visit(fs::relative(entry.path(), root).string(), match[1]);
    }
}

TEST(Layering, FoldersIncludeAsTheTableSays) {
  std::size_t seen = 0;
  for_each_include([&](const std::string& file, const std::string& included) {
    const std::string from = folder_of(file), to = folder_of(included);
    ++seen;
    EXPECT_TRUE(kAllowed.contains(to)) << file << " includes " << included << ", which is named from nowhere";
    EXPECT_TRUE(from == to || kAllowed.at(from).contains(to)) << file << " includes " << included;
  });
  EXPECT_GT(seen, 1000u);
}

TEST(Layering, EveryFolderIsOnTheMap) {
  const fs::path root = FERMIAC_SOURCE_DIR;
  std::ifstream in(root / "docs/design/layout.md");
  const std::string page((std::istreambuf_iterator<char>(in)), {});
  for (const auto& [folder, allowed] : kAllowed)
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
      const std::string at = subfolder_of(fs::relative(entry.path(), root).string());
      EXPECT_NE(page.find("`" + at + "`"), std::string::npos) << at;
    }
}

/// Lines of product code that match, as `file:line`; comments are skipped.
std::vector<std::string> lines_with(const std::regex& pattern, const Names& folders) {
  std::vector<std::string> out;
  const fs::path root = FERMIAC_SOURCE_DIR;
  for (const std::string& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
      std::ifstream in(entry.path());
      std::size_t number = 0;
      for (std::string line; std::getline(in, line);)
        if (++number; std::regex_search(line.substr(0, line.find("//")), pattern))
          out.push_back(fs::relative(entry.path(), root).string() + ":" + std::to_string(number));
    }
  return out;
}

const std::regex kThrowing("\\bsto(i|l|ll|ul|ull|f|d|ld)\\s*\\(");
const std::regex kUnchecked("\\b(strto(l|ll|ul|ull|f|d|ld|imax|umax)|ato(i|l|ll|f))\\s*\\(");

/// std::stod() throws for 1e-310, strtol() depends on the platform and strtod() on the locale: literal_real(), literal_int()
/// and read_number() of support/base/text.h are for numbers of programs.
TEST(Numbers, ProgramsAreReadByTheHelpers) {
  EXPECT_TRUE(std::regex_search("x = std::stoi(text);", kThrowing));
  EXPECT_TRUE(std::regex_search("std::strtod(text, nullptr)", kUnchecked));
  EXPECT_EQ(lines_with(kThrowing, {"support", "frontend", "mir", "codegen", "interp", "inference", "capi", "repl", "jupyter", "lsp",
                                   "cli/stanc", "cli/fermiac", "cli/cmdstan"}),
            std::vector<std::string>{});
  EXPECT_EQ(lines_with(kUnchecked, {"frontend", "mir", "codegen", "interp/eval", "repl", "jupyter", "lsp", "cli/stanc"}),
            std::vector<std::string>{});
}

/// Appends the way round if one leads from `at` back to a folder of the path.
bool find_cycle(const Graph& graph, const std::string& at, Names& done, std::vector<std::string>& path) {
  if (std::find(path.begin(), path.end(), at) != path.end()) return path.push_back(at), true;
  if (!done.insert(at).second || !graph.contains(at)) return false;
  path.push_back(at);
  for (const std::string& next : graph.at(at))
    if (find_cycle(graph, next, done, path)) return true;
  path.pop_back();
  return false;
}

TEST(Layering, NoCyclesBetweenSubfolders) {
  Graph graph;
  std::map<std::pair<std::string, std::string>, std::string> example;
  for_each_include([&](const std::string& file, const std::string& included) {
    const std::string from = subfolder_of(file), to = subfolder_of(included);
    if (from == to) return;
    graph[from].insert(to);
    example[{from, to}] = file + " includes " + included;
  });
  Names done;
  for (const auto& [start, next] : graph) {
    std::vector<std::string> path;
    if (!find_cycle(graph, start, done, path)) continue;
    std::string way;
    for (std::size_t k = 0; k + 1 < path.size(); ++k) way += "\n  " + example[{path[k], path[k + 1]}];
    ADD_FAILURE() << "a cycle:" << way;
  }
}

}  // namespace
}  // namespace fermiac
