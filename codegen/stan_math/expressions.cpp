// Values: variables, literals, conversions, operators, indexes.
#include <algorithm>
#include <optional>

#include "codegen/names.h"
#include "codegen/stan_math/stan_math.h"
#include "codegen/stan_math/types.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"

namespace fermiac::codegen::stan_math {

using namespace mir;  // NOLINT: the constructs of this file are its nodes

namespace {

bool is_scalar(const Expr& e) {
  return e.type.is_scalar();
}

/// A literal of an int as one of a real.
std::optional<std::string> real_text(const Expr& e) {
  const Lit* lit = as_lit(e);
  if (!lit || lit->kind != Lit::Kind::Int) return std::nullopt;
  return lit->text + ".0";
}

/// The operator of scalars that a call is written as, empty if it is none. The quotient of ints is none: the library's
/// has an error for zero where the operator stops the process.
std::string_view infix_operator(const Expr& e) {
  const StanLib* f = as_library(e);
  const OperatorRow* row = f ? find_operator(f->fn) : nullptr;
  if (!row || row->infix.empty()) return "";
  const std::vector<ExprPtr>& args = as_call(e)->args;
  if (!is_scalar(*args[0]) || !is_scalar(*args[1])) return "";
  const bool ints = args[0]->type.is(BaseType::Int) && args[1]->type.is(BaseType::Int);
  return ints && row->infix == "/" ? std::string_view{} : row->infix;
}

/// A constant after partial evaluation: `--2.0` would be a decrement.
bool has_sign(const Expr& e) {
  if (const auto* promotion = std::get_if<Promotion>(&e.node)) return has_sign(*promotion->operand);
  const Lit* lit = as_lit(e);
  return lit && lit->text.starts_with("-");
}

bool adds(std::string_view infix) {
  return infix == "+" || infix == "-";
}

bool repeats_number(const Expr& e) {
  const StanLib* fn = as_library(e);
  return fn && has(fn->fn, Fact::Repeats) && is_eigen(e.type);
}

/// `0.5 * rep_matrix(1, 2, 2)`: Eigen takes such an operand of a matrix product apart, wrongly, as long as it is an expression.
bool scales_repeated_number(const Expr& e) {
  const FunApp* call = as_call(e);
  const auto* fn = call ? std::get_if<StanLib>(&call->fn) : nullptr;
  if (!fn || !is_eigen(e.type) || (fn->fn != Builtin::Times && fn->fn != Builtin::EltTimes)) return false;
  const auto constant = [](const ExprPtr& a) { return repeats_number(*a) || scales_repeated_number(*a); };
  return std::ranges::any_of(call->args, constant);
}

/// Eigen gives no elements of a product before it is evaluated.
bool is_matrix_product(const Expr& e) {
  return is_eigen(e.type) && as_call(e, Builtin::Times);
}

/// What stands in place of a call may carry derivatives where the call did not.
AdLevel level_of_items(const std::vector<ExprPtr>& items) {
  const auto carries = [](const ExprPtr& item) { return item->ad.any(); };
  return {.autodiff = std::ranges::any_of(items, carries), .slots = {}};
}

/// The library's function for an operator of these operands: of those with several, the last one unless the right operand is a matrix.
Builtin function_of(const OperatorRow& op, const std::vector<ExprPtr>& args) {
  const BaseType by = args.back()->type.base();
  return by == BaseType::Matrix || by == BaseType::ComplexMatrix ? op.functions().front() : op.functions().back();
}

}  // namespace

// ---------------------------------------------------------------- names and literals

void StanMath::variable(Code& out, const Expr&, const Var& v) {
  out << variable_id(v.name);
}

void StanMath::literal(Code& out, const Lit& l) {
  switch (l.kind) {
    case Lit::Kind::Str:
      out << string_literal(l.text);
      return;
    case Lit::Kind::Imaginary:
      out << "stan::math::to_complex(0, " << l.text.substr(0, l.text.find('i')) << ")";
      return;
    default:
      out << l.text;
  }
}

void StanMath::array_literal(Code& out, const Expr& e, const Args& items) {
  const Type element = e.type.element();
  const AdLevel level = e.ad.any() || element.base() == BaseType::Tuple ? e.ad : level_of_items(items);
  (out << "std::vector<" << type_text(element, level) << ">{").open();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) (out << ",").br();
    converted(out, *items[i], element, level);
  }
  out.close() << "}";
}

/// Rows and columns by the comma initialiser; matrices of their rows.
void StanMath::row_literal(Code& out, const Expr& e, const Args& items, bool column) {
  if (e.type.base() == BaseType::Matrix || e.type.base() == BaseType::ComplexMatrix) {
    const Type row(is_complex(e.type.base()) ? BaseType::ComplexRowVector : BaseType::RowVector);
    const ExprPtr rows =
        make_expr(FunApp{CompilerInternal{.fn = Internal::FnMakeArray}, items}, row.with_array_dims(1), e.ad);
    out << "stan::math::to_matrix(";
    array_literal(out, *rows, items);
    out << ")";
    return;
  }
  const std::string scalar = scalar_text(e.type, e.ad),
                    matrix = "Eigen::Matrix<" + scalar + (column ? ",-1,1>(" : ",1,-1>(");
  if (items.empty()) {
    out << matrix << "0)";
    return;
  }
  (out << "(" << matrix << items.size() << ") << ").open();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) (out << ",").br();
    converted(out, *items[i], scalar_of(e.type), e.ad);
  }
  out.close() << ").finished()";
}

// ---------------------------------------------------------------- conversions

void StanMath::converted(Code& out, const Expr& e, const Type& type, const AdLevel& level) {
  if (is_internal(e, Internal::FnMakeTuple)) {
    const Args& slots = as_call(e)->args;
    (out << type_text(type, level) << "(").open();
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (i > 0) (out << ",").br();
      converted(out, *slots[i], type.slots()[i], slot_level(level, i));
    }
    out.close() << ")";
    return;
  }
  const bool real = type.is(BaseType::Real), widened = e.type != type, tuples = type.base() == BaseType::Tuple;
  if (tuples && is_internal(e, Internal::FnMakeArray))
    return array_literal(out, *make_expr(e.node, e.type, level), as_call(e)->args);
  const bool promoted =
      level.any() && (!carries_derivatives(e) || (in_function() && !real) || (tuples && !same_scalars(type, e.ad, level)));
  if (type.is_discrete() || (!widened && !promoted)) return expr(out, e);
  if (real && !promoted) {
    if (const auto number = real_text(e))
      out << *number;
    else
      enclosed(out, "static_cast<double>(", e, ")");
  } else if (type.is(BaseType::Complex) && !is_complex(e.type.base()) && !level.any()) {
    enclosed(out, "stan::math::to_complex(", e, ", 0)");
  } else {
    enclosed(out, "stan::math::promote_scalar<" + scalar_text(type, level) + ">(", e, ")");
  }
}

void StanMath::enclosed(Code& out, std::string_view before, const Expr& e, std::string_view after) {
  out << before;
  expr(out, e);
  out << after;
}

void StanMath::promotion(Code& out, const Promotion& p) {
  const Type& from = p.operand->type;
  const Type scalar = p.scalar.base() == BaseType::Tuple ? from : Type(p.scalar.base());
  if (is_scalar(*p.operand)) {
    // Whether the operand carries derivatives is not the question: it is to have this level.
    const ExprPtr operand = make_expr(p.operand->node, from, from.is(BaseType::Int) ? AdLevel{} : p.operand->ad);
    return converted(out, *operand, scalar, p.ad);
  }
  enclosed(out, "stan::math::promote_scalar<" + scalar_text(p.scalar, p.ad) + ">(", *p.operand, ")");
}

// ---------------------------------------------------------------- operators

/// Operands of compound assignments come unpromoted: an int beside a container or a complex number becomes a real.
void StanMath::operand(Code& out, const Expr& e, bool with_complex, bool with_container) {
  if (is_int(e.type) && (with_complex || with_container)) return converted(out, e, BaseType::Real, {});
  expr(out, e);
}

/// Operators associate to the left, as in the language: a chain has one pair of parentheses, for compilers limit their
/// depth.
void StanMath::infix(Code& out, const Args& args, std::string_view op) {
  const bool complex = std::ranges::any_of(args, [](const ExprPtr& a) { return is_complex(a->type.base()); });
  const std::string_view left = infix_operator(*args[0]);
  if (!left.empty() && adds(left) == adds(op) && !(complex && is_int(args[0]->type)))
    infix(out, as_call(*args[0])->args, left);
  else
    operand(out, *args[0], complex, false);
  (out.br() << op) << " ";
  operand(out, *args[1], complex, false);
}

void StanMath::library(Code& out, Builtin function, const Args& args) {
  const bool container = std::ranges::any_of(args, [](const ExprPtr& a) { return is_eigen(a->type); });
  const bool complex = std::ranges::any_of(args, [](const ExprPtr& a) { return is_complex(a->type.base()); });
  (out << "stan::math::" << name_of(function) << "(").open();
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (i > 0) (out << ",").br();
    if (function == Builtin::multiply && scales_repeated_number(*args[i]))
      enclosed(out, "stan::math::eval(", *args[i], ")");
    else
      operand(out, *args[i], complex, container);
  }
  out.close() << ")";
}

/// Whether it is an operator; if so, writes it.
bool StanMath::operation(Code& out, const Expr& e, Builtin fn, const Args& args) {
  const OperatorRow* op = find_operator(fn);
  if (!op) return false;
  if (fn == Builtin::PPlus || (fn == Builtin::Transpose && is_scalar(e))) return expr(out, *args[0]), true;
  if (fn == Builtin::Transpose && is_internal(*args[0], Internal::FnMakeRowVec) && !e.type.is(BaseType::Matrix) &&
      !e.type.is(BaseType::ComplexMatrix))
    return row_literal(out, *args[0], as_call(*args[0])->args, true), true;
  if (fn == Builtin::PMinus && is_scalar(e)) return enclosed(out, has_sign(*args[0]) ? "(- " : "(-", *args[0], ")"), true;
  const std::string_view sign = infix_operator(e);
  if (sign.empty()) return library(out, function_of(*op, args), args), true;
  (out << "(").open();
  infix(out, args, sign);
  out.close() << ")";
  return true;
}

void StanMath::logical(Code& out, const Expr& left, std::string_view op, const Expr& right) {
  (out << "(").open() << "stan::math::primitive_value(";
  expr(out, left);
  (out << ")").br() << op << " stan::math::primitive_value(";
  expr(out, right);
  (out << ")").close() << ")";
}

/// Branches that are not numbers of one C++ type by themselves are made objects of one type; only one is evaluated.
void StanMath::ternary(Code& out, const Expr& e, const TernaryIf& t) {
  const bool plain = e.type.is_number();
  const auto branch = [&](const Expr& b) {
    if (plain && !in_function()) return converted(out, b, e.type, e.ad);
    if (plain) return expr(out, b);
    out << type_text(e.type, e.ad) << "(";
    converted(out, b, e.type, e.ad);
    out << ")";
  };
  (out << "(").open();
  expr(out, *t.test);
  out.br() << "? ";
  branch(*t.yes);
  out.br() << ": ";
  branch(*t.no);
  out.close() << ")";
}

// ---------------------------------------------------------------- indexes

void StanMath::projection(Code& out, const TupleProjection& p) {
  enclosed(out, "std::get<" + std::to_string(p.slot - 1) + ">(", *p.tuple, ")");
}

void StanMath::index(Code& out, const Index& i) {
  switch (i.kind) {
    case Index::Kind::All:
      out << "stan::model::index_omni()";
      return;
    case Index::Kind::Single:
      out << "stan::model::index_uni(";
      break;
    case Index::Kind::Multi:
      out << "stan::model::index_multi(";
      break;
    case Index::Kind::Upfrom:
      out << "stan::model::index_min(";
      break;
    case Index::Kind::Between:
      out << "stan::model::index_min_max(";
      break;
  }
  expr(out, *i.low);
  if (i.kind == Index::Kind::Between) {
    out << ", ";
    expr(out, *i.high);
  }
  out << ")";
}

void StanMath::indexed(Code& out, const Indexed& x) {
  if (is_internal(*x.base, Internal::FnReadData)) {  // a scalar's only number
    expr(out, *x.base);
    out << "[0]";
    return;
  }
  if (x.indexes.empty()) return expr(out, *x.base);
  (out << "stan::model::rvalue(").open();
  if (is_matrix_product(*x.base))
    enclosed(out, "stan::math::eval(", *x.base, ")");
  else
    expr(out, *x.base);
  (out << ",").br() << string_literal(printed_text(*x.base));
  for (const Index& i : x.indexes) {
    (out << ",").br();
    index(out, i);
  }
  out.close() << ")";
}

}  // namespace fermiac::codegen::stan_math
