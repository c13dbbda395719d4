// The source form of an expression, as run-time messages about sizes quote it: one blank around infix operators, one
// after commas, parentheses kept.
#include "mir/lower/lowerer.h"
#include "support/base/match.h"

namespace fermiac::mir {
namespace {

std::string list_text(const std::vector<ast::ExprPtr>& items) {
  std::string out;
  for (const auto& item : items) out += (out.empty() ? "" : ", ") + expr_text(*item);
  return out;
}

std::string index_text(const ast::Index& index) {
  using Kind = ast::Index::Kind;
  switch (index.kind) {
    case Kind::All:
      return index.bare ? "" : ":";
    case Kind::Single:
      return expr_text(*index.low);
    case Kind::From:
      return expr_text(*index.low) + " : ";
    case Kind::To:
      return " : " + expr_text(*index.high);
    case Kind::Between:
      return expr_text(*index.low) + " : " + expr_text(*index.high);
  }
  return "";
}

std::string call_text(const ast::Call& call) {
  if (!call.conditional || call.args.empty()) return call.name.text + "(" + list_text(call.args) + ")";
  std::string rest;
  for (std::size_t i = 1; i < call.args.size(); ++i) rest += (i == 1 ? "" : ", ") + expr_text(*call.args[i]);
  return call.name.text + "(" + expr_text(*call.args[0]) + " | " + rest + ")";
}

std::string unary_text(const ast::Unary& unary) {
  const std::string spelling(operator_row(unary.op).spelling);
  const std::string operand = expr_text(*unary.operand);
  return unary.op == ast::UnaryOp::Transpose ? operand + spelling : spelling + operand;
}

std::string binary_text(const ast::Binary& binary) {
  const std::string spelling(operator_row(binary.op).spelling);
  return expr_text(*binary.left) + " " + spelling + " " + expr_text(*binary.right);
}

std::string indexed_text(const ast::Indexed& indexed) {
  std::string out;
  for (std::size_t i = 0; i < indexed.indexes.size(); ++i) out += (i == 0 ? "" : ", ") + index_text(indexed.indexes[i]);
  return expr_text(*indexed.base) + "[" + out + "]";
}

std::string tuple_text(const ast::TupleLiteral& tuple) {
  return "(" + list_text(tuple.items) + (tuple.items.size() == 1 ? "," : "") + ")";
}

}  // namespace

std::string expr_text(const ast::Expr& expr) {
  return match(
      expr.node, [](const ast::IntLiteral& lit) { return lit.text; },
      [](const ast::RealLiteral& lit) { return lit.text; }, [](const ast::ImagLiteral& lit) { return lit.text + "i"; },
      [](const ast::StringLiteral& lit) { return "\"" + lit.text + "\""; },
      [](const ast::Variable& variable) { return variable.name.text; },
      [](const ast::Call& call) { return call_text(call); },
      [](const ast::TargetValue&) { return std::string("target()"); },
      [](const ast::ArrayLiteral& array) { return "{" + list_text(array.items) + "}"; },
      [](const ast::RowLiteral& row) { return "[" + list_text(row.items) + "]"; },
      [](const ast::TupleLiteral& tuple) { return tuple_text(tuple); },
      [](const ast::Paren& paren) { return "(" + expr_text(*paren.inner) + ")"; },
      [](const ast::Binary& binary) { return binary_text(binary); },
      [](const ast::Unary& unary) { return unary_text(unary); },
      [](const ast::Ternary& t) { return expr_text(*t.test) + " ? " + expr_text(*t.yes) + " : " + expr_text(*t.no); },
      [](const ast::Projection& p) { return expr_text(*p.tuple) + "." + p.slot; },
      [](const ast::Indexed& x) { return indexed_text(x); });
}

}  // namespace fermiac::mir
