#include "frontend/format/format.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "frontend/ast/sexp.h"
#include "frontend/format/canonical.h"
#include "frontend/format/layout.h"
#include "frontend/parse/parse.h"

namespace fermiac {
namespace {

using format::Box;
using format::Layout;

// ---------------------------------------------------------------- layout

std::string words(Box box, int margin, int indent = 0) {
  Layout out(margin);
  out.open(Box::V);
  out.text("f(");
  out.open(box, indent);
  for (const char* word : {"aaa", "bbb", "ccc"}) {
    if (word[0] != 'a') out.brk();
    out.text(word);
  }
  out.close();
  out.close();
  return out.finish();
}

TEST(Layout, BoxesThatFitAreFlat) {
  for (const Box box : {Box::H, Box::HV, Box::Hov, Box::Pack}) EXPECT_EQ(words(box, 40), "f(aaa bbb ccc");
  EXPECT_EQ(words(Box::V, 40), "f(aaa\n  bbb\n  ccc");
}

TEST(Layout, BoxesThatDoNotFit) {
  EXPECT_EQ(words(Box::H, 12), "f(aaa bbb ccc");
  EXPECT_EQ(words(Box::HV, 12), "f(aaa\n  bbb\n  ccc");
  EXPECT_EQ(words(Box::Hov, 12), "f(aaa bbb\n  ccc");
  EXPECT_EQ(words(Box::Pack, 12), "f(aaa bbb\n  ccc");
  EXPECT_EQ(words(Box::HV, 12, 1), "f(aaa\n   bbb\n   ccc");
}

TEST(Layout, TextBehindABoxDoesNotCount) {
  Layout out(10);
  out.open(Box::Pack);
  out.text("aaaa");
  out.brk();
  out.text("bbb");
  out.close();
  out.text(" and more");
  EXPECT_EQ(out.finish(), "aaaa bbb and more");
}

// ---------------------------------------------------------------- programs

struct Formatted {
  std::string text;  // empty if the source does not parse
  std::string tree;  // of what was printed
};

Formatted formatted(const std::string& source, const format::Canonical& canonical = {},
                    const format::Options& options = {}) {
  SourceMap sources;
  Diagnostics diagnostics;
  lex::TokenStream stream;
  std::optional<ast::Program> program =
      parse_program(sources, sources.add("t.stan", source), {}, diagnostics, &stream);
  if (!program) return {};
  format::canonicalize(*program, canonical);
  return {format::format_program(sources, stream, *program, options).value_or(""), ast::to_sexp(*program)};
}

/// The lines of a model block.
std::string body(const std::string& statements, const format::Canonical& canonical = {}) {
  const std::string text = formatted("model { " + statements + " }", canonical).text;
  return text.substr(8, text.size() - 10);
}

TEST(Format, StatementsAndExpressions) {
  EXPECT_EQ(body("x=1;y[1,:]+=-2^a';"), "  x = 1;\n  y[1,  : ] += -2 ^ a';\n");
  EXPECT_EQ(body("y~normal(0,1)T[,2];"), "  y ~ normal(0, 1) T[ , 2];\n");
  EXPECT_EQ(body("(a,b.1)=f(x|y);"), "  (a, b.1) = f(x | y);\n");
  EXPECT_EQ(body("for(i in 1:2)x=i;"), "  for (i in 1 : 2) \n    x = i;\n");
  EXPECT_EQ(body("profile(\"p\"){}"), "  profile(\"p\") {\n    \n  }\n");
}

TEST(Format, EmptyLinesBetweenStatementsBecomeOne) {
  EXPECT_EQ(body("x = 1;\n\n\n\ny = 2;\nz = 3;"), "  x = 1;\n  \n  y = 2;\n  z = 3;\n");
}

TEST(Format, CommentsWithoutAPlaceComeAfterTheStatement) {
  EXPECT_EQ(body("print(1, /* a */ 2);\nx = 1;"), "  print(1, 2);\n  \n  /* ^^^: a */\n  x = 1;\n");
}

TEST(Format, Parentheses) {
  const format::Canonical canonical{.parentheses = true};
  EXPECT_EQ(body("x = ((a + b)) * (c);", canonical), "  x = (a + b) * c;\n");
  EXPECT_EQ(body("x = a < b == c;", canonical), "  x = (a < b) == c;\n");
  EXPECT_EQ(body("x[(i) : (j + 1)] = y[(i) : (j + 1)];", canonical), "  x[i : j + 1] = y[i : (j + 1)];\n");
}

TEST(Format, Braces) {
  const format::Canonical canonical{.braces = true};
  EXPECT_EQ(body("if (a) x = 1; else { if (b) x = 2; }", canonical),
            "  if (a) {\n    x = 1;\n  } else if (b) {\n    x = 2;\n  }\n");
  EXPECT_EQ(body("for (e in y) x = 1;", canonical), "  for (e in y) \n    x = 1;\n");
}

TEST(Format, ExpressionTextStaysOnOneLine) {
  SourceMap sources;
  Diagnostics diagnostics;
  const ast::ExprPtr expr = parse_expression(sources, sources.add("e", "f(a /* c */,b)\n  +  {1,2}[1]"), {}, diagnostics);
  ASSERT_TRUE(expr);
  EXPECT_EQ(format::expression_text(*expr), "f(a, b) + {1, 2}[1]");
}

TEST(Format, CommentsAfterElseSettle) {
  for (const char* comment : {"// c\n", "/* c */", "/* c */ /* d */", "// c\n\n// d\n", "\n\n// c\n\n", "/* c\n d */"})
    for (const char* after : {"", "\n", "\n\n\n"})
      for (const char* no : {"target += 2;", "{ target += 2; }", "for (i in 1:2) target += i;", "if (0) target += 3;",
                             "if (0) target += 3; else target += 4;", "while (0) { }", "print(1);", ";"})
        for (const char* yes : {"target += 1;", "{ target += 1; }"}) {
          const std::string source =
              std::string("model { if (1) ") + yes + " else " + comment + after + no + " target += 5; }";
          const Formatted once = formatted(source), twice = formatted(once.text);
          EXPECT_EQ(once.text, twice.text) << source;
          EXPECT_EQ(once.tree, twice.tree) << source;
        }
}

TEST(Format, GoldenProgramsKeepTheirMeaningAndSettle) {
  int checked = 0;
  for (const auto& entry : std::filesystem::directory_iterator(FERMIAC_SOURCE_DIR "/tests/golden/programs")) {
    if (entry.path().extension() != ".stan") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string source{std::istreambuf_iterator<char>(in), {}};
    for (const int margin : {78, 30}) {
      const Formatted once = formatted(source, {}, {.margin = margin});
      if (once.text.empty()) continue;
      const Formatted twice = formatted(once.text, {}, {.margin = margin});
      EXPECT_EQ(once.tree, twice.tree) << entry.path();
      if (margin == 78) {
        EXPECT_EQ(once.text, twice.text) << entry.path();
      }
      ++checked;
    }
  }
  EXPECT_GT(checked, 40);
}

}  // namespace
}  // namespace fermiac
