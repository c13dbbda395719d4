// Code compiled for one instruction set stays in its namespace: an inline function outside it would be merged by the linker with
// copies that other files have, and might then run on a machine that lacks the instructions.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace fermiac {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> objects(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".o") found.push_back(entry.path());
  return found;
}

/// Functions that the linker may merge with those of other files (W). Constant data it may merge too, and no harm is done.
std::vector<std::string> merged_symbols(const fs::path& object) {
  std::vector<std::string> found;
  std::FILE* const nm = popen(("nm -C --defined-only '" + object.string() + "'").c_str(), "r");
  if (nm == nullptr) return {"nm cannot be started"};
  char line[65536];
  while (std::fgets(line, sizeof line, nm) != nullptr) {
    const std::string text = line;
    const std::size_t space = text.find(' ');
    if (space != std::string::npos && space + 1 < text.size() && text[space + 1] == 'W')
      found.push_back(text.substr(space + 3));
  }
  if (pclose(nm) != 0) found.push_back("nm failed");
  return found;
}

TEST(IsaSymbols, NothingLeavesItsNamespace) {
#ifdef FERMIAC_SANITIZED
  GTEST_SKIP() << "the sanitizer adds symbols of its own";
#endif
  std::set<std::string> levels;
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(FERMIAC_BINARY_DIR "/autodiff/CMakeFiles")) {
    const std::string name = entry.path().filename().string(), mark = "_kernels_";  // fermiac_autodiff_kernels_avx2.dir
    const std::size_t at = name.find(mark);
    if (at == std::string::npos) continue;
    const std::string level = name.substr(at + mark.size(), name.find('.') - at - mark.size()), space = "isa_" + level + "::";
    levels.insert(level);
    for (const fs::path& object : objects(entry.path())) {
      ++files;
      for (const std::string& symbol : merged_symbols(object))
        EXPECT_NE(symbol.find(space), std::string::npos) << object << " has " << symbol;
    }
  }
  EXPECT_GE(levels.size(), 1u);
  EXPECT_GE(files, 10u * levels.size());
}

}  // namespace
}  // namespace fermiac
