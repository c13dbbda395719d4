// `y ~ D(…)` and its truncation: a term of the target, then the terms that renormalise it.
#include <algorithm>
#include <string>

#include "mir/lower/lowerer.h"

namespace fermiac::mir::lowering {
namespace {

ExprPtr negated(ExprPtr value) {
  return stan_call(Builtin::PMinus, {std::move(value)}, BaseType::Real);
}
ExprPtr minus_infinity() {
  return internal_call(Internal::FnNegInf, {}, BaseType::Real);
}

// A value of the type a formal has when its container is walked element by element.
Type element_formal(const Formal& formal) {
  if (formal.type.is_array()) return formal.type.element();
  return scalar_of(formal.type);
}

/// What the parts of one truncation share.
struct Truncated {
  const ast::Tilde& node;
  ExprPtr variate;
  std::vector<ExprPtr> args;
  ExprPtr lower, upper;  // as written; null if absent
  Span span;

  bool container_args() const {
    return std::ranges::any_of(args, [](const ExprPtr& arg) { return is_container(arg->type); });
  }

  ExprPtr extreme(Builtin function) const {
    if (!is_container(variate->type)) return variate;
    return stan_call(function, {variate}, scalar_of(variate->type), span);
  }

  StmtPtr beyond(Builtin comparison, Builtin function, const ExprPtr& bound, StmtPtr otherwise) const {
    ExprPtr test = stan_call(comparison, {extreme(function), bound}, BaseType::Int, span);
    return make_stmt(IfElse{std::move(test), target_pe(minus_infinity(), span), std::move(otherwise)}, span);
  }

  // A discrete variate keeps its lower bound inside the support.
  ExprPtr below_lower() const { return node.discrete_for_truncation ? int_op(Builtin::Minus, lower, int_lit(1)) : lower; }

  ExprPtr cdf(const ast::Resolution& function, ExprPtr bound, const std::vector<ExprPtr>& actuals) const {
    std::vector<ExprPtr> all = {std::move(bound)};
    all.insert(all.end(), actuals.begin(), actuals.end());
    for (std::size_t i = 0; i < all.size() && i < function.formals.size(); ++i) {
      const Formal& formal = function.formals[i];
      const bool walked = !is_container(all[i]->type) && is_container(formal.type);
      const Type wanted = walked ? element_formal(formal) : formal.type;
      all[i] = promote(all[i], wanted, fit_level(all[i]->ad, wanted));
    }
    AdLevel level = call_level(all, BaseType::Real);
    return make_expr(FunApp{function_kind(function, false), std::move(all)}, BaseType::Real, std::move(level), span);
  }

  // One term stands for all elements of the variate when everything else is scalar.
  ExprPtr for_each_variate(ExprPtr term) const {
    if (!is_container(variate->type) || container_args()) return term;
    return stan_call(Builtin::Times, {std::move(term), internal_call(Internal::FnLength, {variate}, BaseType::Int)},
                     BaseType::Real, span);
  }

  ExprPtr log_mass(const std::vector<ExprPtr>& actuals) const {
    return stan_call(Builtin::log_diff_exp, {cdf(node.lcdf, upper, actuals), cdf(node.lcdf, below_lower(), actuals)},
                     BaseType::Real, span);
  }

  StmtPtr one_sided(const ast::Resolution& function, ExprPtr bound) const {
    return target_pe(negated(for_each_variate(cdf(function, std::move(bound), args))), span);
  }

  StmtPtr two_sided(Symbols& symbols) const {
    if (!container_args()) return target_pe(negated(for_each_variate(log_mass(args))), span);
    const SymbolScope scope(symbols);
    Statements body;
    std::vector<ExprPtr> named;
    for (const ExprPtr& arg : args) named.push_back(bound_to_name(arg, symbols, body));
    const std::string counter = symbols.fresh();
    const auto first = std::ranges::find_if(named, [](const ExprPtr& arg) { return is_container(arg->type); });
    std::vector<ExprPtr> elements;
    for (const ExprPtr& arg : named)
      elements.push_back(is_container(arg->type) ? indexed(arg, {single(int_var(counter))}) : arg);
    body.push_back(for_loop(counter, int_lit(1), internal_call(Internal::FnLength, {*first}, BaseType::Int),
                            {target_pe(negated(log_mass(elements)), span)}, span));
    return block(std::move(body), span);
  }

  ExprPtr bound_to_name(const ExprPtr& arg, Symbols& symbols, Statements& out) const {
    if (as_var(*arg) || as_lit(*arg)) return arg;
    const std::string name = symbols.fresh();
    out.push_back(declare_unsized(name, arg->type, arg->ad, Decl::Init::Uninit, span));
    out.push_back(assign(to_variable(name), arg->type, arg, span));
    return var(name, arg->type, arg->ad);
  }
};

}  // namespace

StmtPtr Lowerer::truncation(const ast::Tilde& node, Span span) {
  Truncated t{node, expr(*node.variate), exprs(node.args), nullptr, nullptr, span};
  if (node.truncation->lower) t.lower = expr(*node.truncation->lower);
  if (node.truncation->upper) t.upper = expr(*node.truncation->upper);
  if (t.lower && t.upper)
    return t.beyond(Builtin::Less, Builtin::min, t.lower, t.beyond(Builtin::Greater, Builtin::max, t.upper, t.two_sided(symbols_)));
  if (t.lower) return t.beyond(Builtin::Less, Builtin::min, t.lower, t.one_sided(node.lccdf, t.below_lower()));
  return t.beyond(Builtin::Greater, Builtin::max, t.upper, t.one_sided(node.lcdf, t.upper));
}

Statements Lowerer::tilde(const ast::Tilde& node, Span span) {
  const auto& formals = node.resolution.formals;
  std::vector<ExprPtr> args = exprs(node.args);
  args.insert(args.begin(), expr(*node.variate));
  for (std::size_t i = 0; i < args.size() && i < formals.size(); ++i)
    args[i] = promote(args[i], formals[i].type, fit_level(args[i]->ad, formals[i].type));
  AdLevel level = call_level(args, BaseType::Real);
  Statements out = {target_pe(
      make_expr(FunApp{function_kind(node.resolution, true), std::move(args)}, BaseType::Real, std::move(level), span), span)};
  if (node.truncation && (node.truncation->lower || node.truncation->upper)) out.push_back(truncation(node, span));
  return out;
}

}  // namespace fermiac::mir::lowering
