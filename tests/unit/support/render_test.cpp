#include "support/base/render.h"

#include <gtest/gtest.h>

namespace fermiac {
namespace {

TEST(Render, SpanForms) {
  SourceMap sources;
  const std::uint32_t main = sources.add("m.stan", "abc\ndef\n");
  const std::uint32_t included = sources.add("./i.inc", "xyz\n", Pos{main, 4});
  EXPECT_EQ(location_text(sources, {{main, 1}, {main, 1}}), "'m.stan', line 1, column 1");
  EXPECT_EQ(location_text(sources, {{main, 1}, {main, 3}}), "'m.stan', line 1, column 1 to column 3");
  EXPECT_EQ(location_text(sources, {{main, 1}, {main, 5}}), "'m.stan', line 1, column 1 to line 2, column 1");
  EXPECT_EQ(location_text(sources, {{included, 1}, {included, 2}}),
            "'./i.inc', line 1, column 1, included from\n'm.stan', line 2, column 0");
  EXPECT_EQ(location_text(sources, {{main, 0}, {included, 2}}),
            "'m.stan', line 1, column 0 to './i.inc', line 1, column 2, included from\n'm.stan', line 2, column 0");
}

TEST(Render, ErrorWithBox) {
  SourceMap sources;
  sources.add("m.stan", "a\nb\n\tint N\nd\ne\nf\n");
  const Report report{DiagId::E0006, DiagKind::Parsing, WarningGroup::None, {{0, 8}, {0, 9}}, "Text."};
  EXPECT_EQ(render(sources, report),
            "Syntax error in 'm.stan', line 3, column 4 to column 5, parsing error:\n"
            "   -------------------------------------------------\n"
            "     1:  a\n"
            "     2:  b\n"
            "     3:  \tint N\n"
            "         \t   ^\n"
            "     4:  d\n"
            "     5:  e\n"
            "   -------------------------------------------------\n"
            "\n"
            "Text.\n");
}

TEST(Render, ErrorAtEndOfFile) {
  SourceMap sources;
  sources.add("m.stan", "model {\n");
  EXPECT_EQ(source_box(sources, {0, 8}),
            "   -------------------------------------------------\n"
            "     1:  model {\n"
            "     2:  \n"
            "         ^ (error at end of file)\n"
            "   -------------------------------------------------\n");
}

TEST(Render, WarningsAreFilled) {
  SourceMap sources;
  sources.add("m.stan", "model { }\n");
  const Report report{DiagId::W2001, DiagKind::Warning, WarningGroup::Types, {{0, 0}, {0, 5}},
                      "aaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbb cccccccccccccccccccc dddddddddd eeeeeeeee"};
  Diagnostics diagnostics;
  diagnostics.add(report);
  EXPECT_EQ(render_warnings(sources, diagnostics, WarningGroup::Types),
            "Warning in 'm.stan', line 1, column 0 to column 5:\n"
            "    aaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbb cccccccccccccccccccc dddddddddd\n"
            "    eeeeeeeee\n\n");
  EXPECT_EQ(render_warnings(sources, diagnostics, WarningGroup::Parser), "");
}

}  // namespace
}  // namespace fermiac
