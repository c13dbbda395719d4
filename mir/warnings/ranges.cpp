#include "mir/warnings/ranges.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "support/base/interval.h"
#include "support/base/match.h"
#include "support/base/text.h"

namespace fermiac::mir {

std::optional<double> signed_literal(const Expr& expr) {
  if (const auto* promotion = std::get_if<Promotion>(&expr.node)) return signed_literal(*promotion->operand);
  const FunApp* call = as_call(expr, Builtin::PMinus);
  if (!call) return literal_value(expr);
  const auto value = signed_literal(*call->args[0]);
  return value ? std::optional(-*value) : std::nullopt;
}

Limit Limit::of(const ExprPtr& bound) {
  if (!bound) return {};
  const auto value = signed_literal(*bound);
  return value ? number(*value) : Limit{Kind::Unknown, 0};
}

Range declared_range(const Transform& transform) {
  using Kind = TransformKind;
  switch (transform.kind) {
    case Kind::Lower:
    case Kind::Upper:
    case Kind::LowerUpper:
      return {Limit::of(transform.first), Limit::of(transform.second)};
    case Kind::Simplex:
    case Kind::StochasticColumn:
    case Kind::StochasticRow:
      return {Limit::number(0), Limit::number(1)};
    case Kind::PositiveOrdered:
      return {Limit::number(0), {}};
    case Kind::UnitVector:
      return {Limit::number(-1), Limit::number(1)};
    default:
      return {};
  }
}

namespace {

constexpr double kInfinity = Interval::kInf;
constexpr int kDeepest = 40;       // definitions and calls followed one behind the other
constexpr int kMostSteps = 2'000;  // and in all, for one expression

// ---------------------------------------------------------------- numbers with infinities

bool has_unknown(const Range& range) {
  return range.lower.kind == Limit::Kind::Unknown || range.upper.kind == Limit::Kind::Unknown;
}
Interval ends(const Range& range) {
  const auto end = [](const Limit& limit, double open) { return limit.kind == Limit::Kind::Literal ? limit.value : open; };
  return {end(range.lower, -kInfinity), end(range.upper, kInfinity)};
}

Limit limit(double value) {
  return std::isfinite(value) ? Limit::number(value) : Limit{};
}
Range range(const Interval& ends, bool firm = true) {
  return {limit(ends.lo), limit(ends.hi), firm};
}
/// Limits that the program computes: nothing can be said against them.
Range computed() {
  return {{Limit::Kind::Unknown, 0}, {Limit::Kind::Unknown, 0}, false};
}

bool not_negative(const Range& range) {
  return range.lower.at_least(0);
}

Range hull(const Range& a, const Range& b) {
  const auto wider = [](const Limit& x, const Limit& y, bool lower) {
    if (x.kind == Limit::Kind::Missing || y.kind == Limit::Kind::Missing) return Limit{};
    if (x.kind == Limit::Kind::Unknown) return x;
    if (y.kind == Limit::Kind::Unknown) return y;
    return Limit::number(lower ? std::min(x.value, y.value) : std::max(x.value, y.value));
  };
  return {wider(a.lower, b.lower, true), wider(a.upper, b.upper, false), a.firm && b.firm, a.computed || b.computed};
}

Range negated(const Range& a) {
  const auto flipped = [](Limit x) { return x.value = -x.value, x; };
  return {flipped(a.upper), flipped(a.lower), a.firm};
}

Limit sum(const Limit& a, const Limit& b) {
  if (a.kind == Limit::Kind::Missing || b.kind == Limit::Kind::Missing) return {};
  if (a.kind == Limit::Kind::Unknown || b.kind == Limit::Kind::Unknown) return {Limit::Kind::Unknown, 0};
  return Limit::number(a.value + b.value);
}

Range plus(const Range& a, const Range& b) {
  return {sum(a.lower, b.lower), sum(a.upper, b.upper), a.firm && b.firm};
}

Range times(const Range& a, const Range& b) {
  if (has_unknown(a) || has_unknown(b)) return computed();
  return range(ends(a) * ends(b), a.firm && b.firm);
}

/// 1 / a.
Range inverse(const Range& a) {
  if (has_unknown(a)) return computed();
  return range(reciprocal(ends(a)), a.firm);
}

/// A sum of any number of such values: only its sign is known.
Range summed(const Range& a) {
  if (has_unknown(a)) return computed();
  return range({ends(a).lo >= 0 ? 0 : -kInfinity, ends(a).hi <= 0 ? 0 : kInfinity}, a.firm);
}

/// A function that grows, with what it tends to at the two ends.
Range monotone(const Range& a, double (*f)(double), double at_minus_infinity, double at_infinity) {
  if (has_unknown(a)) return {limit(at_minus_infinity), limit(at_infinity), false};
  const auto value = [&](double x) {
    return x == -kInfinity ? at_minus_infinity : x == kInfinity ? at_infinity : f(x);
  };
  return range({value(ends(a).lo), value(ends(a).hi)}, a.firm);
}

Range squared(const Range& a) {
  return has_unknown(a) ? range({0, kInfinity}, false) : range(square(ends(a)), a.firm);
}

Range absolute(const Range& a) {
  return has_unknown(a) ? range({0, kInfinity}, false) : range(abs(ends(a)), a.firm);
}

double inv_logit(double x) {
  return 1 / (1 + std::exp(-x));
}
double logarithm(double x) {
  return x > 0 ? std::log(x) : -kInfinity;
}
double logarithm_1p(double x) {
  return x > -1 ? std::log1p(x) : -kInfinity;
}
double root(double x) {
  return x > 0 ? std::sqrt(x) : 0;
}

// ---------------------------------------------------------------- built-in functions

/// Results that lie in one range whatever the arguments are.
struct FixedRow {
  Builtin fn;
  Interval values;
};
constexpr FixedRow kFixed[] = {
    {Builtin::Phi, {0, 1}},
    {Builtin::Phi_approx, {0, 1}},
    {Builtin::inv_cloglog, {0, 1}},
    {Builtin::softmax, {0, 1}},
    {Builtin::step, {0, 1}},
    {Builtin::erf, {-1, 1}},
    {Builtin::erfc, {0, 2}},
    {Builtin::tanh, {-1, 1}},
    {Builtin::sin, {-1, 1}},
    {Builtin::cos, {-1, 1}},
    {Builtin::cosh, {1, kInfinity}},
    {Builtin::log1p_exp, {0, kInfinity}},
    {Builtin::sd, {0, kInfinity}},
    {Builtin::variance, {0, kInfinity}},
    {Builtin::dot_self, {0, kInfinity}},
    {Builtin::norm1, {0, kInfinity}},
    {Builtin::norm2, {0, kInfinity}},
    {Builtin::distance, {0, kInfinity}},
    {Builtin::squared_distance, {0, kInfinity}},
    {Builtin::hypot, {0, kInfinity}},
    {Builtin::inv_square, {0, kInfinity}},
    {Builtin::inv_sqrt, {0, kInfinity}},
    {Builtin::pi, {3.141592653589793, 3.141592653589793}},
    {Builtin::e, {2.718281828459045, 2.718281828459045}},
    {Builtin::sqrt2, {1.4142135623730951, 1.4142135623730951}},
    {Builtin::log2, {0.6931471805599453, 0.6931471805599453}},
    {Builtin::log10, {2.302585092994046, 2.302585092994046}},
    {Builtin::machine_precision, {2.220446049250313e-16, 2.220446049250313e-16}},
};

using Operands = std::span<const Range>;
struct Rule {
  Builtin fn;
  std::size_t arguments;
  Range (*result)(Operands);
};

Range greater(Operands x) {
  Range out = hull(x[0], x[1]);
  out.lower = x[0].lower.kind == Limit::Kind::Missing   ? x[1].lower
              : x[1].lower.kind == Limit::Kind::Missing ? x[0].lower
              : has_unknown(x[0]) || has_unknown(x[1])  ? Limit{Limit::Kind::Unknown, 0}
                                                        : Limit::number(std::max(x[0].lower.value, x[1].lower.value));
  return out;
}
Range lesser(Operands x) {
  const std::array<Range, 2> flipped = {negated(x[0]), negated(x[1])};
  return negated(greater(flipped));
}

Range power(Operands x) {
  const Range &base = x[0], &exponent = x[1];
  const double power = ends(exponent).hi;
  const bool number = !has_unknown(exponent) && ends(exponent).lo == power;
  if (number && power == 1) return base;
  if (number && power == 2) return squared(base);
  if (not_negative(base) || (number && std::fmod(power, 2) == 0)) return range({0, kInfinity}, false);
  return range({}, false);
}

/// Operators have the rules of their functions.
const Rule kRules[] = {
    {Builtin::add, 2, [](Operands x) { return plus(x[0], x[1]); }},
    {Builtin::subtract, 2, [](Operands x) { return plus(x[0], negated(x[1])); }},
    {Builtin::minus, 1, [](Operands x) { return negated(x[0]); }},
    {Builtin::elt_multiply, 2, [](Operands x) { return times(x[0], x[1]); }},
    {Builtin::elt_divide, 2, [](Operands x) { return times(x[0], inverse(x[1])); }},
    {Builtin::dot_product, 2, [](Operands x) { return summed(times(x[0], x[1])); }},
    {Builtin::pow, 2, power},
    {Builtin::fma, 3, [](Operands x) { return plus(times(x[0], x[1]), x[2]); }},
    {Builtin::fmax, 2, greater},
    {Builtin::fmin, 2, lesser},
    {Builtin::max, 2, greater},
    {Builtin::min, 2, lesser},
    {Builtin::max, 1, [](Operands x) { return x[0]; }},
    {Builtin::min, 1, [](Operands x) { return x[0]; }},
    {Builtin::sum, 1, [](Operands x) { return summed(x[0]); }},
    {Builtin::cumulative_sum, 1, [](Operands x) { return summed(x[0]); }},
    {Builtin::inv, 1, [](Operands x) { return inverse(x[0]); }},
    {Builtin::square, 1, [](Operands x) { return squared(x[0]); }},
    {Builtin::abs, 1, [](Operands x) { return absolute(x[0]); }},
    {Builtin::exp, 1, [](Operands x) { return monotone(x[0], std::exp, 0, kInfinity); }},
    {Builtin::exp2, 1, [](Operands x) { return monotone(x[0], std::exp2, 0, kInfinity); }},
    {Builtin::expm1, 1, [](Operands x) { return monotone(x[0], std::expm1, -1, kInfinity); }},
    {Builtin::inv_logit, 1, [](Operands x) { return monotone(x[0], inv_logit, 0, 1); }},
    {Builtin::sqrt, 1, [](Operands x) { return monotone(x[0], root, 0, kInfinity); }},
    {Builtin::log, 1, [](Operands x) { return monotone(x[0], logarithm, -kInfinity, kInfinity); }},
    {Builtin::log1p, 1, [](Operands x) { return monotone(x[0], logarithm_1p, -kInfinity, kInfinity); }},
};

/// Products of two containers add up products of elements; those with a scalar do not.
bool is_elementwise(const std::vector<ExprPtr>& args) {
  return std::ranges::any_of(args, [](const ExprPtr& arg) { return arg->type.is_scalar(); });
}

/// Whether a variable occurs in several of the arguments: their values then go together, and intervals are too wide.
bool share_variables(const std::vector<ExprPtr>& args) {
  std::set<std::string> seen;
  for (const ExprPtr& arg : args)
    for (const std::string& name : variables(*arg))
      if (!seen.insert(name).second) return true;
  return false;
}

// ---------------------------------------------------------------- names

void define(KnownNames& names, const std::string& name, const Expr& value) {
  names[name].definitions.push_back(&value);
}

/// Two bounds are checked one after the other.
void checked(Known& known, const Transform& transform) {
  const Transform earlier = known.transform.value_or(Transform{});
  known.transform = transform;
  if (!earlier.first && !earlier.second) return;
  if (!known.transform->first) known.transform->first = earlier.first;
  if (!known.transform->second) known.transform->second = earlier.second;
  known.transform->kind = TransformKind::LowerUpper;
}

void definitions_of(const Stmt& stmt, KnownNames& names) {
  if (const auto* decl = std::get_if<Decl>(&stmt.node)) {
    if (decl->value) define(names, decl->id, *decl->value);
  } else if (const auto* assignment = std::get_if<Assignment>(&stmt.node)) {
    if (assignment->left.tuple)
      names[assignment->left.base_name()].opaque = true;
    else
      define(names, assignment->left.variable, *assignment->right);
  } else if (const auto* loop = std::get_if<For>(&stmt.node)) {
    define(names, loop->variable, *loop->lower);
    define(names, loop->variable, *loop->upper);
  } else if (const auto* call = std::get_if<NRFunApp>(&stmt.node)) {
    const CompilerInternal* fn = as_internal(call->fn);
    if (fn && fn->fn == Internal::FnCheck && !fn->var_name.empty()) checked(names[fn->var_name], fn->transform);
  }
}

void definitions_of(const std::vector<StmtPtr>& section, KnownNames& names) {
  for (const StmtPtr& top : section) each_substmt(*top, [&](const Stmt& stmt) { definitions_of(stmt, names); });
}

}  // namespace

// ---------------------------------------------------------------- expressions

/// One question: follows definitions and calls, but not for ever.
class Ranges::Evaluation {
 public:
  Evaluation(const Ranges& ranges, const KnownNames& names, int& steps, int depth = kDeepest)
      : ranges_(ranges), names_(names), steps_(steps), depth_(depth) {}

  std::optional<Range> of(const Expr& expr) const {
    if (--steps_ < 0) return std::nullopt;
    if (const auto value = signed_literal(expr)) return range({*value, *value});
    return match(
        expr.node, [&](const Var& x) { return variable(x.name); }, [](const Lit&) { return std::optional<Range>(); },
        [&](const FunApp& call) { return application(call); },
        [&](const TernaryIf& x) {
          return either({x.yes, x.no});
        },
        [](const EAnd&) { return std::optional(range({0, 1})); }, [](const EOr&) { return std::optional(range({0, 1})); },
        [&](const Indexed& x) { return of(*x.base); }, [&](const Promotion& x) { return of(*x.operand); },
        [](const TupleProjection&) { return std::optional<Range>(); });
  }

 private:
  std::optional<Range> variable(const std::string& name) const {
    const auto found = names_.find(name);
    if (found == names_.end() || found->second.opaque || depth_ <= 0) return std::nullopt;
    const Known& known = found->second;
    if (known.range) return known.range;
    if (known.transform && !mixed_elements(*known.transform)) return declared_range(*known.transform);
    if (known.transform || known.definitions.empty()) return std::nullopt;
    return defined(known.definitions);
  }

  /// Matrices whose elements have ranges of their own, depending on where they stand.
  static bool mixed_elements(const Transform& transform) {
    switch (transform.kind) {
      case TransformKind::CholeskyCorr:
      case TransformKind::CholeskyCov:
      case TransformKind::Correlation:
      case TransformKind::Covariance:
        return true;
      default:
        return false;
    }
  }

  /// All definitions together. Which one holds where is not looked into, so with several nothing is firm.
  std::optional<Range> defined(const std::vector<const Expr*>& definitions) const {
    std::optional<Range> out;
    const Evaluation next(ranges_, names_, steps_, depth_ - 1);
    for (const Expr* definition : definitions) {
      const auto one = next.of(*definition);
      if (!one) return std::nullopt;
      out = out ? hull(*out, *one) : *one;
    }
    if (definitions.size() > 1) out->firm = false;
    return out;
  }

  std::optional<Range> either(const std::vector<ExprPtr>& exprs) const {
    std::vector<const Expr*> all;
    for (const ExprPtr& expr : exprs) all.push_back(expr.get());
    return all.empty() ? std::nullopt : defined(all);
  }

  std::optional<Range> application(const FunApp& call) const {
    return match(
        call.fn, [&](const StanLib& fn) { return library(library_function(fn.fn), call.args); },
        [&](const UserDefined& fn) { return user(fn, call.args); },
        [&](const CompilerInternal& fn) {
          const bool items = fn.fn == Internal::FnMakeArray || fn.fn == Internal::FnMakeRowVec;
          return items ? elements(call.args) : std::nullopt;
        });
  }

  /// Of a list: as firm as its parts, for all of them are there.
  std::optional<Range> elements(const std::vector<ExprPtr>& items) const {
    std::optional<Range> out;
    for (const ExprPtr& item : items) {
      const auto one = of(*item);
      if (!one) return std::nullopt;
      out = out ? hull(*out, *one) : *one;
    }
    return out;
  }

  std::optional<Range> library(Builtin fn, const std::vector<ExprPtr>& args) const {
    if (has(fn, Fact::Measures)) return range({0, kInfinity});
    const auto fixed = std::ranges::find(kFixed, fn, &FixedRow::fn);
    if (fixed != std::end(kFixed)) return range(fixed->values);
    if (has(fn, Fact::Moves | Fact::Repeats | Fact::Within) && !args.empty()) return of(*args[0]);
    if (has(fn, Fact::Joins)) return elements(args);
    std::vector<Range> operands;
    for (const ExprPtr& arg : args) {
      const auto one = of(*arg);
      if (!one) return std::nullopt;
      operands.push_back(*one);
    }
    std::optional<Range> out = ruled(fn, args, operands);
    if (!out) return std::nullopt;
    out->computed = true;
    if (share_variables(args)) out->firm = false;
    return out;
  }

  static std::optional<Range> ruled(Builtin fn, const std::vector<ExprPtr>& args, Operands operands) {
    if (fn == Builtin::multiply) {
      if (is_elementwise(args))
        return same(*args[0], *args[1]) ? squared(operands[0]) : times(operands[0], operands[1]);
      return summed(times(operands[0], operands[1]));
    }
    if (fn == Builtin::divide && args[1]->type.is_scalar())
      return args[0]->type.is(BaseType::Int) && args[1]->type.is(BaseType::Int)
                 ? std::nullopt  // rounds towards zero
                 : std::optional(times(operands[0], inverse(operands[1])));
    for (const Rule& rule : kRules)
      if (rule.fn == fn && rule.arguments == operands.size()) return rule.result(operands);
    return std::nullopt;
  }

  /// What its body returns.
  std::optional<Range> user(const UserDefined& fn, const std::vector<ExprPtr>& args) const {
    const Function* function = depth_ > 0 ? ranges_.definition(fn, args) : nullptr;
    if (!function) return std::nullopt;
    std::vector<const Expr*> results;
    each_substmt(*function->body, [&](const Stmt& stmt) {
      const auto* result = std::get_if<Return>(&stmt.node);
      if (result && result->value) results.push_back(result->value.get());
    });
    if (results.empty()) return std::nullopt;
    const KnownNames inner = inside(*function, args);
    return Evaluation(ranges_, inner, steps_, depth_ / 2).defined(results);
  }

  KnownNames inside(const Function& function, const std::vector<ExprPtr>& args) const {
    KnownNames out;
    if (function.body) each_substmt(*function.body, [&](const Stmt& stmt) { definitions_of(stmt, out); });
    for (std::size_t i = 0; i < function.args.size() && i < args.size(); ++i) {
      Known& known = out[function.args[i].name];
      known = {};
      known.range = of(*args[i]);
      known.opaque = !known.range;
    }
    return out;
  }

  friend class Ranges;
  const Ranges& ranges_;
  const KnownNames& names_;
  int& steps_;
  const int depth_;
};

Ranges::Ranges(const Program& program) : program_(program) {
  definitions_of(program.prepare_data, globals_);
  definitions_of(program.log_prob, globals_);
  for (const InputVar& input : program.input_vars) {
    Known& known = globals_[input.name];
    if (!known.transform) known.transform = Transform{};
    known.definitions.clear();
  }
  for (const OutputVar& output : program.output_vars)
    if (output.block == BlockKind::Parameters) globals_[output.name] = {output.transform, {}, {}, false};
}

std::optional<Range> Ranges::of(const Expr& expr, const KnownNames& names) const {
  int steps = kMostSteps;
  return Evaluation(*this, names, steps).of(expr);
}

KnownNames Ranges::inside(const Function& function, const std::vector<ExprPtr>& args, const KnownNames& outside) const {
  int steps = kMostSteps;
  return Evaluation(*this, outside, steps).inside(function, args);
}

const Function* Ranges::definition(const UserDefined& callee, const std::vector<ExprPtr>& args) const {
  for (const Function& function : program_.functions) {
    const bool fits = function.body && function.name == callee.name &&
                      std::ranges::equal(function.args, args, [](const FunctionArg& formal, const ExprPtr& actual) {
                        return formal.type == actual->type;
                      });
    if (fits) return &function;
  }
  return nullptr;
}

}  // namespace fermiac::mir
