// Optimiser passes: what each does, and what it must leave alone.
#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "tests/shared/mir_test_support.h"

namespace fermiac::test {
namespace {

using mir::OptLevel;

std::string o1(std::string_view source, std::string_view name = "log_prob") {
  return section(optimised(source, OptLevel::O1), name);
}

mir::Program after_pass(std::string_view source, std::string_view pass) {
  mir::Program program = mir::transform_for_backend(lowered(source));
  mir::PassContext context;
  mir::find_pass(pass)->run(program, context);
  EXPECT_EQ(mir::verify(program), std::nullopt) << "after " << pass;
  return program;
}

TEST(MirPasses, EveryPassHasANameAndASentence) {
  for (const mir::Pass* pass : mir::all_passes()) {
    EXPECT_EQ(mir::find_pass(pass->name), pass);
    EXPECT_FALSE(pass->summary.empty());
  }
  EXPECT_TRUE(mir::pipeline(OptLevel::O0).empty());
  EXPECT_LT(mir::pipeline(OptLevel::O1).size(), mir::pipeline(OptLevel::Oexperimental).size());
}

TEST(MirPasses, ConstantsCrossSectionsButNotLoopsThatChangeThem) {
  const std::string text =
      o1("transformed data { int n = 2; } model { int k = n; for (i in 1 : n) { target += k; k += 1; } target += n; }");
  EXPECT_TRUE(has(text, "for(i in 1:2) {")) << text;
  EXPECT_TRUE(has(text, "target += k;")) << text;
  EXPECT_TRUE(has(text, "target += 2;")) << text;
}

TEST(MirPasses, AnUpperBoundThatTheBodyChangesStays) {
  const std::string text = o1("model { int n = 3; for (i in 1 : n) { target += i; n = 2; } }");
  EXPECT_TRUE(has(text, "for(i in 1:n) {")) << text;
}

TEST(MirPasses, CopiesEndWhereEitherSideIsAssigned) {
  const std::string text =
      o1("parameters { real p; } model { real a = p; real b = a; a = 2 * p; target += b; target += a; }");
  EXPECT_TRUE(has(text, "target += p;")) << text;
  EXPECT_TRUE(has(text, "target += a;")) << text;
}

TEST(MirPasses, EqualNamesInSiblingScopesAreDifferentVariables) {
  const std::string text = o1(
      "parameters { real p; } model { { int n = 1; target += n * p; } { int n; if (p > 0) n = 2; target += n * p; } }");
  EXPECT_TRUE(has(text, "target += (promote(1, real, data) * p);")) << text;
  EXPECT_TRUE(has(text, "target += (promote(n, real, data) * p);")) << text;
}

TEST(MirPasses, EffectsAreKeptAlthoughTheirValueIsDead) {
  const std::string text =
      o1("functions { real f_lp(real x) { target += x; return x; } real g(int n); real g(int n) { "
         "return n > 1 ? g(n - 1) : 1; } } parameters { real p; } model { real a = f_lp(p); real b = g(3); }");
  EXPECT_TRUE(has(text, "target += p;")) << text;
  EXPECT_FALSE(has(text, "b = ")) << text;
}

TEST(MirPasses, AssignmentsBeforeABreakStayAlive) {
  const std::string text =
      o1("parameters { real p; } model { real a = 0; while (p > 0) { a = p; if (p > 2) { a = 3; break; } a = 4; } "
         "target += a; }");
  EXPECT_TRUE(has(text, "a = promote(3, real, var);")) << text;
  EXPECT_TRUE(has(text, "a = promote(4, real, var);")) << text;
  EXPECT_FALSE(has(text, "a = p;")) << text;
}

TEST(MirPasses, PartialEvaluationKeepsTypes) {
  const std::string text =
      o1("data { int i; int n; } model { array[3] int a; a[1] = i * n + 2; print(a[1], i * n + 1.5); }");
  EXPECT_TRUE(has(text, "a[1] = ((i * n) + 2);")) << text;
}

TEST(MirPasses, DivisionByALiteralZeroRejects) {
  const std::vector<std::string> expressions = {"n %/% 0", "n % 0"};
  for (const std::string& expression : expressions) {
    const std::string text =
        o1("data { int n; } transformed data { print(1 + " + expression + "); print(n); }", "prepare_data");
    EXPECT_TRUE(has(text, "FnReject__(\"Integer division by zero\")")) << text;
    EXPECT_TRUE(has(text, "FnPrint__(n)")) << text;
  }
}

// Compiled programs may do without; programs that run here draw the same at every level.
TEST(MirPasses, UnusedDrawsStayOnDemand) {
  for (const bool keep : {false, true}) {
    mir::Program program = lowered("generated quantities { { real a = normal_rng(0, 1); } real g = normal_rng(0, 1); }");
    mir::PassContext context{.keep_draws = keep};
    mir::find_pass("dead-code")->run(program, context);
    EXPECT_EQ(has(section(program, "generate_quantities"), "a = normal_rng"), keep);
  }
}

TEST(MirPasses, GuardedDivisionByZeroIsNoError) {
  const std::string text = o1("data { int n; } transformed data { print(n > 0 && n %/% 0); }", "prepare_data");
  EXPECT_FALSE(has(text, "FnReject__")) << text;
}

TEST(MirPasses, RewriteRulesKeepTheMatchedCallsKind) {
  const std::string text =
      o1("data { int y; } parameters { real a; } model { y ~ poisson(exp(a)); target += "
         "poisson_lpmf(y | exp(a)); }");
  EXPECT_TRUE(has(text, "target += poisson_log_lupmf(y, a);")) << text;
  EXPECT_TRUE(has(text, "target += poisson_log_lpmf(y, a);")) << text;
}

TEST(MirPasses, ArgumentsThatMustBeEvaluatedOnceAreBoundWhenInlining) {
  const std::string text =
      o1("functions { real twice_rng(real x) { return x + x; } } generated quantities { real a = "
         "twice_rng(normal_rng(0, 1)); }",
         "generate_quantities");
  EXPECT_EQ(text.find("normal_rng"), text.rfind("normal_rng")) << text;
}

TEST(MirPasses, ASingleReturnThatIsNotLastIsNotJustAnAssignment) {
  const std::string text = o1(
      "functions { void f(real x) { if (x > 0) return; print(x); } } parameters { real p; } model { f(p); print(p); }");
  EXPECT_TRUE(has(text, "break;")) << text;
}

TEST(MirPasses, ALoopOverOneDensityIsVectorised) {
  const mir::Program program = after_pass(
      "data { int n; vector[n] y; vector[n] x; } parameters { real m; } model { for (i in 1 : n) y[i] ~ normal(m, 1); "
      "for "
      "(i in 1 : n) y[i] ~ normal(x[n - i + 1], 1); for (i in 2 : n) y[i] ~ normal(x[i], 1); }",
      "loop-vectorisation");
  const std::string text = section(program, "log_prob");
  EXPECT_TRUE(has(text, "target += normal_lupdf(y, m, promote(1, real, data));")) << text;
  EXPECT_TRUE(has(text, "x[((n - i) + 1)]")) << text;
  EXPECT_TRUE(has(text, "target += normal_lupdf(y[2:n], x[2:n], promote(1, real, data));")) << text;
}

TEST(MirPasses, LoopsWithBreaksAreNotUnrolled) {
  const std::string source =
      "model { for (i in 1 : 3) { if (i > 1) break; target += i; } for (i in 1 : 2) target += i; }";
  const std::string text = section(after_pass(source, "static-unrolling"), "log_prob");
  EXPECT_TRUE(has(text, "for(i in 1:3) {")) << text;
  EXPECT_FALSE(has(text, "for(i in 1:2) {")) << text;
  EXPECT_TRUE(has(text, "target += 2;")) << text;
}

TEST(MirPasses, LargeFunctionsAreInlinedOnRequest) {
  std::string body = "real f(real x) { real s = x; ";
  for (int i = 0; i < 800; ++i) body += "s += exp(s) * x; ";
  body += "return s; }";
  const auto inlined = [&](const std::string& annotation) {
    const std::string source = "functions { " + annotation + " " + body + " } parameters { real p; } model { target += f(p); }";
    return section(after_pass(source, "inline"), "log_prob");
  };
  EXPECT_TRUE(has(inlined(""), "f(p)"));
  EXPECT_FALSE(has(inlined("@inline"), "f(p)"));
}

std::size_t statements(const mir::Program& program) {
  std::size_t count = 0;
  for (const mir::StmtPtr& stmt : program.log_prob) mir::each_substmt(*stmt, [&](const mir::Stmt&) { ++count; });
  return count;
}

// A level of nesting doubles what peeling makes of the inside, and multiplies what unrolling does.
TEST(MirPasses, UnrollingOfNestedLoopsStaysSmall) {
  std::string peeled, unrolled;
  for (int i = 0; i < 100; ++i) peeled += "while (1) {";
  peeled += "target += 1; break;" + std::string(100, '}');
  for (int i = 0; i < 12; ++i) unrolled += "for (i" + std::to_string(i) + " in 1 : 30) {";
  unrolled += "target += i3 + i7;" + std::string(12, '}');
  EXPECT_LT(statements(after_pass("model { " + peeled + " }", "one-step-unrolling")), 20000u);
  EXPECT_LT(statements(after_pass("model { " + unrolled + " }", "static-unrolling")), 20000u);
  EXPECT_GT(statements(after_pass("model { " + unrolled + " }", "static-unrolling")), 900u)
      << "what fits is written out";
}

TEST(MirPasses, DeepNestsTakeNoTimeExponentialInTheirDepth) {
  std::string loops;
  for (int i = 0; i < 60; ++i)
    loops += "for (i" + std::to_string(i) + " in 1 : 3) { x += p * i" + std::to_string(i) + "; ";
  const std::string source =
      "parameters { real p; } model { real x = 0; " + loops + std::string(60, '}') + " target += x; }";
  EXPECT_GT(statements(after_pass(source, "lazy-code-motion")), 120u);
  EXPECT_GT(statements(after_pass(source, "dead-code")), 120u);
}

TEST(MirPasses, DataOnlyVariablesOfTheModelBecomeData) {
  const mir::Program program = after_pass(
      "data { real x; } parameters { real p; } model { real a = x; real b = a; real c = b; c = p; target += a + c; }",
      "autodiff-levels");
  const std::string text = section(program, "log_prob");
  EXPECT_TRUE(has(text, "data real b;")) << text;
  EXPECT_TRUE(has(text, "    real c;")) << text;
}

TEST(MirVisit, SubstitutionIsSimultaneousAndSharesWhatItLeaves) {
  const auto x = mir::var("x", BaseType::Int), y = mir::var("y", BaseType::Int);
  const auto sum = mir::int_op(Builtin::Plus, x, y);
  const auto swapped = mir::substitute(sum, {{"x", y}, {"y", x}});
  EXPECT_EQ(mir::to_pretty(*swapped), "(y + x)");
  EXPECT_EQ(mir::substitute(sum, {{"z", x}}), sum);
}

TEST(MirVisit, ExpressionsCompareByPatternAlone) {
  const auto plain = mir::var("x", BaseType::Real, {.autodiff = true, .slots = {}});
  EXPECT_TRUE(mir::same(*plain, *mir::var("x", BaseType::Real)));
  EXPECT_FALSE(mir::same(*plain, *mir::var("y", BaseType::Real)));
  EXPECT_FALSE(mir::same(*mir::int_lit(1), *mir::real_lit("1")));
}

}  // namespace
}  // namespace fermiac::test
