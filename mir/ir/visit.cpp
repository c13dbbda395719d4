#include "mir/ir/visit.h"

#include <algorithm>

#include "mir/ir/build.h"
#include "support/base/match.h"

namespace fermiac::mir {
namespace {

// ---------------------------------------------------------------- mapping parts

/// Applies an ExprMap to the parts of a node and remembers whether one changed.
struct Mapper {
  const ExprMap& map;
  bool changed = false;

  ExprPtr operator()(const ExprPtr& expr) {
    if (!expr) return expr;
    ExprPtr result = map(expr);
    changed |= result != expr;
    return result;
  }
  void in_place(ExprPtr& expr) { expr = (*this)(expr); }
  void list(std::vector<ExprPtr>& exprs) {
    for (ExprPtr& expr : exprs) in_place(expr);
  }
  void indexes(std::vector<Index>& list) {
    for (Index& index : list) {
      in_place(index.low);
      in_place(index.high);
    }
  }
  void function(FunctionKind& fn) {
    auto* internal = std::get_if<CompilerInternal>(&fn);
    if (!internal) return;
    in_place(internal->transform.first);
    in_place(internal->transform.second);
    list(internal->dims);
    in_place(internal->var);
  }
  void sized(SizedType& type) {
    list(type.array_dims);
    list(type.sizes);
    for (SizedType& slot : type.slots) sized(slot);
  }
  void lvalue(LValue& left) {
    if (left.tuple) {
      LValue base = *left.tuple;
      const bool before = changed;
      changed = false;
      lvalue(base);
      if (changed) left.tuple = std::make_shared<const LValue>(std::move(base));
      changed |= before;
    }
    indexes(left.indexes);
  }
};

struct PartsOfExpr {
  Mapper& m;
  void operator()(Var&) {}
  void operator()(Lit&) {}
  void operator()(FunApp& f) {
    m.function(f.fn);
    m.list(f.args);
  }
  void operator()(TernaryIf& t) {
    m.in_place(t.test);
    m.in_place(t.yes);
    m.in_place(t.no);
  }
  void operator()(EAnd& e) {
    m.in_place(e.left);
    m.in_place(e.right);
  }
  void operator()(EOr& e) {
    m.in_place(e.left);
    m.in_place(e.right);
  }
  void operator()(Indexed& x) {
    m.in_place(x.base);
    m.indexes(x.indexes);
  }
  void operator()(Promotion& p) { m.in_place(p.operand); }
  void operator()(TupleProjection& p) { m.in_place(p.tuple); }
};

struct PartsOfStmt {
  Mapper& m;
  void operator()(Assignment& a) {
    m.lvalue(a.left);
    m.in_place(a.right);
  }
  void operator()(TargetPE& t) { m.in_place(t.value); }
  void operator()(JacobianPE& j) { m.in_place(j.value); }
  void operator()(NRFunApp& f) {
    m.function(f.fn);
    m.list(f.args);
  }
  void operator()(Break&) {}
  void operator()(Continue&) {}
  void operator()(Return& r) { m.in_place(r.value); }
  void operator()(Skip&) {}
  void operator()(IfElse& i) { m.in_place(i.test); }
  void operator()(While& w) { m.in_place(w.test); }
  void operator()(For& f) {
    m.in_place(f.lower);
    m.in_place(f.upper);
  }
  void operator()(Profile&) {}
  void operator()(Block&) {}
  void operator()(SList&) {}
  void operator()(Decl& d) {
    if (auto* type = std::get_if<SizedType>(&d.type)) m.sized(*type);
    m.in_place(d.value);
  }
};

template <class Node, class Parts>
void visit_parts(const Node& node, const ExprVisitor& visit) {
  const ExprMap look = [&](const ExprPtr& expr) {
    visit(*expr);
    return expr;
  };
  Mapper mapper{look};
  auto copy = node;
  std::visit(Parts{mapper}, copy);
}

}  // namespace

// ---------------------------------------------------------------- expressions

void each_child(const Expr& expr, const ExprVisitor& visit) {
  if (std::holds_alternative<Var>(expr.node) || std::holds_alternative<Lit>(expr.node)) return;
  visit_parts<decltype(expr.node), PartsOfExpr>(expr.node, visit);
}

void each_subexpr(const Expr& expr, const ExprVisitor& visit) {
  visit(expr);
  each_child(expr, [&](const Expr& child) { each_subexpr(child, visit); });
}

ExprPtr map_children(const ExprPtr& expr, const ExprMap& map) {
  if (as_var(*expr) || as_lit(*expr)) return expr;
  Mapper mapper{map};
  auto node = expr->node;
  std::visit(PartsOfExpr{mapper}, node);
  return mapper.changed ? make_expr(std::move(node), expr->type, expr->ad, expr->span) : expr;
}

ExprPtr rewrite(const ExprPtr& expr, const ExprMap& map) {
  return map(map_children(expr, [&](const ExprPtr& child) { return rewrite(child, map); }));
}

ExprPtr substitute(const ExprPtr& expr, const std::map<std::string, ExprPtr>& values) {
  if (values.empty()) return expr;
  return rewrite(expr, [&](const ExprPtr& node) {
    const Var* variable = as_var(*node);
    const auto found = variable ? values.find(variable->name) : values.end();
    return found == values.end() ? node : with_span(found->second, node->span);  // it stands where the variable stood
  });
}

namespace {

int order(std::size_t a, std::size_t b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
int order(int a, int b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

int order(const ExprPtr& a, const ExprPtr& b) {
  if (a == b) return 0;
  if (!a || !b) return a ? 1 : -1;
  return compare(*a, *b);
}

/// Compares members one after the other; the first difference decides.
template <class... Rest>
int first_of(int head, Rest... rest) {
  int result = head;
  ((result = result != 0 ? result : rest), ...);
  return result;
}

template <class T, class Fn>
int order_lists(const std::vector<T>& a, const std::vector<T>& b, Fn fn) {
  if (a.size() != b.size()) return order(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    if (const int result = fn(a[i], b[i]); result != 0) return result;
  return 0;
}

int order_exprs(const std::vector<ExprPtr>& a, const std::vector<ExprPtr>& b) {
  return order_lists(a, b, [](const ExprPtr& x, const ExprPtr& y) { return order(x, y); });
}

int order_indexes(const std::vector<Index>& a, const std::vector<Index>& b) {
  return order_lists(a, b, [](const Index& x, const Index& y) {
    return first_of(order(static_cast<int>(x.kind), static_cast<int>(y.kind)), order(x.low, y.low),
                    order(x.high, y.high));
  });
}

int order_functions(const FunctionKind& a, const FunctionKind& b) {
  if (a.index() != b.index()) return order(a.index(), b.index());
  return match(
      a,
      [&](const StanLib& x) {
        const auto& y = std::get<StanLib>(b);
        return first_of(x.fn == y.fn ? 0 : name_of(x.fn).compare(name_of(y.fn)), order(int{x.propto}, int{y.propto}));
      },
      [&](const UserDefined& x) {
        const auto& y = std::get<UserDefined>(b);
        return first_of(x.name.compare(y.name), order(int{x.propto}, int{y.propto}));
      },
      [&](const CompilerInternal& x) {
        const auto& y = std::get<CompilerInternal>(b);
        return first_of(order(static_cast<int>(x.fn), static_cast<int>(y.fn)), order(x.var, y.var),
                        order(static_cast<int>(x.transform.kind), static_cast<int>(y.transform.kind)),
                        order(x.transform.first, y.transform.first), order(x.transform.second, y.transform.second),
                        order_exprs(x.dims, y.dims));
      });
}

}  // namespace

int compare(const Expr& a, const Expr& b) {
  if (&a == &b) return 0;
  if (a.node.index() != b.node.index()) return order(a.node.index(), b.node.index());
  const auto other = [&]<class T>(const T&) -> const T& { return std::get<T>(b.node); };
  return match(
      a.node, [&](const Var& x) { return x.name.compare(other(x).name); },
      [&](const Lit& x) {
        const auto& y = other(x);
        return first_of(order(static_cast<int>(x.kind), static_cast<int>(y.kind)), x.text.compare(y.text));
      },
      [&](const FunApp& x) { return first_of(order_functions(x.fn, other(x).fn), order_exprs(x.args, other(x).args)); },
      [&](const TernaryIf& x) {
        const auto& y = other(x);
        return first_of(order(x.test, y.test), order(x.yes, y.yes), order(x.no, y.no));
      },
      [&](const EAnd& x) { return first_of(order(x.left, other(x).left), order(x.right, other(x).right)); },
      [&](const EOr& x) { return first_of(order(x.left, other(x).left), order(x.right, other(x).right)); },
      [&](const Indexed& x) {
        return first_of(order(x.base, other(x).base), order_indexes(x.indexes, other(x).indexes));
      },
      [&](const Promotion& x) {
        const auto& y = other(x);
        return first_of(x.scalar == y.scalar ? 0 : x.scalar.str().compare(y.scalar.str()), order(x.operand, y.operand));
      },
      [&](const TupleProjection& x) { return first_of(order(x.slot, other(x).slot), order(x.tuple, other(x).tuple)); });
}

std::set<std::string> variables(const Expr& expr) {
  std::set<std::string> out;
  each_subexpr(expr, [&](const Expr& e) {
    const Var* variable = as_var(e);
    if (variable && e.type.base() != BaseType::Function) out.insert(variable->name);
  });
  return out;
}

bool mentions(const Expr& expr, const std::string& variable) {
  return variables(expr).contains(variable);
}

bool brings_derivatives(const Expr& expr) {
  if (!expr.ad.any()) return false;
  const bool chosen = std::holds_alternative<TernaryIf>(expr.node) && !expr.type.is_scalar();
  if (chosen || is_list(expr)) return true;
  const auto* promotion = std::get_if<Promotion>(&expr.node);
  return as_var(expr) || is_internal(expr, Internal::FnReadParam) || (promotion && !promotion->operand->ad.any());
}

bool carries_derivatives(const Expr& expr) {
  if (!expr.ad.any() || brings_derivatives(expr)) return expr.ad.any();
  bool out = false;
  each_child(expr, [&](const Expr& child) { out = out || carries_derivatives(child); });
  return out;
}

std::size_t node_count(const Expr& expr) {
  std::size_t count = 0;
  each_subexpr(expr, [&](const Expr&) { ++count; });
  return count;
}

std::size_t node_count(const Stmt& stmt) {
  std::size_t count = 0;
  each_substmt(stmt, [&](const Stmt& s) {
    ++count;
    each_expr(s, [&](const Expr& expr) { count += node_count(expr); });
  });
  return count;
}

// ---------------------------------------------------------------- effects

namespace {

Effects effects_of(Internal fn) {
  switch (fn) {
    case Internal::FnReadData:
    case Internal::FnReadDeserializer:
    case Internal::FnReadParam:
      return {Effect::Read};
    case Internal::FnWriteParam:
    case Internal::FnReadWriteEventsOpenCL:
      return {Effect::Write};
    case Internal::FnValidateSize:
    case Internal::FnValidateSizePositive:
    case Internal::FnValidateSizeUnitVector:
    case Internal::FnCheck:
      return {Effect::Check};
    case Internal::FnPrint:
      return {Effect::Print};
    case Internal::FnReject:
    case Internal::FnFatalError:
      return {Effect::Reject};
    default:
      return {};
  }
}

Effects effects_of(Suffix suffix) {
  switch (suffix) {
    case Suffix::Target:
      return {Effect::Target};
    case Suffix::Jacobian:
      return {Effect::Jacobian};
    case Suffix::Rng:
      return {Effect::Rng};
    default:
      return {};
  }
}

}  // namespace

Effects call_effects(const FunctionKind& fn) {
  return match(
      fn, [](const StanLib& f) { return effects_of(f.suffix) | f.effects; },
      [](const UserDefined& f) { return effects_of(f.suffix) | f.effects; },
      [](const CompilerInternal& f) { return effects_of(f.fn); });
}

Effects effects(const Expr& expr) {
  Effects out;
  each_subexpr(expr, [&](const Expr& e) {
    if (const FunApp* call = as_call(e)) out |= call_effects(call->fn);
  });
  return out;
}

Effects effects(const Stmt& stmt) {
  Effects out;
  each_substmt(stmt, [&](const Stmt& s) {
    if (std::holds_alternative<TargetPE>(s.node)) out |= {Effect::Target};
    if (std::holds_alternative<JacobianPE>(s.node)) out |= {Effect::Jacobian};
    if (const auto* call = std::get_if<NRFunApp>(&s.node)) out |= call_effects(call->fn);
    each_expr(s, [&](const Expr& expr) { out |= effects(expr); });
  });
  return out;
}

bool has_side_effect(const Expr& expr) {
  return !effects(expr).without(Effect::Rng).none();
}

bool has_rng(const Expr& expr) {
  return effects(expr).has(Effect::Rng);
}

bool cannot_duplicate(const Expr& expr, bool preserve_stability) {
  return !effects(expr).none() || (preserve_stability && expr.ad.any());
}

// ---------------------------------------------------------------- statements

void each_expr(const Stmt& stmt, const ExprVisitor& visit) {
  match(
      stmt.node, [&](const IfElse& i) { visit(*i.test); }, [&](const While& w) { visit(*w.test); },
      [&](const For& f) {
        visit(*f.lower);
        visit(*f.upper);
      },
      [](const Profile&) {}, [](const Block&) {}, [](const SList&) {}, [](const Break&) {}, [](const Continue&) {},
      [](const Skip&) {}, [&](const TargetPE& t) { visit(*t.value); }, [&](const JacobianPE& j) { visit(*j.value); },
      [&](const Return& r) {
        if (r.value) visit(*r.value);
      },
      [&](const Assignment&) { visit_parts<decltype(stmt.node), PartsOfStmt>(stmt.node, visit); },
      [&](const NRFunApp&) { visit_parts<decltype(stmt.node), PartsOfStmt>(stmt.node, visit); },
      [&](const Decl&) { visit_parts<decltype(stmt.node), PartsOfStmt>(stmt.node, visit); });
}

StmtPtr map_exprs(const StmtPtr& stmt, const ExprMap& map) {
  Mapper mapper{map};
  auto node = stmt->node;
  std::visit(PartsOfStmt{mapper}, node);
  return mapper.changed ? make_stmt(std::move(node), stmt->span) : stmt;
}

void each_child(const Stmt& stmt, const StmtVisitor& visit) {
  const auto list = [&](const std::vector<StmtPtr>& body) {
    for (const StmtPtr& child : body) visit(*child);
  };
  match(
      stmt.node, [](const Assignment&) {}, [](const TargetPE&) {}, [](const JacobianPE&) {}, [](const NRFunApp&) {},
      [](const Break&) {}, [](const Continue&) {}, [](const Return&) {}, [](const Skip&) {}, [](const Decl&) {},
      [&](const IfElse& i) {
        visit(*i.yes);
        if (i.no) visit(*i.no);
      },
      [&](const While& w) { visit(*w.body); }, [&](const For& f) { visit(*f.body); },
      [&](const Profile& p) { list(p.body); }, [&](const Block& b) { list(b.body); },
      [&](const SList& l) { list(l.body); });
}

void each_substmt(const Stmt& stmt, const StmtVisitor& visit) {
  visit(stmt);
  each_child(stmt, [&](const Stmt& child) { each_substmt(child, visit); });
}

std::vector<StmtPtr> map_each(const std::vector<StmtPtr>& list, const StmtMap& map) {
  std::vector<StmtPtr> out;
  for (const StmtPtr& stmt : list) out.push_back(map(stmt));
  return out;
}

namespace {

template <class Node>
StmtPtr map_list(const StmtPtr& stmt, const Node& node, const StmtMap& map) {
  std::vector<StmtPtr> body = map_each(node.body, map);
  if (body == node.body) return stmt;
  Node copy = node;
  copy.body = std::move(body);
  return make_stmt(std::move(copy), stmt->span);
}

}  // namespace

StmtPtr map_children(const StmtPtr& stmt, const StmtMap& map) {
  const auto same_stmt = [&](const auto&) { return stmt; };
  return match(
      stmt->node, [&](const Assignment& s) { return same_stmt(s); }, [&](const TargetPE& s) { return same_stmt(s); },
      [&](const JacobianPE& s) { return same_stmt(s); }, [&](const NRFunApp& s) { return same_stmt(s); },
      [&](const Break& s) { return same_stmt(s); }, [&](const Continue& s) { return same_stmt(s); },
      [&](const Return& s) { return same_stmt(s); }, [&](const Skip& s) { return same_stmt(s); },
      [&](const Decl& s) { return same_stmt(s); },
      [&](const IfElse& s) {
        StmtPtr yes = map(s.yes);
        StmtPtr no = s.no ? map(s.no) : nullptr;
        if (yes == s.yes && no == s.no) return stmt;
        return make_stmt(IfElse{s.test, std::move(yes), std::move(no)}, stmt->span);
      },
      [&](const While& s) {
        StmtPtr body = map(s.body);
        return body == s.body ? stmt : make_stmt(While{s.test, std::move(body)}, stmt->span);
      },
      [&](const For& s) {
        StmtPtr body = map(s.body);
        return body == s.body ? stmt : make_stmt(For{s.variable, s.lower, s.upper, std::move(body)}, stmt->span);
      },
      [&](const Profile& s) { return map_list(stmt, s, map); }, [&](const Block& s) { return map_list(stmt, s, map); },
      [&](const SList& s) { return map_list(stmt, s, map); });
}

StmtPtr rewrite(const StmtPtr& stmt, const StmtMap& map) {
  return map(map_children(stmt, [&](const StmtPtr& child) { return rewrite(child, map); }));
}

StmtPtr rewrite_exprs(const StmtPtr& stmt, const ExprMap& map) {
  return rewrite(stmt, [&](const StmtPtr& s) { return map_exprs(s, map); });
}

std::vector<StmtPtr> rewrite(const std::vector<StmtPtr>& list, const StmtMap& map) {
  return map_each(list, [&](const StmtPtr& stmt) { return rewrite(stmt, map); });
}

std::vector<StmtPtr> rewrite_exprs(const std::vector<StmtPtr>& list, const ExprMap& map) {
  return map_each(list, [&](const StmtPtr& stmt) { return rewrite_exprs(stmt, map); });
}

std::string assigned_variable(const Stmt& stmt) {
  if (const auto* a = std::get_if<Assignment>(&stmt.node)) return a->left.base_name();
  if (const auto* d = std::get_if<Decl>(&stmt.node)) return d->init == Decl::Init::Assign ? d->id : "";
  if (const auto* f = std::get_if<For>(&stmt.node)) return f->variable;
  if (std::holds_alternative<TargetPE>(stmt.node) || std::holds_alternative<JacobianPE>(stmt.node)) return "target";
  if (const auto* call = std::get_if<NRFunApp>(&stmt.node)) {
    const Effects effects = call_effects(call->fn);
    return effects.has(Effect::Target) || effects.has(Effect::Jacobian) ? "target" : "";
  }
  return "";
}

std::set<std::string> assigned_variables(const Stmt& stmt) {
  std::set<std::string> out;
  each_substmt(stmt, [&](const Stmt& s) {
    if (std::string name = assigned_variable(s); !name.empty()) out.insert(std::move(name));
  });
  return out;
}

namespace {

template <class Section, class AnyProgram>
std::vector<Section*> all_sections(AnyProgram& program) {
  return {&program.prepare_data,          &program.transform_inits,     &program.log_prob,
          &program.reverse_mode_log_prob, &program.generate_quantities, &program.unconstrain_array};
}

}  // namespace

std::vector<std::vector<StmtPtr>*> sections(Program& program) { return all_sections<std::vector<StmtPtr>>(program); }
std::vector<const std::vector<StmtPtr>*> sections(const Program& program) { return all_sections<const std::vector<StmtPtr>>(program); }

}  // namespace fermiac::mir
