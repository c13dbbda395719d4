// Constructors of MIR nodes. Lowering, the back-end transformation, the reader and every pass build trees through
// these, so that types and levels of derived nodes are computed in one place.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mir/ir/ir.h"

namespace fermiac::mir {

// ---------------------------------------------------------------- levels and types

/// The level that gives every slot of `type` the same answer.
AdLevel uniform_level(const Type& type, bool autodiff);
/// `level` with the slots that `type` asks for (a checker may leave a data tuple without slots).
AdLevel fit_level(const AdLevel& level, const Type& type);
/// The level of a call with these arguments: data if the result is discrete or all arguments are data.
AdLevel call_level(const std::vector<ExprPtr>& args, const Type& result);
/// The element scalar that a Promotion names: `real` for `array[] vector`; a tuple stays a tuple.
Type scalar_of(const Type& type);
/// Type of a value of type `base` after indexing; Error where the indexes do not fit.
Type indexed_type(const Type& base, const std::vector<Index>& indexes);
/// Type of the destination an lvalue denotes, given the type of its unindexed base.
inline Type destination_type(const Type& unindexed, const LValue& left) {
  return indexed_type(unindexed, left.indexes);
}
bool is_container(const Type& type);

// ---------------------------------------------------------------- expressions

ExprPtr make_expr(decltype(Expr::node) node, Type type, AdLevel ad, Span span = {});
ExprPtr with_span(const ExprPtr& expr, Span span);
ExprPtr int_lit(int value);
ExprPtr real_lit(std::string text);
ExprPtr str_lit(std::string text);
ExprPtr var(std::string name, Type type, AdLevel ad = {});
ExprPtr int_var(std::string name);
/// A built-in call whose level follows from its arguments.
ExprPtr stan_call(Builtin fn, std::vector<ExprPtr> args, Type result, Span span = {});
ExprPtr internal_call(Internal fn, std::vector<ExprPtr> args, Type result);
ExprPtr indexed(ExprPtr base, std::vector<Index> indexes);
ExprPtr project(ExprPtr tuple, int slot);
ExprPtr e_or(ExprPtr left, ExprPtr right);
/// `left op right` on ints.
ExprPtr int_op(Builtin op, ExprPtr left, ExprPtr right);
/// Converts to `target` (language conversions only): nothing if the types agree; literals of arrays, rows and tuples
/// take the conversion at their leaves, at the leaf's own level; anything else is wrapped at `level`.
ExprPtr promote(const ExprPtr& expr, const Type& target, const AdLevel& level);
/// Wraps without asking.
ExprPtr wrap_promotion(const ExprPtr& expr, const Type& target, const AdLevel& level);

Index all_index();
Index single(ExprPtr index);
Index between(ExprPtr low, ExprPtr high);

/// The variable if the expression is a bare one, else null.
const Var* as_var(const Expr& expr);
/// The literal if the expression is one (not through promotions), else null.
const Lit* as_lit(const Expr& expr);
/// The number of an int or real literal, promoted or not; nothing for every other expression.
std::optional<double> literal_value(const Expr& expr);
const FunApp* as_call(const Expr& expr);
/// The call if the expression is one of this built-in function or operator, else null.
const FunApp* as_call(const Expr& expr, Builtin fn);
/// The function or operator that a call of a built-in one names, null for every other expression.
const StanLib* as_library(const Expr& expr);
const CompilerInternal* as_internal(const FunctionKind& fn);
bool is_internal(const Expr& expr, Internal fn);
/// The literal of an array or a row vector.
bool is_list(const Expr& expr);
/// Without promotions around it.
const Expr& bare(const Expr& expr);

// ---------------------------------------------------------------- statements

StmtPtr make_stmt(decltype(Stmt::node) node, Span span = {});
LValue to_variable(std::string name);
LValue with_indexes(LValue base, std::vector<Index> indexes);
LValue slot_of(LValue base, int slot);
StmtPtr assign(LValue left, Type unindexed, ExprPtr right, Span span = {});
StmtPtr target_pe(ExprPtr value, Span span = {});
StmtPtr block(std::vector<StmtPtr> body, Span span = {});
StmtPtr slist(std::vector<StmtPtr> body, Span span = {});
/// The statement itself, a Skip for none, an SList for several.
StmtPtr as_one(std::vector<StmtPtr> body, Span span = {});
/// A Block that holds the statement; a Block stays as it is, an SList becomes one.
StmtPtr as_block(StmtPtr stmt);
StmtPtr for_loop(std::string variable, ExprPtr lower, ExprPtr upper, std::vector<StmtPtr> body, Span span = {});
StmtPtr internal_stmt(CompilerInternal fn, std::vector<ExprPtr> args, Span span = {});
StmtPtr stan_stmt(Builtin fn, std::vector<ExprPtr> args, Span span = {});
StmtPtr declare(std::string id, SizedType type, bool autodiff, Span span = {});
StmtPtr declare_unsized(std::string id, Type type, AdLevel ad, Decl::Init init, Span span = {});

// ---------------------------------------------------------------- sized types and functions

SizedType sized_scalar(BaseType base);
SizedType sized_vector(BaseType base, ExprPtr size);
/// The element of an array of `type` (all array dimensions removed).
SizedType element_of(const SizedType& type);
/// All sizes, outermost first: array dimensions, then those of the element. Empty for scalars; tuples give only the
/// array's.
std::vector<ExprPtr> all_dims(const SizedType& type);

/// Spelling of an internal function in dumps, and back; throws nothing, returns false for an unknown name.
std::string_view internal_name(Internal fn);
bool parse_internal(std::string_view name, Internal& out);
/// Suffix of a function name as the MIR stores it (`_lpdf` and `_lpmf` keep their stem's kind; cdfs are Plain).
Suffix suffix_of(std::string_view name);

}  // namespace fermiac::mir
