// Lowering: which statements each construct becomes.
#include "tests/shared/mir_test_support.h"

namespace fermiac::test {
namespace {

std::string model(const std::string& body) {
  return section(lowered("model {" + body + "}"), "log_prob");
}

TEST(MirLower, ParenthesesVanishAndCompoundAssignmentIsSpelledOut) {
  const std::string text = model("real a = (1); a += 2; a = a + 2;");
  EXPECT_TRUE(has(text, "a = promote(1, real, var);")) << text;
  EXPECT_TRUE(has(text, "a = (a + 2);")) << text;
  EXPECT_TRUE(has(text, "a = (a + promote(2, real, data));")) << text;
}

TEST(MirLower, PromotionsSinkIntoLiterals) {
  const std::string text = model("array[1, 2] real a = {{1, 2}}; tuple(real, complex) t = (1, 2.5);");
  EXPECT_TRUE(has(text, "FnMakeArray__(FnMakeArray__(promote(1, real, data),")) << text;
  EXPECT_TRUE(has(text, "FnMakeTuple__(promote(1, real, data), promote(2.5, complex, data))")) << text;
}

TEST(MirLower, NestedBracketsOnTheLeftAreFlattened) {
  const std::string text = model("array[2, 3] vector[4] a; a[1][2][3] = 1; a[1][2, 1 : 2] = [1, 2]';");
  EXPECT_TRUE(has(text, "a[1, 2, 3] = promote(1, real, var);")) << text;
  EXPECT_TRUE(has(text, "a[1, 2, 1:2] = Transpose__(")) << text;
}

TEST(MirLower, TuplesAreUnpackedThroughOneTemporary) {
  const std::string text = model("real a; real b; int c; ((a, b), c) = ((1, 2.5), 3);");
  EXPECT_TRUE(has(text, "sym1__ = FnMakeTuple__(FnMakeTuple__(1, 2.5), 3);")) << text;
  EXPECT_TRUE(has(text, "= sym1__.1;")) << text;
  EXPECT_TRUE(has(text, "c = sym1__.2;")) << text;
}

TEST(MirLower, ForeachOverAMatrixWalksRowsThenColumns) {
  const std::string text = model("matrix[2, 2] m; for (x in m) print(x);");
  EXPECT_TRUE(has(text, "for(sym1__ in 1:rows(m)) {")) << text;
  EXPECT_TRUE(has(text, "for(sym2__ in 1:FnLength__(m[sym1__])) {")) << text;
  EXPECT_TRUE(has(text, "x = m[sym1__][sym2__];")) << text;
}

TEST(MirLower, TwoSidedTruncationWithContainerArgumentsRunsOverElements) {
  const std::string text = model("vector[3] y; vector[3] m; y ~ normal(m, 1) T[0, 2];");
  EXPECT_TRUE(has(text, "if((min(y) < 0)) target += FnNegInf__();")) << text;
  EXPECT_TRUE(has(text, "for(sym1__ in 1:FnLength__(m)) {")) << text;
  EXPECT_TRUE(has(text, "m[sym1__]")) << text;
}

TEST(MirLower, ReturnedDataTakeTheDeclaredLevel) {
  const std::string text = section(lowered("functions { real f(data real x) { return x; } }"), "functions");
  EXPECT_TRUE(has(text, "return promote(x, real, var);")) << text;
}

TEST(MirLower, SizesOfParametersAreCheckedInPrepareData) {
  const mir::Program program = lowered("data { int n; } parameters { array[2] tuple(real, simplex[n + 1]) h; }");
  const std::string text = section(program, "prepare_data");
  EXPECT_TRUE(has(text, "data int h_brack_dot2_1dim__ = (n + 1);")) << text;
  EXPECT_TRUE(has(text, "FnValidateSizePositive__(\"h[].2\", \"n + 1\", h_brack_dot2_1dim__);")) << text;
  ASSERT_EQ(program.output_vars.size(), 1u);
  ASSERT_EQ(program.output_vars[0].slot_transforms.size(), 2u);
  EXPECT_EQ(program.output_vars[0].slot_transforms[1].kind, mir::TransformKind::Simplex);
}

TEST(MirLower, ChecksOfTransformedVariablesComeLast) {
  const mir::Program program = lowered("parameters { real p; } transformed parameters { real<lower=0> a; { a = p; } }");
  const std::string text = section(program, "log_prob");
  EXPECT_TRUE(text.ends_with("(FnCheck(trans(Lower 0))(var_name a)(var a))__(0);")) << text;
  const std::string generated = section(program, "generate_quantities");
  EXPECT_LT(generated.find("data real a;"), generated.find("return;")) << generated;
  EXPECT_GT(generated.find("a = p;"), generated.find("return;")) << generated;
}

TEST(MirLower, ArraysOfTuplesAreCheckedElementByElement) {
  const std::string text = section(lowered("data { array[2, 3] tuple(real<lower=0>, int) t; }"), "prepare_data");
  EXPECT_TRUE(has(text, "for(sym1__ in 1:3) {")) << text;
  EXPECT_TRUE(has(text, "for(sym2__ in 1:2) {")) << text;
  EXPECT_TRUE(has(text, "(FnCheck(trans(Lower 0))(var_name\"t[sym2__, sym1__].1\")(var\"t[sym2__, sym1__].1\"))__("))
      << text;
}

TEST(MirLower, ForwardDeclarationsOfDefinedFunctionsAreDropped) {
  EXPECT_EQ(lowered("functions { real f(real x); real f(real x) { return x; } }").functions.size(), 1u);
}

TEST(MirLower, NumbersLoseUnderscoresAndLeadingZeros) {
  const std::string text = model("print(0_010, 00.5, 000, 1_0e2);");
  EXPECT_TRUE(has(text, "FnPrint__(10, 0.5, 0, 10e2);")) << text;
}

TEST(MirTransform, DataAreReadLastDimensionOutermost) {
  const mir::Program program = mir::transform_for_backend(lowered("data { array[2] matrix[3, 4] m; }"));
  EXPECT_EQ(mir::verify(program), std::nullopt);
  const std::string text = section(program, "prepare_data");
  EXPECT_LT(text.find("for(sym1__ in 1:4)"), text.find("for(sym2__ in 1:3)")) << text;
  EXPECT_TRUE(has(text, "m[sym3__, sym2__, sym1__] = m_flat__[pos__];")) << text;
}

TEST(MirTransform, NestedTuplesAreReadAndWrittenPerLeaf) {
  const mir::Program program =
      mir::transform_for_backend(lowered("parameters { array[2] tuple(real<lower=0>, array[3] tuple(simplex[2], real)) "
                                         "t; } generated quantities { real x = 1; }"));
  EXPECT_EQ(mir::verify(program), std::nullopt);
  const std::string text = mir::to_pretty(program);
  EXPECT_TRUE(has(text, "t[sym1__].2[sym2__].1 = (FnReadParam(constrain Simplex)(dims(2))(mem_pattern AoS))__();"))
      << text;
  EXPECT_TRUE(has(text, "(FnWriteParam(unconstrain_opt(Simplex))(var\"t[sym1__].2[sym2__].1\"))__(")) << text;
}

}  // namespace
}  // namespace fermiac::test
