// The state of one lowering and its parts, one .cpp file per kind of construct. Private to mir/lower.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "frontend/ast/ast.h"
#include "mir/ir/build.h"
#include "mir/ir/ir.h"
#include "mir/ir/symbols.h"

namespace fermiac::mir {

/// The source form of an expression, as run-time messages about sizes quote it.
std::string expr_text(const ast::Expr& expr);

}  // namespace fermiac::mir

namespace fermiac::mir::lowering {

using Statements = std::vector<StmtPtr>;

/// The function that a call was resolved to.
FunctionKind function_kind(const ast::Resolution& resolution, bool propto);

inline void append(Statements& out, Statements more) {
  for (StmtPtr& stmt : more) out.push_back(std::move(stmt));
}

/// Statements of a top-level block; the value checks of constrained variables are kept apart, because they run last.
struct BlockParts {
  Statements body;
  Statements checks;
};

/// An lvalue with the type of its unindexed base.
struct Destination {
  LValue left;
  Type unindexed;
};

class Lowerer {
 public:
  explicit Lowerer(const ast::Program& program) : program_(program) {}
  Program run();

 private:
  // expressions.cpp
  AdLevel level(const ast::Expr& expr) const;
  ExprPtr expr(const ast::Expr& expr);
  std::vector<ExprPtr> exprs(const std::vector<ast::ExprPtr>& list);
  std::vector<Index> indexes(const std::vector<ast::Index>& list);
  std::vector<ExprPtr> arguments(const std::vector<ast::ExprPtr>& args, const std::vector<Formal>& formals);
  ExprPtr call(const ast::Expr& at, const ast::Resolution& resolution, const std::vector<ast::ExprPtr>& args);
  ExprPtr variable(const ast::Expr& at, const ast::Variable& name);
  ExprPtr literal_of(const ast::Expr& at, Internal maker, const std::vector<ast::ExprPtr>& items);
  ExprPtr binary(const ast::Expr& at, const ast::Binary& node);
  ExprPtr unary(const ast::Expr& at, const ast::Unary& node);
  ExprPtr ternary(const ast::Expr& at, const ast::Ternary& node);
  ExprPtr finish(const ast::Expr& at, decltype(Expr::node) node) const;

  // statements.cpp
  Statements statement(const ast::Stmt& stmt);
  Statements statements(const std::vector<ast::StmtPtr>& list);
  StmtPtr one(const ast::Stmt& stmt);
  Destination destination(const ast::Expr& left);
  AdLevel destination_level(const ast::Expr& left) const;
  StmtPtr assignment(const ast::Assignment& node, Span span);
  StmtPtr compound(const ast::Assignment& node, Span span);
  StmtPtr unpack(const ast::TupleLiteral& left, const ExprPtr& right, Span span);
  StmtPtr returning(const ast::Return& node, Span span);
  StmtPtr procedure(const ast::ProcedureCall& node, Span span);
  StmtPtr conditional(const ast::If& node, Span span);
  StmtPtr range_loop(const ast::ForRange& node, Span span);
  StmtPtr foreach_loop(const ast::ForEach& node, Span span);
  StmtPtr loop_body(const ast::Stmt& body);
  StmtPtr foreach_loop_over(const ast::ForEach& node, const ExprPtr& container, Span span);
  Statements breaking(Span span) const;
  StmtPtr foreach_over(const std::string& name, const ExprPtr& container, const ast::Stmt& body, Span span);
  StmtPtr foreach_element(const std::string& name, const ExprPtr& container, const std::string& counter,
                          const ast::Stmt& body, Span span);
  Statements local_declaration(const ast::Declaration& node, Span span);

  // distributions.cpp
  Statements tilde(const ast::Tilde& node, Span span);
  StmtPtr truncation(const ast::Tilde& node, Span span);

  // declarations.cpp
  enum class SizeMode { Local, Output, Parameter };
  SizedType sized(const ast::DeclaredType& type, const std::string& path, SizeMode mode, Statements& checks);
  ExprPtr size(const ast::Expr& size, const std::string& path, int position, Internal validate, SizeMode mode,
               Statements& checks);
  StmtPtr declaration(const ast::Declaration& node, const ast::Declarator& name, const SizedType& type, Span span);
  Statements initialiser(const ast::Declaration& node, const ast::Declarator& name, Span span);
  Transform transform(const ast::DeclaredType& type);
  void slot_transforms(const ast::DeclaredType& type, std::vector<Transform>& out);
  using Leaf = std::function<Statements(const ast::DeclaredType&, const ExprPtr& value, const std::string& text)>;
  Statements each_leaf(const ast::DeclaredType& declared, const SizedType& type, const ExprPtr& value,
                       const std::string& text, Span span, const Leaf& leaf);
  Statements matching_dims(const ast::DeclaredType& declared, const SizedType& type, const ExprPtr& value,
                           const std::string& name, Span span);
  Statements value_checks(const ast::DeclaredType& declared, const SizedType& type, const ExprPtr& value,
                          const std::string& name, Span span);

  // program.cpp
  Function function(const ast::FunctionDef& def);
  bool defined_elsewhere(const ast::FunctionDef& def) const;
  void data_block(const ast::ProgramBlock& block, Program& out);
  void input_variable(const ast::Declaration& node, const ast::Declarator& name, Span span, Program& out);
  BlockParts block_parts(const ast::ProgramBlock& block);
  Statements global_declaration(const ast::Declaration& node, Span span, Statements& checks);
  void output_block(const ast::ProgramBlock& block, ast::BlockKind kind, Program& out);
  void output_variable(const ast::Declaration& node, const ast::Declarator& name, ast::BlockKind kind, Span span,
                       Program& out);
  Statements parameter_declarations();
  void log_prob(Program& out);
  void generate_quantities(Program& out);

  const ast::Program& program_;
  Symbols symbols_;
  bool autodiff_ = true;  // whether variables of the current block carry derivatives
  const ast::FunctionDef* function_ = nullptr;
  std::string break_flag_;  // set before a `break` that leaves two loops; empty: it leaves one
  std::map<std::string, SizedType> output_types_;  // sizes of parameters, transformed parameters, generated quantities
};

}  // namespace fermiac::mir::lowering
