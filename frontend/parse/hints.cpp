// What a mistake may have meant. Each rule knows one mistake that newcomers make, from the tokens around it.
#include <algorithm>
#include <iterator>

#include "frontend/ast/blocks.h"
#include "frontend/parse/foreign_words.h"
#include "frontend/parse/parser.h"
#include "support/base/match.h"
#include "support/base/number_text.h"
#include "support/base/text.h"

namespace fermiac::parse {

const ast::Name* first_name(const ast::Expr& expr) {
  if (const auto* call = std::get_if<ast::Call>(&expr.node)) return &call->name;
  if (const auto* variable = std::get_if<ast::Variable>(&expr.node)) return &variable->name;
  if (const auto* indexed = std::get_if<ast::Indexed>(&expr.node)) return first_name(*indexed->base);
  return nullptr;
}

/// What stands in the place of what was expected.
std::string Parser::found(std::string_view expected) const {
  constexpr std::size_t kLongest = 40;
  if (expected.find("xpected ") == std::string_view::npos || at().text.size() > kLongest) return "";
  std::string what(lex::describe(at().kind));
  const bool spelled = what.starts_with('"') || is(Tok::Eof);
  if (!spelled) what += " \"" + std::string(at().text) + "\"";
  if (is(Tok::StringLit)) what = "the string " + std::string(at().text);
  return " Found " + what + ".";
}

std::string Parser::hint(std::string_view family) const {
  for (const std::string& text :
       {hint_open_brace(), hint_element_type(), hint_declaration(family), hint_operator(family), hint_open_bracket(), hint_semicolon()})
    if (!text.empty()) return " " + text;
  return "";
}

/// A variable's declaration that goes wrong behind its type or name.
std::string Parser::hint_declaration(std::string_view family) const {
  if (family != "declaration") return "";
  const Tok next = at(1).kind;
  const bool bounds = next == Tok::Lower || next == Tok::Upper || next == Tok::Offset || next == Tok::Multiplier;
  if (is(Tok::LParen) && bounds) return "Bounds stand between \"<\" and \">\", as in \"real<lower=0>\".";
  if (is(Tok::LBracket) && next_ > 0 && tokens_[next_ - 1].kind == Tok::RBracket)
    return "An array of containers is written \"array[N] vector[K] x\".";
  if (!is(Tok::Tilde)) return "";
  const std::string distribution = next == Tok::Identifier ? std::string(at(1).text) : "normal";
  return "A \"~\" statement draws nothing; in transformed data and generated quantities a random value is drawn with "
         "\"= " +
         distribution + "_rng(...)\".";
}

/// The innermost bracket that is open here and that the statement does not close.
const lex::Token* Parser::unclosed_bracket() const {
  const auto opens = [](Tok kind) { return kind == Tok::LParen || kind == Tok::LBracket; };
  const auto closes = [](Tok kind) { return kind == Tok::RParen || kind == Tok::RBracket; };
  const auto ends = [](Tok kind) {
    return kind == Tok::Semicolon || kind == Tok::LBrace || kind == Tok::RBrace || kind == Tok::Eof ||
           kind == Tok::Error;
  };
  int depth = 0;
  for (std::size_t i = next_; !ends(tokens_[i].kind); ++i) {
    depth += opens(tokens_[i].kind) ? 1 : closes(tokens_[i].kind) ? -1 : 0;
    if (depth < 0) return nullptr;
  }
  depth = 0;
  for (std::size_t i = next_; i-- > 0 && !ends(tokens_[i].kind);) {
    depth += closes(tokens_[i].kind) ? 1 : opens(tokens_[i].kind) ? -1 : 0;
    if (depth < 0) return &tokens_[i];
  }
  return nullptr;
}

/// Where the statement ends, or seems to go on in a new line.
std::string Parser::hint_open_bracket() const {
  const bool ends = is(Tok::Semicolon) || is(Tok::LBrace) || is(Tok::RBrace) || is(Tok::Eof);
  const lex::Token* open = ends || at_new_line() ? unclosed_bracket() : nullptr;
  if (!open) return "";
  const LineColumn where = sources_.line_column(open->span.begin);
  return "The \"" + std::string(open->text) + "\" in line " + std::to_string(where.line) + ", column " +
         std::to_string(where.column) + " is not closed.";
}

/// Something between the blocks that belongs into one of them.
std::string Parser::hint_outside_blocks() const {
  if (is(Tok::RBrace)) return " There is a \"}\" too many, or the block before ends too early.";
  if (starts_type()) return " A declaration stands inside a block, such as \"data { ... }\".";
  const Tok next = at(1).kind;
  const bool statement = is(Tok::Target) || is(Tok::For) || is(Tok::If) ||
                         (is(Tok::Identifier) && (next == Tok::Tilde || next == Tok::Assign || next == Tok::LBracket));
  return statement ? " A statement stands inside a block, such as \"model { ... }\"." : "";
}

bool Parser::at_new_line() const {
  if (next_ == 0) return false;
  const Span before = tokens_[next_ - 1].span;
  return before.end.file == here().file && sources_.line_column(before.begin).line != sources_.line_column(here()).line;
}

/// The unexpected token stands on a new line, behind something that ends like a statement.
std::string Parser::hint_semicolon() const {
  if (!at_new_line()) return "";
  const lex::Token& before = tokens_[next_ - 1];
  const std::uint32_t line = sources_.line_column(before.span.begin).line;
  const bool ends = before.kind == Tok::RParen || before.kind == Tok::RBracket || before.kind == Tok::Identifier ||
                    before.kind == Tok::IntLit || before.kind == Tok::RealLit || before.kind == Tok::Break ||
                    before.kind == Tok::Continue || before.kind == Tok::DotNumber || before.kind == Tok::Transpose;
  const bool begins = is_name() || lex::is_keyword(at().kind) || is(Tok::RBrace) || is(Tok::LBrace);
  return ends && begins ? "A \";\" may be missing at the end of line " + std::to_string(line) + "." : "";
}

/// What goes wrong in these may be an operator that is missing.
constexpr std::string_view kWithOperands[] = {"\"~\" statement", "function application", "conditional distribution evaluation", "expression",
                                              "statement", "assignment statement", "compound assignment statement"};

/// A bracket that begins within the statement is open here.
bool Parser::in_bracket() const {
  int depth = 0;
  for (std::size_t i = next_; depth >= 0 && i-- > 0;) {
    const Tok kind = tokens_[i].kind;
    if (kind == Tok::Semicolon || kind == Tok::LBrace || kind == Tok::RBrace) return false;
    depth += kind == Tok::RParen || kind == Tok::RBracket ? 1 : kind == Tok::LParen || kind == Tok::LBracket ? -1 : 0;
  }
  return depth < 0;
}

struct WordOperator {
  std::string_view word, sign, what;
};
constexpr WordOperator kWordOperators[] = {{"and", "&&", "A logical and"}, {"or", "||", "A logical or"}};

/// `and`, `or` where an operator is expected; null elsewhere.
const WordOperator* word_operator(const lex::Token& token) {
  const auto* const row = std::ranges::find(kWordOperators, token.text, &WordOperator::word);
  return token.kind != Tok::Identifier || row == std::end(kWordOperators) ? nullptr : row;
}

std::string_view Parser::sign_of_word() const {
  const WordOperator* const row = word_operator(at());
  return row ? row->sign : std::string_view();
}

/// `alpha, beta ~ …`
bool Parser::several_variates() const {
  std::size_t i = next_;
  while (tokens_[i].kind == Tok::Comma || tokens_[i].kind == Tok::Identifier) ++i;
  return is(Tok::Comma) && tokens_[i].kind == Tok::Tilde;
}

/// Operators of other languages.
std::string Parser::hint_operator(std::string_view family) const {
  if (next_ == 0) return "";
  const Tok before = tokens_[next_ - 1].kind;
  const Tok earlier = next_ > 1 ? tokens_[next_ - 2].kind : Tok::Eof;
  if (const WordOperator* const row = word_operator(at())) return std::string(row->what) + " is written \"" + std::string(row->sign) + "\".";
  if (before == Tok::Identifier && tokens_[next_ - 1].text == "not") return "A logical not is written \"!\".";
  if (family == "statement" && several_variates()) return "Each variable has a \"~\" statement of its own.";
  const bool nameless = (before == Tok::Less || before == Tok::Comma) && (is(Tok::IntLit) || is(Tok::RealLit) || is(Tok::Minus));
  if (family == "constraint" && nameless) return "Bounds have names, as in \"<lower=0, upper=1>\".";
  if (is(Tok::Times) && before == Tok::Times) return "Powers are written \"^\".";
  if (is(Tok::Times) && before == Tok::Modulo) return "A product of matrices is written \"*\".";
  if (before == Tok::Plus && earlier == Tok::Plus) return "To add one, write \"x += 1\".";
  if (before == Tok::Minus && earlier == Tok::Minus) return "To subtract one, write \"x -= 1\".";
  if (is(Tok::LBracket) && before == Tok::Transpose) return "A transpose is indexed in parentheses: \"(x')[1]\".";
  if (is(Tok::Bar) && family != "\"~\" statement" && family != "function application") return "A logical or is written \"||\".";
  if (is(Tok::Transpose) && family == "expression") return "Strings stand between double quotes.";
  if (is(Tok::Colon) && at(1).kind == Tok::Assign) return "To assign, write \"=\".";
  if (is(Tok::Assign) && (family == "expression" || family == "function application")) return "\"=\" assigns; to compare, write \"==\".";
  if (is(Tok::Colon) && family == "assignment statement") return "A sequence of numbers is written \"linspaced_int_array(3, 1, 3)\".";
  return hint_juxtaposition(family);
}

/// Two operands in a row: `normal(alpha + beta x, sigma)`, `print("x = " x)`.
std::string Parser::hint_juxtaposition(std::string_view family) const {
  const auto operand = [](const lex::Token& token) { return token.kind == Tok::Identifier || token.kind == Tok::IntLit || token.kind == Tok::RealLit; };
  const lex::Token& before = tokens_[next_ - 1];
  const bool closes = before.kind == Tok::RParen || before.kind == Tok::RBracket;
  if (at_new_line() || std::ranges::find(kWithOperands, family) == std::end(kWithOperands)) return "";
  const bool in_loop_head = next_ > 2 && tokens_[next_ - 2].kind == Tok::LParen && tokens_[next_ - 3].kind == Tok::For;
  if (in_loop_head || foreign_word(before.text)) return "";  // these have hints of their own
  const bool string_before = before.kind == Tok::StringLit, string = is(Tok::StringLit);
  if (!(operand(at()) || string) || !(operand(before) || closes || string_before)) return "";
  if (string || string_before) return "A \",\" may be missing between the two.";
  if (!in_bracket() && family == "\"~\" statement") return "A \";\" may be missing before \"" + std::string(at().text) + "\".";
  if (!in_bracket() && family == "statement" && at(1).kind == Tok::LParen) return "A \"~\" may be missing before \"" + std::string(at().text) + "\".";
  return std::string(in_bracket() ? "An operator or a \",\"" : "An operator") + " may be missing between \"" + std::string(before.text) + "\" and \"" +
         std::string(at().text) + "\".";
}

std::string Parser::hint_open_brace() const {
  if (open_braces_.empty() || !(is(Tok::Eof) || at_block())) return "";
  const Pos open = misaligned_.value_or(open_braces_.back());
  return "The \"{\" in line " + std::to_string(sources_.line_column(open).line) + " is not closed.";
}

std::string Parser::hint_word(std::string_view name) {
  const ForeignWord* row = foreign_word(name);
  return row ? std::string(row->hint) : "";
}

/// A statement that begins with a word of another language, or compares where it should assign.
std::string Parser::hint_word(const ast::Expr& left) const {
  if (const ast::Name* name = first_name(left); name && foreign_word(name->text)) return hint_word(name->text);
  const auto* call = std::get_if<ast::Call>(&left.node);
  if (call && call->conditional && is(Tok::Semicolon)) return "A density counts once it is added: write \"target += " + call->name.text + "(...)\".";
  const auto* binary = std::get_if<ast::Binary>(&left.node);
  if (binary && binary->op == ast::BinaryOp::Equals && is(Tok::Semicolon))
    return "\"==\" compares; to assign, write \"=\".";
  return "";
}

/// The name of a block that is near to the words here; empty if there is none.
std::string_view Parser::nearest_block() const {
  if (!is(Tok::Identifier)) return "";
  std::string words(at().text);
  if (at(1).kind != Tok::LBrace) words += " " + std::string(at(1).text);
  std::string_view best;
  std::size_t least = 4;
  for (const ast::BlockRow& row : ast::kBlocks)
    if (const std::size_t distance = edit_distance(words, row.name); distance < least && distance * 2 < row.name.size()) {
      least = distance;
      best = row.name;
    }
  return best;
}

std::string Parser::hint_block() const {
  const std::string best(nearest_block());
  return best.empty() ? "" : " Did you mean \"" + best + "\"?";
}

namespace {

constexpr std::string_view kUtf16[] = {"\xff\xfe", "\xfe\xff"};  // how such files begin

/// What begins with these bytes, and what to write; the first that fits.
constexpr ForeignCharacter kCharacters[] = {
    {"&", "A logical and is written \"&&\".", "&&"},
    {"#", "A comment begins with \"//\".", "//"},
    {"\"", "A string ends on the line on which it begins, with '\"'.", ""},
    {"@", "A product of matrices is written \"*\".", "*"},
    {".T", "A transpose is written \"x'\".", ""},
    {".", "A number has digits behind or before its point.", ""},
    {"\xc2\xa0", "It is a no-break space: write a plain one.", " "},
    {"\xc2\xb2", "A square is written \"^2\".", "^2"},
    {"\xc2\xb7", "A product is written \"*\".", "*"},
    {"\xc3\x97", "A product is written \"*\".", "*"},
    {"\xc3\xb7", "A quotient is written \"/\".", "/"},
    {"\xcb\x9c", "It is written \"~\".", "~"},
    {"\xe2\x88\xbc", "It is written \"~\".", "~"},
    {"\xe2\x88\x92", "A minus is written \"-\".", "-"},
    {"\xe2\x88\x97", "A product is written \"*\".", "*"},
    {"\xe2\x86\x90", "To assign, write \"=\".", "="},
    {"\xe2\x89\xa4", "It is written \"<=\".", "<="},
    {"\xe2\x89\xa5", "It is written \">=\".", ">="},
    {"\xe2\x89\xa0", "It is written \"!=\".", "!="},
    {"\xe2\x80\x8b", "It is a space without width: delete it.", ""},
    {"\xe2\x80\x89", "It is a thin space: write a plain one.", " "},
    {"\xe2\x80\xaf", "It is a narrow space: write a plain one.", " "},
    {"\xef\xbb\xbf", "It is a byte order mark, which only begins files: delete it.", ""},
    {"\xe2\x80", "Quotes and dashes must be plain ones, not those of a word processor.", ""},
};

}  // namespace

const ForeignCharacter* foreign_character(std::string_view text) {
  const auto* const row = std::ranges::find_if(kCharacters, [&](const ForeignCharacter& c) { return text.starts_with(c.bytes); });
  return row == std::end(kCharacters) ? nullptr : row;
}

std::string Parser::hint_character(Span where) const {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const std::string_view text = sources_.file(where.begin.file).text;
  const std::string_view rest = text.substr(where.begin.offset);
  if (std::ranges::any_of(kUtf16, [&](std::string_view mark) { return text.starts_with(mark); }))
    return " The file is in UTF-16: save it as UTF-8.";
  if (rest.starts_with('.') && where.begin.offset > 0 && text[where.begin.offset - 1] == '.') return " A range is written \"1:N\".";
  if (rest.size() > 1 && rest[0] == '.' && letter(rest[1]) && !rest.starts_with(".T"))
    return " A value stands in the parentheses of a function, as in \"mean(x)\".";
  if (const ForeignCharacter* row = foreign_character(rest)) return " " + std::string(row->hint);
  const bool foreign = !rest.empty() && static_cast<unsigned char>(rest[0]) >= 0x80;
  return foreign ? " Names are made of the letters a to z and A to Z, digits and \"_\"." : "";
}

// ---------------------------------------------------------------- tracing

namespace {
constexpr std::string_view kExpressions[] = {"int_literal",   "real_literal", "imag_literal",  "string_literal",
                                             "variable",      "call",         "target",        "array_literal",
                                             "row_literal",   "tuple_literal", "parentheses",  "binary",
                                             "unary",         "ternary",      "projection",    "indexed"};
constexpr std::string_view kStatements[] = {"declaration", "assignment", "procedure_call", "target_plus", "jacobian_plus",
                                            "tilde",       "break",      "continue",       "return",      "print",
                                            "if",          "while",      "for_range",      "for_each",    "profile",
                                            "block",       "skip"};
static_assert(std::size(kExpressions) == std::variant_size_v<decltype(ast::Expr::node)>);
static_assert(std::size(kStatements) == std::variant_size_v<decltype(ast::Stmt::node)>);
}  // namespace

void trace(std::string& out, const ast::Expr& expr) {
  out.append("Parser: ").append(kExpressions[expr.node.index()]).append("\n");
}
void trace(std::string& out, const ast::Stmt& stmt) {
  out.append("Parser: ").append(kStatements[stmt.node.index()]).append("\n");
}

}  // namespace fermiac::parse
