// The written forms of the MIR and its verifier.
#include "mir/ir/build.h"
#include "mir/text/boxes.h"
#include "mir/text/sexp.h"
#include "tests/shared/mir_test_support.h"

namespace fermiac::test {
namespace {

constexpr std::string_view kBroad = R"(
functions {
  real d_lpdf(real y, data real m) { return normal_lupdf(y | m, 1); }
  array[] int k(array[,] int x, tuple(int, vector) t) { while (x[1, 1] > 0) { if (t.1 < 2) break; else continue; } return x[1]; }
  void p_lp(real x) { target += x; return; }
}
data { int n; array[n] tuple(int, simplex[2]) t; complex z; }
transformed data { matrix[2, n] m; m[1, 1 : ] = rep_row_vector(0, n); print("a \"quoted\"\\ text", m[ : , {1, 2}]); }
parameters { vector<offset=1, multiplier=2>[2] v; cholesky_factor_cov[3, 2] L; real<upper=3> u; }
transformed parameters { tuple(real<lower=0>, vector[2]) w = (exp(u), v); jacobian += u; }
model { profile("x") { u ~ d(1.5); } p_lp(u > 0 && n == 1 || n > 2 ? u : 2i == z); v ~ normal(0, 1); }
generated quantities { real r = normal_rng(0, 1); if (r > 1) reject("no ", r); }
)";

std::string broad_source() {
  std::string text(kBroad);
  // The strings of the language know no escapes, and `?:` needs branches of one type.
  const auto drop = [&](std::string_view part, std::string_view with) {
    text.replace(text.find(part), part.size(), with);
  };
  drop("a \\\"quoted\\\"\\\\ text", "a (bracketed), \\ text");
  drop("2i == z", "2");
  return text;
}

TEST(MirText, WhatIsPrintedReadsBackTheSame) {
  for (const bool backend : {false, true}) {
    mir::Program program = lowered(broad_source());
    if (backend) program = mir::transform_for_backend(std::move(program));
    const std::string text = mir::to_text(program);
    const mir::ReadResult back = mir::read_text(text);
    ASSERT_TRUE(back.program) << back.error;
    EXPECT_EQ(mir::to_text(*back.program), text);
    EXPECT_EQ(mir::to_pretty(*back.program), mir::to_pretty(program));
    EXPECT_EQ(mir::verify(*back.program), std::nullopt);
  }
}

TEST(MirText, ExpressionsArePrintedWithTypeAndLevel) {
  EXPECT_EQ(mir::to_text(*mir::int_lit(1)),
            "((pattern (Lit Int 1)) (meta ((type_ UInt) (loc <opaque>) (adlevel DataOnly))))");
}

TEST(MirText, TheReaderSaysWhatItExpected) {
  EXPECT_EQ(mir::read_text("((functions_block ())").error, "the text ends inside an expression, at byte 21");
  EXPECT_EQ(mir::read_text("(x)").error, "expected a record with field functions_block, found (x)");
  mir::Program program = lowered("model { target += 1; }");
  std::string text = mir::to_text(program);
  text.replace(text.find("TargetPE"), 8, "TargetXX");
  EXPECT_TRUE(has(mir::read_text(text).error, "expected a statement, found (TargetXX")) << mir::read_text(text).error;
}

TEST(MirText, CompactFormPutsBlanksOnlyBetweenBareAtoms) {
  const auto sexp = mir::parse_sexp("(a b (c 1) \"d e\" f)");
  ASSERT_TRUE(sexp.value);
  EXPECT_EQ(mir::compact(*sexp.value), "(a b(c 1)\"d e\"f)");
}

TEST(MirText, PackingBoxesBreakOnlyWhereTheNextPieceDoesNotFit) {
  mir::Boxes boxes(10, 8);
  boxes.open(mir::Boxes::Kind::Pack, 1).text("(");
  for (const char* word : {"ab", "cd", "ef", "gh"}) boxes.text(word).space();
  boxes.text(")").close();
  EXPECT_EQ(boxes.render(), "(ab cd ef\n gh )");
}

TEST(MirVerify, FindsAnUndeclaredVariable) {
  mir::Program program = lowered("model { real a = 1; target += a; }");
  program.log_prob.push_back(mir::target_pe(mir::var("b", BaseType::Real)));
  EXPECT_EQ(mir::verify(program), "log_prob: variable b is used but not declared; in: target += b;");
}

TEST(MirVerify, FindsAWrongType) {
  mir::Program program = lowered("transformed data { real a; }");
  program.prepare_data.push_back(mir::assign(mir::to_variable("a"), BaseType::Real, mir::int_lit(1)));
  EXPECT_EQ(mir::verify(program), "prepare_data: the assigned value has type `int`, expected `real`; in: a = 1;");
}

TEST(MirVerify, FindsAJumpOutsideOfALoop) {
  mir::Program program;
  program.log_prob.push_back(mir::make_stmt(mir::Break{}));
  EXPECT_EQ(mir::verify(program), "log_prob: break outside of a loop; in: break;");
}

TEST(MirVerify, FindsACallWithoutFunction) {
  mir::Program program = lowered("functions { real f(real x) { return x; } } model { target += f(1); }");
  program.functions.clear();
  EXPECT_TRUE(has(mir::verify(program).value_or(""), "no function f(real)"));
}

}  // namespace
}  // namespace fermiac::test
