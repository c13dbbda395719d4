// Walking, rebuilding and comparing MIR trees. Rebuilding returns the very same node where nothing changed, so a pass
// can tell by pointer whether it did anything.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "mir/ir/ir.h"

namespace fermiac::mir {

// ---------------------------------------------------------------- expressions

using ExprVisitor = std::function<void(const Expr&)>;
using ExprMap = std::function<ExprPtr(const ExprPtr&)>;

/// Direct subexpressions, those inside indexes and internal functions (dims, bounds, checked value) included.
void each_child(const Expr& expr, const ExprVisitor& visit);
/// The expression and everything below it, parents first.
void each_subexpr(const Expr& expr, const ExprVisitor& visit);
/// The same node with `map` applied to each direct subexpression.
ExprPtr map_children(const ExprPtr& expr, const ExprMap& map);
/// `map` applied to every node, children first.
ExprPtr rewrite(const ExprPtr& expr, const ExprMap& map);
/// Variables replaced by expressions, all at once.
ExprPtr substitute(const ExprPtr& expr, const std::map<std::string, ExprPtr>& values);

/// Order on patterns; types, levels and places are ignored.
int compare(const Expr& a, const Expr& b);
struct ExprLess {
  bool operator()(const ExprPtr& a, const ExprPtr& b) const { return compare(*a, *b) < 0; }
};
inline bool same(const Expr& a, const Expr& b) {
  return compare(a, b) == 0;
}

/// Names of the variables read; names of functions passed as arguments do not count.
std::set<std::string> variables(const Expr& expr);
bool mentions(const Expr& expr, const std::string& variable);
/// Derivatives begin at this node: a variable or parameter that carries them, a number that is promoted to one, or a literal or
/// choice of containers whose elements are.
bool brings_derivatives(const Expr& expr);
/// They begin here or below. Where a function was written out in place of its call, `ad` may say so of data too.
bool carries_derivatives(const Expr& expr);
/// With everything below.
std::size_t node_count(const Expr& expr);
std::size_t node_count(const Stmt& stmt);

// ---------------------------------------------------------------- effects

/// What a call does by itself, without its arguments: by the suffix, by what stands in the body of a user function and
/// by what functions that are passed on do (ir/call_effects.h).
Effects call_effects(const FunctionKind& fn);
Effects effects(const Expr& expr);
/// The statement and everything below it.
Effects effects(const Stmt& stmt);

/// Any effect but random numbers.
bool has_side_effect(const Expr& expr);
bool has_rng(const Expr& expr);
/// Evaluating it twice, or somewhere else, could be seen.
bool cannot_duplicate(const Expr& expr, bool preserve_stability = false);
inline bool cannot_remove(const Expr& expr) {
  return has_side_effect(expr);
}

// ---------------------------------------------------------------- statements

using StmtVisitor = std::function<void(const Stmt&)>;
using StmtMap = std::function<StmtPtr(const StmtPtr&)>;

/// Expressions standing directly in the statement (not in statements below it): destination indexes, sizes, bounds, ….
void each_expr(const Stmt& stmt, const ExprVisitor& visit);
StmtPtr map_exprs(const StmtPtr& stmt, const ExprMap& map);
void each_child(const Stmt& stmt, const StmtVisitor& visit);
/// The statement and everything below it, parents first.
void each_substmt(const Stmt& stmt, const StmtVisitor& visit);
StmtPtr map_children(const StmtPtr& stmt, const StmtMap& map);
/// `map` applied to every statement, children first.
StmtPtr rewrite(const StmtPtr& stmt, const StmtMap& map);
/// `map` applied to every direct expression of every statement.
StmtPtr rewrite_exprs(const StmtPtr& stmt, const ExprMap& map);
/// `map` applied to the statements of the list only, not below them.
std::vector<StmtPtr> map_each(const std::vector<StmtPtr>& list, const StmtMap& map);
std::vector<StmtPtr> rewrite(const std::vector<StmtPtr>& list, const StmtMap& map);
std::vector<StmtPtr> rewrite_exprs(const std::vector<StmtPtr>& list, const ExprMap& map);

/// What the statement itself assigns: the destination, a Decl with initialiser, a loop variable; "target" for terms of
/// the target or the Jacobian and for `_lp`/`_jacobian` procedures. Empty if nothing.
std::string assigned_variable(const Stmt& stmt);
/// The same for the statement and everything below it.
std::set<std::string> assigned_variables(const Stmt& stmt);

/// All sections in the order that whole-program passes use.
std::vector<std::vector<StmtPtr>*> sections(Program& program);
std::vector<const std::vector<StmtPtr>*> sections(const Program& program);

}  // namespace fermiac::mir
