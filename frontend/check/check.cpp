// Programs and sessions.
#include "frontend/check/check.h"

#include "frontend/ast/blocks.h"
#include "frontend/check/annotations.h"
#include "frontend/check/checker.h"
#include "frontend/check/conversions.h"

namespace fermiac {
namespace check {

void Checker::top_level(std::vector<ast::StmtPtr>& body, ast::BlockKind block) {
  set_block(block);
  statements(body);
}

void Checker::collect_top_level_names(const ast::Program& program) {
  for (const auto& [kind, text, identifier, mir_name, member] : ast::kStatementBlocks) {
    const std::optional<ast::ProgramBlock>& block = program.*member;
    if (!block || kind == ast::BlockKind::Model) continue;
    for (const auto& stmt : block->body)
      if (const auto* declaration = std::get_if<ast::Declaration>(&stmt->node))
        for (const auto& declared : declaration->names) top_level_names_.emplace(declared.name.text, TopLevelName{text, declared.name.span});
  }
}

void Checker::program(ast::Program& program) {
  using ast::BlockKind;
  collect_top_level_names(program);
  function_definitions(program.functions);
  for (const auto& [kind, text, identifier, mir_name, member] : ast::kStatementBlocks) {
    std::optional<ast::ProgramBlock>& block = program.*member;
    if (!block || stopped()) continue;
    const auto mark = scope_.mark();
    top_level(block->body, kind);
    if (kind == BlockKind::Model) scope_.release(mark);  // its variables are not seen by generated quantities
  }
}

bool Checker::finish() {
  if (!stopped()) check_second_order();
  const bool good = errors_ == 0;
  if (good)
    for (auto* list : {&warnings_, &deprecations_})
      for (auto& report : *list) diagnostics_->add(std::move(report));
  warnings_.clear();
  deprecations_.clear();
  unknown_names_.clear();
  top_level_names_.clear();
  errors_ = 0;
  return good;
}

}  // namespace check

bool check_program(ast::Program& program, const CheckOptions& options, Diagnostics& diagnostics) {
  check::Checker checker(options, diagnostics);
  checker.program(program);
  if (!checker.finish()) return false;
  check::check_annotations(program, options.for_cpp, diagnostics);
  return true;
}

std::vector<std::string_view> special_function_names() {
  return check::special_form_names();
}

// ---------------------------------------------------------------- sessions

struct CheckSession::State {
  explicit State(CheckOptions options) : checker(options, none) { checker.assign_from_anywhere(); }
  Diagnostics none;
  check::Checker checker;
};

CheckSession::CheckSession(CheckOptions options) : state_(std::make_unique<State>(std::move(options))) {}
CheckSession::~CheckSession() = default;
CheckSession::CheckSession(CheckSession&&) noexcept = default;
CheckSession& CheckSession::operator=(CheckSession&&) noexcept = default;

namespace {

/// Runs one piece; what it declared goes again if it does not check.
template <class Piece>
bool attempt(check::Checker& checker, Diagnostics& diagnostics, const Piece& piece) {
  checker.set_diagnostics(diagnostics);
  const auto mark = checker.scope().mark();
  const int count = checker.function_count();
  auto functions = checker.functions();
  piece();
  if (checker.finish()) return true;
  checker.scope().release(mark);
  checker.functions() = std::move(functions);
  checker.set_function_count(count);
  return false;
}

}  // namespace

bool CheckSession::program(ast::Program& program, Diagnostics& diagnostics) {
  return attempt(state_->checker, diagnostics, [&] { state_->checker.program(program); });
}

bool CheckSession::functions(std::vector<ast::FunctionDef>& functions, Diagnostics& diagnostics) {
  return attempt(state_->checker, diagnostics, [&] { state_->checker.function_definitions(functions); });
}

bool CheckSession::checked_functions(const std::vector<ast::FunctionDef>& functions, Diagnostics& diagnostics) {
  return attempt(state_->checker, diagnostics, [&] { state_->checker.checked_functions(functions); });
}

bool CheckSession::statements(std::vector<ast::StmtPtr>& statements, ast::BlockKind block, Diagnostics& diagnostics) {
  return attempt(state_->checker, diagnostics, [&] { state_->checker.top_level(statements, block); });
}

bool CheckSession::expression(ast::Expr& expression, ast::BlockKind block, Diagnostics& diagnostics) {
  return attempt(state_->checker, diagnostics, [&] {
    state_->checker.set_block(block);
    state_->checker.expression(expression);
    state_->checker.expect_no_function_value(expression);
  });
}

bool CheckSession::declare(std::string_view name, const Type& type, ast::BlockKind origin) {
  auto& scope = state_->checker.scope();
  if (scope.find(name)) return false;
  const bool autodiff = origin == ast::BlockKind::Parameters || origin == ast::BlockKind::TransformedParameters ||
                        origin == ast::BlockKind::Model || origin == ast::BlockKind::Functions;
  scope.declare({std::string(name), type, check::level_of(type, autodiff), origin});
  return true;
}

bool CheckSession::forget_variable(std::string_view name) { return state_->checker.scope().forget(name); }

bool CheckSession::forget_functions(std::string_view name) { return state_->checker.functions().forget(name); }

std::vector<CheckSession::Declared> CheckSession::variables() const {
  std::vector<Declared> out;
  for (const auto& variable : state_->checker.scope().variables())
    out.push_back({variable.name, variable.type, variable.origin});
  return out;
}

}  // namespace fermiac
