#include "autodiff/distributions/detail/rng.h"
#include "frontend/builtins/laplace.h"
#include "interp/exec/lowering/jit_lowering.h"
#include "support/base/text.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

namespace fermiac::interp {

using jit::Condition;
using jit::Instruction;
using jit::Op;
using jit::Operand;
using jit::RegisterKind;

namespace {

/// By the function of an operator.
struct Operator {
  Builtin function;
  Op real, ints;
};
constexpr Operator kOperators[] = {
    {Builtin::add, Op::Add, Op::AddInt},
    {Builtin::subtract, Op::Subtract, Op::SubtractInt},
    {Builtin::multiply, Op::Multiply, Op::MultiplyInt},
    {Builtin::divide, Op::Divide, Op::DivideInt},
    {Builtin::elt_multiply, Op::Multiply, Op::MultiplyInt},
    {Builtin::elt_divide, Op::Divide, Op::DivideInt},
    {Builtin::modulus, Op::Exit, Op::ModulusInt},  // of ints only
};

constexpr std::size_t kMostArguments = 8;

}  // namespace

Operand JitLowering::int_call(const mir::Expr& e, const mir::FunApp& f, Operand want) {
  const auto* fn = std::get_if<mir::StanLib>(&f.fn);
  if (fn && is_truth(e)) return comparison_value(e, f, want);
  if (fn && all_ints(f.args))
    if (const std::optional<Operand> done = int_operator(*fn, f.args, want)) return *done;
  return other_call(e, f, want);
}

std::optional<Operand> JitLowering::int_operator(const mir::StanLib& fn, const std::vector<mir::ExprPtr>& args, Operand want) {
  const Builtin function = library_function(fn.fn);
  if (function == Builtin::plus) return integer(*args[0], want);
  if (function == Builtin::minus) return operation({.op = Op::NegateInt, .a = integer(*args[0])}, want, RegisterKind::Int);
  const Operator* op = find_row<Operator>(kOperators, fn.fn);
  if (!op) return std::nullopt;
  const Operand a = integer(*args[0]);
  return operation({.op = op->ints, .a = a, .b = integer(*args[1])}, want, RegisterKind::Int);
}

Operand JitLowering::operation(Instruction i, Operand want, RegisterKind kind) {
  ++own_;
  i.passive = passive_ && want.is_none();
  i.to = place(want, kind);
  push(i);
  return i.to;
}

Operand JitLowering::comparison_value(const mir::Expr& e, const mir::FunApp& f, Operand want) {
  const std::optional<Condition> compare = comparison(e);
  if (!compare) return truth(e, want);
  const bool ints = all_ints(f.args);
  const Operand a = ints ? integer(*f.args[0]) : compared(*f.args[0]);
  const Operand b = ints ? integer(*f.args[1]) : compared(*f.args[1]);
  return operation({.op = ints ? Op::TestInt : Op::Test, .condition = *compare, .a = a, .b = b}, want, RegisterKind::Int);
}

Operand JitLowering::real_call(const mir::Expr& e, const mir::FunApp& f, Operand want) {
  const auto* fn = std::get_if<mir::StanLib>(&f.fn);
  if (fn && all_numbers(f.args))
    if (const std::optional<Operand> done = real_operator(*fn, f.args, want)) return *done;
  const auto* internal = std::get_if<mir::CompilerInternal>(&f.fn);
  if (internal && internal->fn == mir::Internal::FnNegInf)
    return moved(real_constant(-std::numeric_limits<double>::infinity()), want, Op::Move);
  return other_call(e, f, want);
}

std::optional<Operand> JitLowering::real_operator(const mir::StanLib& fn, const std::vector<mir::ExprPtr>& args, Operand want) {
  const Builtin function = library_function(fn.fn);
  if (function == Builtin::plus) return real(*args[0], want);
  if (function == Builtin::minus) return operation({.op = Op::Negate, .a = real(*args[0])}, want, RegisterKind::Real);
  if (const Operator* op = find_row<Operator>(kOperators, fn.fn)) {
    if (op->real == Op::Exit) return std::nullopt;
    const Operand a = real(*args[0]);
    return operation({.op = op->real, .a = a, .b = real(*args[1])}, want, RegisterKind::Real);
  }
  return map(fn, args, want);
}

std::optional<Operand> JitLowering::map(const mir::StanLib& fn, const std::vector<mir::ExprPtr>& args, Operand want) {
  if (library_function(fn.fn) == Builtin::pow && mir::literal_value(*args[1]) == 2.0) return square(real(*args[0]), want);
  const ad::MapCode code = scalar_map_code(fn.fn, args.size());
  if (args.empty() || code == ad::kNoMap) return std::nullopt;
  const ad::MapOp& op = ad::map_op(code);
  if (fn.fn == Builtin::square) return square(real(*args[0]), want);
  if (fn.fn == Builtin::sqrt) return operation({.op = Op::Sqrt, .a = real(*args[0])}, want, RegisterKind::Real);
  const std::vector<Operand> at = map_operands(args);
  const bool total = op.total && !fn.propto;
  return operation(with_list({.op = total ? Op::Map : Op::MapChecked, .pointer = map_of(code, fn.propto, args)}, at), want, RegisterKind::Real);
}

std::vector<Operand> JitLowering::map_operands(const std::vector<mir::ExprPtr>& args) {
  const bool before = std::exchange(passive_, false);
  std::vector<Operand> out;
  for (const mir::ExprPtr& a : args) out.push_back(real(*a));
  passive_ = before;
  return out;
}

const JitMap* JitLowering::map_of(ad::MapCode code, bool propto, const std::vector<mir::ExprPtr>& args) {
  unit_.maps.push_back(std::make_unique<JitMap>(JitMap{ad::map_op(code), code, c_.dropping(propto, args)}));
  return unit_.maps.back().get();
}

Operand JitLowering::other_call(const mir::Expr& e, const mir::FunApp& f, Operand want) {
  if (const mir::Function* function = inlined_function(e, f)) return inlined_call(*function, f.args, want);
  if (const auto* fn = std::get_if<mir::StanLib>(&f.fn); fn && is_choice(*fn, f.args)) return choice(*fn, f.args, want);
  std::unique_ptr<JitCall> call = all_numbers(f.args) && f.args.size() <= kMostArguments ? call_of_numbers(e, f) : nullptr;
  if (!call) return eval(e, want);
  const bool before = std::exchange(passive_, false);
  std::vector<Operand> at;
  for (const mir::ExprPtr& a : f.args) at.push_back(number(*a));
  passive_ = before;
  call->count = static_cast<std::uint32_t>(at.size());
  unit_.calls.push_back(std::move(call));
  const RegisterKind kind = e.type.is(BaseType::Int) ? RegisterKind::Int : RegisterKind::Real;
  const JitCall* const called = unit_.calls.back().get();
  const bool reads_target = called->function && called->function->suffix == Suffix::Target;
  return operation(with_list({.op = Op::Call, .traced = reads_target, .pointer = called}, at), want, kind);
}

bool JitLowering::is_choice(const mir::StanLib& fn, const std::vector<mir::ExprPtr>& args) {
  return (fn.fn == Builtin::min || fn.fn == Builtin::max) && args.size() == 2 && all_ints(args);
}

Operand JitLowering::choice(const mir::StanLib& fn, const std::vector<mir::ExprPtr>& args, Operand want) {
  const Operand a = in_register(integer(*args[0])), b = integer(*args[1]);
  const std::uint32_t end = label();
  push({.op = Op::JumpIfInt, .condition = fn.fn == Builtin::min ? Condition::LessOrEqual : Condition::GreaterOrEqual, .a = a, .b = b, .at = end});
  push({.op = Op::MoveInt, .to = a, .a = b});
  bind(end);
  return moved(a, want, Op::MoveInt);
}

std::unique_ptr<JitCall> JitLowering::call_of_numbers(const mir::Expr& e, const mir::FunApp& f) {
  auto call = std::make_unique<JitCall>();
  if (const auto* user = std::get_if<mir::UserDefined>(&f.fn)) {
    std::vector<Type> types;
    for (const mir::ExprPtr& a : f.args) types.push_back(a->type);
    call->function = &c_.user_function(e.span, user->name, types);
    call->dropping = c_.dropping(user->propto, f.args);
    return call->function->adjoints.empty() ? std::move(call) : nullptr;
  }
  const auto* library = std::get_if<mir::StanLib>(&f.fn);
  if (!library || library->fn == Builtin::target || find_laplace(library->fn)) return nullptr;
  if (library->suffix == Suffix::Target || library->suffix == Suffix::Jacobian) return nullptr;
  call->builtin = LibraryFunction::find(library->fn);
  call->draw = ad::find_rng(name_of(library->fn));
  call->dropping = c_.dropping(library->propto, f.args);
  // What nodes make of it decides, where they have more than the function.
  const bool is_map = scalar_map_code(library->fn, f.args.size()) != ad::kNoMap;
  return call->builtin && !is_map ? std::move(call) : nullptr;
}

bool JitLowering::all_numbers(const std::vector<mir::ExprPtr>& args) {
  return std::ranges::all_of(args, [](const mir::ExprPtr& a) { return a->type.is_number(); });
}

bool JitLowering::all_ints(const std::vector<mir::ExprPtr>& args) {
  return std::ranges::all_of(args, [](const mir::ExprPtr& a) { return a->type.is(BaseType::Int); });
}

}  // namespace fermiac::interp
