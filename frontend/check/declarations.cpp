// Declarations: sizes, constraints, initial values, names.
#include <algorithm>

#include "frontend/ast/blocks.h"
#include "frontend/check/checker.h"
#include "frontend/check/conversions.h"
#include "frontend/check/walk.h"

namespace fermiac::check {
namespace {

using namespace ast;

struct BoundWords {
  TransformKind kind;
  const char* first;
  const char* second;
};
constexpr BoundWords kBoundWords[] = {
    {TransformKind::Lower, "lower bound", ""},
    {TransformKind::Upper, "", "upper bound"},
    {TransformKind::LowerUpper, "lower bound", "upper bound"},
    {TransformKind::Offset, "offset", ""},
    {TransformKind::Multiplier, "", "multiplier"},
    {TransformKind::OffsetMultiplier, "offset", "multiplier"},
};

const BoundWords* words_of(TransformKind kind) {
  auto found = std::ranges::find(kBoundWords, kind, &BoundWords::kind);
  return found == std::end(kBoundWords) ? nullptr : found;
}

bool is_known_before_sampling(BlockKind origin) {
  return origin != BlockKind::Parameters && origin != BlockKind::TransformedParameters &&
         origin != BlockKind::GeneratedQuantities;
}

}  // namespace

/// The sizes of a block's variables: known before sampling, and the same in every run.
void Checker::size_is_known(const Expr& size) {
  visit_expressions(size, [&](const Expr& part) {
    if (const auto* name = std::get_if<Variable>(&part.node)) {
      const auto* variable = scope_.find(name->name.text);
      if (variable && !is_known_before_sampling(variable->origin))
        error(part.span, kSizeParameter, name->name.text, std::string(ast::block_name(variable->origin)));
    }
    if (const auto* call = std::get_if<Call>(&part.node); call && suffix_of(call->name.text) == Suffix::Rng)
      error(part.span, kSizeRng);
  });
}

void Checker::size(Expr& size) {
  expression(size);
  if (!size.type.is(BaseType::Int) && !size.type.is_error()) return error(size.span, kSizeType, size.type.str());
  if (context_.top_level && !free_assignment_) size_is_known(size);
}

void Checker::bound(const Stmt& stmt, const DeclaredType& type, Expr& value, const char* what) {
  expression(value);
  if (value.type.is_error()) return;
  const bool scalar = value.type.is_number();
  if (!scalar && value.type != type.type())
    return error(value.span, kBoundType, what, type.type().str(), value.type.str());
  if (type.type().is(BaseType::Int) && !value.type.is(BaseType::Int)) error(stmt.span, kIntBoundType, value.type.str());
}

void Checker::declared_type(const Stmt& stmt, DeclaredType& type) {
  for (auto& one : type.array_sizes) size(*one);
  for (auto& one : type.sizes) size(*one);
  for (auto& slot : type.slots) declared_type(stmt, slot);
  const auto* words = words_of(type.transform);
  if (!words) return;
  if (is_complex(type.base)) return error(stmt.span, kComplexConstraint);
  // one-sided forms may keep their expression in either place
  if (type.first) bound(stmt, type, *type.first, *words->first ? words->first : words->second);
  if (type.second) bound(stmt, type, *type.second, *words->second ? words->second : words->first);
}

void Checker::declare(const Name& name, const Type& type, VariableInfo::Role role, bool data) {
  if (!fresh_name(name)) return;
  const BlockKind origin = context_.block;
  const bool autodiff = !data && (origin == BlockKind::Functions || origin == BlockKind::Parameters ||
                                  origin == BlockKind::TransformedParameters || origin == BlockKind::Model);
  scope_.declare({name.text, type, level_of(type, autodiff), origin, role, name.span});
}

void Checker::initialiser(const Stmt& stmt, Declarator& declarator, const Type& type) {
  Expr& value = *declarator.init;
  expression(value);
  if (value.type.is_error()) return;
  bool reads_itself = false;
  visit_expressions(value, [&](const Expr& part) {
    const auto* name = std::get_if<Variable>(&part.node);
    reads_itself = reads_itself || (name && !name->is_function && name->name.text == declarator.name.text);
  });
  if (reads_itself) warn(stmt.span, kWarnSelfInit, declarator.name.text);
  if (is_function(value.type)) {
    const auto* name = std::get_if<Variable>(&unparenthesised(value).node);
    return error(stmt.span, kAssignFunction, name ? name->name.text : "the right side");
  }
  if (!converts(value.type, type)) error(stmt.span, kAssignTypes, "=", type.str(), value.type.str(), conversion_hint(value, type));
}

Flow Checker::run(Stmt& stmt, Declaration& node) {
  declared_type(stmt, node.type);
  const Type type = node.type.type();
  const bool parameters = context_.block == BlockKind::Parameters || context_.block == BlockKind::TransformedParameters;
  if (context_.top_level && parameters && contains_int(type))
    error(stmt.span, kIntParameter, context_.block == BlockKind::Parameters ? "Model" : "Transformed");
  for (auto& declarator : node.names) {
    declare(declarator.name, type);
    if (declarator.init) initialiser(stmt, declarator, type);
  }
  return Flow::Incomplete;
}

}  // namespace fermiac::check
