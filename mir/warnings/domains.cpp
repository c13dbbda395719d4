#include "mir/warnings/domains.h"

#include <algorithm>
#include <limits>
#include <set>

#include "frontend/builtins/builtins.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/warnings/ranges.h"
#include "support/base/render.h"

namespace fermiac::mir {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <TransformKind... kinds>
bool is_one_of(const Transform& transform) {
  return ((transform.kind == kinds) || ...);
}
bool declared_positive(const Transform& t) {
  return declared_range(t).lower.at_least(0);
}
bool declared_unit(const Transform& t) {
  return declared_range(t).lower.at_least(0) && declared_range(t).upper.at_most(1);
}
bool any_number(double) {
  return true;
}

constexpr Domain kDomains[] = {
    {"+", "strictly positive", declared_positive, [](double x) { return x > 0; }, true, 0, kInfinity},
    {">=0", "non-negative", declared_positive, [](double x) { return x >= 0; }, true, 0, kInfinity},
    {"[0,1]", "[0,1]", declared_unit, [](double x) { return x >= 0 && x <= 1; }, true, 0, 1},
    {"(0,1)", "(0,1)", declared_unit, [](double x) { return x > 0 && x < 1; }, true, 0, 1},
    {"simplex", "simplex", is_one_of<TransformKind::Simplex>, any_number},
    {"ordered", "ordered", is_one_of<TransformKind::Ordered>, any_number},
    {"corr", "correlation", is_one_of<TransformKind::Correlation>, any_number},
    {"cov", "covariance", is_one_of<TransformKind::Covariance, TransformKind::Correlation>, any_number},
    {"chol_corr", "Cholesky factor of correlation", is_one_of<TransformKind::CholeskyCorr>, any_number},
    {"chol_cov", "Cholesky factor of covariance", is_one_of<TransformKind::CholeskyCov, TransformKind::CholeskyCorr>,
     any_number},
};

enum class Verdict : std::uint8_t { Fine, Loose /* values outside must be reckoned with */, Never };

/// Inclusive limits of a declaration that equal exclusive ones of the domain are accepted. That nothing bounds the
/// result of arithmetic is not held against it: whoever writes `a + b` for a scale may know more than the declarations
/// say.
Verdict verdict(const Domain& domain, const Range& range) {
  const auto beyond = [&](const Limit& limit, double end, int side) {
    if (limit.kind != Limit::Kind::Literal) return false;
    return side * limit.value > side * end || (limit.value == end && !domain.literal(end));
  };
  if (beyond(range.upper, domain.low, -1) || beyond(range.lower, domain.high, 1)) return Verdict::Never;
  const auto good = [&](const Limit& limit, bool within) {
    return within || (range.computed && limit.kind == Limit::Kind::Missing);
  };
  const bool inside = good(range.lower, range.lower.at_least(domain.low)) &&
                      (domain.high == kInfinity || good(range.upper, range.upper.at_most(domain.high)));
  return inside || !range.firm ? Verdict::Fine : Verdict::Loose;
}

/// The variable of which the expression is the whole or a part.
const Var* root(const Expr& expr) {
  const Expr& inner = bare(expr);
  const auto* indexed = std::get_if<Indexed>(&inner.node);
  return indexed ? root(*indexed->base) : as_var(inner);
}

/// Whether only arrays are taken apart, so that what is declared of an element holds.
bool keeps_structure(const Expr& expr) {
  const auto* indexed = std::get_if<Indexed>(&bare(expr).node);
  return !indexed || (as_var(*indexed->base) &&
                      indexed->indexes.size() <= static_cast<std::size_t>(indexed->base->type.array_dims()));
}

class DomainWarnings {
 public:
  DomainWarnings(const Program& program, const SourceMap& sources)
      : program_(program), sources_(sources), ranges_(program) {
    for (const OutputVar& output : program.output_vars)
      if (output.block == BlockKind::Parameters) parameters_.insert(output.name);
  }

  std::vector<Warning> run() {
    const Place model{ranges_.globals(), nullptr, {}, 0};
    for (const StmtPtr& top : program_.log_prob) walk(*top, model);
    return std::move(out_);
  }

 private:
  /// Where statements are looked at: in the model, or in a function that it calls somewhere.
  struct Place {
    const KnownNames& names;
    const Function* function;
    Span call;  // in the model
    int depth;
    bool conditional = false;  // in a function: only where a test of the function says so
  };

  void walk(const Stmt& stmt, Place place) {
    statement(stmt, place);
    place.conditional = place.conditional || (place.function && std::holds_alternative<IfElse>(stmt.node));
    each_child(stmt, [&](const Stmt& child) { walk(child, place); });
  }

  void statement(const Stmt& stmt, const Place& place) {
    const auto* procedure = std::get_if<NRFunApp>(&stmt.node);
    if (procedure) follow(procedure->fn, procedure->args, stmt.span, place);
    each_expr(stmt, [&](const Expr& expr) {
      each_subexpr(expr, [&](const Expr& e) {
        const FunApp* call = as_call(e);
        if (!call) return;
        density(*call, place);
        follow(call->fn, call->args, e.span, place);
      });
    });
  }

  /// Into the body of a function of the program.
  void follow(const FunctionKind& fn, const std::vector<ExprPtr>& args, Span span, const Place& place) {
    constexpr int kDeepest = 5, kMost = 500;
    const auto* user = std::get_if<UserDefined>(&fn);
    if (!user || place.depth >= kDeepest || followed_ >= kMost) return;
    const Function* function = ranges_.definition(*user, args);
    if (!function) return;
    ++followed_;
    const KnownNames inner = ranges_.inside(*function, args, place.names);
    walk(*function->body, {inner, function, place.function ? place.call : span, place.depth + 1, place.conditional});
  }

  /// Of the model only those that drop constants, as all of pedantic mode does; of functions all.
  void density(const FunApp& call, const Place& place) {
    const auto* fn = std::get_if<StanLib>(&call.fn);
    if (!fn || (fn->suffix != Suffix::Lpdf && fn->suffix != Suffix::Lpmf) || !(fn->propto || place.function)) return;
    const std::string name(name_of(fn->fn)), stem = name.substr(0, name.size() - 5);
    const BuiltinRow* row = find_distribution(stem);
    if (!row) return;
    const std::vector<ArgumentDoc> docs = argument_docs(*row);
    for (std::size_t i = 0; i < call.args.size() && i < docs.size(); ++i) {
      const Domain* domain = find_domain(docs[i].domain);
      if (!domain || (i > 0 && docs[i].role.empty()) || known_otherwise(*call.args[i], place)) continue;
      const Verdict found = judge(*domain, *call.args[i], place.names);
      const bool excused = found == Verdict::Loose && place.conditional;  // the test may be what keeps it right
      if (found != Verdict::Fine && !excused) warn(*domain, found, stem, *call.args[i], docs[i].role, i, place);
    }
  }

  /// Numbers and, in the model, bare parameters have warnings of their own.
  bool known_otherwise(const Expr& arg, const Place& place) const {
    const Var* variable = as_var(bare(arg));
    return signed_literal(arg) || (!place.function && variable && parameters_.contains(variable->name));
  }

  Verdict judge(const Domain& domain, const Expr& arg, const KnownNames& names) const {
    if (domain.numeric) {
      const auto range = ranges_.of(arg, names);
      return range ? verdict(domain, *range) : Verdict::Fine;
    }
    const Var* variable = root(arg);
    const auto known = variable ? names.find(variable->name) : names.end();
    const bool declared = known != names.end() && known->second.transform && keeps_structure(arg);
    const bool plain = declared && known->second.transform->kind == TransformKind::None;
    return plain && !domain.declared(*known->second.transform) ? Verdict::Loose : Verdict::Fine;
  }

  void warn(const Domain& domain, Verdict found, const std::string& stem, const Expr& arg, std::string_view role,
            std::size_t number, const Place& place) {
    const std::string what = text(arg);
    const std::string distribution = article(stem) + " distribution";
    const std::string inside = place.function ? " in function " + place.function->name : "";
    const std::string at = place.function ? ". At " + location_text(sources_, place.call) + ", " : ", but ";
    const std::string given = number == 0 ? what + inside + " is given " + distribution + ", which has " +
                                                std::string(domain.text) + " support"
                                          : distribution + inside + " is given " + what + " as " + std::string(role) +
                                                " (argument " + std::to_string(number) + ")";
    out_.push_back({arg.span, capital(given, number > 0) + at + complaint(domain, found, arg, what, place) + "."});
  }

  std::string complaint(const Domain& domain, Verdict found, const Expr& arg, const std::string& what,
                        const Place& place) const {
    const std::string domain_text(domain.text);
    if (found == Verdict::Never) return what + " is never " + domain_text;
    const Var* variable = place.function ? nullptr : root(arg);
    if (!variable) return what + " is not constrained to be " + domain_text;
    const auto known = place.names.find(variable->name);
    const bool declared = known != place.names.end() && known->second.transform;
    if (parameters_.contains(variable->name)) return variable->name + " was not constrained to be " + domain_text;
    return declared ? variable->name + " was not declared to be " + domain_text
                    : what + " is not constrained to be " + domain_text;
  }

  /// As the author wrote it, on one line.
  std::string text(const Expr& arg) const {
    const std::string_view written = sources_.text(bare(arg).span);
    std::string out;
    for (const char c : written) {
      const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
      if (!blank) out += c;
      if (blank && !out.empty() && out.back() != ' ') out += ' ';
    }
    return out.empty() ? "this value" : out;
  }

  static std::string article(const std::string& noun) {
    return (std::string("aeiou").find(noun[0]) == std::string::npos ? "a " : "an ") + noun;
  }
  static std::string capital(std::string text, bool wanted) {
    if (wanted) text[0] = 'A';
    return text;
  }

  const Program& program_;
  const SourceMap& sources_;
  Ranges ranges_;
  std::set<std::string> parameters_;
  int followed_ = 0;
  std::vector<Warning> out_;
};

}  // namespace

const Domain* find_domain(std::string_view name) {
  const auto found = std::ranges::find(kDomains, name, &Domain::name);
  return found == std::end(kDomains) ? nullptr : found;
}

std::vector<Warning> domain_warnings(const Program& program, const SourceMap& sources) {
  return DomainWarnings(program, sources).run();
}

}  // namespace fermiac::mir
