// Places in units of UTF-16, and how they move when a text changes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/lsp/analysis.h"
#include "cli/lsp/positions.h"
#include "cli/lsp/uri.h"
#include "support/base/json_build.h"
#include "support/base/utf8.h"

namespace fermiac::lsp {
namespace {

TEST(Positions, CountUnitsOfUtf16) {
  const std::string text = "aé𝛼b\nx";
  const Positions positions(text);
  const std::vector<std::pair<std::size_t, Position>> places = {
      {0, {0, 0}}, {1, {0, 1}}, {3, {0, 2}}, {7, {0, 4}}, {8, {0, 5}}, {9, {1, 0}}, {10, {1, 1}}};
  for (const auto& [offset, position] : places) {
    EXPECT_EQ(positions.offset(position), offset);
    EXPECT_EQ(positions.position(offset), position) << offset;
  }
  EXPECT_EQ(positions.offset({0, 3}), 3u);  // between the halves of 𝛼: its beginning
  EXPECT_EQ(positions.position(5), (Position{0, 2}));  // inside its bytes
}

TEST(Positions, KnowEveryEndOfLine) {
  const std::string text = "a\r\nb\rc\n\nd";
  const Positions positions(text);
  EXPECT_EQ(positions.lines(), 5u);
  EXPECT_EQ(positions.offset({1, 0}), 3u);
  EXPECT_EQ(positions.offset({2, 0}), 5u);
  EXPECT_EQ(positions.offset({4, 1}), 9u);
  EXPECT_EQ(positions.position(2), (Position{0, 1}));  // between \r and \n
}

TEST(Positions, BehindTheEndIsTheEnd) {
  const Positions positions("ab\ncd");
  EXPECT_EQ(positions.offset({0, 99}), 2u);
  EXPECT_EQ(positions.offset({99, 0}), 5u);
  EXPECT_EQ(positions.position(99), (Position{1, 2}));
  EXPECT_EQ(Positions("").position(0), (Position{0, 0}));
  EXPECT_EQ(Positions("x\n").offset({1, 0}), 2u);
}

TEST(Positions, GoThereAndBack) {
  const std::string text = "é𝛼\r\n\nx\xff𝛽\xe2\x82";
  const Positions positions(text);
  for (std::size_t line = 0; line < positions.lines(); ++line)
    for (std::size_t character = 0; character < 6; ++character) {
      const std::size_t offset = positions.offset({line, character});
      EXPECT_EQ(positions.offset(positions.position(offset)), offset);
    }
}

TEST(Positions, KnowLongLines) {
  std::string text = "x\n";
  for (int i = 0; i < 3000; ++i) text += "é𝛼b";
  const std::string whole = text + "\ny";
  const Positions positions(whole);
  for (std::size_t i = 0; i < 3000; i += 17) {
    EXPECT_EQ(positions.position(2 + 7 * i), (Position{1, 4 * i}));
    EXPECT_EQ(positions.offset({1, 4 * i + 1}), 2 + 7 * i + 2);
  }
  EXPECT_EQ(positions.offset({1, 1000000}), text.size());
}

TEST(MovedOffset, FollowsOneChange) {
  EXPECT_EQ(moved_offset("abcdef", "abXXdef", 1), 1u);
  EXPECT_EQ(moved_offset("abXXdef", "abcdef", 6), 5u);
  EXPECT_EQ(moved_offset("abcdef", "abcdef", 6), 6u);
  EXPECT_LE(moved_offset("abcdef", "", 4), 0u);
  EXPECT_EQ(moved_offset("", "abc", 0), 0u);
  EXPECT_LE(moved_offset("aaaa", "aa", 3), 2u);
}

TEST(Uri, FilesThereAndBack) {
  for (const std::string path : {"/a/b.stan", "/with blank/é%.stan", "/a+b&c.stan"}) EXPECT_EQ(path_of_uri(uri_of_path(path)), path);
  EXPECT_EQ(path_of_uri("file://host/a%20b"), "/a b");
  EXPECT_EQ(path_of_uri("file:///a%2"), "/a%2");
  EXPECT_EQ(path_of_uri("untitled:1"), "");
  EXPECT_EQ(path_of_uri("file://"), "");
}

TEST(Utf8, TellsTextFromBytes) {
  for (const char* text : {"", "a", "é", "€", "𝛼", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"}) EXPECT_TRUE(is_utf8(text)) << text;
  for (const char* bytes : {"\xff", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "a\x80"})
    EXPECT_FALSE(is_utf8(bytes)) << bytes;
  EXPECT_EQ(valid_utf8("a\xff\xe2\x82" "b"), "a\uFFFD\uFFFD\uFFFDb");
}

TEST(JsonTree, ReadsEscapesOfUtf16) {
  JsonValue value;
  EXPECT_TRUE(parse_json(R"("\u0041\u00e9\u20ac\ud835\udefc")", &value));
  EXPECT_EQ(value.string, "Aé€𝛼");
  for (const char* bad : {R"("\ud835")", R"("\udefc")", R"("\ud835\u0041")", R"("\u12")", R"("\u12g4")", R"("\ud835\n")", "\"\\u"})
    EXPECT_FALSE(parse_json(bad, &value)) << bad;
}

}  // namespace
}  // namespace fermiac::lsp
