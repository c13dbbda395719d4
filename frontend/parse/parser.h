// The recursive-descent parser. Private to this folder; parse.h is the way in.
//   parser.cpp       tokens, errors, blocks, functions
//   types.cpp        declared types
//   statements.cpp   statements and declarations
//   expressions.cpp  expressions, by precedence climbing
//   hints.cpp        what a mistake with a name may have meant
//   fixes.cpp        the same as edits of the text
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/lex/token.h"
#include "frontend/parse/parse.h"
#include "support/base/diagnostics.h"

namespace fermiac::parse {

using lex::Tok;

/// One line for `--debug-parse`.
void trace(std::string& out, const ast::Expr& expr);
void trace(std::string& out, const ast::Stmt& stmt);

/// The name that an expression begins with; null where that is none.
const ast::Name* first_name(const ast::Expr& expr);
/// A fix that writes `now` in the place of the span.
ReportNotes replacing(Span span, std::string_view now);

/// Thrown after a syntax error was reported; never leaves this folder.
struct Abort {};

/// Where a declaration stands decides which types it may use and whether it may be initialised.
enum class Place : std::uint8_t { Input /* data, parameters */, Top, Local };

class Parser {
 public:
  Parser(const SourceMap& sources, const lex::TokenStream& stream, Diagnostics& diagnostics,
         const ParseOptions& options)
      : sources_(sources),
        tokens_(stream.tokens),
        lex_errors_(stream.errors),
        diagnostics_(diagnostics),
        options_(options) {}

  ast::Program program();
  ast::Program functions_file();
  std::vector<ast::FunctionDef> functions();  // up to the end of input
  ast::ExprPtr lone_expression();
  std::vector<ast::StmtPtr> lone_items(Place place);

 private:
  /// Nesting on the way down and height of the built tree on the way up: both are limited, because every later phase
  /// walks the tree recursively. Operators that follow one another nest nothing, but their tree is high.
  class Level {
   public:
    enum class Kind : std::uint8_t { Nested, Flat /* always inside a nested one: counts for the height only */ };
    explicit Level(Parser& parser, Kind kind = Kind::Nested);
    ~Level();
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    void grow();  // a node was put on top of what was parsed since the level began

   private:
    Parser& parser_;
    int outer_;
    int step_;
  };

  // ---- tokens
  const lex::Token& at(std::size_t ahead = 0) const {
    return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
  }
  bool is(Tok kind) const { return at().kind == kind; }
  const lex::Token& take();
  bool accept(Tok kind);
  void expect(Tok kind, std::string_view family, std::string_view why);
  bool is_name() const { return is(Tok::Identifier) || is(Tok::Truncate); }
  ast::Name name(std::string_view family, std::string_view what);
  Pos here() const { return at().span.begin; }
  Span since(Pos begin) const { return {begin, last_end_}; }

  // ---- errors
  [[noreturn]] void fail(std::string_view family, std::string_view expected, ReportNotes notes = {});
  [[noreturn]] void fail_at(Span where, std::string_view family, std::string_view message);
  [[noreturn]] void fail_lexing();
  [[noreturn]] void fail_too_deep();
  template <class Parse>
  void recovering(Parse parse);
  bool gives_up() const;
  void skip();
  void skip_statement(std::size_t start);
  void skip_to_block();
  void removed(Span where, std::string text, ReportNotes notes = {});

  // ---- hints: sentences that follow a message, empty if there is nothing to say
  std::string found(std::string_view expected) const;
  std::string hint(std::string_view family) const;
  std::string hint_semicolon() const;
  std::string hint_operator(std::string_view family) const;
  std::string hint_juxtaposition(std::string_view family) const;
  bool in_bracket() const;
  std::string_view sign_of_word() const;
  bool several_variates() const;
  std::string hint_open_brace() const;
  std::string hint_open_bracket() const;
  bool at_new_line() const;
  const lex::Token* unclosed_bracket() const;
  std::string hint_declaration(std::string_view family) const;
  std::string hint_element_type() const;
  std::string hint_outside_blocks() const;
  static std::string hint_word(std::string_view name);
  std::string hint_word(const ast::Expr& left) const;
  std::string hint_block() const;
  std::string_view nearest_block() const;
  std::string hint_character(Span where) const;

  // ---- the same for editors
  ReportNotes notes(std::string_view family) const;
  ReportNotes notes_open_bracket() const;
  ReportNotes notes_operator(std::string_view family) const;
  ReportNotes notes_semicolon() const;
  static ReportNotes notes_word(const ast::Name& name);
  ReportNotes notes_word(const ast::Expr& left) const;
  ReportNotes notes_block() const;
  ReportNotes notes_bound() const;
  ReportNotes notes_character(Span where) const;

  // ---- program
  bool at_block() const;
  std::size_t next_block(ast::Program& program, std::size_t row);
  void close_brace();
  void block(ast::Program& program, ast::BlockKind kind);
  void functions_block(ast::Program& program);
  ast::FunctionDef function();
  ast::FunctionArgument argument();
  std::vector<ast::Annotation> annotations();
  [[noreturn]] void fail_block_expected();

  // ---- types
  bool starts_type() const;
  ast::DeclaredType unsized_type(std::string_view family);
  ast::DeclaredType declared_type(Place place);
  void unsized_base(ast::DeclaredType& type, std::string_view family);
  void old_unsized_array(ast::DeclaredType& type);
  void declared_base(ast::DeclaredType& type, Place place);
  void declared_sizes(ast::DeclaredType& type, Tok word, int least, int most);
  void constraint(ast::DeclaredType& type, bool range_only);
  ast::ExprPtr bound();
  template <class Slot>
  void tuple_slots(ast::DeclaredType& type, Slot slot);
  [[noreturn]] void fail_type(Place place);

  // ---- statements
  ast::StmtPtr item(Place place);
  ast::StmtPtr statement();
  ast::StmtPtr declaration(Place place);
  ast::StmtPtr input_declaration();
  ast::Declarator declarator(ast::Declaration& declaration, Place place);
  ast::DeclaredType type_again(std::size_t token, Place place);
  void old_array(ast::Declaration& declaration, const ast::Name& name);
  void take_item(std::vector<ast::StmtPtr>& body, Place place);
  [[noreturn]] void fail_old_array(const ast::DeclaredType& type, const ast::Name& name);
  ast::StmtPtr expression_statement();
  ast::StmtPtr arrow(ast::ExprPtr left, Pos begin);
  bool at_arrow() const;
  ast::StmtPtr assignment(ast::ExprPtr left, Pos begin);
  void join_brackets(ast::Expr& left);
  ast::StmtPtr tilde(ast::ExprPtr variate, Pos begin);
  ast::StmtPtr increment(Tok word);
  ast::StmtPtr print(ast::Print::Kind kind);
  ast::StmtPtr loop_for();
  ast::StmtPtr loop_while();
  ast::StmtPtr branch();
  ast::StmtPtr returning();
  ast::StmtPtr profile();
  ast::StmtPtr block_statement();
  ast::StmtPtr word_statement();
  bool at_array_literal();
  bool encloses_array_literal(std::size_t i, std::size_t opened) const;
  std::vector<ast::StmtPtr> braced(std::string_view family);
  std::optional<ast::Truncation> truncation();
  void semicolon(std::string_view family, std::string_view after);
  template <class Node>
  ast::StmtPtr make_statement(Pos begin, Node node);

  // ---- expressions
  bool starts_expression() const { return starts_expression(at().kind); }
  static bool starts_expression(Tok kind);
  ast::ExprPtr expression();
  ast::ExprPtr binary(int least);
  ast::ExprPtr unary();
  ast::ExprPtr power();
  ast::ExprPtr postfix();
  ast::ExprPtr primary();
  ast::ExprPtr name_or_call();
  ast::ExprPtr parenthesised();
  ast::ExprPtr indexed(ast::ExprPtr base, Pos begin);
  ast::Index index();
  std::vector<ast::ExprPtr> expressions(Tok close, std::string_view family, std::string_view why);
  void call_arguments(ast::Call& call);
  template <class Node>
  ast::ExprPtr make(Pos begin, Node node);
  template <class Node>
  ast::ExprPtr literal();

  const SourceMap& sources_;
  const std::vector<lex::Token>& tokens_;
  const std::vector<lex::LexError>& lex_errors_;
  Diagnostics& diagnostics_;
  const ParseOptions& options_;
  std::size_t next_ = 0;
  Pos last_end_;
  int depth_ = 0;
  int height_ = 0;
  std::size_t type_begin_ = 0;      // the token with which the last type began
  bool in_signature_ = false;       // that type has no sizes
  std::size_t no_literal_before_ = 0;  // every `{` before this token opens a block
  int arrow_depth_ = -1;            // expressions that start at this depth end before `<-`
  std::vector<Pos> open_braces_;    // of statements and blocks
  std::optional<Pos> misaligned_;   // the first brace whose partner stands in another column
  std::vector<ast::StmtPtr> more_;  // statements that stand before the one just parsed: an old declaration was split
};

template <class Node>
ast::ExprPtr Parser::make(Pos begin, Node node) {
  auto expr = std::make_unique<ast::Expr>();
  expr->span = since(begin);
  expr->node = std::move(node);
  if (options_.trace) trace(*options_.trace, *expr);
  return expr;
}

template <class Node>
ast::StmtPtr Parser::make_statement(Pos begin, Node node) {
  auto stmt = std::make_unique<ast::Stmt>();
  stmt->span = since(begin);
  stmt->node = std::move(node);
  if (options_.trace) trace(*options_.trace, *stmt);
  return stmt;
}

/// One piece of a list. With `all_errors` a piece that is wrong is skipped and the list goes on.
template <class Parse>
void Parser::recovering(Parse parse) {
  const std::size_t start = next_, open = open_braces_.size();
  const int depth = depth_;
  try {
    parse();
  } catch (const Abort&) {
    if (gives_up() || at_block()) throw;
    open_braces_.resize(open);
    depth_ = depth;
    arrow_depth_ = -1;
    skip_statement(start);
  }
}

}  // namespace fermiac::parse
