#include "frontend/check/walk.h"

#include <algorithm>
#include <string>

#include "support/base/match.h"

namespace fermiac::check {
namespace {

using namespace ast;

void each(const std::vector<ExprPtr>& items, const ExprVisitor& visit) {
  for (const auto& item : items) visit_expressions(*item, visit);
}
void maybe(const ExprPtr& item, const ExprVisitor& visit) {
  if (item) visit_expressions(*item, visit);
}

void visit_type(const DeclaredType& type, const ExprVisitor& visit) {
  each(type.array_sizes, visit);
  each(type.sizes, visit);
  maybe(type.first, visit);
  maybe(type.second, visit);
  for (const auto& slot : type.slots) visit_type(slot, visit);
}

using StmtVisitor = std::function<void(const Stmt&)>;
void visit_statements(const Stmt& stmt, const StmtVisitor& visit);

void visit_list(const std::vector<StmtPtr>& body, const StmtVisitor& visit) {
  for (const auto& stmt : body) visit_statements(*stmt, visit);
}

void visit_statements(const Stmt& stmt, const StmtVisitor& visit) {
  visit(stmt);
  if (const auto* s = std::get_if<If>(&stmt.node)) {
    visit_statements(*s->yes, visit);
    if (s->no) visit_statements(*s->no, visit);
  }
  if (const auto* s = std::get_if<While>(&stmt.node)) visit_statements(*s->body, visit);
  if (const auto* s = std::get_if<ForRange>(&stmt.node)) visit_statements(*s->body, visit);
  if (const auto* s = std::get_if<ForEach>(&stmt.node)) visit_statements(*s->body, visit);
  if (const auto* s = std::get_if<Profile>(&stmt.node)) visit_list(s->body, visit);
  if (const auto* s = std::get_if<Block>(&stmt.node)) visit_list(s->body, visit);
}

/// The expressions of one statement, not those of statements inside it.
void visit_own(const Stmt& stmt, const ExprVisitor& visit) {
  match(
      stmt.node,
      [&](const Declaration& s) {
        visit_type(s.type, visit);
        for (const auto& name : s.names) maybe(name.init, visit);
      },
      [&](const Assignment& s) {
        visit_expressions(*s.left, visit);
        visit_expressions(*s.right, visit);
      },
      [&](const ProcedureCall& s) { each(s.args, visit); }, [&](const TargetPlus& s) { maybe(s.value, visit); },
      [&](const JacobianPlus& s) { maybe(s.value, visit); },
      [&](const Tilde& s) {
        visit_expressions(*s.variate, visit);
        each(s.args, visit);
        if (s.truncation) maybe(s.truncation->lower, visit), maybe(s.truncation->upper, visit);
      },
      [](const Break&) {}, [](const Continue&) {}, [&](const Return& s) { maybe(s.value, visit); },
      [&](const Print& s) { each(s.items, visit); }, [&](const If& s) { maybe(s.test, visit); },
      [&](const While& s) { maybe(s.test, visit); },
      [&](const ForRange& s) {
        maybe(s.low, visit);
        maybe(s.high, visit);
      },
      [&](const ForEach& s) { maybe(s.container, visit); }, [](const Profile&) {}, [](const Block&) {},
      [](const Skip&) {});
}

bool same_list(const std::vector<ExprPtr>& a, const std::vector<ExprPtr>& b) {
  return std::ranges::equal(a, b, [](const ExprPtr& x, const ExprPtr& y) { return same_expression(*x, *y); });
}
bool same_maybe(const ExprPtr& a, const ExprPtr& b) {
  return a && b ? same_expression(*a, *b) : !a && !b;
}

bool same_index(const Index& a, const Index& b) {
  return a.kind == b.kind && same_maybe(a.low, b.low) && same_maybe(a.high, b.high);
}

/// Compares with another node of the same kind.
struct SameNode {
  const Expr& other;
  template <class T>
  const T& the() const {
    return std::get<T>(other.node);
  }

  bool operator()(const IntLiteral& a) const { return a.text == the<IntLiteral>().text; }
  bool operator()(const RealLiteral& a) const { return a.text == the<RealLiteral>().text; }
  bool operator()(const ImagLiteral& a) const { return a.text == the<ImagLiteral>().text; }
  bool operator()(const StringLiteral& a) const { return a.text == the<StringLiteral>().text; }
  bool operator()(const Variable& a) const { return a.name.text == the<Variable>().name.text; }
  bool operator()(const Call& a) const {
    return a.name.text == the<Call>().name.text && same_list(a.args, the<Call>().args);
  }
  bool operator()(const TargetValue&) const { return true; }
  bool operator()(const ArrayLiteral& a) const { return same_list(a.items, the<ArrayLiteral>().items); }
  bool operator()(const RowLiteral& a) const { return same_list(a.items, the<RowLiteral>().items); }
  bool operator()(const TupleLiteral& a) const { return same_list(a.items, the<TupleLiteral>().items); }
  bool operator()(const Paren& a) const { return same_expression(*a.inner, *the<Paren>().inner); }
  bool operator()(const Binary& a) const {
    const auto& b = the<Binary>();
    return a.op == b.op && same_expression(*a.left, *b.left) && same_expression(*a.right, *b.right);
  }
  bool operator()(const Unary& a) const {
    return a.op == the<Unary>().op && same_expression(*a.operand, *the<Unary>().operand);
  }
  bool operator()(const Ternary& a) const {
    const auto& b = the<Ternary>();
    return same_expression(*a.test, *b.test) && same_expression(*a.yes, *b.yes) && same_expression(*a.no, *b.no);
  }
  bool operator()(const Projection& a) const {
    return a.slot == the<Projection>().slot && same_expression(*a.tuple, *the<Projection>().tuple);
  }
  bool operator()(const Indexed& a) const {
    const auto& b = the<Indexed>();
    return same_expression(*a.base, *b.base) && std::ranges::equal(a.indexes, b.indexes, same_index);
  }
};

}  // namespace

const Expr& unparenthesised(const Expr& expr) {
  const Expr* out = &expr;
  while (const auto* paren = std::get_if<Paren>(&out->node)) out = paren->inner.get();
  return *out;
}

bool same_expression(const Expr& a, const Expr& b) {
  const Expr& x = unparenthesised(a);
  const Expr& y = unparenthesised(b);
  return x.node.index() == y.node.index() && std::visit(SameNode{y}, x.node);
}

void visit_expressions(const Expr& expr, const ExprVisitor& visit) {
  visit(expr);
  match(
      expr.node, [](const IntLiteral&) {}, [](const RealLiteral&) {}, [](const ImagLiteral&) {},
      [](const StringLiteral&) {}, [](const Variable&) {}, [&](const Call& e) { each(e.args, visit); },
      [](const TargetValue&) {}, [&](const ArrayLiteral& e) { each(e.items, visit); },
      [&](const RowLiteral& e) { each(e.items, visit); }, [&](const TupleLiteral& e) { each(e.items, visit); },
      [&](const Paren& e) { maybe(e.inner, visit); },
      [&](const Binary& e) {
        maybe(e.left, visit);
        maybe(e.right, visit);
      },
      [&](const Unary& e) { maybe(e.operand, visit); },
      [&](const Ternary& e) {
        maybe(e.test, visit);
        maybe(e.yes, visit);
        maybe(e.no, visit);
      },
      [&](const Projection& e) { maybe(e.tuple, visit); },
      [&](const Indexed& e) {
        maybe(e.base, visit);
        for (const auto& index : e.indexes) maybe(index.low, visit), maybe(index.high, visit);
      });
}

void visit_expressions(const Stmt& stmt, const ExprVisitor& visit) {
  visit_statements(stmt, [&](const Stmt& inner) { visit_own(inner, visit); });
}

void visit_called_names(const Stmt& stmt, const std::function<void(std::string_view)>& visit) {
  visit_statements(stmt, [&](const Stmt& inner) {
    if (const auto* call = std::get_if<ProcedureCall>(&inner.node)) visit(call->name.text);
    if (const auto* tilde = std::get_if<Tilde>(&inner.node)) {
      visit(tilde->distribution.text + "_lpdf");
      visit(tilde->distribution.text + "_lpmf");
    }
    visit_own(inner, [&](const Expr& expr) {
      if (const auto* call = std::get_if<Call>(&expr.node)) visit(call->name.text);
      if (const auto* name = std::get_if<Variable>(&expr.node); name && name->is_function) visit(name->name.text);
    });
  });
}

}  // namespace fermiac::check
