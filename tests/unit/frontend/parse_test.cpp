#include "frontend/parse/parse.h"

#include <gtest/gtest.h>

#include "support/base/match.h"
#include "support/base/render.h"

namespace fermiac {
namespace {

using ast::BinaryOp;
using ast::UnaryOp;

/// A fully bracketed form that shows the tree: `(+ 1 (* 2 3))`.
std::string show(const ast::Expr& expr);

std::string show_list(const std::string& head, const std::vector<ast::ExprPtr>& items) {
  std::string result = "(" + head;
  for (const ast::ExprPtr& item : items) result += " " + show(*item);
  return result + ")";
}

std::string show(const ast::Index& index) {
  const std::string low = index.low ? show(*index.low) : "", high = index.high ? show(*index.high) : "";
  return index.kind == ast::Index::Kind::Single ? low : index.bare ? "_" : low + ":" + high;
}

constexpr const char* kBinary[] = {"+",  "-",  "*",  "/",  "%/%", "%", "\\", ".*", "./", "^",
                                   ".^", "||", "&&", "==", "!=",  "<", "<=", ">",  ">="};
constexpr const char* kUnary[] = {"+", "-", "!", "'"};

std::string show(const ast::Expr& expr) {
  return match(
      expr.node, [](const ast::IntLiteral& x) { return x.text; }, [](const ast::RealLiteral& x) { return x.text; },
      [](const ast::ImagLiteral& x) { return x.text + "i"; },
      [](const ast::StringLiteral& x) { return '"' + x.text + '"'; },
      [](const ast::Variable& x) { return x.name.text; },
      [](const ast::Call& x) { return show_list(x.name.text + (x.conditional ? "|" : ""), x.args); },
      [](const ast::TargetValue&) { return std::string("target"); },
      [](const ast::ArrayLiteral& x) { return show_list("array", x.items); },
      [](const ast::RowLiteral& x) { return show_list("row", x.items); },
      [](const ast::TupleLiteral& x) { return show_list("tuple", x.items); },
      [](const ast::Paren& x) { return "[" + show(*x.inner) + "]"; },
      [](const ast::Binary& x) {
        return std::string("(") + kBinary[static_cast<int>(x.op)] + " " + show(*x.left) + " " + show(*x.right) + ")";
      },
      [](const ast::Unary& x) { return std::string("(") + kUnary[static_cast<int>(x.op)] + " " + show(*x.operand) + ")"; },
      [](const ast::Ternary& x) { return "(? " + show(*x.test) + " " + show(*x.yes) + " " + show(*x.no) + ")"; },
      [](const ast::Projection& x) { return "(." + x.slot + " " + show(*x.tuple) + ")"; },
      [](const ast::Indexed& x) {
        std::string result = "(at " + show(*x.base);
        for (const ast::Index& index : x.indexes) result += " " + show(index);
        return result + ")";
      });
}

struct Parsed {
  SourceMap sources;
  Diagnostics diagnostics;
};

std::string tree(const std::string& text) {
  Parsed p;
  const ast::ExprPtr expr = parse_expression(p.sources, p.sources.add("e", text), {}, p.diagnostics);
  return expr ? show(*expr) : render_errors(p.sources, p.diagnostics);
}

/// Headline and text of the first report; empty if the program parses silently.
std::string complaint(const std::string& text, bool functions_only = false) {
  Parsed p;
  ParseOptions options;
  options.functions_only = functions_only;
  options.strict = true;
  const bool parsed =
      parse_program(p.sources, p.sources.add("t.stan", text), options, p.diagnostics).has_value();
  EXPECT_EQ(parsed, !p.diagnostics.has_errors());
  if (p.diagnostics.reports().empty()) return "";
  const Report& report = p.diagnostics.reports().front();
  return location_text(p.sources, report.span) + ": " + report.message;
}

TEST(ParseExpression, Precedence) {
  EXPECT_EQ(tree("1 + 2 * 3"), "(+ 1 (* 2 3))");
  EXPECT_EQ(tree("a * b %/% c"), "(* a (%/% b c))");
  EXPECT_EQ(tree("a - b - c"), "(- (- a b) c)");
  EXPECT_EQ(tree("-2^2"), "(- (^ 2 2))");
  EXPECT_EQ(tree("2^-1^3"), "(^ 2 (- (^ 1 3)))");
  EXPECT_EQ(tree("2^3 .^ 4"), "(^ 2 (.^ 3 4))");
  EXPECT_EQ(tree("2^-1 * 3"), "(* (^ 2 (- 1)) 3)");
  EXPECT_EQ(tree("!a == b"), "(== (! a) b)");
  EXPECT_EQ(tree("a < b == c"), "(== (< a b) c)");
  EXPECT_EQ(tree("a || b && c"), "(|| a (&& b c))");
  EXPECT_EQ(tree("a ? b : c ? d : e"), "(? a b (? c d e))");
  EXPECT_EQ(tree("-a'"), "(- (' a))");
  EXPECT_EQ(tree("a^b'"), "(^ a (' b))");
}

TEST(ParseExpression, PrimaryForms) {
  EXPECT_EQ(tree("f(x)[1].2"), "(.2 (at (f x) 1))");
  EXPECT_EQ(tree("x[, : , 1:, :2, 3:4, 5][]"), "(at (at x _ : 1: :2 3:4 5) _)");
  EXPECT_EQ(tree("f_lpdf(y | 1, 2)"), "(f_lpdf| y 1 2)");
  EXPECT_EQ(tree("f_lpdf(y | )"), "(f_lpdf| y)");
  EXPECT_EQ(tree("(1,)"), "(tuple 1)");
  EXPECT_EQ(tree("((1), 2)"), "(tuple [1] 2)");
  EXPECT_EQ(tree("{[1, 2], []}"), "(array (row 1 2) (row))");
  EXPECT_EQ(tree("target() + T"), "(+ target T)");
}

TEST(ParseExpression, SpansCoverTheText) {
  Parsed p;
  const std::uint32_t file = p.sources.add("e", "  a + f(b)[1] ");
  const ast::ExprPtr expr = parse_expression(p.sources, file, {}, p.diagnostics);
  ASSERT_TRUE(expr);
  EXPECT_EQ(p.sources.text(expr->span), "a + f(b)[1]");
  EXPECT_EQ(p.sources.text(std::get<ast::Binary>(expr->node).right->span), "f(b)[1]");
}

TEST(ParseStatement, EveryForm) {
  EXPECT_EQ(complaint(R"(
functions {
  @inline real f(data array[,] real x, tuple(int, vector) y);
  void g() { return; }
}
data { int<lower=0, upper=3> n; ; vector<multiplier=2>[n] x; cholesky_factor_cov[3, 2] L; tuple(real,) t; }
transformed data { @silence(a, b) array[2, n] real y = z, w; if (n) y = w; else y += 1; }
parameters { simplex[n] s; }
model {
  (a, b[2], (c, d.1)) = t;
  g();
  target += 1;
  y ~ normal(0, 1) T[ , 2];
  target() ~ normal(0, 1);
  for (i in 1 : 3) for (x in y) { break; continue; }
  while (1) print("a", 1);
  profile("p") { real z; }
  reject("x"); fatal_error("y");
  x .*= 2; x[1] ./= 3; x /= 2; x -= 1; x *= 2;
}
)"),
            "");
}

TEST(ParseStatement, ElseBindsToTheNearestIf) {
  Parsed p;
  const std::uint32_t file = p.sources.add("s", "if (a) if (b) f(); else g();");
  const auto statements = parse_statements(p.sources, file, {}, p.diagnostics, false);
  ASSERT_TRUE(statements);
  const auto& outer = std::get<ast::If>(statements->front()->node);
  EXPECT_FALSE(outer.no);
  EXPECT_TRUE(std::get<ast::If>(outer.yes->node).no);
}

TEST(ParseStatement, BoundsKeepTheirPlaceInThePair) {
  Parsed p;
  const auto statements =
      parse_statements(p.sources, p.sources.add("s", "real<upper=2, lower=1> x;"), {}, p.diagnostics, true);
  ASSERT_TRUE(statements);
  const ast::DeclaredType& type = std::get<ast::Declaration>(statements->front()->node).type;
  EXPECT_EQ(type.transform, ast::TransformKind::LowerUpper);
  EXPECT_EQ(show(*type.first), "1");
  EXPECT_EQ(show(*type.second), "2");
}

TEST(ParseErrors, SayWhereAndWhat) {
  const auto has = [](const std::string& text, const std::string& where, const std::string& what) {
    const std::string found = complaint(text);
    EXPECT_NE(found.find("'t.stan', line 1, column " + where), std::string::npos) << found;
    EXPECT_NE(found.find(what), std::string::npos) << found;
  };
  has("data { vector x; }", "14 to column 15", "\"[\" expression \"]\" expected for vector size.");
  has("data { real x[3, N]; }", "14 to column 15", "array[3, N] real x;");
  has("data { array[2] real x[3]; }", "23 to column 24", "array[3, 2] real x;");
  has("data { int simplex; }", "11 to column 18", "\"simplex\" is a reserved keyword");
  has("data { int n = 1; }", "13 to column 14", "cannot be given a value");
  has("model { real<lower=0> x; }", "12 to column 13", "not allowed for local variables");
  has("data { vector[2, 2] x; }", "15 to column 16", "use \"matrix\"");
  has("model { (a) = 1; }", "8 to column 11", "left side");
  has("model { } data { }", "10 to column 14", "out of order");
  has("model { int a@b; }", "13 to column 14", "Annotation '@b' has no place here");
  has("model { @silence x = 1; }", "8 to column 9", "Annotation '@silence' has no place here");
  has("model { 1 $", "10 to column 11", "Invalid character");
}

TEST(ParseErrors, LexingErrorsComeInReadingOrder) {
  EXPECT_NE(complaint("model { x = ; $ }").find("Expected an expression"), std::string::npos);
  EXPECT_NE(complaint("model { x = $ ; }").find("Invalid character"), std::string::npos);
}

TEST(ParseErrors, DepthIsLimited) {
  const auto repeat = [](std::string_view text, int n) {
    std::string result;
    for (int i = 0; i < n; ++i) result += text;
    return result;
  };
  EXPECT_EQ(complaint("model { x = " + repeat("(", 900) + "1" + repeat(")", 900) + "; }"), "");
  for (const std::string& text : {repeat("(", 100000), repeat("-", 100000), "1" + repeat("^1", 100000)})
    EXPECT_NE(complaint("model { x = " + text + "; }").find("nested more than"), std::string::npos);
  for (const std::string& text : {"1" + repeat(" + 1", 100000), "y" + repeat("'", 100000), "y" + repeat("[1]", 100000)})
    EXPECT_NE(complaint("model { x = " + text + "; }").find("1000 operators follow"), std::string::npos);
  EXPECT_NE(complaint("model { " + repeat("{", 100000)).find("nested more than"), std::string::npos);
}

TEST(ParseProgram, EmptyAndFunctionFiles) {
  EXPECT_EQ(complaint(""), "'t.stan', line 1, column 0: Empty file 't.stan' detected; this is a valid stan model but "
                           "likely unintended!");
  EXPECT_EQ(complaint("real f() { return 1; }", true), "");
  EXPECT_NE(complaint("functions { }", true).find("only function definitions"), std::string::npos);
}

}  // namespace
}  // namespace fermiac
