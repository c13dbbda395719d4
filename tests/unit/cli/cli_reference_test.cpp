// The reference page of functions is what the program makes now.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

namespace {

TEST(Reference, IsFresh) {
  std::string now;
  std::FILE* pipe = popen((std::string(FERMIAC_BINARY_DIR) + "/bin/fermiac functions --reference").c_str(), "r");
  for (int c; (c = std::fgetc(pipe)) != EOF;) now += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0);
  std::ostringstream page;
  page << std::ifstream(std::string(FERMIAC_SOURCE_DIR) + "/docs/reference/functions.md").rdbuf();
  EXPECT_NE(now.find("### log1p"), std::string::npos);
  EXPECT_TRUE(now == page.str()) << "make it again: build/bin/fermiac functions --reference > docs/reference/functions.md";
}

}  // namespace
