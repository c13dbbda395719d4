// Types and derivative levels of expressions.
#include <algorithm>
#include <charconv>

#include "frontend/check/checker.h"
#include "frontend/check/conversions.h"
#include "frontend/check/walk.h"
#include "support/base/match.h"

namespace fermiac::check {
namespace {

using namespace ast;

constexpr std::string_view kLargestInt = "2147483647";

/// Digits without underscores and leading zeros.
std::string digits_of(std::string_view text) {
  std::string out;
  for (char c : text)
    if (c != '_' && !(c == '0' && out.empty())) out += c;
  return out;
}

void poison(Expr& e) {
  e.type = BaseType::Error;
}

BaseType scalar_of(BaseType container) { return is_complex(container) ? BaseType::Complex : BaseType::Real; }

bool is_multi(const Index& index) {
  return index.kind != Index::Kind::Single || index.multi;
}

/// The type left after applying `count` indexes to a container that is no array; none if there are too many.
std::optional<Type> container_indexed(BaseType base, std::span<const Index> indexes) {
  if (indexes.empty()) return Type(base);
  if (std::ssize(indexes) > inner_dimensions(base)) return std::nullopt;
  if (inner_dimensions(base) == 1) return is_multi(indexes[0]) ? Type(base) : Type(scalar_of(base));
  const bool complex = base == BaseType::ComplexMatrix;
  const bool row_kept = is_multi(indexes[0]);
  const bool column_kept = indexes.size() == 1 || is_multi(indexes[1]);
  if (row_kept && column_kept) return Type(base);
  if (row_kept) return Type(complex ? BaseType::ComplexVector : BaseType::Vector);
  if (column_kept) return Type(complex ? BaseType::ComplexRowVector : BaseType::RowVector);
  return Type(scalar_of(base));
}

}  // namespace

void Checker::expression(Expr& expr) {
  std::visit([&](auto& node) { check(expr, node); }, expr.node);
}

void Checker::expressions(std::vector<ExprPtr>& items) {
  for (auto& item : items) expression(*item);
}

/// Reports a function's name that stands where a value is needed, and poisons it.
void Checker::expect_no_function_value(Expr& expr) {
  if (!is_function(expr.type)) return;
  const auto* name = std::get_if<Variable>(&unparenthesised(expr).node);
  error(expr.span, kNotAValue, name ? name->name.text : "this");
  poison(expr);
}

// ---------------------------------------------------------------- literals and names

void Checker::check(Expr& e, IntLiteral& node) {
  e.type = BaseType::Int;
  const auto digits = digits_of(node.text);
  if (digits.size() > kLargestInt.size() || (digits.size() == kLargestInt.size() && digits > kLargestInt)) {
    error(e.span, kIntTooLarge, node.text);
    poison(e);
  }
}
void Checker::check(Expr& e, RealLiteral&) {
  e.type = BaseType::Real;
}
void Checker::check(Expr& e, ImagLiteral&) {
  e.type = BaseType::Complex;
}
void Checker::check(Expr& e, StringLiteral&) {
  poison(e);
}  // only print-like statements hold strings

void Checker::check(Expr& e, Variable& node) {
  node.is_function = false;
  e.ad = {};
  if (const auto* variable = scope_.find(node.name.text)) {
    e.type = variable->type;
    e.ad = context_.block == BlockKind::GeneratedQuantities ? level_of(e.type, false) : variable->ad;
    return;
  }
  if (!usable_name(node.name)) return poison(e);
  function_value(e, node);
}

void Checker::function_value(Expr& e, Variable& node) {
  const auto name = normalised(node.name.text);
  const auto found = resolver_.overloads(name);
  if (found.empty() && !is_special_form(name)) {
    undeclared(node.name);
    return poison(e);
  }
  node.is_function = true;
  e.type = Type::function(found.empty()
                              ? FunctionType{{}, BaseType::Void}
                              : FunctionType{{found[0].formals.begin(), found[0].formals.end()}, *found[0].result});
  if (is_unnormalised(node.name.text) && !placement(node.name.span, node.name.text)) poison(e);
}

void Checker::check(Expr& e, TargetValue&) {
  e.type = BaseType::Real;
  const bool allowed = context_.in_function()
                           ? context_.suffix == Suffix::Target
                           : context_.block == BlockKind::TransformedParameters || context_.block == BlockKind::Model;
  e.ad = level_of(e.type, allowed);
  if (!allowed) {
    error(e.span, kTargetRead);
    poison(e);
  }
}

void Checker::check(Expr& e, Paren& node) {
  expression(*node.inner);
  e.type = node.inner->type;
  e.ad = node.inner->ad;
}

// ---------------------------------------------------------------- composite values

void Checker::check(Expr& e, ArrayLiteral& node) {
  expressions(node.items);
  std::optional<Type> common;
  e.ad = {};
  for (auto& item : node.items) {
    expect_no_function_value(*item);
    if (item->type.is_error()) return poison(e);
    auto next = common ? common_type(*common, item->type) : item->type;
    if (!next) {
      error(item->span, kNoCommonElement, item->type.str(), common->str());
      return poison(e);
    }
    e.ad = join(e.ad, item->ad);
    common = next;
  }
  if (common && common->array_dims() >= kMostDimensions) return error(e.span, kTooManyDimensions, kMostDimensions), poison(e);
  e.type = common ? common->with_array_dims(common->array_dims() + 1) : Type();
}

void Checker::check(Expr& e, RowLiteral& node) {
  expressions(node.items);
  e.ad = {};
  const auto is_row = [](const Type& t) { return t.is(BaseType::RowVector) || t.is(BaseType::ComplexRowVector); };
  bool complex = false;
  const bool rows = !node.items.empty() && is_row(node.items.front()->type);
  for (auto& item : node.items) {
    if (item->type.is_error()) return poison(e);
    if (!is_row(item->type) && !item->type.is_scalar())
      return error(item->span, kBadRowElement, item->type.str()), poison(e);
    if (is_row(item->type) != rows)
      return error(item->span, kRowElementMismatch, rows ? "a row vector" : "a scalar", item->type.str()), poison(e);
    complex = complex || is_complex(item->type.base());
    e.ad = join(e.ad, item->ad);
  }
  e.type = rows ? (complex ? BaseType::ComplexMatrix : BaseType::Matrix)
                : (complex ? BaseType::ComplexRowVector : BaseType::RowVector);
}

void Checker::check(Expr& e, TupleLiteral& node) {
  expressions(node.items);
  e.ad = {};
  std::vector<Type> slots;
  for (auto& item : node.items) {
    expect_no_function_value(*item);
    if (item->type.is_error()) return poison(e);
    slots.push_back(item->type);
    e.ad.slots.push_back(item->ad);
  }
  e.type = Type::tuple(std::move(slots));
}

void Checker::check(Expr& e, Ternary& node) {
  for (auto* part : {&node.test, &node.yes, &node.no}) expression(**part);
  poison(e);
  if (node.test->type.is_error() || node.yes->type.is_error() || node.no->type.is_error()) return;
  if (!node.test->type.is(BaseType::Int)) return error(e.span, kTernaryTest, node.test->type.str());
  auto common = common_type(node.yes->type, node.no->type);
  if (!common || is_function(*common))
    return error(e.span, kTernaryBranches, node.yes->type.str(), node.no->type.str());
  e.type = *common;
  e.ad = join(node.yes->ad, node.no->ad);
  if (node.test->ad.any() && !e.type.is(BaseType::Tuple)) e.ad.autodiff = true;
}

void Checker::check(Expr& e, Projection& node) {
  expression(*node.tuple);
  slot_of(e, node);
}

namespace {

/// Of `1..3`, which is slot 3 of `1.`.
std::string range_hint(const Projection& node) {
  const auto* const begin = std::get_if<RealLiteral>(&node.tuple->node);
  if (!begin || !begin->text.ends_with('.')) return "";
  return " A range is written \"" + begin->text.substr(0, begin->text.size() - 1) + ":" + std::string(digits_of(node.slot)) + "\".";
}

}  // namespace

void Checker::slot_of(Expr& e, Projection& node) {
  poison(e);
  const Type& type = node.tuple->type;
  if (type.is_error()) return;
  if (!type.is(BaseType::Tuple)) return error(e.span, kNotATuple, type.str(), range_hint(node));
  std::size_t slot = 0;
  const auto digits = digits_of(node.slot);
  if (digits.size() < 6) std::from_chars(digits.data(), digits.data() + digits.size(), slot);
  if (slot < 1 || slot > type.slots().size())
    return error(e.span, kNoSuchSlot, node.slot, type.str(), type.slots().size());
  e.type = type.slots()[slot - 1];
  e.ad =
      slot <= node.tuple->ad.slots.size() ? node.tuple->ad.slots[slot - 1] : level_of(e.type, node.tuple->ad.autodiff);
}

// ---------------------------------------------------------------- indexes

void Checker::range_bound(Expr* bound) {
  if (!bound) return;
  expression(*bound);
  if (!converts(bound->type, BaseType::Int)) error(bound->span, kRangeBoundType, bound->type.str());
}

void Checker::index(Index& index) {
  if (index.kind != Index::Kind::Single) {
    range_bound(index.low.get());
    return range_bound(index.high.get());
  }
  expression(*index.low);
  const Type& type = index.low->type;
  index.multi = type == Type(BaseType::Int, 1);
  if (!index.multi && !type.is(BaseType::Int) && !type.is_error()) error(index.low->span, kIndexType, type.str());
}

std::optional<Type> Checker::indexed_type(const Type& base, const std::vector<Index>& indexes) const {
  const auto on_array = std::min<std::size_t>(indexes.size(), static_cast<std::size_t>(base.array_dims()));
  const auto kept = std::count_if(indexes.begin(), indexes.begin() + static_cast<std::ptrdiff_t>(on_array), is_multi);
  const int dims = base.array_dims() - static_cast<int>(on_array) + static_cast<int>(kept);
  if (on_array == indexes.size()) return base.with_array_dims(dims);
  auto element = container_indexed(base.base(), std::span(indexes).subspan(on_array));
  if (!element) return std::nullopt;
  return element->with_array_dims(dims);
}

void Checker::indexes_of(Expr& e, Indexed& node) {
  for (auto& one : node.indexes) index(one);
  poison(e);
  if (node.base->type.is_error()) return;
  auto type = indexed_type(node.base->type, node.indexes);
  if (!type) return error(e.span, kTooManyIndexes, node.indexes.size(), node.base->type.str());
  e.type = *type;
  e.ad = node.base->ad;
}

void Checker::check(Expr& e, Indexed& node) {
  expression(*node.base);
  indexes_of(e, node);
}

// ---------------------------------------------------------------- calls

void Checker::check(Expr& e, Call& node) {
  e.type = application(e.span, node.name, node.args, node.conditional, node.resolution);
  if (is_void(e.type)) {
    error(e.span, kVoidValue, node.name.text);
    poison(e);
  }
  const bool autodiff = std::ranges::any_of(node.args, [](const ExprPtr& arg) { return arg->ad.any(); });
  e.ad = level_of(e.type, autodiff);
}

}  // namespace fermiac::check
