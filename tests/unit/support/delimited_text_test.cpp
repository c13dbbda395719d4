#include "support/base/delimited_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/base/json_scan.h"

namespace fermiac {
namespace {

/// Names, then rows, cells between `|`.
std::string read(const std::string& text) {
  const DelimitedText table(text, "t.csv");
  std::string out;
  for (const std::string_view name : table.columns()) out += std::string(name) + "|";
  for (std::size_t i = 0; i < table.rows(); ++i) {
    out += "\n";
    for (std::size_t k = 0; k < table.columns().size(); ++k) out += std::string(table.cell(i, k)) + "|";
  }
  return out;
}

std::string problem(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& e) {
    return e.what();
  }
  return {};
}

TEST(DelimitedText, Csv) {
  EXPECT_EQ(read("x,y\n1,2.5\n3,\n"), "x|y|\n1|2.5|\n3||");
  EXPECT_EQ(read("x,y\r\n1,2\r\n\r\n3,4"), "x|y|\n1|2|\n3|4|");
  EXPECT_EQ(read("\xEF\xBB\xBFx\n1\n"), "x|\n1|");
  EXPECT_EQ(read("# made by hand\n\nx , y\n 1 , 2 \n"), "x|y|\n1|2|");
  EXPECT_EQ(read("x\n"), "x|");
}

TEST(DelimitedText, OtherSeparators) {
  EXPECT_EQ(read("x\ty\n1,5\t2\n"), "x|y|\n1,5|2|");
  EXPECT_EQ(read("x;y\n1,5;2\n"), "x|y|\n1,5|2|");
}

TEST(DelimitedText, Quotes) {
  EXPECT_EQ(read("\"\",\"x y\"\n\"1\",\"a, \"\"b\"\"\nc\"\n2,d\n"), "|x y|\n1|a, \"b\"\nc|\n2|d|");
}

TEST(DelimitedText, Mistakes) {
  EXPECT_EQ(problem(""), "t.csv: there is no line with the names of the columns");
  EXPECT_EQ(problem("# a\n#b\n"), "t.csv: there is no line with the names of the columns");
  EXPECT_EQ(problem("x,y\n1,2\n\n3\n"), "t.csv, line 4: 1 cell, but the first line names 2 columns");
  EXPECT_EQ(problem("x\n1\n2,3\n"), "t.csv, line 3: 2 cells, but the first line names 1 column");
  EXPECT_EQ(problem("x\n1\n\"2\n"), "t.csv, line 3: a quote is not closed");
  EXPECT_EQ(problem("x,y\n\"1\"2,3\n"), "t.csv, line 2: '2' stands behind a closing quote");
}

}  // namespace
}  // namespace fermiac
