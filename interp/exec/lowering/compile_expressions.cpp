// Expressions to nodes.
#include <algorithm>
#include <cstdint>

#include "interp/exec/lowering/compiler.h"
#include "interp/exec/lowering/views.h"
#include "mir/ir/build.h"
#include "support/base/match.h"
#include "support/base/number_text.h"
#include "support/base/text.h"
#include "support/platform/stack.h"

namespace fermiac::interp {
namespace {

ExprPtr literal(const mir::Expr& e, const mir::Lit& lit) {
  switch (lit.kind) {
    case mir::Lit::Kind::Int: {
      const std::int64_t value = literal_int(lit.text);
      if (value > 2147483647LL || value < -2147483648LL) throw ProgramError(e.span, "integer literal out of range");
      return make_int_literal(static_cast<std::int32_t>(value));
    }
    case mir::Lit::Kind::Real: return make_real_literal(literal_real(lit.text));
    case mir::Lit::Kind::Imaginary: return make_complex_literal(0, literal_real(lit.text));
    case mir::Lit::Kind::Str: return make_string_literal(lit.text);
  }
  return nullptr;
}

/// What messages call the container that is indexed.
std::string name_of(const mir::Expr& e) {
  if (const auto* v = std::get_if<mir::Var>(&e.node)) return v->name;
  if (const auto* p = std::get_if<mir::TupleProjection>(&e.node)) return name_of(*p->tuple) + "." + std::to_string(p->slot);
  if (const auto* i = std::get_if<mir::Indexed>(&e.node)) return name_of(*i->base);
  return "an expression";
}

}  // namespace

std::vector<ExprPtr> Compiler::exprs(const std::vector<mir::ExprPtr>& list) {
  std::vector<ExprPtr> out;
  out.reserve(list.size());
  for (const mir::ExprPtr& e : list) out.push_back(expr(*e));
  return out;
}

std::vector<IndexNode> Compiler::indexes(const std::vector<mir::Index>& list) {
  std::vector<IndexNode> out;
  for (const mir::Index& index : list)
    out.push_back({index.kind, expr_or_null(index.low), expr_or_null(index.high)});
  return out;
}

ExprPtr Compiler::expr(const mir::Expr& e) {
  if (const auto known = pieces_.find(&e); known != pieces_.end()) return make_variable(known->second);
  if (ExprPtr pieces = in_pieces(e)) return pieces;
  return node(e);
}

ExprPtr Compiler::node(const mir::Expr& e) {
  if (stack_runs_out()) throw ProgramError(e.span, "expressions nest too deeply here");
  return match(
      e.node, [&](const mir::Var& v) -> ExprPtr { return make_variable(lookup(e.span, v.name)); },
      [&](const mir::Lit& lit) -> ExprPtr { return literal(e, lit); },
      [&](const mir::FunApp& app) -> ExprPtr { return call(e, app); },
      [&](const mir::TernaryIf& t) -> ExprPtr { return ternary(e, t); },
      [&](const mir::EAnd& a) -> ExprPtr { return make_and(expr(*a.left), expr(*a.right)); },
      [&](const mir::EOr& o) -> ExprPtr { return make_or(expr(*o.left), expr(*o.right)); },
      [&](const mir::Indexed& i) -> ExprPtr {
        const mir::Expr* base = i.base.get();
        std::vector<mir::Index> list = i.indexes;
        // x[i][j] is x[i, j] as long as the inner indexes are single.
        while (const auto* inner = std::get_if<mir::Indexed>(&base->node)) {
          if (!all_single(inner->indexes) || pieces_.contains(base)) break;
          list.insert(list.begin(), inner->indexes.begin(), inner->indexes.end());
          base = inner->base.get();
        }
        return make_indexed(e.type, name_of(*base), expr(*base), indexes(list));
      },
      [&](const mir::Promotion& p) -> ExprPtr { return make_promotion(e.type, p.scalar, expr(*p.operand)); },
      [&](const mir::TupleProjection& p) -> ExprPtr { return make_projection(e.type, expr(*p.tuple), p.slot); });
}

// ---------------------------------------------------------------- what an expression mentions

namespace {

void mention(const mir::Expr& e, std::set<std::string>& names, bool& effects);

void mention(const mir::ExprPtr& e, std::set<std::string>& names, bool& effects) {
  if (e) mention(*e, names, effects);
}
void mention(const std::vector<mir::ExprPtr>& list, std::set<std::string>& names, bool& effects) {
  for (const mir::ExprPtr& e : list) mention(e, names, effects);
}
bool has_effects(const mir::FunctionKind& fn) {
  const auto draws = [](Suffix s) { return s == Suffix::Rng || s == Suffix::Target || s == Suffix::Jacobian; };
  if (const auto* f = std::get_if<mir::StanLib>(&fn)) return draws(f->suffix);
  return std::holds_alternative<mir::UserDefined>(fn);  // may print or draw
}

void mention(const mir::Expr& e, std::set<std::string>& names, bool& effects) {
  match(
      e.node, [&](const mir::Var& v) { names.insert(v.name); }, [&](const mir::Lit&) {},
      [&](const mir::FunApp& app) {
        effects |= has_effects(app.fn);
        mention(app.args, names, effects);
      },
      [&](const mir::TernaryIf& t) {
        mention(t.test, names, effects);
        mention(t.yes, names, effects);
        mention(t.no, names, effects);
      },
      [&](const mir::EAnd& a) { mention(a.left, names, effects), mention(a.right, names, effects); },
      [&](const mir::EOr& o) { mention(o.left, names, effects), mention(o.right, names, effects); },
      [&](const mir::Indexed& i) {
        mention(i.base, names, effects);
        for (const mir::Index& index : i.indexes)
          mention(index.low, names, effects), mention(index.high, names, effects);
      },
      [&](const mir::Promotion& p) { mention(p.operand, names, effects); },
      [&](const mir::TupleProjection& p) { mention(p.tuple, names, effects); });
}

}  // namespace

bool depends_on(const mir::Expr& e, const std::set<std::string>& changing) {
  std::set<std::string> names;
  bool effects = false;
  mention(e, names, effects);
  if (effects) return true;
  for (const std::string& name : names)
    if (changing.contains(name)) return true;
  return false;
}

void collect_assigned(const mir::Stmt& s, std::set<std::string>& out) {
  const auto all = [&](const std::vector<mir::StmtPtr>& list) {
    for (const mir::StmtPtr& inner : list) collect_assigned(*inner, out);
  };
  if (const auto* a = std::get_if<mir::Assignment>(&s.node)) out.insert(a->left.base_name());
  if (const auto* d = std::get_if<mir::Decl>(&s.node)) out.insert(d->id);
  if (const auto* b = std::get_if<mir::Block>(&s.node)) all(b->body);
  if (const auto* b = std::get_if<mir::SList>(&s.node)) all(b->body);
  if (const auto* b = std::get_if<mir::Profile>(&s.node)) all(b->body);
  if (const auto* w = std::get_if<mir::While>(&s.node)) collect_assigned(*w->body, out);
  if (const auto* l = std::get_if<mir::For>(&s.node)) {
    out.insert(l->variable);
    collect_assigned(*l->body, out);
  }
  if (const auto* i = std::get_if<mir::IfElse>(&s.node)) {
    collect_assigned(*i->yes, out);
    if (i->no) collect_assigned(*i->no, out);
  }
}

}  // namespace fermiac::interp
