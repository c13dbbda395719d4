// Walks the tree and feeds layout boxes. Private to this folder. expressions.cpp and statements.cpp hold the members.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/format/format.h"
#include "frontend/format/layout.h"
#include "frontend/format/trivia.h"

namespace fermiac::format {

class Printer {
 public:
  Printer(const SourceMap& sources, const lex::TokenStream& stream, const Options& options);
  std::optional<std::string> run(const ast::Program& program);
  void expr(const ast::Expr& expr);
  std::string finish() { return out_.finish(); }

 private:
  /// Where the last thing of a statement list ended, for the blank-line rule.
  struct Flow {
    bool fresh = true;  // nothing of the list is printed yet
    bool started = false;
    std::uint32_t file = 0;
    std::uint32_t line = 0;
  };
  struct Element {
    Pos begin, end;
  };

  // ---- trivia
  void comment(const Trivium& comment);
  bool comments(const std::vector<Trivium>& items);  // true if the last one forced a new line
  void slot(Pos end);                                // comments, then a break
  void comma(Pos previous_end, Pos next_begin);
  void closing(Pos end);
  template <class Print>
  void list(const std::vector<Element>& elements, Pos close, Print print);
  Pos token_after(Pos pos) const;
  std::uint32_t line(Pos pos) const { return sources_.line_column(pos).line; }
  bool hidden(Pos pos) const;

  // ---- lists of statements
  void boundary(Flow& flow, Pos end);
  void between(Flow& flow, const Trivium& item);
  void next_line(Flow& flow, Pos pos);
  void empty_line(Flow& flow, Pos pos);
  void ended(Flow& flow, Pos end) const;
  bool same_line(const Flow& flow, const Trivium& item) const;
  void open_indented();
  void body(const std::vector<ast::StmtPtr>& statements, Pos close);
  template <class Item, class First, class Print>
  void items(const std::vector<Item>& items, Pos close, First first, Print print);

  // ---- program
  void program(const ast::Program& program);
  void functions(const std::vector<ast::FunctionDef>& functions, Pos close);
  void functions_file(const ast::Program& program);
  void function(const ast::FunctionDef& function);
  void arguments(const ast::FunctionDef& function);
  std::size_t result_space() const { return static_cast<std::size_t>(options_.margin); }
  void annotations(const std::vector<ast::Annotation>& annotations);

  // ---- statements
  void statement(const ast::Stmt& stmt);
  void declaration(const ast::Declaration& node, const ast::Stmt& stmt);
  void tilde(const ast::Tilde& node, const ast::Stmt& stmt);
  void print(const ast::Print& node);
  void branch(const ast::If& node);
  void otherwise(const ast::If& node);
  void controlled(const ast::Stmt& body, Flow flow);
  void block(const std::vector<ast::StmtPtr>& body, Pos close);

  // ---- types
  void type(const ast::DeclaredType& type);
  void constraint(const ast::DeclaredType& type);

  // ---- expressions
  void binary(const ast::Binary& node);
  void ternary(const ast::Ternary& node);
  void unary(const ast::Unary& node);
  void call(std::string_view name, const std::vector<ast::ExprPtr>& args, bool conditional, Pos begin, Pos close);
  void call_arguments(const std::vector<ast::ExprPtr>& args, bool conditional, Pos close);
  void bracketed(std::string_view open, const std::vector<ast::ExprPtr>& items, std::string_view close, Box box,
                 Span span);
  void expressions(const std::vector<ast::ExprPtr>& items, Pos close);
  void index(const ast::Index& index);

  const SourceMap& sources_;
  const std::vector<lex::Token>& tokens_;
  const Options& options_;
  Layout out_;
  TriviaQueue trivia_;
};

/// The place that decides which comments stand before a statement.
Pos first_location(const ast::Stmt& stmt);
Pos first_location(const ast::FunctionDef& function);

}  // namespace fermiac::format
