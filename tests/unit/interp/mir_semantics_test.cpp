// Optimised programs compute what the program says: the plain evaluator runs each model before and after the passes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interp/model/interp_model.h"
#include "mir/analysis/verify.h"
#include "mir/passes/pass.h"

namespace fermiac::test {
namespace {

struct Case {
  const char* name;
  const char* source;
};

constexpr const char* kParameters = " parameters { real p; real q; vector[3] v; } ";

// Bodies of models over p, q and v; `#` separates the functions from the model.
const Case kCases[] = {
    {"EarlyReturns",
     "real f(real x) { for (i in 1 : 4) { if (x > i) continue; if (x > 0.5) return x * i; while (x < 2) { if (x < 1) "
     "return 2; "
     "break; } } return 7; } # target += f(p) + 2 * f(q) * f(p + q); real a = q > 0 && f(q) > 1 ? f(p) : 3; target += "
     "a;"},
    {"EffectsInArguments",
     "real g_lp(real x) { target += x; return 2 * x; } real twice(real x) { return x + x; } # target += "
     "twice(g_lp(p)); if (q > "
     "100 && g_lp(q) > 0) target += 1; if (q < 100 || g_lp(q) > 0) target += 2;"},
    {"CallsInLoopConditions",
     "int more(int i, real x) { return i < 3 && x > -5; } int top(int i) { return i + 2; } # int i = 0; while (more(i, "
     "p)) { i "
     "+= 1; target += p * i; } int n = 2; for (k in 1 : top(n)) { target += k * q; if (k == 2) n = 1; }"},
    {"LoopsThatChangeWhatTheyRead",
     "# real a = p; real s = 0; for (i in 1 : 3) { s += a * a; if (s > 1) { a = q; continue; } a += i; s += a * a; } "
     "target += "
     "s + a * a; int k = 0; while (k < 3) { k += 1; if (k == 2) break; target += k * a; } target += k;"},
    {"CodeMotionAcrossBranches",
     "# real a = 1; if (p > 0) { a = exp(p + q); } else { a = exp(p + q) * 2; } target += exp(p + q) + a; for (i in 1 "
     ": 2) { "
     "real b = exp(p + q) + i; target += b; if (i == 1) target += log1p(square(b)); else target += log1p(square(b)) * "
     "2; }"},
    {"RepeatedNamesInSiblingScopes",
     "# { int n = 1; real r = p; target += n * r; } { int n = 2; real r = q; target += n * r; { real s = r; r = 3; "
     "target += s; "
     "} } for (i in 1 : 2) { real r = i; target += r; }"},
    {"ElementsAndCopies",
     "# vector[3] a = v; vector[3] b = a; a[2] = 5; target += sum(b) + sum(a) + a[2] * b[2]; b[1 : 2] = a[2 : 3]; "
     "target += "
     "dot_product(a, b); array[2, 3] real c = rep_array(p, 2, 3); for (r in c) for (x in r) target += x * q;"},
    {"TuplesAndTernaries",
     "# tuple(real, vector[3]) t = (p, v); real x; vector[3] w; (x, w) = t; t.1 = q; target += x + t.1 + sum(w); "
     "target += (p, "
     "q).2 * (1 ? p : q) + (0 ? p : q); int z = 3 %/% 2 + 7 % 4 - -2; target += z;"},
    {"RewrittenCalls",
     "# target += log(1 + exp(p)) + log(1 - inv_logit(q)) + log(exp(p) + exp(q)) + p * log(exp(q)) + exp(p) - 1; "
     "target += pow(2, "
     "p) + pow(q, 2) + sum(square(v - p * v)) + dot_product(v, v) + p * q + 3; target += 1 - erf(p) + "
     "inv(sqrt(exp(p)));"},
    {"UnrolledLoops",
     "# real s = p; for (i in 1 : 3) for (j in i : 3) { s = s * 0.5 + i * j * q; if (s > 40) target += s; } target += "
     "s; for (i "
     "in 3 : 1) target += 100; for (i in 2 : 2) { real u = s; target += u * i; }"},
    {"Truncation", "# p ~ normal(0, 1) T[-1, 3]; v ~ normal(q, 2) T[-4, ]; v ~ normal(v, 1) T[-9, 9];"},
    {"SizeChecksInLoops",
     "real f(vector a) { real s = 0; for (i in 1 : size(a)) { for (j in 1 : 2) { array[size(a)] real b = rep_array(a[i], "
     "size(a)); s += sum(b); } } vector[size(a)] c = a; return s + sum(c); } # target += f(v);"},
    {"LiteralsBeyondDoubles",
     "# target += log(1e-310 + exp(p)) + (1e400 - q > 0) + (-1e400 < q) * p; target += 1e-310 * 1e308 * q + log(4.9e-324) * p; target += "
     "inv(1e400) + 1e-400 * q + (p < 1e400 ? 1e-310 * 1e300 : q); for (i in 1 : 3) if (1e309 > i * p) target += 2.2250738585072011e-308 * i; "
     "target += (1e400 == positive_infinity()) * q; target += get_real(2e-310i + 3) * p + 1e308 * 1e-308 * q;"},
    {"JumpsInsideBlocks",
     "# for (i in 1 : 5) { real a = i; { if (a > 3) { target += a; break; } { if (p > a - 2) { a = q; continue; } } } "
     "target += "
     "a * p; }"},
};

std::shared_ptr<interp::CompiledModel> compiled(const Case& test) {
  const std::string text = test.source;
  const std::size_t split = text.find('#');
  std::string source =
      "functions { " + text.substr(0, split) + " }" + kParameters + "model { " + text.substr(split + 1) + " }";
  const auto original = interp::compile_model({.text = std::move(source), .path = test.name});
  EXPECT_TRUE(*original) << (original->diagnostics.reports().empty() ? "" : original->diagnostics.reports()[0].message);
  auto copy = std::make_shared<interp::CompiledModel>();
  copy->compilation = original->compilation;
  copy->program = original->program;
  return copy;
}

double log_density(std::shared_ptr<interp::CompiledModel> model, const std::vector<double>& theta) {
  model->code = interp::prepare(model->program);
  const interp::InterpModel bound(model, interp::DataSource(), 1);
  double lp = std::nan("");
  const EvalStatus status = bound.log_density_plain(theta, true, &lp);
  EXPECT_TRUE(status) << status.message;
  return lp;
}

class Optimised : public testing::TestWithParam<Case> {};

TEST_P(Optimised, ModelsKeepTheirDensity) {
  const std::vector<std::vector<double>> points = {
      {0.3, -0.2, 0.1, 0.5, -0.7}, {1.4, 2.5, -1.0, 0.2, 3.0}, {-0.9, 0.6, 2.0, -0.3, 0.4}};
  for (const mir::OptLevel level : {mir::OptLevel::O1, mir::OptLevel::Oexperimental})
    for (const auto& theta : points) {
      const double expected = log_density(compiled(GetParam()), theta);
      auto model = compiled(GetParam());
      mir::PassContext context;
      mir::optimise(model->program, level, context, [&](const mir::Step& step, const mir::Program& program) {
        EXPECT_EQ(mir::verify(program), std::nullopt) << "after " << step.pass->name;
      });
      EXPECT_NEAR(log_density(model, theta), expected, 1e-9 * std::max(1.0, std::abs(expected)));
    }
}

INSTANTIATE_TEST_SUITE_P(Mir, Optimised, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case>& test) { return test.param.name; });

}  // namespace
}  // namespace fermiac::test
