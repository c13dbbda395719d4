// A program is lexed, parsed, checked and lowered when a product is asked for, and once.
#include "compiler/compilation.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "compiler/formatted.h"
#include "mir/text/text.h"

namespace fermiac {
namespace {

const std::string kProgram = "data { int n; } parameters { vector[n] x; } model { x ~ normal(0, 1); }";

std::vector<DiagId> ids(const Compilation& compilation) {
  std::vector<DiagId> out;
  for (const Report& report : compilation.diagnostics().reports()) out.push_back(report.id);
  return out;
}

TEST(Compilation, ConstructionRunsNoPhase) {
  const Compilation compilation({.text = "#include no.stan\nthis is no program", .path = "m.stan"});
  EXPECT_EQ(compilation.sources().size(), 1u);
  EXPECT_EQ(compilation.end_file(), 1u);
  EXPECT_TRUE(compilation.diagnostics().reports().empty());
  EXPECT_EQ(compilation.path(), "m.stan");
  EXPECT_TRUE(compilation.text().ends_with("no program"));
}

TEST(CompilationDeathTest, ATreeThatIsNotKeptIsNotReadAfterLowering) {
  Compilation compilation({.text = kProgram, .keep_tree = false});
  EXPECT_TRUE(compilation.ast());
  EXPECT_TRUE(compilation.mir());
  EXPECT_TRUE(compilation.lowered_mir());
  EXPECT_DEATH(compilation.ast(), "do not keep the tree");
  EXPECT_DEATH(compilation.info(), "do not keep the tree");
}

TEST(Compilation, PhasesRunAsFarAsTheyAreAskedFor) {
  Compilation compilation({.text = "model { int x = 1.5; }"});
  EXPECT_GT(compilation.tokens().tokens.size(), 5u);
  EXPECT_TRUE(compilation.ast());
  EXPECT_TRUE(compilation.diagnostics().reports().empty());  // the type is wrong, but has not been looked at
  EXPECT_FALSE(compilation.checked_ast());
  EXPECT_EQ(compilation.diagnostics().error_count(), 1u);
  EXPECT_TRUE(compilation.ast());
}

TEST(Compilation, AFailedPhaseEndsTheLaterOnesAndReportsOnce) {
  Compilation compilation({.text = "model { x = ; }"});
  for (int round = 0; round < 2; ++round) {
    EXPECT_FALSE(compilation.mir());
    EXPECT_FALSE(compilation.lowered_mir());
    EXPECT_FALSE(compilation.checked_ast());
    EXPECT_FALSE(compilation.ast());
    EXPECT_EQ(compilation.info(), "");
    EXPECT_EQ(compilation.diagnostics().error_count(), 1u);
  }
}

TEST(Compilation, ProductsAreKept) {
  Compilation compilation({.text = kProgram, .backend = Backend::StanMath, .level = mir::OptLevel::O1});
  const auto* tokens = &compilation.tokens();
  const auto* token = tokens->tokens.data();
  const auto* tree = compilation.ast();
  EXPECT_EQ(compilation.checked_ast(), tree);
  const auto* lowered = compilation.lowered_mir();
  const std::string text = mir::to_text(*lowered);
  const auto* backend = compilation.backend_mir();
  const std::string transformed = mir::to_text(*backend);
  const auto* optimized = compilation.mir();
  EXPECT_NE(text, transformed);
  EXPECT_NE(transformed, mir::to_text(*optimized));
  EXPECT_EQ(mir::to_text(*compilation.lowered_mir()), text);
  EXPECT_EQ(mir::to_text(*compilation.backend_mir()), transformed);
  EXPECT_EQ(compilation.mir(), optimized);
  EXPECT_EQ(compilation.backend_mir(), backend);
  EXPECT_EQ(compilation.lowered_mir(), lowered);
  EXPECT_EQ(compilation.ast(), tree);
  EXPECT_EQ(&compilation.tokens(), tokens);
  EXPECT_EQ(compilation.tokens().tokens.data(), token);
}

/// A second run of the lexer would add the include to the sources again, and not find it.
TEST(Compilation, ATextIsLexedOnce) {
  CarriedFiles files = {{"inc/n.stan", "int n;"}};
  Compilation compilation({.text = "data {\n#include n.stan\n}\nmodel {}", .include_paths = {"inc"}, .carried_includes = &files});
  EXPECT_EQ(compilation.tokens().includes.size(), 1u);
  EXPECT_EQ(formatted(compilation).outcome, Formatted::Outcome::Done);  // lexes its result, which has the directive
  files.clear();
  ASSERT_TRUE(compilation.mir());
  EXPECT_NE(compilation.info().find("\"n\""), std::string::npos);
  EXPECT_NE(compilation.info().find("inc/n.stan"), std::string::npos);
  EXPECT_EQ(compilation.sources().size(), 2u);
  EXPECT_EQ(compilation.end_file(), 2u);
}

TEST(Compilation, TheInterpreterTakesTheLoweredProgramWithoutACopy) {
  Compilation compilation({.text = kProgram});
  EXPECT_EQ(compilation.backend_mir(), compilation.lowered_mir());
  EXPECT_EQ(compilation.mir(), compilation.lowered_mir());
  EXPECT_TRUE(compilation.memory_report().rows.empty());
}

TEST(Compilation, PassesAreThoseOfTheLevelOrOnesOwn) {
  std::vector<std::string_view> run;
  CompileOptions options{.text = kProgram, .backend = Backend::StanMath, .level = mir::OptLevel::O1};
  options.after_pass = [&](const mir::Pass& pass, const mir::Program&) { run.push_back(pass.name); };
  Compilation by_level(options);
  by_level.mir();
  by_level.mir();
  EXPECT_EQ(run.size(), mir::pipeline(mir::OptLevel::O1).size());
  EXPECT_FALSE(by_level.memory_report().rows.empty());
  run.clear();
  options.passes = {&mir::kDeadCode, &mir::kListCollapsing};
  EXPECT_TRUE(Compilation(options).mir());
  EXPECT_EQ(run, (std::vector{mir::kDeadCode.name, mir::kListCollapsing.name}));
}

TEST(Compilation, WarningsAreReportedWhereTheyAreAskedFor) {
  const std::string text = "parameters { real x; } model { real y; x ~ normal(y, 1); }";
  Compilation silent({.text = text});
  ASSERT_TRUE(silent.mir());
  EXPECT_TRUE(ids(silent).empty());
  Compilation warned({.text = text, .warn_uninitialized = true});
  ASSERT_TRUE(warned.checked_ast());
  EXPECT_TRUE(ids(warned).empty());
  ASSERT_TRUE(warned.mir() && warned.mir());
  EXPECT_EQ(ids(warned), std::vector{DiagId::W2030});
}

TEST(Compilation, OptionsReachTheirPhases) {
  const std::string removed = "model { real x; if (x) print(x); }", undefined = "functions { real f(real x); } model { target += f(1); }";
  EXPECT_TRUE(Compilation({.text = removed}).checked_ast());
  EXPECT_FALSE(Compilation({.text = removed, .strict = true}).checked_ast());
  EXPECT_FALSE(Compilation({.text = undefined}).checked_ast());
  EXPECT_TRUE(Compilation({.text = undefined, .allow_undefined = true}).checked_ast());
  EXPECT_TRUE(Compilation({.text = "real f(real x) { return x; }", .functions_only = true}).checked_ast());
  EXPECT_FALSE(Compilation({.text = "model { real m_model; }", .name = "m_model"}).checked_ast());
  EXPECT_EQ(Compilation({.text = kProgram, .path = "p.stan", .name = "m_model"}).mir()->name, "m_model");
  Compilation all({.text = "model { a = 1; b = 2; }", .all_errors = true});
  EXPECT_FALSE(all.checked_ast());
  EXPECT_EQ(all.diagnostics().error_count(), 2u);
  std::string trace;
  EXPECT_TRUE(Compilation({.text = kProgram, .trace = &trace}).ast());
  EXPECT_NE(trace, "");
}

TEST(Compilation, TreesThatTheStackDoesNotSufficeForAreRefused) {
  std::string sum = "1";
  for (int i = 0; i < 2 * kPlainTreeHeight; ++i) sum += " + 1";
  const std::string text = "transformed data { int x = " + sum + "; }";
  Compilation low({.text = text});
  EXPECT_FALSE(low.ast());
  EXPECT_EQ(ids(low), std::vector{DiagId::E0010});
  EXPECT_TRUE(Compilation({.text = text, .tallest = 3 * kPlainTreeHeight}).ast());
}

TEST(Compilation, ABrokenProgramIsKeptOnRequest) {
  Compilation compilation({.text = "data { int n; } model { real x = n; x = ; y = 1; }", .keep_broken = true, .all_errors = true});
  EXPECT_FALSE(compilation.checked_ast());
  ASSERT_TRUE(compilation.ast());
  EXPECT_EQ(compilation.diagnostics().error_count(), 1u);  // the checker's are of no use
  EXPECT_EQ(compilation.ast()->model->body.size(), 2u);
  EXPECT_FALSE(compilation.mir());
}

TEST(Compilation, CompilationsShareSources) {
  CarriedFiles files = {{"inc/n.stan", "int n;"}};
  const auto sources = std::make_shared<SourceMap>();
  Compilation first({.text = "data {\n#include n.stan\n}", .path = "a.stan", .include_paths = {"inc"}, .carried_includes = &files}, sources);
  ASSERT_TRUE(first.mir());
  Compilation second({.text = kProgram, .path = "b.stan"}, sources);
  ASSERT_TRUE(second.mir());
  EXPECT_EQ(first.main_file(), 0u);
  EXPECT_EQ(first.end_file(), 2u);
  EXPECT_EQ(second.main_file(), 2u);
  EXPECT_EQ(second.end_file(), 3u);
  EXPECT_EQ(sources->text(second.ast()->data->span), "data { int n; }");
}

// ---------------------------------------------------------------- formatting

TEST(Formatted, CanonicalFormRewritesTheTree) {
  Compilation compilation({.text = "model { if (1) print((2)); }"});
  const Formatted plain = formatted(compilation);
  EXPECT_EQ(plain.text, "model {\n  if (1) \n    print((2));\n}\n");
  const Formatted canonical = formatted(compilation, {}, {.parentheses = true, .braces = true});
  EXPECT_EQ(canonical.outcome, Formatted::Outcome::Done);
  EXPECT_EQ(canonical.text, "model {\n  if (1) {\n    print(2);\n  }\n}\n");
}

TEST(Formatted, AnIncludeInsideAStatementIsToBeInlined) {
  CarriedFiles files = {{"./n.stan", "1"}};
  Compilation compilation({.text = "transformed data {\n  int n =\n#include n.stan\n  ;\n}", .include_paths = {"."}, .carried_includes = &files});
  ASSERT_TRUE(compilation.checked_ast());
  EXPECT_EQ(formatted(compilation).outcome, Formatted::Outcome::IncludeInStatement);
  EXPECT_EQ(formatted(compilation, {.inline_includes = true}).outcome, Formatted::Outcome::Done);
}

}  // namespace
}  // namespace fermiac
