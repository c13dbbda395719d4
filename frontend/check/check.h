// The type checker. Fills the fields of the syntax tree that are marked "checker" and reports what is wrong with it.
//
// The first error ends the reports unless `all_errors` is set; an ill-typed expression is poisoned, so that one mistake
// gives one message. Warnings are reported only if there is no error: those of types first, deprecations last.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/check/check_options.h"
#include "support/base/diagnostics.h"

namespace fermiac {

/// True if the program is well typed.
bool check_program(ast::Program& program, const CheckOptions& options, Diagnostics& diagnostics);

/// Names of the functions whose arguments have rules of their own (ode_rk45, reduce_sum, laplace_marginal, …). They are
/// built in but not in the table of built-ins, and cannot be overloaded.
std::vector<std::string_view> special_function_names();

/// Checks text piece by piece against what was declared before: for a read-eval-print loop. What fails to check leaves
/// the session as it was. Function indexes in resolutions count all functions ever added, from 0.
class CheckSession {
 public:
  explicit CheckSession(CheckOptions options = {});
  ~CheckSession();
  CheckSession(CheckSession&&) noexcept;
  CheckSession& operator=(CheckSession&&) noexcept;

  /// A whole program; its functions and top-level variables stay in scope.
  bool program(ast::Program& program, Diagnostics& diagnostics);
  /// A function replaces an earlier piece's function of the same name and argument types; other overloads stay.
  bool functions(std::vector<ast::FunctionDef>& functions, Diagnostics& diagnostics);
  /// The same for functions of a program that has passed check_program(): only their signatures are checked.
  bool checked_functions(const std::vector<ast::FunctionDef>& functions, Diagnostics& diagnostics);
  /// Statements as at the top of `block`. Variables they declare stay in scope and may be assigned from any block.
  bool statements(std::vector<ast::StmtPtr>& statements, ast::BlockKind block, Diagnostics& diagnostics);
  bool expression(ast::Expr& expression, ast::BlockKind block, Diagnostics& diagnostics);

  /// Adds a variable that no text declared. False if the name is taken.
  bool declare(std::string_view name, const Type& type, ast::BlockKind origin);
  /// Takes a variable out of scope. False if there is none.
  bool forget_variable(std::string_view name);
  /// Takes all overloads of a function out of scope. False if there are none.
  bool forget_functions(std::string_view name);
  struct Declared {
    std::string_view name;
    Type type;
    ast::BlockKind origin;
  };
  std::vector<Declared> variables() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fermiac
