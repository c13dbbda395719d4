// Statements and declarations.
#include <algorithm>

#include "frontend/parse/parser.h"
#include "support/base/match.h"

namespace fermiac::parse {
namespace {

using ast::BinaryOp;
using ast::ExprPtr;
using ast::StmtPtr;

struct AssignRow {
  Tok token;
  std::optional<BinaryOp> op;
};
constexpr AssignRow kAssignments[] = {
    {Tok::Assign, std::nullopt},          {Tok::PlusAssign, BinaryOp::Plus},
    {Tok::MinusAssign, BinaryOp::Minus},  {Tok::TimesAssign, BinaryOp::Times},
    {Tok::DivideAssign, BinaryOp::Divide}, {Tok::EltTimesAssign, BinaryOp::EltTimes},
    {Tok::EltDivideAssign, BinaryOp::EltDivide},
};

const AssignRow* find_assignment(Tok token) {
  for (const AssignRow& row : kAssignments)
    if (row.token == token) return &row;
  return nullptr;
}

template <class Node>
bool holds(const ast::Expr& expr) {
  return std::holds_alternative<Node>(expr.node);
}

/// An expression that could be indexed, and so may stand left of an assignment as far as the grammar goes.
bool is_primary(const ast::Expr& expr) {
  return !holds<ast::Binary>(expr) && !holds<ast::Unary>(expr) && !holds<ast::Ternary>(expr);
}

/// `a <- b` reads as a comparison with `-b`.
bool is_arrow(const ast::Expr& expr) {
  const auto* binary = std::get_if<ast::Binary>(&expr.node);
  if (!binary || binary->op != BinaryOp::Less) return false;
  const auto* minus = std::get_if<ast::Unary>(&binary->right->node);
  return minus && minus->op == ast::UnaryOp::Minus && minus->op_span.begin == binary->op_span.end;
}

bool is_assignable(const ast::Expr& expr) {
  if (holds<ast::Variable>(expr)) return true;
  if (const auto* indexed = std::get_if<ast::Indexed>(&expr.node))
    return !holds<ast::TupleLiteral>(*indexed->base) && is_assignable(*indexed->base);
  if (const auto* projection = std::get_if<ast::Projection>(&expr.node))
    return !holds<ast::TupleLiteral>(*projection->tuple) && is_assignable(*projection->tuple);
  const auto* tuple = std::get_if<ast::TupleLiteral>(&expr.node);
  if (!tuple) return false;
  for (const ExprPtr& item : tuple->items)
    if (!is_assignable(*item)) return false;
  return true;
}

}  // namespace

void Parser::semicolon(std::string_view family, std::string_view after) {
  if (!accept(Tok::Semicolon)) fail(family, "Expected \";\" after " + std::string(after) + ".");
}

std::vector<StmtPtr> Parser::braced(std::string_view family) {
  const Pos brace = here();
  expect(Tok::LBrace, family, "Expected \"{\".");
  open_braces_.push_back(brace);
  std::vector<StmtPtr> body;
  while (!is(Tok::RBrace)) recovering([&] { take_item(body, Place::Local); });
  close_brace();
  return body;
}

StmtPtr Parser::item(Place place) {
  Level level(*this);
  StmtPtr result = is(Tok::Annotation) || starts_type() ? declaration(place) : statement();
  level.grow();
  return result;
}

/// One item; old declarations may become several.
void Parser::take_item(std::vector<StmtPtr>& body, Place place) {
  StmtPtr last = place == Place::Input ? input_declaration() : item(place);
  for (StmtPtr& earlier : more_) body.push_back(std::move(earlier));
  more_.clear();
  body.push_back(std::move(last));
}

// ---------------------------------------------------------------- declarations

StmtPtr Parser::input_declaration() {
  const Pos begin = here();
  if (accept(Tok::Semicolon)) return make_statement(begin, ast::Skip{});
  if (is(Tok::Annotation) || starts_type()) return declaration(Place::Input);
  if (is(Tok::Void)) fail_type(Place::Input);
  if (const std::string hint = hint_word(at().text); !hint.empty()) fail("declaration", hint, notes_word({std::string(at().text), at().span}));
  fail("block", "Expected a declaration or \"}\". The data and parameters blocks hold declarations only, and no "
                "statements.");
}

StmtPtr Parser::declaration(Place place) {
  const Pos begin = here();
  ast::Declaration result;
  result.annotations = annotations();
  if (is(Tok::Void)) fail_type(place);
  const std::size_t type_token = next_;
  result.type = declared_type(place);
  bool split = false;  // the last name had array sizes of its own
  do {
    if (split) {
      more_.push_back(make_statement(begin, std::exchange(result, {})));
      result.type = type_again(type_token, place);
    }
    if (is_name() && at(1).kind == Tok::LBracket && !options_.strict && !result.names.empty()) {
      more_.push_back(make_statement(begin, std::exchange(result, {})));
      result.type = type_again(type_token, place);
    }
    split = !options_.strict && is_name() && at(1).kind == Tok::LBracket;
    result.names.push_back(declarator(result, place));
  } while (accept(Tok::Comma));
  if (!accept(Tok::Semicolon))
    fail("declaration", place == Place::Input || result.names.back().init
                            ? "Expected \",\" or \";\" after a declared variable."
                            : "Expected \"=\", \",\" or \";\" after a declared variable.");
  return make_statement(begin, std::move(result));
}

/// Parses a type once more, for a further name that needs a type of its own.
ast::DeclaredType Parser::type_again(std::size_t token, Place place) {
  const std::size_t next = std::exchange(next_, token);
  const Pos end = last_end_;
  ast::DeclaredType type = declared_type(place);
  next_ = next;
  last_end_ = end;
  return type;
}

ast::Declarator Parser::declarator(ast::Declaration& declaration, Place place) {
  ast::Declarator result{name("declaration", "a variable name"), nullptr};
  if (is(Tok::LBracket)) options_.strict ? fail_old_array(declaration.type, result.name) : old_array(declaration, result.name);
  if (!is(Tok::Assign)) return result;
  if (place == Place::Input)
    fail("declaration", "Variables of the data and parameters blocks cannot be given a value where they are declared.");
  take();
  result.init = expression();
  return result;
}

/// `real x[3]`: the sizes go in front of the element type.
void Parser::old_array(ast::Declaration& declaration, const ast::Name& name) {
  const Pos open = here();
  take();
  ast::DeclaredType& type = declaration.type;
  std::vector<ExprPtr> sizes;
  do sizes.push_back(expression());
  while (accept(Tok::Comma));
  expect(Tok::RBracket, "declaration", "Expected \",\" or \"]\" after an array size.");
  const std::string text(sources_.text({{open.file, open.offset + 1}, {open.file, last_end_.offset - 1}}));
  removed(since(open), "Array sizes behind the name were removed from the language. Write array[" + text +
                           "] and the element type before '" + name.text + "' instead.");
  for (ExprPtr& size : type.array_sizes) sizes.push_back(std::move(size));
  if (sizes.size() > static_cast<std::size_t>(ast::kMostDimensions))
    fail("declaration", "An array has at most 100 dimensions.");
  type.array_sizes = std::move(sizes);
  type.has_array = true;
  type.array_dims = static_cast<int>(type.array_sizes.size());
}

/// `real x[3]` was the array syntax of old: say how to write it now.
void Parser::fail_old_array(const ast::DeclaredType& type, const ast::Name& name) {
  take();
  if (is(Tok::Error)) fail_lexing();
  const Span where = at().span;
  std::string sizes;
  std::size_t i = next_;
  for (int depth = 0; i < tokens_.size() && (depth > 0 || tokens_[i].kind != Tok::RBracket); ++i) {
    depth += tokens_[i].kind == Tok::LBracket ? 1 : tokens_[i].kind == Tok::RBracket ? -1 : 0;
    if (i > next_ && tokens_[i - 1].span.end != tokens_[i].span.begin) sizes += ' ';
    sizes += tokens_[i].text;
  }
  std::string element(sources_.text(type.span));
  if (type.has_array && !type.array_sizes.empty()) {  // the old brackets add dimensions in front
    const Span inner{type.array_sizes.front()->span.begin, type.array_sizes.back()->span.end};
    sizes += ", " + std::string(sources_.text(inner));
    const std::size_t close = element.find(']', inner.end.offset - type.span.begin.offset);
    element.erase(0, std::min(element.find_first_not_of(' ', close + 1), element.size()));
  }
  fail_at(where, "declaration", "\";\" expected after the variable name. Array sizes stand before the element type "
                                  "now; write\n    array[" + sizes + "] " + element + " " + name.text + ";");
}

// ---------------------------------------------------------------- statements

StmtPtr Parser::statement() {
  switch (at().kind) {
    case Tok::Target:
      if (at(1).kind == Tok::LParen) return expression_statement();
      return increment(Tok::Target);
    case Tok::Jacobian: return increment(Tok::Jacobian);
    case Tok::Print: return print(ast::Print::Kind::Print);
    case Tok::Reject: return print(ast::Print::Kind::Reject);
    case Tok::FatalError: return print(ast::Print::Kind::FatalError);
    case Tok::For: return loop_for();
    case Tok::While: return loop_while();
    case Tok::If: return branch();
    case Tok::Return: return returning();
    case Tok::Profile: return profile();
    case Tok::LBrace: return at_array_literal() ? expression_statement() : block_statement();
    case Tok::Break:
    case Tok::Continue:
    case Tok::Semicolon: return word_statement();
    case Tok::Data:
      fail("declaration", "The qualifier \"data\" is for function arguments only.");
    case Tok::Void: fail_type(Place::Local);
    case Tok::Else: fail("statement", "\"else\" without an \"if\" before it.");
    default: return expression_statement();
  }
}

/// Whether the `{` here opens an array literal and no block: behind the innermost of a run of braces stands an expression
/// that is followed by a comma, or by a brace that closes it.
bool Parser::at_array_literal() {
  if (next_ < no_literal_before_) return false;
  std::size_t i = next_, opened = 0;
  for (; tokens_[i].kind == Tok::LBrace; ++i) ++opened;
  const std::size_t innermost = i;
  const auto block = [&] {  // then the braces around are blocks, too
    no_literal_before_ = innermost;
    return false;
  };
  if (!starts_expression(tokens_[i].kind)) return block();
  for (int depth = 0;; ++i) {
    const Tok kind = tokens_[i].kind;
    const bool opens = kind == Tok::LParen || kind == Tok::LBracket || kind == Tok::LBrace;
    const bool closes = kind == Tok::RParen || kind == Tok::RBracket || kind == Tok::RBrace;
    if (depth == 0 && (kind == Tok::Comma || closes)) return opened == 1 || encloses_array_literal(i, opened);
    if (i + 1 == tokens_.size() || kind == Tok::Semicolon || kind == Tok::Tilde || kind == Tok::Assign) return block();
    depth += opens ? 1 : closes ? -1 : 0;
  }
}

/// Whether the braces around an array literal that is known to reach position `i` open array literals, too.
bool Parser::encloses_array_literal(std::size_t i, std::size_t opened) const {
  for (std::size_t depth = 0; i + 1 < tokens_.size(); ++i) {
    const Tok kind = tokens_[i].kind;
    if (kind == Tok::Semicolon || kind == Tok::Tilde || kind == Tok::Assign) return false;
    if (kind == Tok::LBrace) ++depth;
    if (kind != Tok::RBrace) continue;
    if (depth > 0)
      --depth;
    else if (--opened == 0)
      return true;
  }
  return false;
}

StmtPtr Parser::word_statement() {
  const Pos begin = here();
  const Tok word = take().kind;
  if (word != Tok::Semicolon) semicolon("statement", "\"break\" and \"continue\"");
  if (word == Tok::Break) return make_statement(begin, ast::Break{});
  if (word == Tok::Continue) return make_statement(begin, ast::Continue{});
  return make_statement(begin, ast::Skip{});
}

StmtPtr Parser::expression_statement() {
  const Pos begin = here();
  if (!starts_expression()) {
    if (lex::is_keyword(at().kind)) fail("statement", "\"" + std::string(at().text) + "\" cannot begin a statement.");
    fail("block", "Expected a statement, a declaration or \"}\".");
  }
  arrow_depth_ = options_.strict ? -1 : depth_ + 1;
  ExprPtr left = expression();
  arrow_depth_ = -1;
  if (is(Tok::Tilde)) return tilde(std::move(left), begin);
  if (!options_.strict && at_arrow()) return arrow(std::move(left), begin);
  if (is_primary(*left) && find_assignment(at().kind)) return assignment(std::move(left), begin);
  auto* call = std::get_if<ast::Call>(&left->node);
  if (call && !call->conditional && accept(Tok::Semicolon))
    return make_statement(begin, ast::ProcedureCall{std::move(call->name), std::move(call->args), {}});
  if (is_arrow(*left)) fail("assignment", "The assignment operator \"<-\" was removed; write \"=\".");
  if (const std::string hint = hint_word(*left); !hint.empty()) fail("statement", hint, notes_word(*left));
  fail("statement", is_primary(*left)
                        ? "Expected \"=\", an operator followed by \"=\", or \"~\" after the expression; a call of a "
                          "void function ends with \";\"."
                        : "Expected \"~\" or the rest of an expression; an expression alone is no statement, and only "
                          "variables, their elements and tuples of these can be assigned.");
}

/// `<-` without a blank inside.
bool Parser::at_arrow() const {
  return is(Tok::Less) && at(1).kind == Tok::Minus && at().span.end == at(1).span.begin;
}

StmtPtr Parser::arrow(ExprPtr left, Pos begin) {
  const Span sign{at().span.begin, at(1).span.end};
  removed(sign, "The assignment operator <- was removed from the language. Write = instead.", {{}, {{"Write '='", sign, "="}}});
  if (!is_assignable(*left)) return assignment(std::move(left), begin);
  take();
  take();
  ast::Assignment result{std::move(left), std::nullopt, expression(), {}};
  semicolon("assignment statement", "the right side");
  return make_statement(begin, std::move(result));
}

/// `a[:][1] = b`: the brackets behind ranges go into the same pair.
void Parser::join_brackets(ast::Expr& left) {
  auto* outer = std::get_if<ast::Indexed>(&left.node);
  if (!outer) return;
  join_brackets(*outer->base);
  auto* inner = std::get_if<ast::Indexed>(&outer->base->node);
  const auto is_range = [](const ast::Index& index) { return index.kind != ast::Index::Kind::Single; };
  if (!inner || std::ranges::none_of(inner->indexes, is_range)) return;
  removed(left.span,
          "Brackets behind a range on the left of an assignment were removed from the language. Put all "
          "indexes into one pair, as in a[:, 1].");
  for (ast::Index& index : outer->indexes) inner->indexes.push_back(std::move(index));
  ast::Indexed joined = std::move(*inner);
  outer->base.reset();
  left.node = std::move(joined);
}

StmtPtr Parser::assignment(ExprPtr left, Pos begin) {
  if (!options_.strict) join_brackets(*left);
  if (!is_assignable(*left))
    fail_at(left->span, "assignment", "Only a variable, an element or slot of one, or a tuple of these can stand on "
                                      "the left side.");
  const AssignRow* row = find_assignment(take().kind);
  ast::Assignment result{std::move(left), row->op, nullptr, {}};
  result.right = expression();
  semicolon(row->op ? "compound assignment statement" : "assignment statement", "the right side");
  return make_statement(begin, std::move(result));
}

StmtPtr Parser::tilde(ExprPtr variate, Pos begin) {
  take();
  ast::Tilde result;
  result.variate = std::move(variate);
  result.distribution = name("\"~\" statement", "the name of a distribution");
  if (!is(Tok::LParen) && std::holds_alternative<ast::Call>(result.variate->node))
    fail("\"~\" statement", "The distribution stands on the right side: write \"" + result.distribution.text + " ~ " +
                                 std::get<ast::Call>(result.variate->node).name.text + "(...)\".");
  expect(Tok::LParen, "\"~\" statement", "Expected \"(\" and the distribution's arguments.");
  result.args = expressions(Tok::RParen, "\"~\" statement", "Expected \",\" or \")\" after an argument.");
  result.truncation = truncation();
  semicolon("\"~\" statement", "a distribution statement");
  return make_statement(begin, std::move(result));
}

std::optional<ast::Truncation> Parser::truncation() {
  if (!is(Tok::Truncate)) return std::nullopt;
  const Pos begin = here();
  take();
  ast::Truncation result;
  expect(Tok::LBracket, "truncation", "Expected \"[\" after \"T\".");
  if (!is(Tok::Comma)) result.lower = expression();
  expect(Tok::Comma, "truncation", "Expected \",\" between the bounds.");
  if (!is(Tok::RBracket)) result.upper = expression();
  expect(Tok::RBracket, "truncation", "Expected \"]\" after the bounds.");
  result.span = since(begin);
  return result;
}

StmtPtr Parser::increment(Tok word) {
  const Pos begin = here();
  take();
  const std::string text = word == Tok::Target ? "target" : "jacobian";
  expect(Tok::PlusAssign, "statement", "Expected \"+=\" after \"" + text + "\": it can only be added to.");
  ExprPtr value = expression();
  semicolon("statement", "\"" + text + " +=\" and an expression");
  if (word == Tok::Target) return make_statement(begin, ast::TargetPlus{std::move(value)});
  return make_statement(begin, ast::JacobianPlus{std::move(value)});
}

StmtPtr Parser::print(ast::Print::Kind kind) {
  const Pos begin = here();
  const std::string word(take().text);
  expect(Tok::LParen, "statement", "Expected \"(\" after \"" + word + "\".");
  ast::Print result{kind, {}};
  do {
    const Level level(*this);
    result.items.push_back(is(Tok::StringLit) ? literal<ast::StringLiteral>() : expression());
  } while (accept(Tok::Comma));
  expect(Tok::RParen, "statement", "Expected \",\" or \")\" after an item.");
  semicolon("statement", "\"" + word + "(...)\"");
  return make_statement(begin, std::move(result));
}

StmtPtr Parser::branch() {
  const Pos begin = here();
  take();
  ast::If result;
  expect(Tok::LParen, "statement", "Expected \"(\" and a condition after \"if\".");
  result.test = expression();
  if (is(Tok::Assign)) fail("statement", "\"=\" assigns; to compare, write \"==\".", replacing(at().span, "=="));
  expect(Tok::RParen, "statement", "Expected \")\" after the condition.");
  result.yes = item(Place::Local);
  if (accept(Tok::Else)) result.no = item(Place::Local);
  return make_statement(begin, std::move(result));
}

StmtPtr Parser::loop_while() {
  const Pos begin = here();
  take();
  ast::While result;
  expect(Tok::LParen, "statement", "Expected \"(\" and a condition after \"while\".");
  result.test = expression();
  if (is(Tok::Assign)) fail("statement", "\"=\" assigns; to compare, write \"==\".", replacing(at().span, "=="));
  expect(Tok::RParen, "statement", "Expected \")\" after the condition.");
  result.body = item(Place::Local);
  return make_statement(begin, std::move(result));
}

StmtPtr Parser::loop_for() {
  const Pos begin = here();
  take();
  expect(Tok::LParen, "statement", "Expected \"(\" after \"for\". A loop is written \"for (i in 1:N)\".");
  if (starts_type()) fail("statement", "The variable of a loop is not declared: write \"for (i in 1:N)\".");
  ast::Name variable = name("statement", "the name of a loop variable");
  expect(Tok::In, "statement", "Expected \"in\" after the loop variable. A loop is written \"for (i in 1:N)\".");
  ExprPtr first = expression();
  if (accept(Tok::Colon)) {
    ExprPtr high = expression();
    expect(Tok::RParen, "statement", "Expected \")\" after the range of a loop.");
    StmtPtr body = item(Place::Local);
    return make_statement(begin,
                          ast::ForRange{std::move(variable), std::move(first), std::move(high), std::move(body)});
  }
  expect(Tok::RParen, "statement", "Expected \":\" or \")\" in the head of a loop.");
  StmtPtr body = item(Place::Local);
  return make_statement(begin, ast::ForEach{std::move(variable), std::move(first), std::move(body)});
}

StmtPtr Parser::returning() {
  const Pos begin = here();
  take();
  ast::Return result;
  if (!is(Tok::Semicolon)) result.value = expression();
  semicolon("statement", "\"return\"");
  return make_statement(begin, std::move(result));
}

StmtPtr Parser::profile() {
  const Pos begin = here();
  take();
  ast::Profile result;
  expect(Tok::LParen, "statement", "Expected \"(\" after \"profile\".");
  if (!is(Tok::StringLit)) fail("statement", "Expected a string that names the profile.");
  const std::string_view text = take().text;
  result.name = std::string(text.substr(1, text.size() - 2));
  expect(Tok::RParen, "statement", "Expected \")\" after the name of a profile.");
  result.body = braced("statement");
  return make_statement(begin, std::move(result));
}

StmtPtr Parser::block_statement() {
  const Pos begin = here();
  std::vector<StmtPtr> body = braced("block");
  return make_statement(begin, ast::Block{std::move(body)});
}

}  // namespace fermiac::parse
