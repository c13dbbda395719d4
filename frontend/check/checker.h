// The checker's working state. Its member functions are spread over the files of this folder by what they check.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/check/check_options.h"
#include "frontend/check/messages.h"
#include "frontend/check/resolve.h"
#include "frontend/check/scope.h"
#include "frontend/check/special_forms.h"

namespace fermiac::check {

/// How control leaves a statement.
enum class Flow : std::uint8_t { Incomplete, Complete, NonLocal };

/// Where the checker is; saved and restored around functions and loops.
struct Context {
  ast::BlockKind block = ast::BlockKind::Model;
  Suffix suffix = Suffix::Plain;  // of the enclosing function
  std::optional<Type> returns;    // of the enclosing function
  int loops = 0;
  bool top_level = false;  // directly in a program block other than model

  bool in_function() const { return returns.has_value(); }
};

class Checker {
 public:
  Checker(const CheckOptions& options, Diagnostics& diagnostics)
      : options_(options), diagnostics_(&diagnostics), resolver_(functions_) {}
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  // program.cpp
  void program(ast::Program& program);
  void function_definitions(std::vector<ast::FunctionDef>& definitions);
  /// Functions whose bodies have been checked.
  void checked_functions(const std::vector<ast::FunctionDef>& definitions);
  void top_level(std::vector<ast::StmtPtr>& body, ast::BlockKind block);

  // expressions.cpp
  void expression(ast::Expr& expr);

  void set_block(ast::BlockKind block) {
    context_ = {block, Suffix::Plain, std::nullopt, 0, block != ast::BlockKind::Model};
  }
  void set_diagnostics(Diagnostics& diagnostics) { diagnostics_ = &diagnostics; }
  /// Hands the warnings over unless there were errors; true if there were none.
  bool finish();
  Scope& scope() { return scope_; }
  FunctionTable& functions() { return functions_; }
  int function_count() const { return function_count_; }
  void set_function_count(int count) { function_count_ = count; }
  void assign_from_anywhere() { free_assignment_ = true; }
  void expect_no_function_value(ast::Expr& expr);

 private:
  template <class... Args>
  void error(Span span, const Diagnostic<Args...>& what, const std::type_identity_t<Args>&... args) {
    error_with({}, span, what, args...);
  }
  template <class... Args>
  void error_with(ReportNotes notes, Span span, const Diagnostic<Args...>& what, const std::type_identity_t<Args>&... args) {
    if (++errors_ == 1 || (options_.all_errors && errors_ <= CheckOptions::kMostErrors))
      diagnostics_->report_with(std::move(notes), span, what, args...);
  }
  template <class... Args>
  void warn(Span span, const Diagnostic<Args...>& what, const std::type_identity_t<Args>&... args) {
    warn_with({}, span, what, args...);
  }
  template <class... Args>
  void warn_with(ReportNotes notes, Span span, const Diagnostic<Args...>& what, const std::type_identity_t<Args>&... args) {
    auto& list = what.group == WarningGroup::Deprecation ? deprecations_ : warnings_;
    list.push_back({what.id, what.kind, what.group, span, fmt::format(fmt::runtime(what.text), args...), std::move(notes)});
  }
  bool stopped() const { return errors_ > 0 && !options_.all_errors; }

  // names.cpp
  bool usable_name(const ast::Name& name);
  bool fresh_name(const ast::Name& name);
  void undeclared(const ast::Name& name, bool assigned = false);
  std::string undeclared_hint(const ast::Name& name, ReportNotes& notes) const;
  void collect_top_level_names(const ast::Program& program);
  std::string draw_hint(const std::string& name) const;
  std::string distribution_hint(const ast::Name& name, ReportNotes& notes) const;
  std::string near_distribution(const ast::Name& name, ReportNotes& notes) const;
  std::string nearest_name(std::string_view name, bool functions_only) const;
  std::string did_you_mean(const ast::Name& name, bool functions_only, ReportNotes& notes) const;

  // expressions.cpp
  void check(ast::Expr& e, ast::IntLiteral& node);
  void check(ast::Expr& e, ast::RealLiteral& node);
  void check(ast::Expr& e, ast::ImagLiteral& node);
  void check(ast::Expr& e, ast::StringLiteral& node);
  void check(ast::Expr& e, ast::Variable& node);
  void check(ast::Expr& e, ast::Call& node);
  void check(ast::Expr& e, ast::TargetValue& node);
  void check(ast::Expr& e, ast::ArrayLiteral& node);
  void check(ast::Expr& e, ast::RowLiteral& node);
  void check(ast::Expr& e, ast::TupleLiteral& node);
  void check(ast::Expr& e, ast::Paren& node);
  void check(ast::Expr& e, ast::Binary& node);
  void check(ast::Expr& e, ast::Unary& node);
  void check(ast::Expr& e, ast::Ternary& node);
  void check(ast::Expr& e, ast::Projection& node);
  void check(ast::Expr& e, ast::Indexed& node);
  void expressions(std::vector<ast::ExprPtr>& items);
  void function_value(ast::Expr& e, ast::Variable& node);
  void slot_of(ast::Expr& e, ast::Projection& node);
  void index(ast::Index& index);
  void range_bound(ast::Expr* bound);
  std::optional<Type> indexed_type(const Type& base, const std::vector<ast::Index>& indexes) const;
  void indexes_of(ast::Expr& e, ast::Indexed& node);

  // operators.cpp
  std::optional<Match> operator_match(std::span<const Builtin> functions, Arguments arguments,
                                      ast::Resolution& resolution);
  std::string operator_signatures(std::span<const Builtin> functions, Arguments arguments) const;
  void binary_warnings(const ast::Expr& e, const ast::Binary& node);
  bool compare_with_zero(ast::Expr& real);
  void logical_operand(ast::ExprPtr& operand);
  bool compound_operator(const Type& left, ast::Assignment& node);

  // calls.cpp
  Type application(Span where, const ast::Name& name, std::vector<ast::ExprPtr>& args, bool conditional,
                   ast::Resolution& out);
  Type ordinary_call(Span where, const ast::Name& name, Arguments args, ast::Resolution& out);
  bool callable_name(Span where, const ast::Name& name);
  bool bar_is_right(Span where, const ast::Name& name, Arguments args, bool conditional);
  bool placement(Span where, std::string_view name);
  void unknown_function(Span where, const ast::Name& called);
  void deprecated_function(const ast::Name& name);
  void jacobian_of_data(Span where, const ast::Name& name, Arguments args);
  void accept(const Match& match, const std::string& name, Arguments args, ast::Resolution& out);

  // higher_order.cpp
  std::optional<Type> special_form(Span where, const ast::Name& name, std::vector<ast::ExprPtr>& args,
                                   ast::Resolution& out);
  struct VariadicForm;
  struct CallbackMatch;
  Type variadic(Span where, const VariadicForm& form, std::vector<ast::ExprPtr>& args, ast::Resolution& out);
  Type reduce_sum(Span where, const ast::Name& name, std::vector<ast::ExprPtr>& args, ast::Resolution& out);
  void no_callback(const std::string& name, const std::vector<ast::ExprPtr>& args,
                   const std::vector<CallbackMatch>& matches);
  Type choose_callback(Span where, const std::string& name, std::vector<ast::ExprPtr>& args,
                       const std::vector<CallbackMatch>& matches, ast::Resolution& out, const Type& result);

  // laplace.cpp
  struct LaplaceCall;
  Type laplace(Span where, const ast::Name& name, std::vector<ast::ExprPtr>& args, ast::Resolution& out);
  bool laplace_likelihood(LaplaceCall& call);
  bool laplace_callback(LaplaceCall& call, bool likelihood);
  bool laplace_arguments(LaplaceCall& call, bool likelihood, const std::vector<Candidate>& fitting);
  bool laplace_wrong(const LaplaceCall& call, Span place, const std::string& text);
  bool laplace_block_size(LaplaceCall& call);
  bool laplace_control(LaplaceCall& call);
  void check_second_order();
  void remember_calls(const ast::FunctionDef& definition);

  // statements.cpp
  Flow statement(ast::Stmt& stmt);
  Flow statements(std::vector<ast::StmtPtr>& body);
  Flow scoped(ast::Stmt& stmt);
  Flow run(ast::Stmt& stmt, ast::Declaration& node);
  Flow run(ast::Stmt& stmt, ast::Assignment& node);
  Flow run(ast::Stmt& stmt, ast::ProcedureCall& node);
  Flow run(ast::Stmt& stmt, ast::TargetPlus& node);
  Flow run(ast::Stmt& stmt, ast::JacobianPlus& node);
  Flow run(ast::Stmt& stmt, ast::Tilde& node);
  Flow run(ast::Stmt& stmt, ast::Break& node);
  Flow run(ast::Stmt& stmt, ast::Continue& node);
  Flow run(ast::Stmt& stmt, ast::Return& node);
  Flow run(ast::Stmt& stmt, ast::Print& node);
  Flow run(ast::Stmt& stmt, ast::If& node);
  Flow run(ast::Stmt& stmt, ast::While& node);
  Flow run(ast::Stmt& stmt, ast::ForRange& node);
  Flow run(ast::Stmt& stmt, ast::ForEach& node);
  Flow run(ast::Stmt& stmt, ast::Profile& node);
  Flow run(ast::Stmt& stmt, ast::Block& node);
  Flow run(ast::Stmt& stmt, ast::Skip& node);
  void condition(ast::Expr& test);
  void term(Span where, ast::Expr& value);
  bool loop_statement(Span where, const char* word);
  Flow loop_body(const ast::Name& variable, const Type& type, ast::Stmt& body);

  // assignments.cpp
  void destination(ast::Expr& left);
  void destination_part(ast::Expr& left);
  void destination_variable(ast::Expr& left, ast::Variable& node);
  bool names_function(Span where, const ast::Expr& right);
  bool may_write(const ast::Name& name, const VariableInfo& variable);
  void written_once(const ast::Expr& left);
  void not_read_on_the_left(const ast::Expr& left);

  // distributions.cpp
  void suffixed(const ast::Name& name, const std::string& plain);
  bool tilde_name(const ast::Stmt& stmt, const ast::Tilde& node);
  void tilde_density(const ast::Stmt& stmt, ast::Tilde& node);
  void truncation(const ast::Stmt& stmt, ast::Tilde& node);
  bool truncation_bounds(ast::Truncation& truncation);
  bool truncation_function(const ast::Stmt& stmt, ast::Tilde& node, ast::Expr& bound, const std::string& name,
                           ast::Resolution& out);

  // declarations.cpp
  void declared_type(const ast::Stmt& stmt, ast::DeclaredType& type);
  void size(ast::Expr& size);
  void size_is_known(const ast::Expr& size);
  void bound(const ast::Stmt& stmt, const ast::DeclaredType& type, ast::Expr& value, const char* what);
  void initialiser(const ast::Stmt& stmt, ast::Declarator& declarator, const Type& type);
  void declare(const ast::Name& name, const Type& type, VariableInfo::Role role = VariableInfo::Role::Declared,
               bool data = false);

  // functions.cpp
  void function_signatures(const std::vector<ast::FunctionDef>& definitions);
  void function_signature(const ast::FunctionDef& definition, int index);
  bool function_name_is_free(const ast::FunctionDef& definition);
  bool density_rules(const ast::FunctionDef& definition, std::span<const Formal> formals, const Type& result);
  bool fits_earlier(const ast::FunctionDef& definition, UserFunction& earlier, const UserFunction& now);
  void function_body(ast::FunctionDef& definition);
  void all_defined(const std::vector<ast::FunctionDef>& definitions);

  CheckOptions options_;
  Diagnostics* diagnostics_;
  Scope scope_;
  FunctionTable functions_;
  Resolver resolver_;
  Context context_;
  std::size_t errors_ = 0;
  int function_count_ = 0;
  int first_of_piece_ = 0;  // the first index of the functions that are checked together
  bool free_assignment_ = false;
  Span assignment_;  // what to point at when a function is assigned to
  std::vector<Report> warnings_, deprecations_;
  struct TopLevelName {
    std::string_view block;  // that declares it
    Span span;
  };
  NameMap<TopLevelName> top_level_names_;
  std::set<std::string> unknown_names_;        // reported already

  struct LaplaceUse {
    std::string likelihood;
    Span span;
  };
  std::vector<LaplaceUse> laplace_uses_;
  NameMap<std::vector<std::string>> calls_;  // function name to the names it calls or passes on
};

/// An operand as the program writes it, roughly: enough for a suggestion.
std::string operand_text(const ast::Expr& expr);
/// What may have been meant by an operator whose operands do not fit, on a line of its own; empty if there is no idea.
std::string operator_hint(ast::BinaryOp op, const ast::Expr& left, const ast::Expr& right);

}  // namespace fermiac::check
