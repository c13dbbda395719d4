// Which folder includes headers of which: the order of docs/design/layout.md. Which component includes which: no cycles.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fermiac {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

const fs::path kRoot = FERMIAC_SOURCE_DIR;
/// Folders whose sources have a place in the order.
const Names kOrdered = {"support", "plugins", "frontend", "mir", "compiler", "codegen", "jit", "autodiff", "inference",
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

/// Calls visit(file, included, number) for each #include of a file of the tree.
void for_each_include(const std::function<void(const std::string&, const std::string&, std::size_t)>& visit) {
  static const std::regex kInclude("^\\s*#\\s*include \"([^\"]+)\"");
  for_each_source(kOrdered, [&](const std::string& file) {
    for_each_line(file, [&](const std::string& line, std::size_t number) {
      std::smatch match;
      if (std::regex_search(line, match, kInclude)) visit(file, match[1], number);
    });
  });
}

TEST(Layering, FilesIncludeOnlyFromFoldersAboveTheirs) {
  const std::map<std::string, int> order = map_order();
  std::size_t seen = 0;
  for_each_include([&](const std::string& file, const std::string& included, std::size_t) {
    const std::string from = folder_of(file), to = folder_of(included);
    ++seen;
    if (from == to) return;
    ASSERT_TRUE(order.contains(from) && order.contains(to)) << file << " includes " << included << ": a folder is not on the map";
    EXPECT_LT(order.at(to), order.at(from)) << file << " includes " << included;
  });
  EXPECT_GT(seen, 1000u);
}

// ---------------------------------------------------------------- cycles between components

/// A header and the sources of the same name are one component: `autodiff/linalg/dense` is dense.h, dense.cpp and dense.isa.cpp.
std::string component_of(const std::string& path) {
  static const std::regex kEnding("(\\.isa)?\\.(h|cpp|inc|inl)$");
  return std::regex_replace(path, kEnding, "");
}

/// Components and what they include of others: the component, and the line that includes it.
using Edges = std::map<std::string, std::map<std::string, std::string>>;

/// Tarjan's algorithm: sets of components each of which includes, perhaps through others, all others of the set.
class Cycles {
 public:
  explicit Cycles(const Edges& edges) : edges_(edges) {
    for (const auto& [name, unused] : edges)
      if (!number_.contains(name)) visit(name);
  }
  std::vector<Names> found() && { return std::move(found_); }

 private:
  std::size_t visit(const std::string& name) {
    const std::size_t own = number_.size();
    std::size_t least = number_[name] = own;
    path_.push_back(name);
    if (const auto edges = edges_.find(name); edges != edges_.end())
      for (const auto& [to, line] : edges->second) least = std::min(least, reached(to));
    if (least == own) close(name);
    return least;
  }
  /// The number of the earliest component of the path that can be reached from here, or kNone.
  std::size_t reached(const std::string& name) {
    if (!number_.contains(name)) return visit(name);
    return std::ranges::find(path_, name) != path_.end() ? number_.at(name) : kNone;
  }
  void close(const std::string& first) {
    const auto begin = std::ranges::find(path_, first);
    if (path_.end() - begin > 1) found_.emplace_back(begin, path_.end());
    path_.erase(begin, path_.end());
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  const Edges& edges_;
  std::map<std::string, std::size_t> number_;  // in the order of the visits
  Names path_;
  std::vector<Names> found_;
};

/// The includes of a cycle, one a line.
std::string includes_of(const Names& cycle, const Edges& edges) {
  std::string out;
  for (const std::string& from : cycle)
    for (const auto& [to, line] : edges.at(from))
      if (std::ranges::count(cycle, to)) out += "  " + line + "\n";
  return out;
}

TEST(Layering, CyclesAreFound) {
  const Edges edges = {{"a", {{"b", "a.h:1"}}}, {"b", {{"c", "b.h:1"}}}, {"c", {{"b", "c.cpp:1"}, {"d", "c.cpp:2"}}},
                       {"e", {{"d", "e.h:1"}, {"f", "e.h:2"}}}, {"h", {{"i", "h.h:1"}}}, {"i", {{"d", "i.h:1"}}}};
  const std::vector<Names> found = Cycles(edges).found();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0], (Names{"b", "c"}));
  EXPECT_EQ(includes_of(found[0], edges), "  b.h:1\n  c.cpp:1\n");
}

TEST(Layering, ComponentsHaveNoCycles) {
  Edges edges;
  for_each_include([&](const std::string& file, const std::string& included, std::size_t number) {
    const std::string from = component_of(file), to = component_of(included);
    if (from != to) edges[from].try_emplace(to, file + ":" + std::to_string(number) + " includes " + included);
  });
  EXPECT_GT(edges.size(), 500u);
  for (const Names& cycle : Cycles(edges).found())
    ADD_FAILURE() << cycle.size() << " components include each other:\n" << includes_of(cycle, edges);
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

const Names kNoPlatform = {"support/base", "plugins", "frontend", "mir", "compiler", "codegen", "jit", "autodiff", "inference", "interp", "repl", "bindings", "cli"};

/// Headers of POSIX, Linux, processors and the library of threads. <csignal> is here as well: handlers may do little, and what they may lies in
/// support/platform/signals.h.
const std::regex kSystemHeader(
    "^\\s*#\\s*include\\s*<((sys|net|netinet|arpa|linux|asm|tbb)/|"
    "(unistd|fcntl|dlfcn|pthread|poll|termios|spawn|immintrin|x86intrin|emmintrin|arm_neon|cpuid|link|dirent|pwd|grp|csignal|signal|sched|"
    "ucontext|glob|fnmatch|ftw|elf|aio|semaphore|syslog|utime|windows)(\\.h)?>)");
const std::regex kSystemPath("\"/(proc|sys|dev)/");
/// What needs none of the headers above.
const std::regex kSystemCall(
    "\\b(environ|mkdtemp|mkstemps?|mkostemps?|open_memstream|fopencookie|fmemopen|fileno|fdopen|popen|ftrylockfile|flockfile|setenv|unsetenv|putenv|"
    "gmtime_r|localtime_r|clock_gettime|realpath|getpid|geteuid|getuid|isatty|_exit|__builtin_cpu_supports|__builtin_cpu_init|__get_cpuid)\\b\\s*[(;]");

/// What the system or the processor is asked is asked in support/platform, so that another one needs another version of that folder
/// and of nothing else.
TEST(Platform, OnlyItsFolderAsksTheSystem) {
  EXPECT_TRUE(std::regex_search("#include <sys/stat.h>", kSystemHeader));
  EXPECT_TRUE(std::regex_search("#include <csignal>", kSystemHeader));
  EXPECT_FALSE(std::regex_search("#include <system_error>", kSystemHeader));
  EXPECT_TRUE(std::regex_search("open(\"/proc/self/exe\")", kSystemPath));
  EXPECT_TRUE(std::regex_search("if (isatty (1))", kSystemCall));
  EXPECT_EQ(lines_with(kSystemHeader, kNoPlatform), Names{});
  EXPECT_EQ(lines_with(kSystemPath, kNoPlatform), Names{});
  EXPECT_EQ(lines_with(kSystemCall, kNoPlatform), Names{});
}

/// Headers of the folder have plain types, so that a version for another system can have the same ones. Exceptions: intrinsics.h is
/// nothing but such headers.
TEST(Platform, ItsHeadersHaveNoTypesOfTheSystem) {
  Names found;
  for (const std::string& line : lines_with(kSystemHeader, {"support/platform"}))
    if (line.find(".h:") != std::string::npos && !line.starts_with("support/platform/intrinsics.h:")) found.push_back(line);
  EXPECT_EQ(found, Names{});
}

const std::regex kThrowing("\\bsto(i|l|ll|ul|ull|f|d|ld)\\s*\\(");
const std::regex kUnchecked("\\b(strto(l|ll|ul|ull|f|d|ld|imax|umax)|ato(i|l|ll|f))\\s*\\(");

/// std::stod() throws for 1e-310, strtol() depends on the platform and strtod() on the locale: literal_real(), literal_int()
/// and read_number() of support/base/text.h are for numbers of programs.
TEST(Numbers, ProgramsAreReadByTheHelpers) {
  EXPECT_TRUE(std::regex_search("x = std::stoi(text);", kThrowing));
  EXPECT_TRUE(std::regex_search("std::strtod(text, nullptr)", kUnchecked));
  EXPECT_EQ(lines_with(kThrowing, {"support", "frontend", "mir", "compiler", "codegen", "interp", "inference", "bindings", "repl", "cli"}), Names{});
  EXPECT_EQ(lines_with(kUnchecked, {"frontend", "mir", "codegen", "interp/exec", "repl", "cli/jupyter", "cli/lsp", "cli/stanc"}), Names{});
}

}  // namespace
}  // namespace fermiac
