#include "interp/exec/lowering/jit_lowering.h"

#include <utility>

#include "support/platform/stack.h"

namespace fermiac::interp {

using jit::Condition;
using jit::Op;
using jit::Operand;
using jit::RegisterKind;

namespace {

struct Relation {
  Builtin function;
  Condition condition;
};
constexpr Relation kRelations[] = {
    {Builtin::logical_lt, Condition::Less},
    {Builtin::logical_lte, Condition::LessOrEqual},
    {Builtin::logical_gt, Condition::Greater},
    {Builtin::logical_gte, Condition::GreaterOrEqual},
    {Builtin::logical_eq, Condition::Equal},
    {Builtin::logical_neq, Condition::NotEqual},
};

}  // namespace

const mir::FunApp* JitLowering::library_of_numbers(const mir::Expr& e) {
  const mir::FunApp* f = mir::as_call(e);
  return f && std::holds_alternative<mir::StanLib>(f->fn) && all_numbers(f->args) ? f : nullptr;
}

std::optional<Condition> JitLowering::comparison(const mir::Expr& e) {
  const mir::FunApp* f = library_of_numbers(e);
  const Relation* row = f ? find_row<Relation>(kRelations, std::get<mir::StanLib>(f->fn).fn) : nullptr;
  return row ? std::optional(row->condition) : std::nullopt;
}

const mir::Expr* JitLowering::negated(const mir::Expr& e) {
  const mir::FunApp* f = library_of_numbers(e);
  if (!f || library_function(std::get<mir::StanLib>(f->fn).fn) != Builtin::logical_negation) return nullptr;
  return f->args[0]->type.is(BaseType::Int) ? f->args[0].get() : nullptr;
}

void JitLowering::branch(const mir::Expr& e, std::uint32_t to, bool when) {
  if (stack_runs_out()) throw NotLowered{};
  if (const auto* a = std::get_if<mir::EAnd>(&e.node)) return both(*a->left, *a->right, to, when, false);
  if (const auto* o = std::get_if<mir::EOr>(&e.node)) return both(*o->left, *o->right, to, when, true);
  if (const mir::Expr* inner = negated(e)) return branch(*inner, to, !when);
  if (const std::optional<Condition> compare = comparison(e)) return compare_and_jump(e, *compare, to, when);
  const Operand x = integer(e);
  push({.op = Op::JumpIfInt, .condition = when ? Condition::NotEqual : Condition::Equal, .a = x, .b = int_constant(0), .at = to});
}

void JitLowering::both(const mir::Expr& left, const mir::Expr& right, std::uint32_t to, bool when, bool any) {
  if (when == any) return branch(left, to, when), branch(right, to, when);
  const std::uint32_t skip = label();
  branch(left, skip, !when);
  branch(right, to, when);
  bind(skip);
}

void JitLowering::compare_and_jump(const mir::Expr& e, Condition condition, std::uint32_t to, bool when) {
  ++own_;
  const std::vector<mir::ExprPtr>& args = mir::as_call(e)->args;
  if (all_ints(args)) {
    Operand a = integer(*args[0]);
    const Operand b = integer(*args[1]);
    if (a.is_int_constant()) a = in_register(a);
    push({.op = Op::JumpIfInt, .condition = when ? condition : jit::opposite(condition), .a = a, .b = b, .at = to});
    return;
  }
  const Operand a = compared(*args[0]);
  push({.op = when ? Op::JumpIf : Op::JumpUnless, .condition = condition, .a = a, .b = compared(*args[1]), .at = to});
}

Operand JitLowering::compared(const mir::Expr& e) {
  const bool before = std::exchange(passive_, true);
  const Operand x = real(e);
  passive_ = before;
  return x;
}

Operand JitLowering::in_register(Operand x) {
  const Operand to = fresh(RegisterKind::Int);
  push({.op = Op::MoveInt, .to = to, .a = x});
  return to;
}

}  // namespace fermiac::interp
