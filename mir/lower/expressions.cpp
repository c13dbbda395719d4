// Lowering of expressions: parentheses vanish, operators become calls, conversions become explicit.
#include <string>

#include "mir/lower/lowerer.h"
#include "support/base/match.h"
#include "support/base/number_text.h"
#include "support/base/text.h"

namespace fermiac::mir::lowering {
namespace {

// Numbers keep their text, minus underscores and leading zeros.
std::string number_text(const std::string& text) {
  std::string digits;
  for (char c : text)
    if (c != '_') digits += c;
  std::size_t start = 0;
  while (start + 1 < digits.size() && digits[start] == '0' && digits[start + 1] >= '0' && digits[start + 1] <= '9')
    ++start;
  return digits.substr(start);
}

}  // namespace

FunctionKind function_kind(const ast::Resolution& resolution, bool propto) {
  if (resolution.kind == ast::Resolution::Kind::User)
    return UserDefined{.name = resolution.name, .suffix = resolution.suffix, .propto = propto};
  return StanLib{.fn = builtin_named(resolution.name).value(), .suffix = resolution.suffix, .propto = propto};
}

AdLevel Lowerer::level(const ast::Expr& expr) const {
  return autodiff_ ? fit_level(expr.ad, expr.type) : uniform_level(expr.type, false);
}

ExprPtr Lowerer::finish(const ast::Expr& at, decltype(Expr::node) node) const {
  return make_expr(std::move(node), at.type, level(at), at.span);
}

std::vector<ExprPtr> Lowerer::exprs(const std::vector<ast::ExprPtr>& list) {
  std::vector<ExprPtr> out;
  for (const auto& item : list) out.push_back(expr(*item));
  return out;
}

std::vector<ExprPtr> Lowerer::arguments(const std::vector<ast::ExprPtr>& args, const std::vector<Formal>& formals) {
  std::vector<ExprPtr> out = exprs(args);
  for (std::size_t i = 0; i < out.size() && i < formals.size(); ++i)
    out[i] = promote(out[i], formals[i].type, fit_level(out[i]->ad, formals[i].type));
  return out;
}

ExprPtr Lowerer::call(const ast::Expr& at, const ast::Resolution& resolution, const std::vector<ast::ExprPtr>& args) {
  return finish(at, FunApp{function_kind(resolution, resolution.propto), arguments(args, resolution.formals)});
}

ExprPtr Lowerer::variable(const ast::Expr& at, const ast::Variable& name) {
  return finish(at, Var{name.name.text});
}

ExprPtr Lowerer::literal_of(const ast::Expr& at, Internal maker, const std::vector<ast::ExprPtr>& items) {
  std::vector<ExprPtr> parts = exprs(items);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Type item = maker == Internal::FnMakeTuple   ? at.type.slots()[i]
                : maker == Internal::FnMakeArray ? at.type.element()
                                                 : scalar_of(at.type);
    if (maker == Internal::FnMakeRowVec && at.type.is(BaseType::Matrix)) item = BaseType::RowVector;
    if (maker == Internal::FnMakeRowVec && at.type.is(BaseType::ComplexMatrix)) item = BaseType::ComplexRowVector;
    parts[i] = promote(parts[i], item, fit_level(parts[i]->ad, item));
  }
  return finish(at, FunApp{CompilerInternal{.fn = maker}, std::move(parts)});
}

ExprPtr Lowerer::binary(const ast::Expr& at, const ast::Binary& node) {
  ExprPtr left = expr(*node.left);
  ExprPtr right = expr(*node.right);
  if (node.op == ast::BinaryOp::And) return finish(at, EAnd{left, right});
  if (node.op == ast::BinaryOp::Or) return finish(at, EOr{left, right});
  const auto& formals = node.resolution.formals;
  if (formals.size() == 2) {
    left = promote(left, formals[0].type, fit_level(left->ad, formals[0].type));
    right = promote(right, formals[1].type, fit_level(right->ad, formals[1].type));
  }
  return finish(at, FunApp{StanLib{.fn = operator_row(node.op).id}, {left, right}});
}

ExprPtr Lowerer::unary(const ast::Expr& at, const ast::Unary& node) {
  ExprPtr operand = expr(*node.operand);
  const auto& formals = node.resolution.formals;
  if (formals.size() == 1) operand = promote(operand, formals[0].type, fit_level(operand->ad, formals[0].type));
  return finish(at, FunApp{StanLib{.fn = operator_row(node.op).id}, {operand}});
}

ExprPtr Lowerer::ternary(const ast::Expr& at, const ast::Ternary& node) {
  ExprPtr test = expr(*node.test);
  ExprPtr yes = expr(*node.yes);
  ExprPtr no = expr(*node.no);
  yes = promote(yes, at.type, level(at));
  no = promote(no, at.type, level(at));
  return finish(at, TernaryIf{test, yes, no});
}

std::vector<Index> Lowerer::indexes(const std::vector<ast::Index>& list) {
  using Kind = ast::Index::Kind;
  std::vector<Index> out;
  for (const ast::Index& index : list) {
    ExprPtr low = index.low ? expr(*index.low) : nullptr;
    ExprPtr high = index.high ? expr(*index.high) : nullptr;
    switch (index.kind) {
      case Kind::All:
        out.push_back(all_index());
        break;
      case Kind::Single:
        out.push_back({index.multi ? Index::Kind::Multi : Index::Kind::Single, low, nullptr});
        break;
      case Kind::From:
        out.push_back({Index::Kind::Upfrom, low, nullptr});
        break;
      case Kind::To:
        out.push_back(between(int_lit(1), high));
        break;
      case Kind::Between:
        out.push_back(between(low, high));
        break;
    }
  }
  return out;
}

ExprPtr Lowerer::expr(const ast::Expr& e) {
  return match(
      e.node,
      [&](const ast::IntLiteral& lit) {
        return finish(e, Lit{Lit::Kind::Int, number_text(lit.text)});
      },
      [&](const ast::RealLiteral& lit) {
        return finish(e, Lit{Lit::Kind::Real, number_text(lit.text)});
      },
      [&](const ast::ImagLiteral& lit) {
        return finish(e, Lit{Lit::Kind::Imaginary, number_text(lit.text)});
      },
      [&](const ast::StringLiteral& lit) { return with_span(str_lit(lit.text), e.span); },
      [&](const ast::Variable& name) { return variable(e, name); },
      [&](const ast::Call& node) { return call(e, node.resolution, node.args); },
      [&](const ast::TargetValue&) {
        return finish(e, FunApp{StanLib{.fn = Builtin::target, .suffix = Suffix::Target}, {}});
      },
      [&](const ast::ArrayLiteral& node) { return literal_of(e, Internal::FnMakeArray, node.items); },
      [&](const ast::RowLiteral& node) { return literal_of(e, Internal::FnMakeRowVec, node.items); },
      [&](const ast::TupleLiteral& node) { return literal_of(e, Internal::FnMakeTuple, node.items); },
      [&](const ast::Paren& node) { return expr(*node.inner); },
      [&](const ast::Binary& node) { return binary(e, node); }, [&](const ast::Unary& node) { return unary(e, node); },
      [&](const ast::Ternary& node) { return ternary(e, node); },
      [&](const ast::Projection& node) {
        return finish(e, TupleProjection{expr(*node.tuple), static_cast<int>(literal_int(node.slot))});
      },
      [&](const ast::Indexed& node) {
        return finish(e, Indexed{expr(*node.base), indexes(node.indexes)});
      });
}

}  // namespace fermiac::mir::lowering
