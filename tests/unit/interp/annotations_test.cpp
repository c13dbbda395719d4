// `@…` before declarations: kept through formatting and MIR, checked for sense, without influence on the numbers.
#include <gtest/gtest.h>

#include "compiler/compilation.h"
#include "frontend/format/format.h"
#include "tests/shared/mir_test_support.h"
#include "tests/shared/program_runner.h"

namespace fermiac::test {
namespace {

/// Warnings of the checker, one a line.
std::string warnings(const std::string& source) {
  Compilation compilation({.text = source});
  EXPECT_TRUE(compilation.checked_ast());
  std::string out;
  for (const Report& report : compilation.diagnostics().reports()) out += report.message + "\n";
  return out;
}

TEST(Annotations, UnknownOnesNameTheNearest) {
  EXPECT_EQ(warnings("functions { @inlin real f(real x) { return x; } }"),
            "Annotation '@inlin' is unknown and ignored. Did you mean '@inline'?\n");
  EXPECT_TRUE(has(warnings("model { @zzzzzzzzzzzz real x; }"), "Known are @inline, @likely"));
}

TEST(Annotations, KnownOnesInTheirPlaceAreSilent) {
  EXPECT_EQ(warnings("functions { @inline @likely real f(real x) { return x; } @extern real g(real x); "
                     "@grad_adj_jac(f, 1) real h(real x, real adj) { return adj; } } model { @const @gpu vector[2] v = "
                     "[1, 2]'; @likely int c = v[1] > 0; @unlikely int d = 0; if (c || d) target += 1; }"),
            "");
}

TEST(Annotations, MisplacedOnes) {
  EXPECT_TRUE(has(warnings("model { @inline real x; }"), "means nothing before a variable declaration"));
  EXPECT_TRUE(has(warnings("functions { @const real f(real x) { return x; } }"),
                  "means nothing before a function declaration"));
}

TEST(Annotations, ElementsOfConstVariables) {
  EXPECT_TRUE(has(warnings("model { @const vector[2] v; v[1] = 2; }"), "'v' is declared @const"));
  EXPECT_EQ(warnings("model { @const vector[2] v; v = [1, 2]'; { vector[2] w; w[1] = 1; } }"), "");
  EXPECT_EQ(warnings("model { { @const vector[2] v = [1, 2]'; } { vector[2] v; v[1] = 1; } }"), "");
}

TEST(Annotations, AdjointsOfWhatExists) {
  const std::string f = "functions { real f(real x) { return x; } ";
  EXPECT_TRUE(
      has(warnings(f + "@grad_adj_jac(g, 1) real h(real x, real a) { return a; } }"), "no function is called 'g'"));
  EXPECT_TRUE(
      has(warnings(f + "@grad_adj_jac(f, 2) real h(real x, real a) { return a; } }"), "'f' has no argument number 2"));
  EXPECT_TRUE(
      has(warnings(f + "@grad_adj_jac real h(real x, real a) { return a; } }"), "it takes a function and the number"));
}

TEST(Annotations, AdjointsSayWhichSignatureTheyNeed) {
  const std::string f = "functions { vector f(real x, data vector d, tuple(real, real) t) { return x * d; } ";
  const auto said = [&](const std::string& adjoint) { return warnings(f + adjoint + " }"); };
  const std::string fine = "real g(real x, data vector d, tuple(real, real) t, vector a) { return dot_product(a, d); }";
  EXPECT_EQ(said("@grad_adj_jac(f, 1) " + fine), "");
  EXPECT_EQ(said("@grad_adj_jac(f, 1) real g(real x, vector a) { return x; }"),
            "Annotation '@grad_adj_jac(f, 1)' is ignored: 'g' must take the arguments of 'f' and the adjoint of its "
            "result, (real, vector, tuple(real, real), vector), and return real, but takes (real, vector) and returns "
            "real.\n");
  EXPECT_TRUE(has(said("@grad_adj_jac(f, 1) void g(real x, vector a) { print(x); }"),
                  "but takes (real, vector) and returns nothing"));
  EXPECT_TRUE(has(said("@grad_adj_jac(f, 2) " + fine), "argument number 2 of 'f' carries no derivatives"));
  EXPECT_TRUE(
      has(said("@grad_adj_jac(f, 3) " + fine), "argument number 3 of 'f' carries no derivatives, or is a tuple"));
  EXPECT_TRUE(
      has(said("@grad_adj_jac(f, 1) " + fine +
               " @grad_adj_jac(f, 1) real h(real x, data vector d, tuple(real, real) t, vector a) { return x; }"),
          "'g' is that already for argument number 1 of 'f'"));
  EXPECT_TRUE(
      has(warnings("functions { void f(real x) { print(x); } @grad_adj_jac(f, 1) real g(real x) { return x; } }"),
          "'f' does not return reals or a container of them"));
  EXPECT_TRUE(
      has(warnings("functions { real f_lpdf(real x) { return x; } @grad_adj_jac(f_lpdf, 1) real g(real x, real a) "
                   "{ return a; } }"),
          "only functions without an ending like _lpdf or _rng can have one, unlike 'f_lpdf'"));
}

TEST(Annotations, AdjointsChooseAmongOverloads) {
  const std::string f = "functions { real f(real x) { return x; } real f(vector x) { return sum(x); } ";
  EXPECT_EQ(warnings(f + "@grad_adj_jac(f, 1) vector g(vector x, real a) { return rep_vector(a, 2); } }"), "");
}

TEST(Annotations, ExternFunctionsNeedNoDefinition) {
  EXPECT_FALSE(Compilation({.text = "functions { real f(real x); } model { target += f(1); }"}).checked_ast());
  EXPECT_EQ(warnings("functions { @extern real f(real x); } model { target += f(1); }"), "");
}

TEST(Annotations, TravelThroughMirText) {
  const mir::Program program =
      lowered("functions { @inline real f(real x) { return x; } } model { @const real a = f(1); target += a; }");
  ASSERT_EQ(program.functions.size(), 1u);
  EXPECT_EQ(program.functions[0].annotations, std::vector<std::string>{"inline"});
  const std::string text = mir::to_text(program);
  const mir::ReadResult again = mir::read_text(text);
  ASSERT_TRUE(again.program) << again.error;
  EXPECT_EQ(mir::to_text(*again.program), text);
  EXPECT_TRUE(has(text, "decl_annotations"));
}

TEST(Annotations, ChangeNoNumber) {
  const auto plain = testing::run("generated quantities { vector[2] v = [1, 2]'; real r = sum(v); }");
  const auto marked = testing::run("generated quantities { @const @gpu vector[2] v = [1, 2]'; real r = sum(v); }");
  EXPECT_EQ(plain.values, marked.values);
}

}  // namespace
}  // namespace fermiac::test
