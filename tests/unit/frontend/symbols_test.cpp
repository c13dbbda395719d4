// Which declaration every name of a program means.
#include <gtest/gtest.h>

#include <string>

#include "frontend/check/check.h"
#include "frontend/parse/parse.h"
#include "frontend/symbols/symbols.h"

namespace fermiac {
namespace {

struct Read {
  SourceMap sources;
  Diagnostics diagnostics;
  std::optional<ast::Program> program;
  SymbolTable symbols;

  explicit Read(const std::string& text) {
    program = parse_program(sources, sources.add("m.stan", text), {.all_errors = true, .keep_broken = true}, diagnostics);
    if (!program) return;
    Diagnostics ignored;
    check_program(*program, {.all_errors = true, .rewrite_removed = true}, ignored);
    symbols = symbols_of(*program, sources);
  }
  std::string text() const { return sources.file(0).text; }
  Pos at(const std::string& part, std::size_t into = 0) const { return {0, static_cast<std::uint32_t>(text().find(part) + into)}; }
  /// `LINE:name` of what the name at the place means; `?` for unknown and built-in names.
  std::string meaning(const std::string& part, std::size_t into = 0) const {
    const SymbolUse* use = symbols.use_at(at(part, into));
    if (!use) return "-";
    if (use->symbol < 0) return "?";
    const Symbol& symbol = symbols.symbols[static_cast<std::size_t>(use->symbol)];
    return std::to_string(sources.line_column(symbol.name.span.begin).line) + ":" + symbol.name.text;
  }
  std::string visible(const std::string& part) const {
    std::string out;
    for (const std::size_t i : symbols.visible_at(sources, at(part))) out += (out.empty() ? "" : " ") + symbols.symbols[i].name.text;
    return out;
  }
};

TEST(Symbols, LoopsAndBlocksHaveTheirOwn) {
  const Read read("data { int n; }\nmodel {\n for (i in 1:n) {\n  real x = i; print(x);\n }\n for (i in 1:2) print(i + n);\n}\n");
  EXPECT_EQ(read.meaning("print(x", 6), "4:x");
  EXPECT_EQ(read.meaning("= i;", 2), "3:i");
  EXPECT_EQ(read.meaning("print(i", 6), "6:i");
  EXPECT_EQ(read.meaning("+ n", 2), "1:n");
  EXPECT_EQ(read.visible("print(x"), "n i x");
  EXPECT_EQ(read.visible("print(i"), "n i");
}

TEST(Symbols, OverloadsAreToldApart) {
  const Read read("functions {\n real f(real x) { return x; }\n real f(vector x) { return x[1]; }\n}\nmodel {\n target += f(1.0);\n target += f([1]');\n}\n");
  EXPECT_EQ(read.meaning("f(1.0)"), "2:f");
  EXPECT_EQ(read.meaning("f([1]"), "3:f");
  EXPECT_EQ(read.symbols.uses_of(0).size(), 2u);
}

TEST(Symbols, DensitiesAreMeantByTheirStems) {
  const Read read("functions {\n real foo_lpdf(real x) { return x; }\n}\nparameters { real y; }\nmodel {\n y ~ foo();\n target += foo_lupdf(y | );\n y ~ normal(0, 1);\n}\n");
  EXPECT_EQ(read.meaning("foo();"), "2:foo_lpdf");
  EXPECT_EQ(read.meaning("normal"), "?");
}

TEST(Symbols, DeclarationsAndDefinitionsAreOne) {
  const Read read("functions {\n real f(real x);\n real g(real x) { return f(x); }\n real f(real x) { return x; }\n}\n");
  EXPECT_EQ(read.meaning("f(x)"), "4:f");
  EXPECT_EQ(read.meaning("f(real x);"), "4:f");
  EXPECT_EQ(read.meaning("x); }", 0), "3:x");
}

TEST(Symbols, WrittenAndReadAreToldApart) {
  const Read read("model {\n array[3] real a;\n int i = 1;\n a[i] = 2;\n}\n");
  EXPECT_EQ(read.symbols.use_at(read.at("a[i]"))->kind, SymbolUse::Kind::Write);
  EXPECT_EQ(read.symbols.use_at(read.at("i] ="))->kind, SymbolUse::Kind::Read);
}

TEST(Symbols, BrokenProgramsKeepTheRest) {
  const Read read("data { int n; real }\nparameters { real a; }\nmodel {\n real b = ;\n a ~ normal(n, \n");
  ASSERT_TRUE(read.program.has_value());
  EXPECT_TRUE(read.diagnostics.has_errors());
  EXPECT_EQ(read.visible("\n a ~"), "n a");
  EXPECT_TRUE(read.program->model.has_value());
}

TEST(Symbols, NothingIsKeptUnlessAskedFor) {
  SourceMap sources;
  Diagnostics diagnostics;
  EXPECT_FALSE(parse_program(sources, sources.add("m.stan", "model { x"), {.all_errors = true}, diagnostics));
}

}  // namespace
}  // namespace fermiac
