// Colours of a line that is typed, and the line on the screen.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "repl/shell/highlight.h"
#include "repl/shell/line_painter.h"
#include "support/base/rng.h"

namespace fermiac::repl {
namespace {

/// One letter per byte: . plain, K keyword, T type, N number, S string, F function, C comment, : command, ! wrong.
std::string letters(std::string_view text) {
  static constexpr std::string_view kLetters = ".KTNSFC:!";
  std::string out;
  for (const Ink ink : inks_of(text, [](std::string_view name) { return name == "exp" || name == "normal"; }))
    out += kLetters[static_cast<std::size_t>(ink)];
  return out;
}

struct Line {
  const char* text;
  const char* inks;
};

class Inks : public testing::TestWithParam<Line> {};

TEST_P(Inks, AreWhatTheCharactersAre) {
  EXPECT_EQ(letters(GetParam().text), GetParam().inks) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(Repl, Inks, testing::ValuesIn(std::vector<Line>{
    {"", ""},
    {"real x = 1.5;", "TTTT.....NNN."},
    {"row_vector[3] v", "TTTTTTTTTT.N..."},
    {"for (i in 1:3) y += exp(i)", "KKK....KK.N.N.......FFF..."},
    {"transformed data {", "KKKKKKKKKKK.KKKK.."},
    {"y ~ normal(0, 1) T[0, ]", "....FFFFFF.N..N..K.N..."},
    {"T[1] + T", "..N....."},
    {"x1 + y_2 + exper", "................"},
    {"1e-3 + .5 + 2i + 3.*x", "NNNN...NN...NN...N..."},
    {"2x + 1.e5", "!!...NNNN"},
    {"print(\"a // b\") // c", "KKKKK.SSSSSSSS..CCCC"},
    {"1 /* two */ 2", "N.CCCCCCCCC.N"},
    {"/* open\nreal", "CCCCCCCCCCCC"},
    {":plot normal(0, 1)", ":::::.FFFFFF.N..N."},
    {"(]", ".!"},
    {"f(1))", "..N.!"},
    {"{[(", "..."},
    {"\"open", "SSSSS"},
    {"\"open\n1", "!!!!!.N"},
    {"a\xc3\xa9 1", "....N"},
}));

TEST(InkCodes, EachBeginsAnew) {
  for (int i = 0; i <= static_cast<int>(Ink::Wrong); ++i)
    EXPECT_TRUE(ink_code(static_cast<Ink>(i)).starts_with("\x1b[0")) << i;
}

TEST(Characters, TakeTheirColumns) {
  EXPECT_EQ(columns_of_character(U'a'), 1);
  EXPECT_EQ(columns_of_character(U'é'), 1);
  EXPECT_EQ(columns_of_character(U'\u0301'), 0);
  EXPECT_EQ(columns_of_character(U'語'), 2);
}

/// What a terminal makes of the bytes it is sent: as much of one as the painter needs.
class Terminal {
 public:
  explicit Terminal(ScreenSize size) : size_(size), rows_(static_cast<std::size_t>(size.rows)) {}

  void write(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) i += text[i] == '\x1b' ? escape(text.substr(i)) : character(text.substr(i));
  }
  int row = 0, column = 0;
  std::string line(int r) const {
    std::string out;
    for (const std::string& cell : rows_[static_cast<std::size_t>(r)]) out += cell;
    return out.substr(0, out.find_last_not_of(' ') + 1);
  }
  /// All that is on the screen.
  std::string all() const {
    std::string out;
    for (int r = 0; r < size_.rows; ++r) out += line(r) + "\n";
    return out;
  }

 private:
  std::size_t character(std::string_view text) {
    const char c = text[0];
    if (c == '\r') return column = 0, wrapping_ = false, 1;
    if (c == '\n') return down(), wrapping_ = false, 1;
    std::size_t n = 1;
    while (n < text.size() && (static_cast<unsigned char>(text[n]) & 0xc0) == 0x80) ++n;
    if (wrapping_) column = 0, down(), wrapping_ = false;
    std::vector<std::string>& cells = rows_[static_cast<std::size_t>(row)];
    if (cells.size() <= static_cast<std::size_t>(column)) cells.resize(static_cast<std::size_t>(column) + 1, " ");
    cells[static_cast<std::size_t>(column)] = text.substr(0, n);
    if (column + 1 == size_.columns) wrapping_ = true;  // as terminals do: the next character wraps
    else ++column;
    return n;
  }
  void down() {
    if (row + 1 < size_.rows) {
      ++row;
      return;
    }
    rows_.erase(rows_.begin());
    rows_.emplace_back();
  }
  std::size_t escape(std::string_view text) {
    std::size_t end = 2;
    while (!std::isalpha(static_cast<unsigned char>(text[end]))) ++end;
    const int n = end > 2 ? std::atoi(std::string(text.substr(2, end - 2)).c_str()) : 1;
    switch (text[end]) {
      case 'A': row = std::max(0, row - n); break;
      case 'B': row = std::min(size_.rows - 1, row + n); break;
      case 'C': column = std::min(size_.columns - 1, column + n); break;
      case 'J': erase_below(); break;
      case 'm': return end + 1;
      default: ADD_FAILURE() << "the painter uses " << text.substr(0, end + 1); break;
    }
    wrapping_ = false;
    return end + 1;
  }
  void erase_below() {
    auto& cells = rows_[static_cast<std::size_t>(row)];
    if (cells.size() > static_cast<std::size_t>(column)) cells.resize(static_cast<std::size_t>(column));
    for (std::size_t r = static_cast<std::size_t>(row) + 1; r < rows_.size(); ++r) rows_[r].clear();
  }
  ScreenSize size_;
  std::vector<std::vector<std::string>> rows_;
  bool wrapping_ = false;
};

std::string paint(LinePainter& painter, std::string_view text, std::size_t cursor, ScreenSize size) {
  return painter.draw("\001\x1b[1m\002> \001\x1b[0m\002", text, inks_of(text, {}), cursor, size);
}

TEST(LinePainter, WrapsAndPutsTheCursor) {
  const ScreenSize size{.rows = 6, .columns = 10};
  Terminal terminal(size);
  LinePainter painter;
  terminal.write(paint(painter, "12345678", 8, size));  // fills the row: the cursor goes to the next one
  EXPECT_EQ(terminal.all(), "> 12345678\n\n\n\n\n\n");
  EXPECT_EQ(terminal.row, 1);
  EXPECT_EQ(terminal.column, 0);
  terminal.write(paint(painter, "123456789", 0, size));
  EXPECT_EQ(terminal.all(), "> 12345678\n9\n\n\n\n\n");
  EXPECT_EQ(terminal.row, 0);
  EXPECT_EQ(terminal.column, 2);
  terminal.write(paint(painter, "f(x) {\n  1\n}", 9, size));
  EXPECT_EQ(terminal.all(), "> f(x) {\n  1\n}\n\n\n\n");
  EXPECT_EQ(terminal.row, 1);
  EXPECT_EQ(terminal.column, 2);
  terminal.write(painter.leave());
  EXPECT_EQ(terminal.row, 3);
  EXPECT_EQ(terminal.column, 0);
  terminal.write(paint(painter, "next", 4, size));
  EXPECT_EQ(terminal.all(), "> f(x) {\n  1\n}\n> next\n\n\n");
}

TEST(LinePainter, ShowsControlCharactersAndTabs) {
  const ScreenSize size{.rows = 3, .columns = 40};
  Terminal terminal(size);
  LinePainter painter;
  terminal.write(paint(painter, "a\x01\tb\xff", 5, size));
  EXPECT_EQ(terminal.line(0), "> a^A   b?");
}

TEST(LinePainter, ShowsThePartAroundTheCursorOfAnInputHigherThanTheScreen) {
  const ScreenSize size{.rows = 3, .columns = 10};
  Terminal terminal(size);
  LinePainter painter;
  terminal.write(paint(painter, "1\n2\n3\n4\n5", 9, size));
  EXPECT_EQ(terminal.all(), "3\n4\n5\n");
  terminal.write(paint(painter, "1\n2\n3\n4\n5", 0, size));
  EXPECT_EQ(terminal.all(), "> 1\n2\n3\n");
  EXPECT_EQ(terminal.row, 0);
}

/// Random editing: after every step the screen is what a fresh drawing gives.
TEST(LinePainter, RedrawsOverWhatWasThere) {
  const std::uint64_t seed = 7;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Rng rng(seed);
  const ScreenSize size{.rows = 30, .columns = 12};
  Terminal terminal(size);
  LinePainter painter;
  std::string text;
  for (int step = 0; step < 3000; ++step) {
    static constexpr std::string_view kKeys = "ab1(]\" \n\t\"/*";
    const std::size_t at = rng() % (text.size() + 1);
    if (rng() % 3 == 0 && !text.empty()) text.erase(at, 1 + rng() % 10);
    else if (text.size() < 120) text.insert(at, 1, kKeys[rng() % kKeys.size()]);
    const std::size_t cursor = rng() % (text.size() + 1);
    terminal.write(paint(painter, text, cursor, size));
    Terminal fresh(size);
    LinePainter first;
    fresh.write(paint(first, text, cursor, size));
    ASSERT_EQ(terminal.all(), fresh.all()) << text;
    ASSERT_EQ(terminal.row, fresh.row) << text;
    ASSERT_EQ(terminal.column, fresh.column) << text;
  }
}

}  // namespace
}  // namespace fermiac::repl
