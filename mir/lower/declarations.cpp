// Sizes, their run-time checks, and the checks of constrained values.
#include <functional>
#include <string>

#include "mir/lower/lowerer.h"
#include "support/base/match.h"

namespace fermiac::mir::lowering {
namespace {

const ast::Expr& without_parentheses(const ast::Expr& expr) {
  const auto* paren = std::get_if<ast::Paren>(&expr.node);
  return paren ? without_parentheses(*paren->inner) : expr;
}

bool is_int_literal(const ast::Expr& expr) {
  return std::holds_alternative<ast::IntLiteral>(expr.node);
}

// Whether an int literal is at least two, judged by its digits.
bool at_least_two(const ExprPtr& literal) {
  const std::string& text = as_lit(*literal)->text;
  return text.size() > 1 || text[0] >= '2';
}

/// Which of the element's own sizes a constraint wants to be positive.
Internal size_check(ast::TransformKind kind, std::size_t own_position) {
  using Kind = ast::TransformKind;
  switch (kind) {
    case Kind::UnitVector:
      return Internal::FnValidateSizeUnitVector;
    case Kind::Simplex:
    case Kind::SumToZeroVector:
    case Kind::SumToZeroMatrix:
      return Internal::FnValidateSizePositive;
    case Kind::StochasticColumn:
      return own_position == 0 ? Internal::FnValidateSizePositive : Internal::FnValidateSize;
    case Kind::StochasticRow:
      return own_position == 1 ? Internal::FnValidateSizePositive : Internal::FnValidateSize;
    default:
      return Internal::FnValidateSize;
  }
}

// `h[].2` becomes `h_brack_dot2`.
std::string path_identifier(const std::string& path) {
  std::string out;
  for (char c : path) {
    if (c == '[')
      out += "_brack";
    else if (c == '.')
      out += "_dot";
    else if (c != ']')
      out += c;
  }
  return out;
}

bool is_matrix(BaseType base) {
  return base == BaseType::Matrix || base == BaseType::ComplexMatrix;
}

StmtPtr cholesky_shape_check(const std::string& path, const SizedType& type, Span span) {
  return stan_stmt(Builtin::check_greater_or_equal,
                   {str_lit("cholesky_factor_cov " + path), str_lit("num rows (must be greater or equal to num cols)"),
                    type.sizes[0], type.sizes[1]},
                   span);
}

}  // namespace

// ---------------------------------------------------------------- sizes

ExprPtr Lowerer::size(const ast::Expr& written, const std::string& path, int position, Internal validate, SizeMode mode,
                      Statements& checks) {
  const ast::Expr& bare = without_parentheses(written);
  ExprPtr value = expr(bare);
  if (is_int_literal(bare) && (mode == SizeMode::Local || at_least_two(value))) return value;
  if (mode != SizeMode::Local && !is_int_literal(bare) && !as_var(*value)) {
    const std::string name = path_identifier(path) + "_" + std::to_string(position) + "dim__";
    Decl decl{Decl::Init::Assign, {}, name, sized_scalar(BaseType::Int), value, {}};
    checks.push_back(make_stmt(std::move(decl), bare.span));
    value = with_span(int_var(name), bare.span);
  }
  checks.push_back(internal_stmt({.fn = validate}, {str_lit(path), str_lit(expr_text(written)), value}, bare.span));
  return value;
}

SizedType Lowerer::sized(const ast::DeclaredType& type, const std::string& path, SizeMode mode, Statements& checks) {
  SizedType out = sized_scalar(type.base);
  int position = 0;
  for (const auto& dim : type.array_sizes)
    out.array_dims.push_back(size(*dim, path, ++position, Internal::FnValidateSize, mode, checks));
  const std::size_t own = is_matrix(type.base) ? 2 : type.sizes.size();
  for (std::size_t i = 0; i < own; ++i) {
    const ast::Expr& written = *type.sizes[i < type.sizes.size() ? i : 0];
    const Internal validate = mode == SizeMode::Parameter ? size_check(type.transform, i) : Internal::FnValidateSize;
    out.sizes.push_back(size(written, path, ++position, validate, mode, checks));
  }
  if (mode == SizeMode::Parameter && type.transform == ast::TransformKind::CholeskyCov)
    checks.push_back(cholesky_shape_check(path, out, type.span));
  const std::string prefix = path + (type.array_sizes.empty() ? "." : "[].");
  for (std::size_t i = 0; i < type.slots.size(); ++i)
    out.slots.push_back(sized(type.slots[i], prefix + std::to_string(i + 1), mode, checks));
  return out;
}

StmtPtr Lowerer::declaration(const ast::Declaration& node, const ast::Declarator& name, const SizedType& type,
                             Span span) {
  Decl decl{Decl::Init::Default, uniform_level(type.type(), autodiff_), name.name.text, type, nullptr, {}};
  for (const ast::Annotation& annotation : node.annotations) decl.annotations.push_back(annotation.text);
  return make_stmt(std::move(decl), span);
}

// ---------------------------------------------------------------- transforms

Transform Lowerer::transform(const ast::DeclaredType& type) {
  Transform out;
  out.kind = type.transform;
  if (type.first) out.first = expr(*type.first);
  if (type.second) out.second = expr(*type.second);
  return out;
}

void Lowerer::slot_transforms(const ast::DeclaredType& type, std::vector<Transform>& out) {
  for (const ast::DeclaredType& slot : type.slots) {
    if (slot.base == BaseType::Tuple)
      slot_transforms(slot, out);
    else
      out.push_back(transform(slot));
  }
}

// ---------------------------------------------------------------- walking the leaves of a variable

Statements Lowerer::each_leaf(const ast::DeclaredType& declared, const SizedType& type, const ExprPtr& value,
                              const std::string& text, Span span, const Leaf& leaf) {
  if (type.base != BaseType::Tuple) return leaf(declared, value, text);
  const SymbolScope scope(symbols_);
  // The outermost loop runs over the last dimension, so names are drawn for it first.
  std::vector<std::string> counters(type.array_dims.size());
  for (std::size_t i = counters.size(); i-- > 0;) counters[i] = symbols_.fresh();
  std::vector<Index> at;
  std::string index_text;
  for (const std::string& counter : counters) {
    at.push_back(single(int_var(counter)));
    index_text += (index_text.empty() ? "" : ", ") + counter;
  }
  const ExprPtr element = indexed(value, at);
  const std::string prefix = counters.empty() ? text : text + "[" + index_text + "]";
  Statements body;
  for (std::size_t i = 0; i < type.slots.size(); ++i) {
    const int slot = static_cast<int>(i) + 1;
    append(body, each_leaf(declared.slots[i], type.slots[i], project(element, slot),
                           prefix + "." + std::to_string(slot), span, leaf));
  }
  if (body.empty()) return body;
  for (std::size_t i = 0; i < counters.size(); ++i)
    body = {for_loop(counters[i], int_lit(1), type.array_dims[i], std::move(body), span)};
  return body;
}

namespace {

// The part of a container bound that belongs to an element, when the bound has the shape of the whole variable.
ExprPtr bound_for(const ExprPtr& bound, const ExprPtr& value) {
  if (bound->type.is_scalar() || bound->type == value->type) return bound;
  const auto* element = std::get_if<Indexed>(&value->node);
  return element ? indexed(bound, element->indexes) : bound;
}

StmtPtr check_value(TransformKind kind, const ExprPtr& first, const ExprPtr& second, const ExprPtr& value,
                    const std::string& text, Span span) {
  CompilerInternal check;
  check.fn = Internal::FnCheck;
  check.transform = {kind, first, second};
  check.has_transform = true;
  check.var_name = text;
  check.var = value;
  std::vector<ExprPtr> args;
  if (first) args.push_back(first);
  if (second) args.push_back(second);
  return internal_stmt(std::move(check), std::move(args), span);
}

bool has_value_check(TransformKind kind) {
  return kind != TransformKind::None && kind != TransformKind::Offset && kind != TransformKind::Multiplier &&
         kind != TransformKind::OffsetMultiplier;
}

bool is_location_scale(TransformKind kind) {
  return kind == TransformKind::Offset || kind == TransformKind::Multiplier || kind == TransformKind::OffsetMultiplier;
}

}  // namespace

Statements Lowerer::matching_dims(const ast::DeclaredType& declared, const SizedType& type, const ExprPtr& value,
                                  const std::string& name, Span span) {
  return each_leaf(
      declared, type, value, name, span,
      [&](const ast::DeclaredType& leaf, const ExprPtr& var, const std::string& text) {
        Statements out;
        const auto check = [&](const ast::ExprPtr& written, const char* role) {
          if (!written || written->type.is_scalar()) return;
          out.push_back(stan_stmt(
              Builtin::check_matching_dims,
              {str_lit("constraint"), str_lit(text), var, str_lit(role), bound_for(expr(*written), var)}, span));
        };
        const bool scale = is_location_scale(leaf.transform);
        check(leaf.first, scale ? "offset" : "lower");
        check(leaf.second, scale ? "multiplier" : "upper");
        return out;
      });
}

Statements Lowerer::value_checks(const ast::DeclaredType& declared, const SizedType& type, const ExprPtr& value,
                                 const std::string& name, Span span) {
  return each_leaf(declared, type, value, name, span,
                   [&](const ast::DeclaredType& leaf, const ExprPtr& var, const std::string& text) {
                     Statements out;
                     if (!has_value_check(leaf.transform)) return out;
                     const ExprPtr first = leaf.first ? bound_for(expr(*leaf.first), var) : nullptr;
                     const ExprPtr second = leaf.second ? bound_for(expr(*leaf.second), var) : nullptr;
                     if (leaf.transform != TransformKind::LowerUpper) {
                       out.push_back(check_value(leaf.transform, first, second, var, text, span));
                       return out;
                     }
                     out.push_back(check_value(TransformKind::Lower, first, nullptr, var, text, span));
                     out.push_back(check_value(TransformKind::Upper, nullptr, second, var, text, span));
                     return out;
                   });
}

}  // namespace fermiac::mir::lowering
