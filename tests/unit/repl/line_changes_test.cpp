#include "repl/session/program_text.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace fermiac::repl {
namespace {

TEST(LineChanges, NothingForTheSameText) {
  EXPECT_EQ(line_changes("", ""), "");
  EXPECT_EQ(line_changes("a\nb\n", "a\nb\n"), "");
}

TEST(LineChanges, GroupsStandUnderTheirSection) {
  EXPECT_EQ(line_changes("log_prob {\n  x = 1;\n  y = 2;\n}\nother {\n  z = 3;\n}\n", "log_prob {\n  x = 1;\n  y = 4;\n}\nother {\n}\n"),
            "  log_prob {\n-   y = 2;\n+   y = 4;\n  other {\n-   z = 3;\n");
  EXPECT_EQ(line_changes("a\n", "a\nb\n"), "  a\n+ b\n");
}

/// Lines that are gone and new ones, counted.
TEST(LineChanges, RandomTextsLoseAndGainWhatDiffers) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    const auto text = [&] {
      std::string out;
      for (std::size_t i = random() % 12; i > 0; --i) out += std::string(1, static_cast<char>('a' + random() % 4)) + "\n";
      return out;
    };
    const std::string before = text(), after = text(), changes = line_changes(before, after);
    long balance = 0;
    for (std::size_t at = 0; at < changes.size(); at = changes.find('\n', at) + 1) balance += changes[at] == '+' ? 1 : changes[at] == '-' ? -1 : 0;
    EXPECT_EQ(balance, (static_cast<long>(after.size()) - static_cast<long>(before.size())) / 2) << before << "---\n" << after << "---\n" << changes;
    EXPECT_EQ(changes.empty(), before == after);
  }
}

}  // namespace
}  // namespace fermiac::repl
