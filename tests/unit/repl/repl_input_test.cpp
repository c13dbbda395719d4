// Lines cut into inputs, and texts of blocks.
#include <gtest/gtest.h>

#include "repl/session/input_lines.h"
#include "repl/session/program_text.h"

namespace fermiac::repl {
namespace {

std::vector<std::string> inputs_of(std::initializer_list<std::string_view> lines) {
  std::vector<std::string> out;
  const auto run = [&](const std::string& input) { return out.emplace_back(trimmed(input)), true; };
  InputLines reader;
  for (const std::string_view line : lines) reader.add(line, run);
  reader.end(run);
  return out;
}

using Texts = std::vector<std::string>;

TEST(ReplInputLines, BlocksThatFollowEachOtherAreOneInput) {
  EXPECT_EQ(inputs_of({"data {", "  int N;", "}", "", "// of interest", "parameters { real a; }", "model {}", "x = 1", "x"}),
            (Texts{"data {\n  int N;\n}\n\n// of interest\nparameters { real a; }\nmodel {}", "x = 1", "x"}));
  EXPECT_EQ(inputs_of({"x = [1,", "2]", "model", "{", "}", ":data"}), (Texts{"x = [1,\n2]", "model\n{\n}", ":data"}));
  EXPECT_EQ(inputs_of({"model {"}), (Texts{"model {"}));
  EXPECT_EQ(inputs_of({"data { int N; }", "transformed data {"}), (Texts{"data { int N; }\ntransformed data {"}));
}

TEST(ReplInputLines, ATextOfStatementsIsOneInput) {
  Texts out;
  const auto run = [&](const std::string& input) { return out.emplace_back(trimmed(input)), input != "stop\n"; };
  each_input("real x\n  = 1;\nx += 1;", run);
  EXPECT_EQ(out, (Texts{"real x\n  = 1;\nx += 1;"}));
  out.clear();
  each_input("model {}\nN = 2\n:data\nstop\nmore", run);
  EXPECT_EQ(out, (Texts{"model {}", "N = 2", ":data", "stop"}));
}

TEST(ReplProgramText, FindsLeadingBlocks) {
  const std::string text = "#include a.stan\n// model {\ntransformed  data { int a = {1, 2}[1]; }\nmodel{print(\"}\");} x = 1";
  const std::vector<BlockText> blocks = leading_blocks(text);
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].kind, ast::BlockKind::TransformedData);
  EXPECT_EQ(text.substr(blocks[1].begin, blocks[1].end - blocks[1].begin), "model{print(\"}\");}");
  EXPECT_TRUE(leading_blocks("data_size = 3").empty());
  EXPECT_TRUE(leading_blocks("real f(real x) { return x; }").empty());
  EXPECT_TRUE(leading_blocks("model").empty());
}

TEST(ReplProgramText, ReplacesBlocksInTheirPlace) {
  const std::string program = "// of a file\ndata { int N; }\n// below\nmodel { }\n";
  EXPECT_EQ(with_blocks(program, "model { target += 1; }"), "// of a file\ndata { int N; }\n// below\nmodel { target += 1; }\n");
  EXPECT_EQ(with_blocks(program, "parameters { real a; } generated quantities { }"),
            "// of a file\ndata { int N; }\n// below\nparameters { real a; }\nmodel { }\ngenerated quantities { }\n");
  EXPECT_EQ(with_blocks("", "model { }"), "model { }\n");
}

TEST(ReplProgramText, AWholeProgramHasAModelAndWhatItIsAbout) {
  EXPECT_TRUE(is_whole_program(leading_blocks("parameters { real a; } model { }")));
  EXPECT_FALSE(is_whole_program(leading_blocks("model { }")));
  EXPECT_FALSE(is_whole_program(leading_blocks("data { } generated quantities { }")));
}

}  // namespace
}  // namespace fermiac::repl
