#include "frontend/check/check.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "frontend/parse/parse.h"

namespace fermiac {
namespace {

struct Checked {
  SourceMap sources;
  Diagnostics diagnostics;
  std::optional<ast::Program> program;
  bool good = false;
};

std::unique_ptr<Checked> check(const std::string& text, CheckOptions options = {}) {
  auto out = std::make_unique<Checked>();
  const auto file = out->sources.add("model.stan", text);
  ParseOptions parsing;
  parsing.strict = true;
  out->program = parse_program(out->sources, file, parsing, out->diagnostics);
  out->good = out->program && check_program(*out->program, options, out->diagnostics);
  return out;
}

/// Every report as `line:column-column name`, for example `2:2-14 assign-types`.
std::string reports(const Checked& checked) {
  std::string out;
  for (const auto& report : checked.diagnostics.reports()) {
    const auto begin = checked.sources.line_column(report.span.begin);
    const auto end = checked.sources.line_column(report.span.end);
    out += (out.empty() ? "" : "; ") + std::to_string(begin.line) + ":" + std::to_string(begin.column) + "-" +
           (end.line == begin.line ? "" : std::to_string(end.line) + ":") + std::to_string(end.column) + " " +
           std::string(diag_name(report.id));
  }
  return out;
}

std::string problems(const std::string& text, CheckOptions options = {}) {
  return reports(*check(text, options));
}

/// The same for the body of a block.
std::string in(const std::string& block, const std::string& body) {
  return problems(block + " {\n" + body + "\n}\n");
}

std::string message(const std::string& text) {
  const auto checked = check(text);
  return checked->diagnostics.reports().empty() ? "" : checked->diagnostics.reports().front().message;
}

/// The type and level of the right side of the program's last assignment-like statement `print(x);` in a block.
const ast::Expr& printed(const ast::ProgramBlock& block) {
  return *std::get<ast::Print>(block.body.back()->node).items.front();
}

std::string type_of(const std::string& declarations, const std::string& expr) {
  const auto checked = check("transformed data {\n" + declarations + "\nprint(" + expr + ");\n}");
  if (!checked->good) return reports(*checked);
  return printed(*checked->program->transformed_data).type.str();
}

// ---------------------------------------------------------------- expressions

TEST(Check, TypesOfExpressions) {
  const std::string vars =
      "int n; real x; complex z; vector[2] v; row_vector[2] r; matrix[2, 2] m; array[2, 3] real a; array[2] int i;"
      "tuple(int, vector[2]) t; array[4] tuple(real, array[2] int) at; complex_matrix[2, 2] cm; complex_vector[2] cv;";
  const std::pair<const char*, const char*> cases[] = {
      {"1 + n", "int"},
      {"1 + x", "real"},
      {"n + z", "complex"},
      {"n ^ 2", "real"},
      {"n %/% 2", "int"},
      {"n % 2", "int"},
      {"m * v", "vector"},
      {"r * m", "row_vector"},
      {"r * v", "real"},
      {"v * r", "matrix"},
      {"m / m", "matrix"},
      {"r / m", "row_vector"},
      {"2 / v", "vector"},
      {"m \\ v", "vector"},
      {"v'", "row_vector"},
      {"cv'", "complex_row_vector"},
      {"-a", "array[,] real"},
      {"v .* v", "vector"},
      {"2 .^ i", "array[] real"},
      {"x < 2 && n", "int"},
      {"{1, 2.5}", "array[] real"},
      {"{v, cv}", "array[] complex_vector"},
      {"[r, r]", "matrix"},
      {"[1, z]", "complex_row_vector"},
      {"[]", "row_vector"},
      {"n ? 1 : x", "real"},
      {"(1, v)", "tuple(int, vector)"},
      {"(1, )", "tuple(int)"},
      {"{(1, 2.0), (1.0, 2)}", "array[] tuple(real, real)"},
      {"a[1]", "array[] real"},
      {"a[1, 2]", "real"},
      {"a[:, 1]", "array[] real"},
      {"a[i]", "array[,] real"},
      {"m[1]", "row_vector"},
      {"m[1, 2]", "real"},
      {"m[:, 1]", "vector"},
      {"m[i, 1:2]", "matrix"},
      {"m[1, i]", "row_vector"},
      {"cm[:, 1]", "complex_vector"},
      {"v[i]", "vector"},
      {"v[2]", "real"},
      {"t.1", "int"},
      {"t.2[1]", "real"},
      {"at[1].2", "array[] int"},
      {"at[1:2]", "array[] tuple(real, array[] int)"},
      {"exp(i)", "array[] real"},
      {"abs(z)", "real"},
      {"size(a)", "int"},
      {"rep_array(v, 2, 3)", "array[,] vector"},
      {"normal_lpdf(v | x, 1)", "real"},
      {"eigendecompose(m)", "tuple(complex_matrix, complex_vector)"},
      {"1i", "complex"},
  };
  for (const auto& [expr, expected] : cases) EXPECT_EQ(type_of(vars, expr), expected) << expr;
}

TEST(Check, IllTypedExpressions) {
  EXPECT_EQ(in("model", "vector[2] v; print(v * v);"), "2:19-24 operator-types");
  EXPECT_EQ(in("model", "print({1, [2]});"), "2:10-13 no-common-element");
  EXPECT_EQ(in("model", "print([[1], 2]);"), "2:12-13 row-element-mismatch");
  EXPECT_EQ(in("model", "print(1.5 ? 1 : 2);"), "2:6-17 ternary-test");
  EXPECT_EQ(in("model", "print(1 ? 1 : [2]);"), "2:6-17 ternary-branches");
  EXPECT_EQ(in("model", "vector[2] v; print(v[1.5]);"), "2:21-24 index-type");
  EXPECT_EQ(in("model", "vector[2] v; print(v[1:1.5]);"), "2:23-26 range-bound-type");
  EXPECT_EQ(in("model", "vector[2] v; print(v[1, 2]);"), "2:19-26 too-many-indexes");
  EXPECT_EQ(in("model", "print((1, 2).0);"), "2:6-14 no-such-slot");
  EXPECT_EQ(in("model", "print((1, 2).99999999999);"), "2:6-24 no-such-slot");
  EXPECT_EQ(in("model", "print(2147483648);"), "2:6-16 int-too-large");
  EXPECT_EQ(in("model", "print(2_147_483_647 + 0002147483647);"), "");
  EXPECT_EQ(in("model", "print(exp);"), "2:6-9 not-a-value");
  EXPECT_EQ(in("model", "print(reduce_sum);"), "2:6-16 not-a-value");
}

TEST(Check, OneMistakeGivesOneMessage) {
  CheckOptions all;
  all.all_errors = true;
  EXPECT_EQ(problems("model {\n  real a = zz + 1;\n  real b = exp(a) * yy[1].2;\n  b = 1.5 ? 1 : 2;\n}", all),
            "2:11-13 undeclared; 3:20-22 undeclared; 4:6-17 ternary-test");
  EXPECT_EQ(problems("model {\n  real a = zz;\n  real b = yy;\n}"), "2:11-13 undeclared");
}

TEST(Check, ErrorsHideWarnings) {
  EXPECT_EQ(in("model", "real a = 1 / 2; real b = zz;"), "2:25-27 undeclared");
}

// ---------------------------------------------------------------- levels of derivatives

const std::string kNeedsData = "functions {\n real f(data real x) { return x; }\n}\n";

TEST(Check, DataOnlyArguments) {
  const std::string args = "data {\n real d;\n}\nparameters {\n real p;\n}\n";
  const auto call = [&](const std::string& block, const std::string& arg) {
    return problems(kNeedsData + args + block + " {\n { array[2] tuple(real, int) t;\n real y = f(" + arg +
                    "); }\n}\n");
  };
  EXPECT_EQ(call("model", "d"), "");
  EXPECT_EQ(call("model", "p"), "12:10-14 ill-typed-call");
  EXPECT_EQ(call("generated quantities", "p"), "");
  EXPECT_EQ(call("model", "t[1].2"), "");
  EXPECT_EQ(call("model", "t[1].1"), "12:10-19 ill-typed-call");
  EXPECT_EQ(call("model", "size({p})"), "");
  EXPECT_EQ(call("model", "p > 1 ? d : 2.0"), "12:10-28 ill-typed-call");
  EXPECT_EQ(call("transformed parameters", "target()"), "12:10-21 ill-typed-call");
  EXPECT_EQ(problems(kNeedsData + "data {\n vector[2] v;\n}\nmodel {\n for (x in v) print(f(x));\n}\n"),
            "8:20-24 ill-typed-call");
  EXPECT_EQ(problems(kNeedsData + "transformed data {\n real a = 1; print(f(a));\n}\n"), "");
}

TEST(Check, LevelsOfTupleSlots) {
  const auto checked =
      check("parameters {\n tuple(real, vector[2]) t;\n}\nmodel {\n int n = 1; print((n, t.1, t));\n}\n");
  ASSERT_TRUE(checked->good);
  const AdLevel& ad = printed(*checked->program->model).ad;
  ASSERT_EQ(ad.slots.size(), 3u);
  EXPECT_FALSE(ad.slots[0].any());
  EXPECT_TRUE(ad.slots[1].autodiff);
  EXPECT_EQ(ad.slots[2].slots.size(), 2u);
  EXPECT_TRUE(ad.slots[2].any());
}

// ---------------------------------------------------------------- functions

TEST(Check, LeastCostWinsAndTiesAreErrors) {
  const std::string overloads =
      "functions {\n int f(int a) { return 1; }\n real f(real a) { return 1; }\n vector f(complex a) { return [1]'; }\n"
      " real g(real a, int b) { return 1; }\n real g(int a, real b) { return 1; }\n}\n";
  const auto type = [&](const std::string& expr) {
    const auto checked = check(overloads + "transformed data {\n print(" + expr + ");\n}\n");
    return checked->good ? printed(*checked->program->transformed_data).type.str() : reports(*checked);
  };
  EXPECT_EQ(type("f(1)"), "int");
  EXPECT_EQ(type("f(1.5)"), "real");
  EXPECT_EQ(type("f(1i)"), "vector");
  EXPECT_EQ(type("g(1.0, 1)"), "real");
  EXPECT_EQ(type("g(1, 1)"), "9:7-14 ambiguous-call");
}

TEST(Check, ResolutionsTellWhatWasChosen) {
  const auto checked = check(
      "functions {\n real f(real a);\n real exp(vector a, int b) { return f(b); }\n real f(real a) { return a; }\n}\n"
      "parameters {\n real y;\n}\nmodel {\n print(f(1)); print(exp([1]', 2)); y ~ normal(0, 1) T[0, ];\n target += "
      "normal_lupdf(y | 1, 2); print(2 / 3.0);\n}\n");
  ASSERT_TRUE(checked->good) << reports(*checked);
  const auto& body = checked->program->model->body;
  const auto resolution = [&](std::size_t i) {
    return std::get<ast::Call>(std::get<ast::Print>(body[i]->node).items[0]->node).resolution;
  };
  EXPECT_EQ(resolution(0).kind, ast::Resolution::Kind::User);
  EXPECT_EQ(resolution(0).user_index, 2) << "the definition, not the forward declaration";
  EXPECT_EQ(resolution(0).formals, (std::vector<Formal>{{BaseType::Real, false}}));
  EXPECT_EQ(resolution(1).user_index, 1);
  const auto& tilde = std::get<ast::Tilde>(body[2]->node);
  EXPECT_EQ(tilde.resolution.name, "normal_lpdf");
  EXPECT_TRUE(tilde.resolution.propto);
  EXPECT_EQ(tilde.resolution.formals.size(), 3u);
  EXPECT_EQ(tilde.lcdf.name, "normal_lcdf");
  EXPECT_EQ(tilde.lccdf.name, "normal_lccdf");
  EXPECT_FALSE(tilde.discrete_for_truncation);
  const auto& density = std::get<ast::Call>(std::get<ast::TargetPlus>(body[3]->node).value->node).resolution;
  EXPECT_EQ(density.name, "normal_lpdf");
  EXPECT_EQ(density.suffix, Suffix::Lpdf);
  EXPECT_TRUE(density.propto);
  const auto& quotient = std::get<ast::Binary>(std::get<ast::Print>(body[4]->node).items[0]->node).resolution;
  EXPECT_EQ(quotient.name, "divide");
  EXPECT_EQ(quotient.formals, (std::vector<Formal>{{BaseType::Real, false}, {BaseType::Real, false}}));
}

TEST(Check, FunctionsMayCallEachOtherInAnyOrder) {
  EXPECT_EQ(
      problems(
          "functions {\n real f(int n) { return n ? g(n - 1) : 0; }\n real g(int n) { return n ? f(n - 1) : 1; }\n}\n"),
      "");
}

TEST(Check, Definitions) {
  const auto functions = [](const std::string& body) { return in("functions", body); };
  EXPECT_EQ(functions("real f(int a) { return 1; }\nreal f(int b) { return 2; }"), "3:0-27 redefined");
  EXPECT_EQ(functions("real f(int a) { return 1; }\nint f(int b) { return 2; }"), "3:0-26 overload-by-return");
  EXPECT_EQ(functions("real f(data real a) { return 1; }\nreal f(real b) { return 2; }"), "3:0-28 overload-by-data");
  EXPECT_EQ(functions("real f(int a);"), "2:5-6 never-defined");
  EXPECT_EQ(functions("real f(int a);\nreal f(int a) { return 1; }"), "2:5-6 forward");
  EXPECT_EQ(functions("real log(real a) { return 1; }"), "2:0-30 same-as-builtin");
  EXPECT_EQ(functions("real log(array[] tuple(int, int) a) { return 1; }"), "");
  EXPECT_EQ(functions("real ode_rk45(int a) { return 1; }"), "2:5-13 not-overloadable");
  EXPECT_EQ(functions("real f(int a, real a) { return 1; }"), "2:0-35 duplicate-argument");
  EXPECT_EQ(functions("real f_lpmf(real y) { return 1; }"), "2:0-33 density-variate");
  EXPECT_EQ(functions("real f_lpmf(tuple(int, array[] int) y) { return 1; }"), "");
  EXPECT_EQ(functions("vector f_lcdf(real y) { return [1]'; }"), "2:0-38 density-return");
  EXPECT_EQ(functions("real f(real a) { a = 1; return a; }"), "2:17-18 assign-read-only");
  CheckOptions external;
  external.allow_undefined = true;
  EXPECT_EQ(problems("functions {\n real f(int a);\n}\nmodel {\n target += f(1);\n}", external), "");
}

TEST(Check, EveryPathReturns) {
  const auto body = [](const std::string& statements) {
    return in("functions", "real f(real x) {\n" + statements + "\n}");
  };
  const std::string missing = "2:0-4:1 missing-return";
  EXPECT_EQ(body("if (x > 1) return 1; else return 2;"), "");
  EXPECT_EQ(body("if (x > 1) return 1;"), missing);
  EXPECT_EQ(body("while (1) { if (x > 1) return 1; }"), "");
  EXPECT_EQ(body("while (1) { if (x > 1) return 1; break; }"), missing);
  EXPECT_EQ(body("while (x > 1) return 1;"), "");
  EXPECT_EQ(body("for (i in 1:3) return 1;"), "");
  EXPECT_EQ(body("{ { return 1; } }"), "");
  EXPECT_EQ(body("profile(\"p\") { return 1; }"), "");
  EXPECT_EQ(body("reject(\"no\");"), "");
  EXPECT_EQ(body("print(x);"), missing);
}

TEST(Check, PlacesOfSpecialFunctions) {
  EXPECT_EQ(in("model", "print(normal_rng(0, 1));"), "2:6-22 rng-place");
  EXPECT_EQ(in("generated quantities", "print(normal_rng(0, 1));"), "");
  EXPECT_EQ(in("transformed parameters", "print(normal_lupdf(1 | 0, 1));"), "2:6-28 unnormalised-place");
  EXPECT_EQ(in("transformed data", "target += 1;"), "2:0-12 target-place");
  EXPECT_EQ(in("transformed data", "1 ~ normal(0, 1);"), "2:0-17 target-place");
  EXPECT_EQ(in("model", "jacobian += 1;"), "2:0-14 jacobian-statement-place");
  EXPECT_EQ(in("generated quantities", "print(target());"), "2:6-14 target-read");
  EXPECT_EQ(problems("functions {\n void f_lp(real x) { target += x; }\n}\nparameters {\n real x;\n}\ntransformed "
                     "parameters {\n f_lp(x);\n}\n"),
            "8:1-9 lp-place");
  EXPECT_EQ(in("transformed parameters", "print(lower_bound_jacobian(1, 0));"), "2:6-32 jacobian-data");
}

TEST(Check, Bars) {
  EXPECT_EQ(in("model", "target += normal_lpdf(1, 0, 1);"), "2:10-30 bar-missing");
  EXPECT_EQ(in("model", "target += pow(1 | 2);"), "2:10-20 bar-superfluous");
  EXPECT_EQ(in("model", "target += std_normal_lpdf(1) + std_normal_lpdf(1 | );"), "");
}

TEST(Check, HelpWithNames) {
  EXPECT_NE(message("model {\n real alpha; print(alpah);\n}").find("Did you mean 'alpha'?"), std::string::npos);
  EXPECT_NE(message("model {\n print(norml_rng(0, 1));\n}").find("Did you mean 'normal_rng'?"), std::string::npos);
  EXPECT_NE(message("model {\n print(normal_log(1, 0, 1));\n}").find("'normal_lpdf'"), std::string::npos);
  EXPECT_NE(message("model {\n print(poisson_lpdf(1 | 2));\n}").find("'poisson_lpmf'"), std::string::npos);
  EXPECT_NE(message("model {\n print(fabs(1));\n}").find("use abs"), std::string::npos);
  EXPECT_NE(message("model {\n print(poisson(1));\n}").find("'poisson_lpmf("), std::string::npos);
}

TEST(Check, IllTypedCallsShowTheNearestSignatures) {
  const auto text = message("model {\n print(append_row([1], {1}));\n}");
  EXPECT_NE(text.find("(row_vector, array[] int)"), std::string::npos) << text;
  EXPECT_NE(text.find("(row_vector, row_vector) => matrix\n  Argument 2 has type row_vector, found type array[] int; to_row_vector converts it."),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("further signatures are not shown"), std::string::npos) << text;
}

TEST(Check, AssignmentTextOfTheGuide) {
  EXPECT_EQ(message("transformed data {\n   int x = 1.5;\n}\n"),
            "Ill-typed arguments supplied to assignment operator =: lhs has type int and rhs has type real\nWrite to_int(...) to "
            "convert it.");
}

// ---------------------------------------------------------------- higher-order functions

TEST(Check, HigherOrderCalls) {
  const std::string f =
      "functions {\n vector f(real t, vector y, array[] real a, data int n) { return y; }\n"
      " vector g(vector y, vector p, data array[] real x, data array[] int i) { return y; }\n"
      " real s(array[] int y, int a, int b, vector v) { return 1; }\n real s_lpmf(array[] int y, int a, int b) { "
      "return 1; }\n}\n";
  const auto with = [&](const std::string& call) {
    const auto checked = check(f + "parameters {\n real p;\n}\nmodel {\nprint(" + call + ");\n}\n");
    return checked->good ? printed(*checked->program->model).type.str() : reports(*checked);
  };
  EXPECT_EQ(with("ode_rk45(f, [1]', 0, {1}, {p}, 3)"), "array[] vector");
  EXPECT_EQ(with("ode_rk45(f, [1]', 0, {1}, {p})"), "11:32-35 higher-order");
  EXPECT_EQ(with("ode_rk45(f, [1], 0, {1}, {p}, 3)"), "11:18-21 higher-order");
  EXPECT_EQ(with("ode_rk45((f), [1]', 0, {1}, {p}, 3)"), "11:15-18 higher-order");
  EXPECT_EQ(with("algebra_solver(g, [1]', [p]', {1}, {1})"), "vector");
  EXPECT_EQ(with("algebra_solver(g, [1]', [p]', {p}, {1})"), "11:6-45 ill-typed-call");
  EXPECT_EQ(with("reduce_sum(s, {1, 2}, 1, [1]')"), "real");
  EXPECT_EQ(with("reduce_sum(s_lupmf, {1, 2}, 1)"), "real");
  EXPECT_EQ(with("reduce_sum(s, 1, 1)"), "11:20-21 higher-order");
  EXPECT_EQ(with("ode_rk45()"), "11:6-16 higher-order");
  EXPECT_EQ(with("ode_bdf_tol(nope, [1]', 0, {1}, 1, 1, 1)"), "11:18-22 undeclared");
}

TEST(Check, SpecialFunctionsAreListed) {
  const auto names = special_function_names();
  EXPECT_EQ(names.size(), 39u);
  EXPECT_TRUE(std::ranges::is_sorted(names));
  for (auto name : names)
    EXPECT_EQ(in("functions", "real " + std::string(name) + "(int a) { return 1; }").substr(0, 4), "2:5-");
}

TEST(Check, ACallbackIsTheOverloadThatFits) {
  const auto checked = check(
      "functions {\n vector f(real t, vector y, real a) { return y; }\n vector f(real t, vector y, vector a) { return "
      "y; }\n}\n"
      "transformed data {\n print(ode_rk45(f, [1]', 0, {1}, [2]'));\n}\n");
  ASSERT_TRUE(checked->good) << reports(*checked);
  const auto& call = std::get<ast::Call>(printed(*checked->program->transformed_data).node);
  EXPECT_EQ(call.resolution.formals.size(), 5u);
  EXPECT_EQ(call.resolution.formals[0].type.str(), "(real, vector, vector) => vector");
  EXPECT_EQ(call.resolution.formals[4].type, Type(BaseType::Vector));
  EXPECT_EQ(call.args[0]->type, call.resolution.formals[0].type);
}

TEST(Check, LaplaceCalls) {
  const std::string f =
      "functions {\n real l(vector t, array[] int y, real s) { return 1; }\n matrix k(real a, int b) { return [[a]]; "
      "}\n"
      " real bad(vector t) { return integrate_1d(h, 0, 1, {1.0}, {1.0}, {1}); }\n"
      " real h(real x, real xc, array[] real p, data array[] real r, data array[] int i) { return x; }\n}\n"
      "data {\n array[2] int y;\n}\nparameters {\n real a;\n}\n";
  const auto with = [&](const std::string& call) { return problems(f + "model {\ntarget += " + call + ";\n}\n"); };
  EXPECT_EQ(with("laplace_marginal(l, (y, a), 1, k, (a, 2))"), "");
  EXPECT_EQ(with("laplace_marginal(l, (y, [a]), 1, k, (a, 2))"), "14:30-38 higher-order");
  EXPECT_EQ(with("laplace_marginal(l, (y, a), 1.0, k, (a, 2))"), "14:38-41 higher-order");
  EXPECT_EQ(with("laplace_marginal(l, (y, a))"), "14:36-36 higher-order");
  EXPECT_EQ(with("laplace_marginal(l, (y, a), 1, k, (a, 2), 7)"), "14:52-53 higher-order");
  EXPECT_EQ(with("laplace_marginal(l)"), "14:10-29 laplace-usage");
  EXPECT_EQ(with("laplace_marginal_tol(l, (y, a), 1, k, (a, 2), ([0]', 1, 2, 3, 4, 5))"), "");
  EXPECT_EQ(with("laplace_marginal_tol(l, (y, a), 1, k, (a, 2), generate_laplace_options(3))"), "");
  EXPECT_EQ(with("laplace_marginal_poisson_log_lpmf(y | y, [1]', 1, k, (a, 2))"), "");
  EXPECT_EQ(with("laplace_marginal(bad, a, 1, k, (a, 2))"), "14:32-33 higher-order");
  EXPECT_EQ(problems(f + "model {\ny ~ laplace_marginal_poisson_log(y, [1]', 1, k, (a, 2));\n}\n"), "");
  EXPECT_EQ(problems("functions {\n real l(vector t, real s) { return m(t); }\n real m(vector t) { return "
                     "reduce_sum(r, {1.0}, 1); }\n"
                     " real r(array[] real x, int a, int b) { return 1; }\n matrix k(real a) { return [[a]]; }\n}\n"
                     "model {\n target += laplace_marginal(l, (1.0, ), 1, k, (1, ));\n}\n"),
            "8:28-29 not-twice-differentiable");
}

// ---------------------------------------------------------------- declarations

TEST(Check, Declarations) {
  EXPECT_EQ(in("data", "int<lower=0.5> n;"), "2:0-17 int-bound-type");
  EXPECT_EQ(in("data", "array[2] int<lower=0.5> n;"), "");
  EXPECT_EQ(in("data", "vector[2] m; vector<lower=m>[2] v; array[3] vector<lower=m>[2] w;"), "2:57-58 bound-type");
  EXPECT_EQ(in("data", "complex<lower=0> z;"), "2:0-19 complex-constraint");
  EXPECT_EQ(in("parameters", "array[2] tuple(real, array[2] int) t;"), "2:0-37 int-parameter");
  EXPECT_EQ(in("transformed parameters", "{ int n = 1; }"), "");
  EXPECT_EQ(in("parameters", "real x; vector[x > 1] y;"), "2:15-16 size-parameter");
  EXPECT_EQ(in("transformed data", "vector[poisson_rng(2)] y;"), "2:7-21 size-rng");
  EXPECT_EQ(in("transformed data", "{ vector[poisson_rng(2)] y; }"), "");
  EXPECT_EQ(problems("parameters {\n real x;\n}\nmodel {\n vector[x > 1] y;\n}\n"), "");
  EXPECT_EQ(in("model", "real a = a;"), "2:0-11 self-init");
  EXPECT_EQ(in("model", "real a; { real a; }"), "2:15-16 name-in-use");
  EXPECT_EQ(in("model", "real x; real b = 1, a = b, a = 2;"), "2:27-28 name-in-use");
  EXPECT_EQ(in("model", "real normal = 1; normal ~ normal(0, 1); print(exp(normal));"), "");
  EXPECT_EQ(in("model", "real typedef;"), "2:5-12 reserved-word");
  EXPECT_EQ(in("model", "real a__;"), "2:5-8 reserved-ending");
  CheckOptions named;
  named.model_name = "m_model";
  EXPECT_EQ(problems("data {\n real m_model;\n}\n", named), "2:6-13 model-name");
}

TEST(Check, ScopesEnd) {
  EXPECT_EQ(in("model", "{ real a; } { int a; a = 1; } for (a in 1:2) { } print(a);"), "2:55-56 undeclared");
  EXPECT_EQ(problems("model {\n real a;\n}\ngenerated quantities {\n real a;\n}\n"), "");
}

// ---------------------------------------------------------------- statements

TEST(Check, Assignments) {
  EXPECT_EQ(in("transformed data", "int a; a = 1.5;"), "2:11-14 assign-types");
  EXPECT_EQ(in("transformed data", "tuple(real, array[2] real) t; t = (1, {1, 2}); t.1 = 2; t.2[1] = 3;"), "");
  EXPECT_EQ(in("transformed data", "int a; real b; (a, b) = (1, 2);"), "");
  EXPECT_EQ(in("transformed data", "int a; real b; (a, b) = (1.0, 2);"), "2:24-32 assign-types");
  EXPECT_EQ(in("transformed data", "vector[2] a; (a[1], a[2]) = (1, 2);"), "2:13-25 written-twice");
  EXPECT_EQ(in("transformed data", "tuple(int, int) a; (a.1, a.2) = (1, 2);"), "");
  EXPECT_EQ(in("transformed data", "tuple(int, int) a; (a.1, a) = (1, (1, 2));"), "2:19-27 written-twice");
  EXPECT_EQ(in("transformed data", "array[2] int x; x[size(x)] = 2;"), "2:16-26 read-and-written");
  EXPECT_EQ(in("transformed data", "array[2] vector[2] x; x[{1, 2}][1] = [1, 1]';"), "2:22-34 nested-multi-index");
  EXPECT_EQ(in("transformed data", "matrix[2, 2] m; m[:, 1] = [1, 1]'; m[1] = [1, 1];"), "");
  EXPECT_EQ(in("transformed data", "vector[2] v; v .*= v; v += 1; v *= 2; v /= 2;"), "");
  EXPECT_EQ(in("transformed data", "int n = 1; n /= 2; n += 1.5;"), "2:24-27 assign-types");
  EXPECT_EQ(in("transformed data", "matrix[2, 2] m; m *= m; m /= m;"), "2:29-30 assign-types");
  EXPECT_EQ(in("transformed data", "real a = 1; a = (a);"), "2:12-20 self-assign");
  EXPECT_EQ(in("transformed data", "for (i in 1:3) i = 2;"), "2:15-16 assign-read-only");
  EXPECT_EQ(problems("data {\n real a;\n}\nmodel {\n a = 1;\n}\n"), "5:1-2 assign-read-only");
}

TEST(Check, ControlFlow) {
  EXPECT_EQ(in("model", "if (1.5) { }"), "2:4-7 condition-type");
  EXPECT_EQ(in("model", "for (i in 1:2.5) { }"), "2:12-15 loop-bound-type");
  EXPECT_EQ(in("model", "for (x in 3) { }"), "2:10-11 foreach-type");
  EXPECT_EQ(in("model", "for (x in [[1, 2]]) for (y in {[x]'}) for (z in y) print(z + 1.5);"), "");
  EXPECT_EQ(in("model", "break;"), "2:0-6 outside-loop");
  EXPECT_EQ(in("model", "while (1) { if (1) break; else continue; }"), "");
  EXPECT_EQ(in("model", "while (1) { break; print(1); print(2); }"), "2:19-28 unreachable");
  EXPECT_EQ(in("model", "return;"), "2:0-7 return-outside");
  EXPECT_EQ(in("functions", "void f() { return 1; }"), "2:11-20 return-from-void");
  EXPECT_EQ(in("functions", "int f() { return 1.5; }"), "2:10-21 return-type");
}

TEST(Check, DistributionStatements) {
  EXPECT_EQ(in("model", "1 ~ normal(0);"), "2:0-14 tilde-types");
  EXPECT_EQ(in("model", "1 ~ nrmal(0, 1);"), "2:4-9 tilde-unknown");
  EXPECT_EQ(in("model", "1 ~ normal_lupdf(0, 1);"), "2:4-16 tilde-suffix");
  EXPECT_EQ(in("model", "1 ~ normal_cdf(0, 1);"), "2:0-21 tilde-cdf");
  EXPECT_EQ(in("model", "1 ~ normal(0, 1) T[{1}, ];"), "2:19-22 truncation-bound");
  EXPECT_EQ(in("model", "1 ~ lkj_corr(2) T[, ];"), "2:0-22 tilde-types");
  EXPECT_EQ(in("model", "[[1]] ~ lkj_corr(2) T[, 1];"), "2:0-27 truncation-missing");
  const auto checked = check("data {\n int y;\n}\nmodel {\n y ~ poisson(2) T[1, 4];\n}\n");
  ASSERT_TRUE(checked->good) << reports(*checked);
  EXPECT_TRUE(std::get<ast::Tilde>(checked->program->model->body[0]->node).discrete_for_truncation);
}

TEST(Check, Warnings) {
  EXPECT_EQ(in("model", "real a = 1 / 2;"), "2:9-10 int-division");
  EXPECT_EQ(in("model", "matrix[2, 2] m; print(m ^ 2, m .^ 2, m ^ [[1]]);"), "2:22-23 matrix-power");
  EXPECT_EQ(in("model", "print(1 < 2 == 3, (1 < 2) == 3);"), "2:6-16 chain");
  EXPECT_EQ(in("model", "[[1]] ~ lkj_cov([1]', [1]', 1);"), "2:8-15 lkj-cov");
}

// ---------------------------------------------------------------- sessions

class SessionTest : public ::testing::Test {
 protected:
  bool run(const std::string& text, ast::BlockKind block = ast::BlockKind::GeneratedQuantities) {
    diagnostics_.clear();
    const auto file = sources_.add("input", text);
    auto body = parse_statements(sources_, file, {}, diagnostics_, true);
    if (!body || !session_.statements(*body, block, diagnostics_)) return false;
    for (auto& stmt : *body) kept_.push_back(std::move(stmt));
    return true;
  }
  std::string type(const std::string& text) {
    diagnostics_.clear();
    const auto file = sources_.add("input", text);
    auto expr = parse_expression(sources_, file, {}, diagnostics_);
    if (!expr || !session_.expression(*expr, ast::BlockKind::GeneratedQuantities, diagnostics_)) return "error";
    return expr->type.str();
  }
  bool define(const std::string& text) {
    diagnostics_.clear();
    const auto file = sources_.add("input", text);
    auto functions = parse_functions(sources_, file, {}, diagnostics_);
    return functions && session_.functions(*functions, diagnostics_);
  }

  SourceMap sources_;
  Diagnostics diagnostics_;
  std::vector<ast::StmtPtr> kept_;
  CheckSession session_;
};

TEST_F(SessionTest, DeclarationsStay) {
  EXPECT_TRUE(run("real x = 1; vector[3] v;"));
  EXPECT_EQ(type("x * v"), "vector");
  EXPECT_EQ(type("normal_rng(x, 1)"), "real");
  EXPECT_TRUE(run("x = 2; v[1] = x;", ast::BlockKind::Model));
  EXPECT_EQ(type("y"), "error");
  EXPECT_FALSE(run("real x;"));
  EXPECT_TRUE(session_.forget_variable("x"));
  EXPECT_TRUE(run("int x = 3;"));
  EXPECT_EQ(type("x"), "int");
}

TEST_F(SessionTest, WhatFailsLeavesNoTrace) {
  EXPECT_FALSE(run("real a; real b = zz;"));
  EXPECT_EQ(type("a"), "error");
  EXPECT_FALSE(define("real f(real x) { return y; }"));
  EXPECT_EQ(type("f(1)"), "error");
  EXPECT_TRUE(define("real f(real x) { return x; }"));
  EXPECT_EQ(type("f(1)"), "real");
  EXPECT_EQ(type("f"), "error");
}

TEST_F(SessionTest, FunctionsDoNotSeeVariables) {
  EXPECT_TRUE(session_.declare("x", BaseType::Vector, ast::BlockKind::Data));
  EXPECT_FALSE(session_.declare("x", BaseType::Vector, ast::BlockKind::Data));
  EXPECT_FALSE(define("real f(real a) { return x[1]; }"));
  EXPECT_TRUE(define("real f(real x) { return x; }"));
  EXPECT_EQ(session_.variables().size(), 1u);
}

}  // namespace
}  // namespace fermiac
