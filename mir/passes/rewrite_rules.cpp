// Rewrite rules of partial evaluation, as a table of patterns.
//
//   (f a b)      a built-in call; f may be an operator (Plus__)
//   x  X:matrix  a variable of the pattern, optionally with a type (matrix; scalar = int or real); the same variable
//   twice
//                must match equal expressions
//   @r           the remaining arguments
//   1  2         the literal, int or real, also inside a promotion;  2i the int literal 2 only;  0.5 the real literal

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/passes/pass_tools.h"
#include "mir/text/sexp.h"
#include "support/base/check.h"
#include "support/base/number_text.h"
#include "support/base/text.h"

namespace fermiac::mir {
namespace {

enum class Unless : std::uint8_t {
  Never,
  BothContainers,  // x and y are both vectors or matrices
  IntQuotient,
  DataLogarithm  // x carries derivatives and y does not: log(y) is a constant, and the product linear
};

struct RuleText {
  std::string_view from, to;
  Unless unless = Unless::Never;
};

// In the order in which they are tried. Rules for one function stand together; which of two overlapping ones wins is
// decided here alone.
constexpr RuleText kRules[] = {
    {"(bernoulli_lpmf y (inv_logit (Plus__ a (Times__ X:matrix b))))", "(bernoulli_logit_glm_lpmf y X a b)"},
    {"(bernoulli_lpmf y (inv_logit (Plus__ (Times__ X:matrix b) a)))", "(bernoulli_logit_glm_lpmf y X a b)"},
    {"(bernoulli_lpmf y (inv_logit (Times__ X:matrix b)))", "(bernoulli_logit_glm_lpmf y X 0 b)"},
    {"(bernoulli_logit_lpmf y (Plus__ a (Times__ X:matrix b)))", "(bernoulli_logit_glm_lpmf y X a b)"},
    {"(bernoulli_logit_lpmf y (Plus__ (Times__ X:matrix b) a))", "(bernoulli_logit_glm_lpmf y X a b)"},
    {"(bernoulli_logit_lpmf y (Times__ X:matrix b))", "(bernoulli_logit_glm_lpmf y X 0 b)"},
    {"(bernoulli_lpmf y (inv_logit a))", "(bernoulli_logit_lpmf y a)"},
    {"(bernoulli_rng (inv_logit a))", "(bernoulli_logit_rng a)"},
    {"(binomial_lpmf y n (inv_logit a))", "(binomial_logit_lpmf y n a)"},
    {"(categorical_lpmf y (softmax a))", "(categorical_logit_lpmf y a)"},
    {"(categorical_rng (softmax a))", "(categorical_logit_rng a)"},
    {"(neg_binomial_2_lpmf y (exp (Plus__ a (Times__ X:matrix b))) s)", "(neg_binomial_2_log_glm_lpmf y X a b s)"},
    {"(neg_binomial_2_lpmf y (exp (Plus__ (Times__ X:matrix b) a)) s)", "(neg_binomial_2_log_glm_lpmf y X a b s)"},
    {"(neg_binomial_2_lpmf y (exp (Times__ X:matrix b)) s)", "(neg_binomial_2_log_glm_lpmf y X 0 b s)"},
    {"(neg_binomial_2_log_lpmf y (Plus__ a (Times__ X:matrix b)) s)", "(neg_binomial_2_log_glm_lpmf y X a b s)"},
    {"(neg_binomial_2_log_lpmf y (Plus__ (Times__ X:matrix b) a) s)", "(neg_binomial_2_log_glm_lpmf y X a b s)"},
    {"(neg_binomial_2_log_lpmf y (Times__ X:matrix b) s)", "(neg_binomial_2_log_glm_lpmf y X 0 b s)"},
    {"(neg_binomial_2_lpmf y (exp e) p)", "(neg_binomial_2_log_lpmf y e p)"},
    {"(neg_binomial_2_rng (exp e) p)", "(neg_binomial_2_log_rng e p)"},
    {"(normal_lpdf y (Plus__ a (Times__ X:matrix b)) s)", "(normal_id_glm_lpdf y X a b s)"},
    {"(normal_lpdf y (Plus__ (Times__ X:matrix b) a) s)", "(normal_id_glm_lpdf y X a b s)"},
    {"(normal_lpdf y (Times__ X:matrix b) s)", "(normal_id_glm_lpdf y X 0 b s)"},
    {"(poisson_lpmf y (exp (Plus__ a (Times__ X:matrix b))))", "(poisson_log_glm_lpmf y X a b)"},
    {"(poisson_lpmf y (exp (Plus__ (Times__ X:matrix b) a)))", "(poisson_log_glm_lpmf y X a b)"},
    {"(poisson_lpmf y (exp (Times__ X:matrix b)))", "(poisson_log_glm_lpmf y X 0 b)"},
    {"(poisson_log_lpmf y (Plus__ a (Times__ X:matrix b)))", "(poisson_log_glm_lpmf y X a b)"},
    {"(poisson_log_lpmf y (Plus__ (Times__ X:matrix b) a))", "(poisson_log_glm_lpmf y X a b)"},
    {"(poisson_log_lpmf y (Times__ X:matrix b))", "(poisson_log_glm_lpmf y X 0 b)"},
    {"(poisson_lpmf y (exp e))", "(poisson_log_lpmf y e)"},
    {"(poisson_rng (exp e))", "(poisson_log_rng e)"},
    {"(multi_normal_lpdf y m (inverse T))", "(multi_normal_prec_lpdf y m T)"},
    {"(columns_dot_product x x)", "(columns_dot_self x)"},
    {"(rows_dot_product x x)", "(rows_dot_self x)"},
    {"(dot_product x x)", "(dot_self x)"},
    {"(inv (sqrt x))", "(inv_sqrt x)"},
    {"(inv (square x))", "(inv_square x)"},
    {"(log (Minus__ 1 (exp x)))", "(log1m_exp x)"},
    {"(log (Minus__ 1 (inv_logit x)))", "(log1m_inv_logit x)"},
    {"(log (Minus__ 1 x))", "(log1m x)"},
    {"(log (Plus__ 1 (exp x)))", "(log1p_exp x)"},
    {"(log (Plus__ 1 x))", "(log1p x)"},
    {"(log (abs (determinant x)))", "(log_determinant x)"},
    {"(log (Minus__ (exp x) (exp y)))", "(log_diff_exp x y)"},
    {"(log (Plus__ (exp x) (exp y)))", "(log_sum_exp x y)"},
    {"(log (falling_factorial @r))", "(log_falling_factorial @r)"},
    {"(log (rising_factorial @r))", "(log_rising_factorial @r)"},
    {"(log (inv_logit x))", "(log_inv_logit x)"},
    {"(log (softmax x))", "(log_softmax x)"},
    {"(log (sum (exp x)))", "(log_sum_exp x)"},
    {"(pow 2 x)", "(exp2 x)"},
    {"(pow x 2i)", "(square x)"},
    {"(pow x 0.5)", "(sqrt x)"},
    {"(pow x (Divide__ 1 2))", "(sqrt x)", Unless::IntQuotient},
    {"(square (sd x))", "(variance x)"},
    {"(sqrt 2)", "(sqrt2)"},
    {"(sum (square (Minus__ x y)))", "(squared_distance x y)"},
    {"(sum (diagonal m))", "(trace m)"},
    {"(trace (Times__ (Times__ (Times__ D (transpose B)) A) B))", "(trace_gen_quad_form D A B)"},
    {"(trace (quad_form A B))", "(trace_quad_form A B)"},
    {"(Minus__ 1 (erf x))", "(erfc x)"},
    {"(Minus__ 1 (erfc x))", "(erf x)"},
    {"(Minus__ (exp x) 1)", "(expm1 x)"},
    {"(Plus__ (Times__ x y) z)", "(fma x y z)", Unless::BothContainers},
    {"(Plus__ z (Times__ x y))", "(fma x y z)", Unless::BothContainers},
    {"(Plus__ (EltTimes__ x y) z)", "(fma x y z)"},
    {"(Plus__ z (EltTimes__ x y))", "(fma x y z)"},
    {"(Plus__ (elt_multiply x y) z)", "(fma x y z)"},
    {"(Plus__ z (elt_multiply x y))", "(fma x y z)"},
    {"(Minus__ 1 (gamma_p @r))", "(gamma_q @r)"},
    {"(Minus__ 1 (gamma_q @r))", "(gamma_p @r)"},
    {"(Times__ (matrix_exp (Times__ t:scalar A)) B)", "(scale_matrix_exp_multiply t A B)"},
    {"(Times__ (matrix_exp (Times__ A t:scalar)) B)", "(scale_matrix_exp_multiply t A B)"},
    {"(Times__ (matrix_exp A) B)", "(matrix_exp_multiply A B)"},
    {"(Times__ x (log y))", "(lmultiply x y)", Unless::DataLogarithm},
    {"(Times__ (log y) x)", "(lmultiply x y)", Unless::DataLogarithm},
    {"(Times__ (diag_matrix v) (diag_post_multiply A v))", "(quad_form_diag A v)"},
    {"(Times__ (diag_pre_multiply v A) (diag_matrix v))", "(quad_form_diag A v)"},
    {"(Times__ (transpose B) (Times__ A B))", "(quad_form A B)"},
    {"(Times__ (Times__ (transpose B) A) B)", "(quad_form A B)"},
    {"(Times__ A (diag_matrix v))", "(diag_post_multiply A v)"},
    {"(Times__ (diag_matrix v) B)", "(diag_pre_multiply v B)"},
};

struct Pattern {
  std::optional<Builtin> fn;  // none: `atom` is a variable or a literal
  std::string atom;
  std::vector<Pattern> args;
};

struct Rule {
  Pattern from, to;
  Unless unless;
};

/// What the variables of a pattern stand for.
struct Bindings {
  std::map<std::string, ExprPtr> one;
  std::vector<ExprPtr> rest;
};

bool is_number(const Expr& expr, double value) {
  const Lit* lit = as_lit(bare(expr));
  if (!lit || (lit->kind != Lit::Kind::Int && lit->kind != Lit::Kind::Real)) return false;
  return literal_real(lit->text) == value;
}

bool is_literal(const Expr& expr, Lit::Kind kind, double value) {
  const Lit* lit = as_lit(bare(expr));
  return lit && lit->kind == kind && literal_real(lit->text) == value;
}

bool has_wanted_type(const Expr& expr, std::string_view wanted) {
  if (wanted == "matrix") return expr.type.is(BaseType::Matrix);
  if (wanted == "scalar") return expr.type.is_number();
  return wanted.empty();
}

bool bind(const std::string& atom, const ExprPtr& expr, Bindings& bindings) {
  const std::size_t colon = atom.find(':');
  const std::string name = atom.substr(0, colon);
  if (!has_wanted_type(*expr, colon == std::string::npos ? "" : std::string_view(atom).substr(colon + 1))) return false;
  const auto [at, fresh] = bindings.one.emplace(name, expr);
  return fresh || same(*at->second, *expr);
}

bool matches(const Pattern& pattern, const ExprPtr& expr, Bindings& bindings);

bool matches_call(const Pattern& pattern, const Expr& expr, Bindings& bindings) {
  const FunApp* call = as_call(expr, *pattern.fn);
  if (!call) return false;
  if (pattern.args.size() == 1 && pattern.args[0].atom == "@r") {
    bindings.rest = call->args;
    return true;
  }
  if (call->args.size() != pattern.args.size()) return false;
  for (std::size_t i = 0; i < call->args.size(); ++i)
    if (!matches(pattern.args[i], call->args[i], bindings)) return false;
  return true;
}

bool matches(const Pattern& pattern, const ExprPtr& expr, Bindings& bindings) {
  if (pattern.fn) return matches_call(pattern, bare(*expr), bindings);
  if (pattern.atom == "1") return is_number(*expr, 1);
  if (pattern.atom == "2") return is_number(*expr, 2);
  if (pattern.atom == "2i") return is_literal(*expr, Lit::Kind::Int, 2);
  if (pattern.atom == "0.5") return is_literal(*expr, Lit::Kind::Real, 0.5);
  return bind(pattern.atom, expr, bindings);
}

ExprPtr build_argument(const Pattern& pattern, const Bindings& bindings) {
  if (pattern.atom == "0") return int_lit(0);
  return bindings.one.at(pattern.atom.substr(0, pattern.atom.find(':')));
}

ExprPtr build(const Rule& rule, const Expr& original, const Bindings& bindings) {
  StanLib fn = *as_library(original);  // keeps suffix and propto
  fn.fn = *rule.to.fn;
  std::vector<ExprPtr> args;
  for (const Pattern& argument : rule.to.args) {
    if (argument.atom == "@r")
      args.insert(args.end(), bindings.rest.begin(), bindings.rest.end());
    else
      args.push_back(build_argument(argument, bindings));
  }
  const auto result = builtin_result(fn.fn, args);
  if (!result || !(*result == original.type)) return nullptr;
  return make_expr(FunApp{std::move(fn), std::move(args)}, original.type, original.ad, original.span);
}

bool excluded(const Rule& rule, const Expr& original, const Bindings& bindings) {
  switch (rule.unless) {
    case Unless::Never:
      return false;
    case Unless::BothContainers:
      return !bindings.one.at("x")->type.is_scalar() && !bindings.one.at("y")->type.is_scalar();
    case Unless::IntQuotient:
      return bare(*as_call(original)->args[1]).type.is(BaseType::Int);
    case Unless::DataLogarithm:
      return bindings.one.at("x")->ad.any() && !bindings.one.at("y")->ad.any();
  }
  return false;
}

/// The rules of one function, which are parsed when it first occurs.
struct Rules {
  std::vector<const RuleText*> texts;
  std::once_flag once;
  std::vector<Rule> parsed;
};
using RuleTable = std::map<Builtin, Rules>;

Pattern pattern_of(const Sexp& sexp) {
  if (!sexp.is_list) return {{}, sexp.atom, {}};
  Pattern out{builtin_named(sexp.items[0].atom), {}, {}};
  FERMIAC_CHECK(out.fn.has_value(), "a rewrite rule of an unknown function");
  for (std::size_t i = 1; i < sexp.items.size(); ++i) out.args.push_back(pattern_of(sexp.items[i]));
  return out;
}

Rule parsed(const RuleText& text) {
  const SexpResult from = parse_sexp(text.from), to = parse_sexp(text.to);
  FERMIAC_CHECK(from.value && to.value, "a rewrite rule that cannot be read");
  return {pattern_of(*from.value), pattern_of(*to.value), text.unless};
}

RuleTable rules_by_function() {
  RuleTable table;
  for (const RuleText& text : kRules) table[builtin_named(text.from.substr(1, text.from.find(' ') - 1)).value()].texts.push_back(&text);
  return table;
}

}  // namespace

ExprPtr apply_rewrite_rules(const ExprPtr& expr) {
  static RuleTable table = rules_by_function();
  const StanLib* fn = as_library(*expr);
  const auto found = fn ? table.find(fn->fn) : table.end();
  if (found == table.end()) return nullptr;
  Rules& rules = found->second;
  std::call_once(rules.once, [&] {
    for (const RuleText* text : rules.texts) rules.parsed.push_back(parsed(*text));
  });
  for (const Rule& rule : rules.parsed) {
    Bindings bindings;
    if (matches_call(rule.from, *expr, bindings) && !excluded(rule, *expr, bindings))
      return build(rule, *expr, bindings);
  }
  return nullptr;
}

}  // namespace fermiac::mir
