// Finds the branches on parameters that can be recorded on both sides (select_nodes.cpp): arithmetic, elementary
// functions and densities of scalars, which do nothing but give a value.
#include <algorithm>

#include "interp/exec/lowering/compiler.h"
#include "interp/exec/lowering/views.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "support/base/match.h"

namespace fermiac::interp {
namespace {

bool only_gives_a_value(const mir::Expr& e);

bool only_give_values(const std::vector<mir::ExprPtr>& list) {
  return std::ranges::all_of(list, [](const mir::ExprPtr& e) { return only_gives_a_value(*e); });
}

bool is_element(const mir::Indexed& i) {
  return mir::as_var(*i.base) != nullptr && std::ranges::all_of(i.indexes, [](const mir::Index& index) {
           return index.kind == mir::Index::Kind::Single && only_gives_a_value(*index.low);
         });
}

/// User functions are left out: they may print, and one that calls itself may end only because of its branch.
bool only_gives_a_value(const mir::Expr& e) {
  if (!e.type.is_number()) return false;
  return match(
      e.node, [](const mir::Var&) { return true; }, [](const mir::Lit&) { return true; },
      [](const mir::FunApp& app) {
        const auto* fn = std::get_if<mir::StanLib>(&app.fn);
        const bool value =
            fn && (fn->suffix == Suffix::Plain || fn->suffix == Suffix::Lpdf || fn->suffix == Suffix::Lpmf);
        return value && fn->fn != Builtin::target && only_give_values(app.args);
      },
      [](const mir::TernaryIf& t) {
        return only_give_values({t.test, t.yes, t.no});
      },
      [](const mir::EAnd& a) {
        return only_give_values({a.left, a.right});
      },
      [](const mir::EOr& o) {
        return only_give_values({o.left, o.right});
      },
      [](const mir::Indexed& i) { return is_element(i); },
      [](const mir::Promotion& p) { return only_gives_a_value(*p.operand); },
      [](const mir::TupleProjection&) { return false; });
}

/// The statement that a branch consists of; null if there are several, or none.
const mir::Stmt* only_statement(const mir::StmtPtr& branch) {
  const mir::Stmt* s = branch.get();
  while (s != nullptr) {
    const auto* block = std::get_if<mir::Block>(&s->node);
    const auto* list = std::get_if<mir::SList>(&s->node);
    if (block == nullptr && list == nullptr) return s;
    const std::vector<mir::StmtPtr>& body = block ? block->body : list->body;
    s = body.size() == 1 ? body[0].get() : nullptr;
  }
  return nullptr;
}

/// What a branch does with the value it computes.
struct Branch {
  mir::ExprPtr value;
  const mir::Assignment* assignment = nullptr;
  enum class Use { Assign, Target, Return } use = Use::Assign;
};

std::optional<Branch> branch_of(const mir::Stmt* s) {
  if (s == nullptr) return std::nullopt;
  if (const auto* a = std::get_if<mir::Assignment>(&s->node)) return Branch{a->right, a, Branch::Use::Assign};
  if (const auto* t = std::get_if<mir::TargetPE>(&s->node)) return Branch{t->value, nullptr, Branch::Use::Target};
  if (const auto* r = std::get_if<mir::Return>(&s->node); r && r->value)
    return Branch{r->value, nullptr, Branch::Use::Return};
  return std::nullopt;
}

/// The number that is assigned to, as an expression; null if it is no number, or hard to read.
mir::ExprPtr destination(const mir::Assignment& a) {
  if (a.left.tuple || !mir::destination_type(a.type, a.left).is(BaseType::Real)) return nullptr;
  mir::ExprPtr base = mir::var(a.left.variable, a.type);
  mir::ExprPtr whole = a.left.indexes.empty() ? base : mir::indexed(base, a.left.indexes);
  return only_gives_a_value(*whole) ? whole : nullptr;
}

/// The other side of an `if` without `else`: the number stays, or nothing is added.
mir::ExprPtr unchanged(const Branch& yes) {
  switch (yes.use) {
    case Branch::Use::Assign:
      return destination(*yes.assignment);
    case Branch::Use::Target:
      return mir::real_lit("0.0");
    case Branch::Use::Return:
      return nullptr;
  }
  return nullptr;
}

/// The two values between which the `if` chooses; null where it does more than that.
struct Choice {
  Branch yes;
  mir::ExprPtr no;
};

std::optional<Choice> choice_of(const mir::IfElse& node) {
  const auto yes = branch_of(only_statement(node.yes));
  if (!yes || !only_gives_a_value(*yes->value)) return std::nullopt;
  const mir::ExprPtr to = yes->assignment ? destination(*yes->assignment) : nullptr;
  if (yes->assignment && !to) return std::nullopt;
  if (!node.no || std::holds_alternative<mir::Skip>(node.no->node)) {
    mir::ExprPtr no = unchanged(*yes);
    return no ? std::optional(Choice{*yes, std::move(no)}) : std::nullopt;
  }
  const auto no = branch_of(only_statement(node.no));
  if (!no || no->use != yes->use || !only_gives_a_value(*no->value)) return std::nullopt;
  if (no->assignment) {
    const mir::ExprPtr other = destination(*no->assignment);
    if (!other || !mir::same(*to, *other)) return std::nullopt;
  }
  return Choice{*yes, no->value};
}

mir::Stmt store_statement(const mir::Stmt& s, const Branch& branch, const mir::ExprPtr& value) {
  switch (branch.use) {
    case Branch::Use::Assign:
      return {mir::Assignment{branch.assignment->left, branch.assignment->type, value}, s.span};
    case Branch::Use::Target:
      return {mir::TargetPE{value}, s.span};
    case Branch::Use::Return:
      return {mir::Return{value}, s.span};
  }
  return {mir::Skip{}, s.span};
}

}  // namespace

ExprPtr Compiler::ternary(const mir::Expr& e, const mir::TernaryIf& t) {
  ExprPtr test = expr(*t.test), yes = expr(*t.yes), no = expr(*t.no);
  const bool both = derivatives_possible() && e.type.is(BaseType::Real) && test->compares() &&
                    only_gives_a_value(*t.yes) && only_gives_a_value(*t.no);
  if (both) return make_select(std::move(test), std::move(yes), std::move(no));
  return make_ternary(e.type, std::move(test), std::move(yes), std::move(no));
}

StmtPtr Compiler::select(const mir::Stmt& s, const mir::IfElse& node) {
  if (marks_ && (has_sites(*node.yes) || (node.no && has_sites(*node.no)))) return nullptr;  // each side has its handler
  if (!derivatives_possible()) return nullptr;
  const auto choice = choice_of(node);
  if (!choice) return nullptr;
  ExprPtr test = expr(*node.test);
  if (!test->compares()) return nullptr;
  ExprPtr yes = expr(*choice->yes.value), no = expr(*choice->no);
  StmtPtr as_written = make_if(site(s.span), expr(*node.test), stmt(*node.yes), node.no ? stmt(*node.no) : nullptr);
  const Scope scope(*this);
  constexpr const char* kResult = "selected value";  // no name of a program
  const Variable result = declare(kResult, BaseType::Real, true);
  StmtPtr store = stmt(store_statement(s, choice->yes, mir::var(kResult, BaseType::Real)));
  return make_select_statement(site(s.span), std::move(test), std::move(yes), std::move(no), result, std::move(store),
                               std::move(as_written));
}

}  // namespace fermiac::interp
