// The left sides of assignments.
#include <algorithm>
#include <set>

#include "frontend/check/checker.h"
#include "frontend/check/conversions.h"
#include "frontend/check/walk.h"
#include "support/base/check.h"

namespace fermiac::check {
namespace {

using namespace ast;

/// The variable at the root of a destination, and what lies between.
const Variable* root_of(const Expr& left) {
  if (const auto* variable = std::get_if<Variable>(&left.node)) return variable;
  if (const auto* indexed = std::get_if<Indexed>(&left.node)) return root_of(*indexed->base);
  if (const auto* projection = std::get_if<Projection>(&left.node)) return root_of(*projection->tuple);
  return nullptr;
}

/// A destination as the path from its root: slots count, indexes do not (`x[1]` and `x[2]` are the same place).
std::string path_of(const Expr& left) {
  if (const auto* variable = std::get_if<Variable>(&left.node)) return variable->name.text;
  if (const auto* indexed = std::get_if<Indexed>(&left.node)) return path_of(*indexed->base);
  if (const auto* projection = std::get_if<Projection>(&left.node)) {
    const auto start = std::min(projection->slot.find_first_not_of('0'), projection->slot.size());
    return path_of(*projection->tuple) + "." + projection->slot.substr(start);
  }
  return "";
}

template <class Visit>
void each_destination(const Expr& left, const Visit& visit) {
  if (const auto* tuple = std::get_if<TupleLiteral>(&left.node)) {
    for (const auto& item : tuple->items) each_destination(*item, visit);
    return;
  }
  visit(left);
}

void each_index(const Expr& left, const ExprVisitor& visit) {
  if (const auto* indexed = std::get_if<Indexed>(&left.node)) {
    for (const auto& index : indexed->indexes) {
      if (index.low) visit_expressions(*index.low, visit);
      if (index.high) visit_expressions(*index.high, visit);
    }
    each_index(*indexed->base, visit);
  }
  if (const auto* projection = std::get_if<Projection>(&left.node)) each_index(*projection->tuple, visit);
}

bool overlap(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  return b.starts_with(a) && (a.size() == b.size() || b[a.size()] == '.');
}

const char* block_text(BlockKind block) {
  switch (block) {
    case BlockKind::Data:
      return "it is declared in data and cannot be changed";
    case BlockKind::Parameters:
      return "it is a parameter and cannot be changed";
    default:
      return "it belongs to an earlier block and can only be changed there";
  }
}

}  // namespace

bool Checker::may_write(const Name& name, const VariableInfo& variable) {
  if (variable.role == VariableInfo::Role::Argument)
    return error(name.span, kAssignReadOnly, name.text, "it is a function argument; copy it to a local variable first"),
           false;
  if (variable.role == VariableInfo::Role::LoopVariable)
    return error(name.span, kAssignReadOnly, name.text, "it is a loop variable"), false;
  if (free_assignment_) return true;
  const bool constant = variable.origin == BlockKind::Data || variable.origin == BlockKind::Parameters;
  if (constant || variable.origin != context_.block)
    return error(name.span, kAssignReadOnly, name.text, block_text(variable.origin)), false;
  return true;
}

void Checker::destination_variable(Expr& left, Variable& node) {
  left.type = BaseType::Error;
  left.ad = {};
  if (!usable_name(node.name)) return;
  const auto* variable = scope_.find(node.name.text);
  if (!variable) {
    if (context_.in_function() && !functions_.find(node.name.text).empty())
      return error(assignment_, kAssignFunction, node.name.text);
    if (resolver_.exists(node.name.text) || is_special_form(node.name.text))
      return error(node.name.span, kAssignReadOnly, node.name.text, "it is a function");
    return undeclared(node.name, true);
  }
  if (!may_write(node.name, *variable)) return;
  left.type = variable->type;
  left.ad = context_.block == BlockKind::GeneratedQuantities ? level_of(left.type, false) : variable->ad;
}

/// Types a variable with its indexes and slots.
void Checker::destination_part(Expr& left) {
  if (auto* variable = std::get_if<Variable>(&left.node)) return destination_variable(left, *variable);
  if (auto* projection = std::get_if<Projection>(&left.node)) {
    destination_part(*projection->tuple);
    return slot_of(left, *projection);
  }
  auto* indexed = std::get_if<Indexed>(&left.node);
  FERMIAC_CHECK(indexed,
                "the parser lets through only variables, indexes, slots and tuples on the left of an assignment");
  destination_part(*indexed->base);
  indexes_of(left, *indexed);
}

void Checker::written_once(const Expr& left) {
  std::vector<std::string> paths;
  each_destination(left, [&](const Expr& part) {
    auto path = path_of(part);
    for (const auto& other : paths)
      if (overlap(path, other)) return error(left.span, kWrittenTwice, root_of(part)->name.text);
    paths.push_back(std::move(path));
  });
}

void Checker::not_read_on_the_left(const Expr& left) {
  std::set<std::string, std::less<>> written;
  each_destination(left, [&](const Expr& part) {
    if (const auto* root = root_of(part)) written.insert(root->name.text);
  });
  each_destination(left, [&](const Expr& part) {
    each_index(part, [&](const Expr& inner) {
      const auto* name = std::get_if<Variable>(&inner.node);
      if (name && !name->is_function && written.count(name->name.text))
        error(left.span, kReadAndWritten, name->name.text);
    });
  });
}

namespace {

/// Whether a pair of brackets other than the last one holds a range or another multiple index.
bool has_nested_multi_index(const Expr& left) {
  const Expr* part = &left;
  bool last = true;
  while (true) {
    if (const auto* projection = std::get_if<Projection>(&part->node)) {
      part = projection->tuple.get();
      last = false;
    } else if (const auto* indexed = std::get_if<Indexed>(&part->node)) {
      const bool multi = std::ranges::any_of(
          indexed->indexes, [](const Index& index) { return index.kind != Index::Kind::Single || index.multi; });
      if (multi && !last) return true;
      last = false;
      part = indexed->base.get();
    } else {
      return false;
    }
  }
}

}  // namespace

void Checker::destination(Expr& left) {
  if (auto* tuple = std::get_if<TupleLiteral>(&left.node)) {
    std::vector<Type> slots;
    left.ad = {};
    for (auto& item : tuple->items) {
      destination(*item);
      slots.push_back(item->type);
      left.ad.slots.push_back(item->ad);
    }
    const bool poisoned = std::ranges::any_of(slots, [](const Type& type) { return type.is_error(); });
    left.type = poisoned ? Type() : Type::tuple(std::move(slots));
    return;
  }
  destination_part(left);
  if (has_nested_multi_index(left)) error(left.span, kNestedMultiIndex);
}

namespace {
constexpr const char* kCompoundNames[] = {"+=", "-=", "*=", "/=", "%/%=", "%=", "\\=", ".*=", "./="};
}

/// A tuple with a function's name among its slots is reported like an assigned function: as the whole statement.
bool Checker::names_function(Span where, const Expr& right) {
  const auto* tuple = std::get_if<TupleLiteral>(&unparenthesised(right).node);
  if (!tuple) return false;
  for (const auto& item : tuple->items) {
    const auto* name = std::get_if<Variable>(&item->node);
    if (!name || scope_.find(name->name.text) || !resolver_.exists(name->name.text)) continue;
    error(where, kAssignFunction, name->name.text);
    return true;
  }
  return false;
}

Flow Checker::run(Stmt& stmt, Assignment& node) {
  assignment_ = node.op ? node.right->span : stmt.span;
  destination(*node.left);
  written_once(*node.left);
  not_read_on_the_left(*node.left);
  if (names_function(stmt.span, *node.right)) return Flow::Incomplete;
  expression(*node.right);
  const Type& left = node.left->type;
  const Type& right = node.right->type;
  if (left.is_error() || right.is_error()) return Flow::Incomplete;
  if (is_function(right)) {
    const auto* name = std::get_if<Variable>(&unparenthesised(*node.right).node);
    error(stmt.span, kAssignFunction, name ? name->name.text : "the right side");
    return Flow::Incomplete;
  }
  if (node.op) {
    if (!compound_operator(left, node))
      error(node.right->span, kAssignTypes, kCompoundNames[static_cast<std::size_t>(*node.op)], left.str(),
            right.str(), conversion_hint(*node.right, left));
    return Flow::Incomplete;
  }
  if (!converts(right, left)) error(node.right->span, kAssignTypes, "=", left.str(), right.str(), conversion_hint(*node.right, left));
  if (same_expression(*node.left, *node.right)) warn(stmt.span, kWarnSelfAssign);
  return Flow::Incomplete;
}

}  // namespace fermiac::check
