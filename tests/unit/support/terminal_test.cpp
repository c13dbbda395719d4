// Whether output is colored, in a terminal and outside of one.
#include "support/platform/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>

namespace fermiac {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

/// A variable of the environment while this lives; null: not set.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* now = std::getenv(name)) before_ = now, was_set_ = true;
    value ? setenv(name, value, 1) : unsetenv(name);
  }
  ~Variable() { was_set_ ? setenv(name_, before_.c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::string before_;
  bool was_set_ = false;
};

struct Row {
  const char *term, *no_color;
  bool escapes, color;
};
constexpr Row kRows[] = {{"xterm-256color", nullptr, true, true}, {"xterm", "", true, true},     {"xterm", "1", true, false}, {"dumb", nullptr, false, false},
                         {"unknown", nullptr, false, false},      {"emacs", nullptr, false, false}, {"", nullptr, false, false}, {nullptr, nullptr, false, false}};

TEST(Terminal, ColorsWhereTheTerminalUnderstandsThem) {
  const int controller = posix_openpt(O_RDWR | O_NOCTTY);
  if (controller < 0 || grantpt(controller) != 0 || unlockpt(controller) != 0) GTEST_SKIP() << "no pseudoterminals here";
  const File keeps(fdopen(controller, "r+")), terminal(std::fopen(ptsname(controller), "w"));
  ASSERT_TRUE(terminal);
  for (const Row& row : kRows) {
    const Variable term("TERM", row.term), no_color("NO_COLOR", row.no_color);
    EXPECT_EQ(understands_escapes(terminal.get()), row.escapes) << (row.term ? row.term : "no TERM");
    EXPECT_EQ(wants_color(terminal.get()), row.color) << (row.term ? row.term : "no TERM");
  }
}

TEST(Terminal, FilesHaveNoColors) {
  const File file(std::tmpfile());
  const Variable term("TERM", "xterm"), no_color("NO_COLOR", nullptr);
  EXPECT_FALSE(wants_color(file.get()));
  EXPECT_FALSE(understands_escapes(file.get()));
}

}  // namespace
}  // namespace fermiac
