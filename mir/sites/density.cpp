#include "mir/sites/density.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"

namespace fermiac::mir {
namespace {

std::string_view name_of(const FunctionKind& fn) {
  if (const auto* f = std::get_if<StanLib>(&fn)) return fermiac::name_of(f->fn);
  if (const auto* f = std::get_if<UserDefined>(&fn)) return f->name;
  return {};
}

struct Ending {
  std::string_view text;
  SiteKind kind;
};
constexpr std::array kEndings = {Ending{"_lpdf", SiteKind::Density},   Ending{"_lpmf", SiteKind::Density},
                                 Ending{"_lcdf", SiteKind::Censored},  Ending{"_lccdf", SiteKind::Censored},
                                 Ending{"_cdf_log", SiteKind::Censored}, Ending{"_ccdf_log", SiteKind::Censored}};

std::optional<Ending> ending_of(const Expr& e) {
  const FunApp* call = as_call(e);
  if (!call || call->args.empty()) return std::nullopt;
  const std::string_view name = name_of(call->fn);
  const auto found = std::ranges::find_if(kEndings, [&](const Ending& ending) { return name.ends_with(ending.text); });
  return found == kEndings.end() ? std::nullopt : std::optional(*found);
}

std::string stem(const Expr& call, const Ending& ending) {
  const std::string_view name = name_of(as_call(call)->fn);
  return std::string(name.substr(0, name.size() - ending.text.size()));
}

/// `count * value`, in either order, where `value` is wanted.
template <class Wanted>
std::optional<std::pair<ExprPtr, ExprPtr>> times(const ExprPtr& e, Wanted wanted) {
  if (wanted(*e)) return std::pair{ExprPtr(), e};
  const FunApp* product = as_call(*e, Builtin::Times);
  if (!product) return std::nullopt;
  if (wanted(*product->args[1])) return std::pair{product->args[0], product->args[1]};
  if (wanted(*product->args[0])) return std::pair{product->args[1], product->args[0]};
  return std::nullopt;
}

ExprPtr negated(ExprPtr value) {
  Type type = value->type;
  return stan_call(Builtin::PMinus, {std::move(value)}, std::move(type));
}

}  // namespace

ExprPtr signed_value(const Summand& summand) {
  return summand.negative ? negated(summand.value) : summand.value;
}

std::optional<DensityCall> density_of(const Summand& summand, const std::function<bool(const Expr&)>& is_data) {
  const auto found = times(summand.value, [](const Expr& e) { return ending_of(e).has_value(); });
  if (!found || (found->first && !(is_data(*found->first) && !is_container(found->first->type)))) return std::nullopt;
  const Ending ending = *ending_of(*found->second);
  DensityCall out{ending.kind, stem(*found->second, ending), found->second, found->first};
  if (summand.negative) out.factor = out.factor ? negated(out.factor) : real_lit("-1.0");
  return out;
}

// ---------------------------------------------------------------- masses

namespace {

/// Bound of `D_lcdf(bound | a…)` where D and a… are those of the density.
ExprPtr bound_of(const Expr& e, std::string_view ending, const DensityCall& density) {
  const auto found = ending_of(e);
  if (!found || found->text != ending || stem(e, *found) != density.distribution) return nullptr;
  const std::vector<ExprPtr>& args = as_call(e)->args;
  const std::vector<ExprPtr>& own = as_call(*density.call)->args;
  const bool alike = args.size() == own.size() &&
                     std::equal(args.begin() + 1, args.end(), own.begin() + 1, [](const ExprPtr& a, const ExprPtr& b) { return same(*a, *b); });
  return alike && !is_container(args[0]->type) ? args[0] : nullptr;
}

/// The smallest value that is kept: an lcdf or lccdf of ints is taken one below it.
ExprPtr lowest(ExprPtr bound) {
  return bound && bound->type.is(BaseType::Int) ? int_op(Builtin::Plus, bound, int_lit(1)) : bound;
}

std::optional<Mass> mass_of(const Expr& e, const DensityCall& density) {
  if (ExprPtr lower = bound_of(e, "_lccdf", density)) return Mass{lowest(std::move(lower)), nullptr, nullptr};
  if (ExprPtr upper = bound_of(e, "_lcdf", density)) return Mass{nullptr, std::move(upper), nullptr};
  const FunApp* difference = as_call(e, Builtin::log_diff_exp);
  if (!difference) return std::nullopt;
  ExprPtr upper = bound_of(*difference->args[0], "_lcdf", density), lower = bound_of(*difference->args[1], "_lcdf", density);
  if (!upper || !lower) return std::nullopt;
  return Mass{lowest(std::move(lower)), std::move(upper), nullptr};
}

}  // namespace

std::optional<Mass> mass_of(const Summand& summand, const DensityCall& density) {
  if (!summand.negative) return std::nullopt;
  const auto found = times(summand.value, [&](const Expr& e) { return mass_of(e, density).has_value(); });
  if (!found) return std::nullopt;
  std::optional<Mass> out = mass_of(*found->second, density);
  out->count = found->first ? found->first : int_lit(1);
  return out;
}

// ---------------------------------------------------------------- densities inside terms

namespace {

/// Locals of a function body that are assigned once.
std::map<std::string, ExprPtr> assigned_once(const Stmt& body) {
  std::map<std::string, ExprPtr> values;
  std::map<std::string, int> times;
  each_substmt(body, [&](const Stmt& s) {
    const auto* a = std::get_if<Assignment>(&s.node);
    const auto* d = std::get_if<Decl>(&s.node);
    if (d && d->value) values[d->id] = d->value, ++times[d->id];
    if (!a) return;
    ++times[a->left.base_name()];
    if (a->left.indexes.empty() && !a->left.tuple) values[a->left.variable] = a->right;
    else ++times[a->left.base_name()];
  });
  std::erase_if(values, [&](const auto& value) { return times[value.first] != 1; });
  return values;
}

class Variates {
 public:
  Variates(const Program& program, const Definitions& definitions) : program_(program), definitions_(definitions) {}

  void expression(const ExprPtr& e) {
    if (ending_of(*e)) return out_.push_back(as_call(*e)->args[0]);
    if (const Var* v = as_var(*e)) return local(v->name);
    if (const FunApp* call = as_call(*e); call && std::holds_alternative<UserDefined>(call->fn)) inside(*call);
    map_children(e, [&](const ExprPtr& child) { return expression(child), child; });
  }
  std::vector<ExprPtr> take() { return std::move(out_); }

 private:
  void local(const std::string& name) {
    if (!seen_.insert(name).second) return;
    for (const ExprPtr& right : definitions_.assigned(name)) expression(right);
  }

  void inside(const FunApp& call) {
    constexpr int kDeepest = 8;
    const std::string name(name_of(call.fn));
    for (const Function& f : program_.functions) {
      if (f.name != name || !f.body || f.args.size() != call.args.size() || depth_ == kDeepest) continue;
      ++depth_;
      body(f, call.args);
      --depth_;
      return;
    }
  }

  void body(const Function& f, const std::vector<ExprPtr>& actuals) {
    std::map<std::string, ExprPtr> formals;
    for (std::size_t i = 0; i < actuals.size(); ++i) formals[f.args[i].name] = actuals[i];
    const std::map<std::string, ExprPtr> locals = assigned_once(*f.body);
    const auto outside = [&](ExprPtr e) {
      for (int k = 0; k < 4; ++k) e = substitute(e, locals);
      return substitute(e, formals);
    };
    const ExprMap look = [&](const ExprPtr& e) -> ExprPtr {
      if (ending_of(*e)) {
        out_.push_back(outside(as_call(*e)->args[0]));
        return e;
      }
      if (const FunApp* call = as_call(*e); call && std::holds_alternative<UserDefined>(call->fn)) {
        FunApp moved = *call;
        for (ExprPtr& arg : moved.args) arg = outside(arg);
        inside(moved);
      }
      return map_children(e, look);
    };
    rewrite_exprs(f.body, look);
  }

  const Program& program_;
  const Definitions& definitions_;
  std::vector<ExprPtr> out_;
  std::set<std::string> seen_;
  int depth_ = 0;
};

bool is_literal(const Expr& e) {
  if (const auto* p = std::get_if<Promotion>(&e.node)) return is_literal(*p->operand);
  return as_lit(e) != nullptr;
}

}  // namespace

std::vector<ExprPtr> variates(const ExprPtr& expr, const Program& program, const Definitions& definitions) {
  Variates found(program, definitions);
  found.expression(expr);
  std::vector<ExprPtr> out;
  for (const ExprPtr& e : found.take()) {
    const bool known = std::ranges::any_of(out, [&](const ExprPtr& other) { return same(*other, *e); });
    if (!known && !is_literal(*e)) out.push_back(e);  // literals name nothing
  }
  return out;
}

ExprPtr partial_sum(const Expr& function, std::vector<ExprPtr> args) {
  const Var* name = as_var(function);
  if (!name || function.type.base() != BaseType::Function) return nullptr;
  const auto& formals = function.type.signature().formals;
  if (formals.size() != args.size()) return nullptr;
  for (std::size_t i = 0; i < args.size(); ++i) args[i] = promote(args[i], formals[i].type, fit_level(args[i]->ad, formals[i].type));
  std::string called = name->name;
  const bool propto = called.ends_with("_lupdf") || called.ends_with("_lupmf");
  if (propto) called.erase(called.size() - 4, 1);  // `lu` to `l`
  AdLevel level = call_level(args, BaseType::Real);
  FunctionKind kind = UserDefined{.name = called, .suffix = suffix_of(called), .propto = propto};
  return make_expr(FunApp{std::move(kind), std::move(args)}, BaseType::Real, std::move(level), function.span);
}

}  // namespace fermiac::mir
