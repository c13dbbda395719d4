#include "mir/ir/build.h"

#include <algorithm>
#include <array>

#include "support/base/check.h"
#include "support/base/number_text.h"

namespace fermiac::mir {

// ---------------------------------------------------------------- levels and types

AdLevel uniform_level(const Type& type, bool autodiff) {
  AdLevel level;
  if (type.base() != BaseType::Tuple) {
    level.autodiff = autodiff;
    return level;
  }
  for (const Type& slot : type.slots()) level.slots.push_back(uniform_level(slot, autodiff));
  return level;
}

AdLevel fit_level(const AdLevel& level, const Type& type) {
  if (type.base() != BaseType::Tuple) return {.autodiff = level.any(), .slots = {}};
  if (level.slots.size() != type.slots().size()) return uniform_level(type, level.any());
  AdLevel out;
  for (std::size_t i = 0; i < level.slots.size(); ++i) out.slots.push_back(fit_level(level.slots[i], type.slots()[i]));
  return out;
}

AdLevel call_level(const std::vector<ExprPtr>& args, const Type& result) {
  const bool autodiff = std::ranges::any_of(args, [](const ExprPtr& arg) { return arg->ad.any(); });
  return uniform_level(result, autodiff && !result.is_discrete());
}

Type scalar_of(const Type& type) {
  switch (type.base()) {
    case BaseType::Vector:
    case BaseType::RowVector:
    case BaseType::Matrix:
      return BaseType::Real;
    case BaseType::ComplexVector:
    case BaseType::ComplexRowVector:
    case BaseType::ComplexMatrix:
      return BaseType::Complex;
    default:
      return type.with_array_dims(0);
  }
}

namespace {

BaseType row_type(BaseType matrix) {
  return matrix == BaseType::Matrix ? BaseType::RowVector : BaseType::ComplexRowVector;
}
BaseType column_type(BaseType matrix) {
  return matrix == BaseType::Matrix ? BaseType::Vector : BaseType::ComplexVector;
}

Type indexed_matrix(BaseType base, bool row_single, bool has_column, bool column_single) {
  if (row_single && has_column && column_single) return scalar_of(base);
  if (row_single) return row_type(base);
  return has_column && column_single ? Type(column_type(base)) : Type(base);
}

// The element type after the array dimensions are used up: `rest` are the indexes that remain.
Type indexed_element(const Type& element, const Index* rest, std::size_t count) {
  if (count == 0) return element;
  const bool first = rest[0].kind == Index::Kind::Single;
  switch (element.base()) {
    case BaseType::Vector:
    case BaseType::RowVector:
    case BaseType::ComplexVector:
    case BaseType::ComplexRowVector:
      if (count > 1) return BaseType::Error;
      return first ? scalar_of(element) : element;
    case BaseType::Matrix:
    case BaseType::ComplexMatrix:
      if (count > 2) return BaseType::Error;
      return indexed_matrix(element.base(), first, count == 2, count == 2 && rest[1].kind == Index::Kind::Single);
    default:
      return BaseType::Error;
  }
}

}  // namespace

Type indexed_type(const Type& base, const std::vector<Index>& indexes) {
  std::size_t used = 0;
  int kept = 0;
  int dims = base.array_dims();
  for (; used < indexes.size() && dims > 0; ++used, --dims)
    if (indexes[used].kind != Index::Kind::Single) ++kept;
  const Type element = indexed_element(base.with_array_dims(0), indexes.data() + used, indexes.size() - used);
  if (element.is_error()) return element;
  return element.with_array_dims(element.array_dims() + kept + dims);
}

bool is_container(const Type& type) {
  return !type.is_scalar() && type.base() != BaseType::Tuple;
}

// ---------------------------------------------------------------- expressions

namespace {

/// Takes out the operand that long trees go on in: the first one.
ExprPtr take_first(Expr& expr) {
  if (auto* call = std::get_if<FunApp>(&expr.node)) return call->args.empty() ? nullptr : std::move(call->args[0]);
  if (auto* both = std::get_if<EAnd>(&expr.node)) return std::move(both->left);
  if (auto* either = std::get_if<EOr>(&expr.node)) return std::move(either->left);
  if (auto* indexed = std::get_if<Indexed>(&expr.node)) return std::move(indexed->base);
  if (auto* promotion = std::get_if<Promotion>(&expr.node)) return std::move(promotion->operand);
  if (auto* projection = std::get_if<TupleProjection>(&expr.node)) return std::move(projection->tuple);
  return nullptr;
}

/// What every ExprPtr points to. Destroyed by a loop where `a + b + c + …` is a tree as high as it is long.
struct OwnedExpr final : Expr {
  explicit OwnedExpr(Expr&& expr) : Expr(std::move(expr)) {}
  OwnedExpr(const OwnedExpr&) = delete;
  OwnedExpr& operator=(const OwnedExpr&) = delete;
  ~OwnedExpr() {
    ExprPtr below = take_first(*this);
    while (below && below.use_count() == 1) below = take_first(const_cast<Expr&>(*below));
  }
};

}  // namespace

ExprPtr make_expr(decltype(Expr::node) node, Type type, AdLevel ad, Span span) {
  return std::make_shared<OwnedExpr>(Expr{std::move(node), std::move(type), std::move(ad), span});
}
ExprPtr with_span(const ExprPtr& expr, Span span) {
  return make_expr(expr->node, expr->type, expr->ad, span);
}
ExprPtr int_lit(int value) {
  return make_expr(Lit{Lit::Kind::Int, std::to_string(value)}, BaseType::Int, {});
}
ExprPtr real_lit(std::string text) {
  return make_expr(Lit{Lit::Kind::Real, std::move(text)}, BaseType::Real, {});
}
// Strings have no type of their own; the reference types them as real as well.
ExprPtr str_lit(std::string text) {
  return make_expr(Lit{Lit::Kind::Str, std::move(text)}, BaseType::Real, {});
}
ExprPtr var(std::string name, Type type, AdLevel ad) {
  return make_expr(Var{std::move(name)}, std::move(type), std::move(ad));
}
ExprPtr int_var(std::string name) {
  return var(std::move(name), BaseType::Int);
}

ExprPtr stan_call(Builtin fn, std::vector<ExprPtr> args, Type result, Span span) {
  AdLevel level = call_level(args, result);
  return make_expr(FunApp{StanLib{.fn = fn}, std::move(args)}, std::move(result), std::move(level),
                   span);
}

ExprPtr internal_call(Internal fn, std::vector<ExprPtr> args, Type result) {
  AdLevel level = call_level(args, result);
  return make_expr(FunApp{CompilerInternal{.fn = fn}, std::move(args)}, std::move(result), std::move(level));
}

ExprPtr indexed(ExprPtr base, std::vector<Index> indexes) {
  if (indexes.empty()) return base;
  Type type = indexed_type(base->type, indexes);
  AdLevel level = base->ad;
  const Span span = base->span;
  return make_expr(Indexed{std::move(base), std::move(indexes)}, std::move(type), std::move(level), span);
}

ExprPtr project(ExprPtr tuple, int slot) {
  const auto at = static_cast<std::size_t>(slot - 1);
  FERMIAC_CHECK(at < tuple->type.slots().size(), "projection of a slot the tuple lacks");
  Type type = tuple->type.slots()[at];
  AdLevel level = fit_level(tuple->ad, tuple->type).slots[at];
  const Span span = tuple->span;
  return make_expr(TupleProjection{std::move(tuple), slot}, std::move(type), std::move(level), span);
}

ExprPtr e_or(ExprPtr left, ExprPtr right) {
  return make_expr(EOr{std::move(left), std::move(right)}, BaseType::Int, {});
}

ExprPtr int_op(Builtin op, ExprPtr left, ExprPtr right) {
  return stan_call(op, {std::move(left), std::move(right)}, BaseType::Int);
}

ExprPtr wrap_promotion(const ExprPtr& expr, const Type& target, const AdLevel& level) {
  return make_expr(Promotion{expr, scalar_of(target), level}, target, level, expr->span);
}

namespace {

// Type of the items that a literal of type `literal` is made of.
Type item_type(Internal fn, const Type& literal, std::size_t slot) {
  if (fn == Internal::FnMakeTuple) return literal.slots()[slot];
  if (fn == Internal::FnMakeArray) return literal.element();
  if (literal.base() == BaseType::Matrix || literal.base() == BaseType::ComplexMatrix) return row_type(literal.base());
  return scalar_of(literal);
}

bool is_literal_maker(Internal fn) {
  return fn == Internal::FnMakeArray || fn == Internal::FnMakeTuple || fn == Internal::FnMakeRowVec;
}

}  // namespace

ExprPtr promote(const ExprPtr& expr, const Type& target, const AdLevel& level) {
  if (expr->type == target || target.is_error() || target.base() == BaseType::Function) return expr;
  const FunApp* call = as_call(*expr);
  const CompilerInternal* internal = call ? as_internal(call->fn) : nullptr;
  if (!internal || !is_literal_maker(internal->fn)) return wrap_promotion(expr, target, level);
  std::vector<ExprPtr> items;
  for (std::size_t i = 0; i < call->args.size(); ++i)
    items.push_back(promote(call->args[i], item_type(internal->fn, target, i), call->args[i]->ad));
  return make_expr(FunApp{call->fn, std::move(items)}, target, expr->ad, expr->span);
}

Index all_index() {
  return {};
}
Index single(ExprPtr index) {
  return {Index::Kind::Single, std::move(index), nullptr};
}
Index between(ExprPtr low, ExprPtr high) {
  return {Index::Kind::Between, std::move(low), std::move(high)};
}

const Var* as_var(const Expr& expr) {
  return std::get_if<Var>(&expr.node);
}
const Lit* as_lit(const Expr& expr) {
  return std::get_if<Lit>(&expr.node);
}

std::optional<double> literal_value(const Expr& expr) {
  if (const auto* promotion = std::get_if<Promotion>(&expr.node)) return literal_value(*promotion->operand);
  const Lit* lit = as_lit(expr);
  if (!lit || (lit->kind != Lit::Kind::Int && lit->kind != Lit::Kind::Real)) return std::nullopt;
  return literal_real(lit->text);
}
const FunApp* as_call(const Expr& expr) {
  return std::get_if<FunApp>(&expr.node);
}
const FunApp* as_call(const Expr& expr, Builtin fn) {
  const StanLib* library = as_library(expr);
  return library && library->fn == fn ? as_call(expr) : nullptr;
}
const StanLib* as_library(const Expr& expr) {
  const FunApp* call = as_call(expr);
  return call ? std::get_if<StanLib>(&call->fn) : nullptr;
}
const CompilerInternal* as_internal(const FunctionKind& fn) {
  return std::get_if<CompilerInternal>(&fn);
}
bool is_internal(const Expr& expr, Internal fn) {
  const FunApp* call = as_call(expr);
  const CompilerInternal* internal = call ? as_internal(call->fn) : nullptr;
  return internal && internal->fn == fn;
}
bool is_list(const Expr& expr) { return is_internal(expr, Internal::FnMakeArray) || is_internal(expr, Internal::FnMakeRowVec); }
const Expr& bare(const Expr& expr) {
  const auto* promotion = std::get_if<Promotion>(&expr.node);
  return promotion ? bare(*promotion->operand) : expr;
}

// ---------------------------------------------------------------- statements

StmtPtr make_stmt(decltype(Stmt::node) node, Span span) {
  return std::make_shared<const Stmt>(Stmt{std::move(node), span});
}
LValue to_variable(std::string name) {
  LValue left;
  left.variable = std::move(name);
  return left;
}
LValue with_indexes(LValue base, std::vector<Index> indexes) {
  base.indexes.insert(base.indexes.end(), indexes.begin(), indexes.end());
  return base;
}
LValue slot_of(LValue base, int slot) {
  LValue left;
  left.tuple = std::make_shared<const LValue>(std::move(base));
  left.slot = slot;
  return left;
}
StmtPtr assign(LValue left, Type unindexed, ExprPtr right, Span span) {
  return make_stmt(Assignment{std::move(left), std::move(unindexed), std::move(right)}, span);
}
StmtPtr target_pe(ExprPtr value, Span span) {
  return make_stmt(TargetPE{std::move(value)}, span);
}
StmtPtr block(std::vector<StmtPtr> body, Span span) {
  return make_stmt(Block{std::move(body)}, span);
}
StmtPtr slist(std::vector<StmtPtr> body, Span span) {
  return make_stmt(SList{std::move(body)}, span);
}

StmtPtr as_one(std::vector<StmtPtr> body, Span span) {
  if (body.empty()) return make_stmt(Skip{}, span);
  if (body.size() == 1) return std::move(body.front());
  return slist(std::move(body), span);
}

StmtPtr as_block(StmtPtr stmt) {
  if (std::holds_alternative<Block>(stmt->node)) return stmt;
  if (const auto* list = std::get_if<SList>(&stmt->node)) return block(list->body, stmt->span);
  const Span span = stmt->span;
  return block({std::move(stmt)}, span);
}

StmtPtr for_loop(std::string variable, ExprPtr lower, ExprPtr upper, std::vector<StmtPtr> body, Span span) {
  return make_stmt(For{std::move(variable), std::move(lower), std::move(upper), block(std::move(body), span)}, span);
}
StmtPtr internal_stmt(CompilerInternal fn, std::vector<ExprPtr> args, Span span) {
  return make_stmt(NRFunApp{std::move(fn), std::move(args)}, span);
}
StmtPtr stan_stmt(Builtin fn, std::vector<ExprPtr> args, Span span) {
  return make_stmt(NRFunApp{StanLib{.fn = fn}, std::move(args)}, span);
}
StmtPtr declare(std::string id, SizedType type, bool autodiff, Span span) {
  AdLevel level = uniform_level(type.type(), autodiff);
  return make_stmt(Decl{Decl::Init::Default, std::move(level), std::move(id), std::move(type), nullptr, {}}, span);
}
StmtPtr declare_unsized(std::string id, Type type, AdLevel ad, Decl::Init init, Span span) {
  return make_stmt(Decl{init, std::move(ad), std::move(id), std::move(type), nullptr, {}}, span);
}

// ---------------------------------------------------------------- sized types and functions

SizedType sized_scalar(BaseType base) {
  SizedType type;
  type.base = base;
  return type;
}

SizedType sized_vector(BaseType base, ExprPtr size) {
  SizedType type = sized_scalar(base);
  type.sizes.push_back(std::move(size));
  return type;
}

SizedType element_of(const SizedType& type) {
  SizedType element = type;
  element.array_dims.clear();
  return element;
}

std::vector<ExprPtr> all_dims(const SizedType& type) {
  std::vector<ExprPtr> dims = type.array_dims;
  dims.insert(dims.end(), type.sizes.begin(), type.sizes.end());
  return dims;
}

Type SizedType::type() const {
  const int dims = static_cast<int>(array_dims.size());
  if (base != BaseType::Tuple) return Type(base).with_array_dims(dims);
  std::vector<Type> parts;
  for (const SizedType& slot : slots) parts.push_back(slot.type());
  return Type::tuple(std::move(parts)).with_array_dims(dims);
}

namespace {

constexpr std::array<std::string_view, 20> kInternalNames = {"FnLength",
                                                             "FnMakeArray",
                                                             "FnMakeTuple",
                                                             "FnMakeRowVec",
                                                             "FnNegInf",
                                                             "FnNaN",
                                                             "FnDeepCopy",
                                                             "FnResizeToMatch",
                                                             "FnPrint",
                                                             "FnReject",
                                                             "FnFatalError",
                                                             "FnReadData",
                                                             "FnReadDeserializer",
                                                             "FnReadParam",
                                                             "FnWriteParam",
                                                             "FnValidateSize",
                                                             "FnValidateSizePositive",
                                                             "FnValidateSizeUnitVector",
                                                             "FnCheck",
                                                             "FnReadWriteEventsOpenCL"};

struct SuffixRow {
  std::string_view ending;
  Suffix suffix;
};
constexpr std::array<SuffixRow, 7> kSuffixes = {{{"_lpdf", Suffix::Lpdf},
                                                 {"_lupdf", Suffix::Lpdf},
                                                 {"_lpmf", Suffix::Lpmf},
                                                 {"_lupmf", Suffix::Lpmf},
                                                 {"_rng", Suffix::Rng},
                                                 {"_jacobian", Suffix::Jacobian},
                                                 {"_lp", Suffix::Target}}};

}  // namespace

std::string_view internal_name(Internal fn) {
  return kInternalNames[static_cast<std::size_t>(fn)];
}

bool parse_internal(std::string_view name, Internal& out) {
  const auto found = std::ranges::find(kInternalNames, name);
  if (found == kInternalNames.end()) return false;
  out = static_cast<Internal>(found - kInternalNames.begin());
  return true;
}

Suffix suffix_of(std::string_view name) {
  for (const SuffixRow& row : kSuffixes)
    if (name.ends_with(row.ending)) return row.suffix;
  return Suffix::Plain;
}

}  // namespace fermiac::mir
