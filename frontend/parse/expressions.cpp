// Expressions. Precedence climbing for the infix operators; prefix, power and postfix forms are functions of their own.
#include "frontend/parse/parser.h"

namespace fermiac::parse {
namespace {

using ast::BinaryOp;
using ast::ExprPtr;
using ast::UnaryOp;

struct InfixRow {
  Tok token;
  BinaryOp op;
  int level;  // higher binds tighter
};
constexpr std::size_t kLongestSlot = 19;  // with its dot
constexpr int kLoosest = 1;
constexpr int kSum = 5;    // bounds of constraints take these and tighter ones only
constexpr int kPower = 8;  // binds tighter than prefix operators
constexpr InfixRow kInfix[] = {
#define BINARY(name, token, spelling, level, ...) {Tok::token, BinaryOp::name, level},
#include "frontend/builtins/operators.def"
};

const InfixRow* find_infix(Tok token) {
  for (const InfixRow& row : kInfix)
    if (row.token == token) return &row;
  return nullptr;
}

std::optional<UnaryOp> prefix_op(Tok token) {
  constexpr std::pair<Tok, UnaryOp> kUnary[] = {
#define BINARY(...)
#define UNARY(op, name, token, ...) {Tok::token, UnaryOp::op},
#include "frontend/builtins/operators.def"
  };
  for (const auto& [symbol, op] : kUnary)
    if (symbol == token && op != UnaryOp::Transpose) return op;
  return std::nullopt;
}

}  // namespace

// ---------------------------------------------------------------- operators

bool Parser::starts_expression(Tok kind) {
  switch (kind) {
    case Tok::Identifier:
    case Tok::Truncate:
    case Tok::IntLit:
    case Tok::RealLit:
    case Tok::DotNumber:
    case Tok::ImagLit:
    case Tok::StringLit:
    case Tok::Target:
    case Tok::LParen:
    case Tok::LBrace:
    case Tok::LBracket: return true;
    default: return prefix_op(kind).has_value();
  }
}

ExprPtr Parser::expression() {
  Level level(*this);
  const Pos begin = here();
  ExprPtr test = binary(kLoosest);
  if (!accept(Tok::Question)) return test;
  ExprPtr yes = expression();
  expect(Tok::Colon, "expression", "Expected \":\" and the value for a false condition: a ternary is \"a ? b : c\".");
  ExprPtr no = expression();
  level.grow();
  return make(begin, ast::Ternary{std::move(test), std::move(yes), std::move(no)});
}

ExprPtr Parser::bound() { return binary(kSum); }

ExprPtr Parser::binary(int least) {
  Level level(*this, Level::Kind::Flat);
  const Pos begin = here();
  ExprPtr left = unary();
  for (const InfixRow* row = find_infix(at().kind); row && row->level >= least; row = find_infix(at().kind)) {
    if (depth_ == arrow_depth_ && at_arrow()) break;
    const Span op_span = take().span;
    ExprPtr right = binary(row->level + 1);
    level.grow();
    left = make(begin, ast::Binary{row->op, std::move(left), std::move(right), op_span, {}});
  }
  return left;
}

ExprPtr Parser::unary() {
  const std::optional<UnaryOp> op = prefix_op(at().kind);
  if (!op) return power();
  Level level(*this);
  const Span op_span = take().span;
  ExprPtr operand = unary();
  level.grow();
  return make(op_span.begin, ast::Unary{*op, std::move(operand), op_span, {}});
}

ExprPtr Parser::power() {
  Level height(*this, Level::Kind::Flat);
  const Pos begin = here();
  ExprPtr base = postfix();
  const InfixRow* row = find_infix(at().kind);
  if (!row || row->level != kPower) return base;
  Level level(*this);
  const Span op_span = take().span;
  ExprPtr exponent = unary();
  level.grow();
  return make(begin, ast::Binary{row->op, std::move(base), std::move(exponent), op_span, {}});
}

// ---------------------------------------------------------------- postfix forms

ExprPtr Parser::postfix() {
  Level level(*this, Level::Kind::Flat);
  const Pos begin = here();
  ExprPtr result = primary();
  for (; is(Tok::LBracket) || is(Tok::DotNumber); level.grow()) {
    if (is(Tok::LBracket)) {
      result = indexed(std::move(result), begin);
      continue;
    }
    const lex::Token& slot = take();
    const Pos digits{slot.span.begin.file, slot.span.begin.offset + 1};
    if (slot.text.size() > kLongestSlot)
      fail_at({digits, slot.span.end}, "expression", "The number of a tuple's slot is too large.");
    result = make(begin, ast::Projection{std::move(result), std::string(slot.text.substr(1)), {digits, slot.span.end}});
  }
  while (is(Tok::Transpose)) {
    for (; is(Tok::Transpose); level.grow()) {
      const Span op_span = take().span;
      result = make(begin, ast::Unary{UnaryOp::Transpose, std::move(result), op_span, {}});
    }
    if (options_.strict || !is(Tok::LBracket)) break;
    removed(at().span,
            "Indexes right behind a transpose were removed from the language. Put the transpose into "
            "parentheses, as in (x')[1].");
    result = make(begin, ast::Paren{std::move(result)});
    for (level.grow(); is(Tok::LBracket); level.grow()) result = indexed(std::move(result), begin);
  }
  return result;
}

ExprPtr Parser::indexed(ExprPtr base, Pos begin) {
  take();
  ast::Indexed result{std::move(base), {}};
  do result.indexes.push_back(index());
  while (accept(Tok::Comma));
  expect(Tok::RBracket, "index", "Expected \":\", \",\" or \"]\" after an index.");
  return make(begin, std::move(result));
}

ast::Index Parser::index() {
  using Kind = ast::Index::Kind;
  const auto at_end = [&] { return is(Tok::Comma) || is(Tok::RBracket); };
  ast::Index result;
  const Pos begin = here();
  if (at_end()) {
    result.bare = true;
    result.span = {begin, begin};
    return result;
  }
  if (!is(Tok::Colon)) result.low = expression();
  const bool range = accept(Tok::Colon);
  if (range && !at_end()) result.high = expression();
  result.kind = !range ? Kind::Single
                : result.low ? (result.high ? Kind::Between : Kind::From)
                             : (result.high ? Kind::To : Kind::All);
  result.span = since(begin);
  return result;
}

// ---------------------------------------------------------------- primary expressions

template <class Node>
ExprPtr Parser::literal() {
  const lex::Token& token = take();
  std::string_view text = token.text;
  if constexpr (std::is_same_v<Node, ast::StringLiteral>) text = text.substr(1, text.size() - 2);
  if constexpr (std::is_same_v<Node, ast::ImagLiteral>) text.remove_suffix(1);
  return make(token.span.begin, Node{std::string(text)});
}
template ExprPtr Parser::literal<ast::StringLiteral>();

ExprPtr Parser::primary() {
  const Pos begin = here();
  switch (at().kind) {
    case Tok::Identifier:
    case Tok::Truncate: return name_or_call();
    case Tok::IntLit: return literal<ast::IntLiteral>();
    case Tok::RealLit:
    case Tok::DotNumber: return literal<ast::RealLiteral>();
    case Tok::ImagLit: return literal<ast::ImagLiteral>();
    case Tok::LParen: return parenthesised();
    case Tok::Target:
      take();
      expect(Tok::LParen, "expression", "Expected \"()\" after \"target\".");
      expect(Tok::RParen, "expression", "Expected \")\": \"target()\" takes no arguments.");
      return make(begin, ast::TargetValue{});
    case Tok::LBrace: {
      take();
      if (is(Tok::RBrace)) fail("expression", "Expected an expression: an array literal needs at least one element.");
      ast::ArrayLiteral array{expressions(Tok::RBrace, "expression", "Expected \",\" or \"}\" after an array element.")};
      return make(begin, std::move(array));
    }
    case Tok::LBracket: {
      take();
      ast::RowLiteral row{expressions(Tok::RBracket, "expression", "Expected \",\" or \"]\" after an element.")};
      return make(begin, std::move(row));
    }
    case Tok::StringLit:
      fail("expression", "A string can only be an item of print, reject and fatal_error, or name a profile.");
    default:
      if (lex::is_keyword(at().kind))
        fail("expression", "Expected an expression; \"" + std::string(at().text) +
                               "\" is a reserved keyword and cannot be used as a name.");
      fail("expression", "Expected an expression.");
  }
}

ExprPtr Parser::name_or_call() {
  const Pos begin = here();
  ast::Name name = this->name("expression", "a name");
  if (!accept(Tok::LParen)) return make(begin, ast::Variable{std::move(name)});
  ast::Call call{std::move(name), {}, false, {}};
  call_arguments(call);
  return make(begin, std::move(call));
}

void Parser::call_arguments(ast::Call& call) {
  constexpr std::string_view kFamily = "function application";
  if (accept(Tok::RParen)) return;
  call.args.push_back(expression());
  call.conditional = accept(Tok::Bar);
  if (!call.conditional && !is(Tok::RParen))
    expect(Tok::Comma, kFamily, "Expected \",\", \"|\" or \")\" after the first argument.");
  if (accept(Tok::RParen)) {
    // `f(y | )` is allowed, `f(y, )` is not
    if (!call.conditional && tokens_[next_ - 2].kind == Tok::Comma) {
      --next_;
      fail(kFamily, "Expected an argument after \",\".");
    }
    return;
  }
  for (ExprPtr& arg :
       expressions(Tok::RParen, call.conditional ? "conditional distribution evaluation" : kFamily,
                   "Expected \",\" or \")\" after an argument."))
    call.args.push_back(std::move(arg));
}

ExprPtr Parser::parenthesised() {
  const Pos begin = here();
  take();
  ExprPtr first = expression();
  if (accept(Tok::RParen)) return make(begin, ast::Paren{std::move(first)});
  ast::TupleLiteral tuple;
  tuple.items.push_back(std::move(first));
  expect(Tok::Comma, "expression", "Expected \")\", or \",\" for a tuple, after the expression.");
  if (accept(Tok::RParen)) return make(begin, std::move(tuple));
  for (ExprPtr& item : expressions(Tok::RParen, "expression", "Expected \",\" or \")\" after a tuple element."))
    tuple.items.push_back(std::move(item));
  return make(begin, std::move(tuple));
}

/// A comma list and its closing token; possibly empty.
std::vector<ExprPtr> Parser::expressions(Tok close, std::string_view family, std::string_view why) {
  std::vector<ExprPtr> result;
  if (accept(close)) return result;
  do result.push_back(expression());
  while (accept(Tok::Comma));
  expect(close, family, why);
  return result;
}

}  // namespace fermiac::parse
