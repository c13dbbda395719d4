#include "frontend/parse/parser.h"

#include <algorithm>

#include "frontend/ast/blocks.h"
#include "frontend/lex/lexer.h"
#include "frontend/parse/parse.h"
#include "support/base/text.h"

namespace fermiac {
namespace parse {
namespace {

using ast::BlockKind;

/// `@name`, without arguments and what follows.
std::string_view annotation_name(std::string_view text) {
  const auto end = std::find_if_not(text.begin() + 1, text.end(), is_word);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

constexpr int kMaxDepth = 1000;
constexpr std::size_t kMostErrors = 20;

constexpr Diagnostic<std::string_view> kInvalidCharacter{DiagId::E0002, DiagKind::Lexing,
                                                         "Invalid character found.{}"};
constexpr Diagnostic<std::string_view> kMisplacedAnnotation{
    DiagId::E0011, DiagKind::Lexing, "Annotation '{}' has no place here: annotations belong before the declaration of a variable or a function."};
constexpr Diagnostic<> kOpenComment{DiagId::E0003, DiagKind::Lexing,
                                    "Unexpected end of input in a block comment: \"*/\" is missing."};
constexpr Diagnostic<std::string_view> kNoInclude{DiagId::E0004, DiagKind::Including, "{}"};
constexpr Diagnostic<std::string_view> kIncludeCycle{DiagId::E0005, DiagKind::Including,
                                                     "File {} recursively included itself."};
constexpr Diagnostic<std::string_view> kIncludeRefused{DiagId::E0009, DiagKind::Including, "{}"};
constexpr Diagnostic<std::string_view, std::string_view, std::string_view> kIllFormed{DiagId::E0006, DiagKind::Parsing,
                                                                                      "Ill-formed {}. {}{}"};
constexpr Diagnostic<int> kTooDeep{DiagId::E0007, DiagKind::Parsing,
                                   "Ill-formed phrase. It is nested more than {} levels deep."};
constexpr Diagnostic<int> kTooTall{DiagId::E0010, DiagKind::Parsing,
                                   "Ill-formed expression. More than {} operators follow one another."};
constexpr Diagnostic<std::string_view> kEmptyProgram{
    DiagId::W2001, DiagKind::Warning,
    "Empty file '{}' detected; this is a valid stan model but likely unintended!", WarningGroup::Parser};

struct BlockWord {
  Tok word;
  BlockKind kind;
};
constexpr BlockWord kBlockWords[] = {  // in the order in which they must come
    {Tok::Functions, BlockKind::Functions},
    {Tok::Data, BlockKind::Data},
    {Tok::TransformedData, BlockKind::TransformedData},
    {Tok::Parameters, BlockKind::Parameters},
    {Tok::TransformedParameters, BlockKind::TransformedParameters},
    {Tok::Model, BlockKind::Model},
    {Tok::GeneratedQuantities, BlockKind::GeneratedQuantities},
};

}  // namespace

// ---------------------------------------------------------------- nesting

Parser::Level::Level(Parser& parser, Kind kind)
    : parser_(parser), outer_(parser.height_), step_(kind == Kind::Nested ? 1 : 0) {
  parser_.height_ = 0;
  if (parser_.depth_ + step_ > kMaxDepth) parser_.fail_too_deep();
  parser_.depth_ += step_;
}

Parser::Level::~Level() {
  parser_.depth_ -= step_;
  parser_.height_ = std::max(parser_.height_, outer_);
}

void Parser::Level::grow() {
  if (++parser_.height_ <= parser_.options_.tallest) return;
  parser_.diagnostics_.report(parser_.at().span, kTooTall, parser_.options_.tallest);
  throw Abort{};
}

// ---------------------------------------------------------------- tokens

const lex::Token& Parser::take() {
  const lex::Token& token = at();
  if (token.kind == Tok::Error) fail_lexing();
  last_end_ = token.span.end;
  if (next_ + 1 < tokens_.size()) ++next_;
  return token;
}

bool Parser::accept(Tok kind) {
  if (!is(kind)) return false;
  take();
  return true;
}

void Parser::expect(Tok kind, std::string_view family, std::string_view why) {
  if (!accept(kind)) fail(family, why);
}

ast::Name Parser::name(std::string_view family, std::string_view what) {
  if (is_name()) {
    const lex::Token& token = take();
    return {std::string(token.text), token.span};
  }
  if (lex::is_keyword(at().kind))
    fail(family, "\"" + std::string(at().text) + "\" is a reserved keyword and cannot be used as a name.");
  fail(family, "Expected " + std::string(what) + ".");
}

// ---------------------------------------------------------------- errors

void Parser::fail(std::string_view family, std::string_view expected, ReportNotes notes) {
  const lex::Token& token = at();
  if (token.kind == Tok::Error) fail_lexing();
  if (token.kind == Tok::Annotation) {
    const Pos begin = token.span.begin;
    diagnostics_.report({begin, {begin.file, begin.offset + 1}}, kMisplacedAnnotation, annotation_name(token.text));
    throw Abort{};
  }
  if (notes.fixes.empty()) notes = this->notes(family);
  diagnostics_.report_with(std::move(notes), token.span, kIllFormed, family, expected, found(expected) + hint(family));
  throw Abort{};
}

void Parser::fail_at(Span where, std::string_view family, std::string_view message) {
  diagnostics_.report(where, kIllFormed, family, message, "");
  throw Abort{};
}

void Parser::fail_lexing() {
  using Kind = lex::LexError::Kind;
  const lex::LexError& error = *std::ranges::lower_bound(lex_errors_, next_, {}, &lex::LexError::token);
  switch (error.kind) {
    case Kind::InvalidCharacter:
      diagnostics_.report_with(notes_character(error.span), error.span, kInvalidCharacter, hint_character(error.span));
      break;
    case Kind::UnterminatedComment:
      diagnostics_.report(error.span, kOpenComment);
      break;
    case Kind::IncludeNotFound:
      diagnostics_.report(error.span, kNoInclude, error.detail);
      break;
    case Kind::IncludeRefused:
      diagnostics_.report(error.span, kIncludeRefused, error.detail);
      break;
    case Kind::IncludeRecursion:
      diagnostics_.report(error.span, kIncludeCycle, error.detail);
      break;
  }
  throw Abort{};
}

void Parser::fail_too_deep() {
  diagnostics_.report(at().span, kTooDeep, kMaxDepth);
  throw Abort{};
}

// ---------------------------------------------------------------- going on after an error

/// Whether an error that was just reported ends the parse.
bool Parser::gives_up() const {
  return !options_.all_errors || next_ + 1 == tokens_.size() || diagnostics_.error_count() >= kMostErrors;
}

/// Passes a token whatever it is. An invalid character in what is skipped is no further error.
void Parser::skip() {
  if (next_ + 1 == tokens_.size() && is(Tok::Error)) fail_lexing();
  last_end_ = at().span.end;
  if (next_ + 1 < tokens_.size()) ++next_;
}

/// Goes on behind the statement that began at token `start`: after its `;` or its closing brace, or at the next block.
void Parser::skip_statement(std::size_t start) {
  if (next_ > start && tokens_[next_ - 1].kind == Tok::Semicolon) return;
  for (int depth = 0; !is(Tok::Eof) && !at_block(); skip()) {
    if (is(Tok::LBrace)) ++depth;
    if (is(Tok::Semicolon) && depth == 0) return skip();
    if (!is(Tok::RBrace)) continue;
    if (depth == 0) return;  // closes the list
    if (--depth == 0 && at(1).kind != Tok::Else) return skip();
  }
}

void Parser::skip_to_block() {
  while (!is(Tok::Eof) && !at_block()) skip();
}

void Parser::removed(Span where, std::string text, ReportNotes notes) {
  diagnostics_.report_with(std::move(notes), where, kRemovedFeature, std::move(text));
}

// ---------------------------------------------------------------- program

ast::Program Parser::program() {
  ast::Program program;
  const Pos begin{at().span.begin.file, 0};
  for (std::size_t row = 0; !is(Tok::Eof);) try {
      row = next_block(program, row);
    } catch (const Abort&) {
      if (gives_up() && options_.keep_broken) break;
      if (gives_up()) throw;
      open_braces_.clear();
      depth_ = 0;
      arrow_depth_ = -1;
      row = 0;  // in whatever order the rest comes
      skip_to_block();
    }
  program.span = {begin, at().span.end};
  if (tokens_.size() == 1) diagnostics_.report(program.span, kEmptyProgram, sources_.file(begin.file).name);
  return program;
}

/// The head of a block. Nothing else has one of these words before a brace.
bool Parser::at_block() const {
  return at(1).kind == Tok::LBrace && std::ranges::any_of(kBlockWords, [&](const BlockWord& row) { return is(row.word); });
}

/// One block that is not before `row` in the order of blocks; returns the row after it.
std::size_t Parser::next_block(ast::Program& program, std::size_t row) {
  for (; row < std::size(kBlockWords); ++row)
    if (is(kBlockWords[row].word)) return block(program, kBlockWords[row].kind), row + 1;
  fail_block_expected();
}

/// Passes the `}` of the innermost open brace.
void Parser::close_brace() {
  const auto indentation = [&](Pos pos) {
    const LineColumn at = sources_.line_column(pos);
    return std::pair(at, sources_.line(pos.file, at.line).find_first_not_of(" \t"));
  };
  if (!misaligned_ && open_braces_.back().file == here().file) {
    const auto [open, open_indentation] = indentation(open_braces_.back());
    const auto [close, close_indentation] = indentation(here());
    if (close.column == close_indentation && close_indentation != open_indentation) misaligned_ = open_braces_.back();
  }
  take();
  open_braces_.pop_back();
}

void Parser::fail_block_expected() {
  const auto row = std::find_if(std::begin(kBlockWords), std::end(kBlockWords), [&](const BlockWord& r) { return is(r.word); });
  if (row == std::end(kBlockWords))
    fail("program", std::string("Expected one of the blocks ") +
                        "\"functions {\", \"data {\", \"transformed data {\", \"parameters {\", "
                        "\"transformed parameters {\", \"model {\", \"generated quantities {\", or the end of input." +
                        hint_block() + hint_outside_blocks(), notes_block());
  fail("program", "Block \"" + std::string(ast::block_name(row->kind)) +
                      "\" is out of order or occurs twice. Blocks are optional, but must come in the order functions, "
                      "data, transformed data, parameters, transformed parameters, model, generated quantities.");
}

void Parser::block(ast::Program& program, BlockKind kind) {
  if (kind == BlockKind::Functions) return functions_block(program);
  const bool input = kind == BlockKind::Data || kind == BlockKind::Parameters;
  const Pos begin = here();
  take();
  const Pos brace = here();
  expect(Tok::LBrace, "block", "Expected \"{\" after the block's name.");
  open_braces_.push_back(brace);
  std::optional<ast::ProgramBlock>& result = program.*ast::row_of(kind).block;
  if (!result) result.emplace();  // behind an error it may come again
  const Place place = input ? Place::Input : kind == BlockKind::Model ? Place::Local : Place::Top;
  while (!is(Tok::RBrace)) {
    result->span = since(begin);  // as far as it goes, should there be no end
    recovering([&] { take_item(result->body, place); });
  }
  close_brace();
  result->span = since(begin);
}

void Parser::functions_block(ast::Program& program) {
  const Pos begin = here();
  take();
  const Pos brace = here();
  expect(Tok::LBrace, "block", "Expected \"{\" after \"functions\".");
  open_braces_.push_back(brace);
  while (!is(Tok::RBrace)) recovering([&] { program.functions.push_back(function()); });
  close_brace();
  program.functions_block = ast::ProgramBlock{since(begin), {}};
}

ast::Program Parser::functions_file() {
  ast::Program program;
  program.functions_only = true;
  const Pos begin{at().span.begin.file, 0};
  const bool block_header =
      std::any_of(std::begin(kBlockWords), std::end(kBlockWords), [&](const BlockWord& row) { return is(row.word); });
  if (block_header) fail("program", "A .stanfunctions file holds only function definitions, and no blocks.");
  program.functions = functions();
  program.span = {begin, at().span.end};
  if (tokens_.size() == 1) diagnostics_.report(program.span, kEmptyProgram, sources_.file(begin.file).name);
  return program;
}

std::vector<ast::FunctionDef> Parser::functions() {
  std::vector<ast::FunctionDef> result;
  while (!is(Tok::Eof)) recovering([&] { result.push_back(function()); });
  return result;
}

std::vector<ast::Annotation> Parser::annotations() {
  std::vector<ast::Annotation> result;
  const std::size_t first = next_;
  while (is(Tok::Annotation)) {
    const lex::Token& token = take();
    result.push_back({std::string(token.text.substr(1)), token.span});
  }
  if (!result.empty() && !starts_type() && !is(Tok::Void)) {
    next_ = first;
    fail("declaration", "Annotations stand before declarations only.");
  }
  return result;
}

ast::FunctionDef Parser::function() {
  ast::FunctionDef result;
  const Pos begin = here();
  result.annotations = annotations();
  if (!accept(Tok::Void)) {
    if (!starts_type())
      fail("function", "Expected a function definition (a return type, a name and arguments in parentheses) or \"}\". "
                       "Only functions can be declared here.");
    result.result = unsized_type("function");
  }
  result.name = name("function", "a name for the function");
  expect(Tok::LParen, "function", "Expected \"(\" and a list of arguments after the function's name. Variables cannot "
                                  "be declared among functions.");
  if (!is(Tok::RParen)) {
    do result.args.push_back(argument());
    while (accept(Tok::Comma));
  }
  expect(Tok::RParen, "function argument", "Expected \",\" or \")\" after an argument.");
  if (is(Tok::LBrace)) {
    const Level level(*this);
    result.body = block_statement();
  } else if (is(Tok::Return) && !options_.strict) {
    removed(at().span, "The body of a function without braces was removed from the language. Put it between { and }.");
    const Pos body = here();
    std::vector<ast::StmtPtr> only;
    only.push_back(item(Place::Local));
    result.body = make_statement(body, ast::Block{std::move(only)});
  } else {
    expect(Tok::Semicolon, "function", "Expected a body in braces, or \";\" for a forward declaration.");
  }
  result.span = since(begin);
  return result;
}

ast::FunctionArgument Parser::argument() {
  ast::FunctionArgument result;
  result.data_only = accept(Tok::Data);
  if (!starts_type()) fail("function argument", "Expected the type of an argument, without sizes and constraints.");
  result.type = unsized_type("function argument");
  result.name = name("function argument", "a name for the argument");
  return result;
}

// ---------------------------------------------------------------- fragments

ast::ExprPtr Parser::lone_expression() {
  arrow_depth_ = options_.ends_at_arrow ? depth_ + 1 : -1;
  ast::ExprPtr result = expression();
  arrow_depth_ = -1;
  if (options_.ends_at_arrow && at_arrow()) fail("assignment", "The assignment operator \"<-\" was removed; write \"=\".");
  if (!is(Tok::Eof)) fail("expression", "Expected an operator or the end of input.");
  return result;
}

std::vector<ast::StmtPtr> Parser::lone_items(Place place) {
  std::vector<ast::StmtPtr> result;
  while (!is(Tok::Eof)) recovering([&] { take_item(result, place); });
  return result;
}

/// The first comment that begins with `#`.
void report_hash_comment(const lex::TokenStream& stream, Diagnostics& diagnostics) {
  const auto found = std::ranges::find_if(stream.comments, [](const lex::Comment& c) { return c.text[0] == '#'; });
  if (found == stream.comments.end()) return;
  const Pos begin = found->span.begin;
  diagnostics.report({begin, begin}, kRemovedFeature,
                     "Comments beginning with # are deprecated and this syntax was removed from the language. Begin "
                     "them with // instead.");
}

/// Completes the messages about includes that were not found.
void explain_includes(lex::TokenStream& stream, const std::vector<std::string>& paths) {
  std::string list;
  for (const std::string& path : paths) list += (list.empty() ? "" : ", ") + path;
  for (lex::LexError& error : stream.errors)
    if (error.kind == lex::LexError::Kind::IncludeNotFound)
      error.detail =
          "Could not find include file '" + error.detail + "' in the include paths: " + (list.empty() ? "None" : list);
}

/// Runs `parse` on a parser of the tokens and returns what it built; nothing after a syntax error.
template <class Parse>
auto parsed(const SourceMap& sources, const lex::TokenStream& stream, const ParseOptions& options, Diagnostics& diagnostics, Parse parse)
    -> std::optional<decltype(parse(std::declval<Parser&>()))> {
  report_hash_comment(stream, diagnostics);
  Parser parser(sources, stream, diagnostics, options);
  try {
    auto result = parse(parser);
    if (!diagnostics.has_errors() || options.keep_broken) return result;  // with `all_errors` the parser goes on after an error
  } catch (const Abort&) {
  }
  return std::nullopt;
}

/// Lexes and parses a fragment.
template <class Parse>
auto fragment(SourceMap& sources, std::uint32_t file, const ParseOptions& options, Diagnostics& diagnostics, Parse parse) {
  return parsed(sources, lex_program(sources, file, options), options, diagnostics, parse);
}

}  // namespace parse

lex::TokenStream lex_program(SourceMap& sources, std::uint32_t file, const ParseOptions& options) {
  lex::TokenStream stream = lex::lex(sources, file, options.include_paths, !options.strict, options.all_errors, options.include_rule,
                                     options.carried_includes);
  parse::explain_includes(stream, options.include_paths);
  return stream;
}

std::optional<ast::Program> parse_program(const SourceMap& sources, const lex::TokenStream& stream, const ParseOptions& options,
                                          Diagnostics& diagnostics) {
  auto program = parse::parsed(sources, stream, options, diagnostics, [&](parse::Parser& parser) {
    return options.functions_only ? parser.functions_file() : parser.program();
  });
  if (program && !options.strict) parse::replace_removed_functions(*program, stream, diagnostics);
  return program;
}

std::optional<ast::Program> parse_program(SourceMap& sources, std::uint32_t file, const ParseOptions& options,
                                          Diagnostics& diagnostics, lex::TokenStream* keep) {
  lex::TokenStream own;
  lex::TokenStream& stream = keep ? *keep : own;
  stream = lex_program(sources, file, options);
  return parse_program(sources, stream, options, diagnostics);
}

ast::ExprPtr parse_expression(SourceMap& sources, std::uint32_t file, const ParseOptions& options,
                              Diagnostics& diagnostics) {
  return parse::fragment(sources, file, options, diagnostics,
                    [](parse::Parser& parser) { return parser.lone_expression(); })
      .value_or(nullptr);
}

std::optional<std::vector<ast::StmtPtr>> parse_statements(SourceMap& sources, std::uint32_t file,
                                                          const ParseOptions& options, Diagnostics& diagnostics,
                                                          bool top_level) {
  return parse::fragment(sources, file, options, diagnostics, [&](parse::Parser& parser) {
    return parser.lone_items(top_level ? parse::Place::Top : parse::Place::Local);
  });
}

std::optional<std::vector<ast::FunctionDef>> parse_functions(SourceMap& sources, std::uint32_t file,
                                                             const ParseOptions& options, Diagnostics& diagnostics) {
  return parse::fragment(sources, file, options, diagnostics,
                    [](parse::Parser& parser) { return parser.functions(); });
}

}  // namespace fermiac
