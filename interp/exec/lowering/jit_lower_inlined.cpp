#include "interp/exec/lowering/jit_lowering.h"

#include <algorithm>
#include <utility>

namespace fermiac::interp {

using jit::Op;
using jit::Operand;
using jit::RegisterKind;

namespace {

constexpr std::size_t kMostInlined = 4;  // within one another
constexpr std::size_t kMostCode = 4000;  // instructions around them

}  // namespace

bool JitLowering::passes_plainly(const std::vector<mir::ExprPtr>& args) {
  return std::ranges::all_of(args, [](const mir::ExprPtr& a) { return a->type.is_number() || mir::as_var(*a); });
}

const mir::Function* JitLowering::inlined_function(const mir::Expr& e, const mir::FunApp& f) {
  const auto* user = std::get_if<mir::UserDefined>(&f.fn);
  if (!user || !inlining_ || user->propto || inlined_.size() >= kMostInlined || !passes_plainly(f.args)) return nullptr;
  std::vector<Type> types;
  for (const mir::ExprPtr& a : f.args) types.push_back(a->type);
  const FunctionCode& code = c_.user_function(e.span, user->name, types);
  const mir::Function* function = code.adjoints.empty() ? c_.definition(code) : nullptr;
  return function && code_.instructions.size() < kMostCode && inlining_->takes(*function) ? function : nullptr;
}

Operand JitLowering::inlined_call(const mir::Function& function, const std::vector<mir::ExprPtr>& args, Operand want) {
  const Site at = site_;
  const bool before = std::exchange(passive_, false);
  const RegisterKind kind = function.result->is(BaseType::Int) ? RegisterKind::Int : RegisterKind::Real;
  const Operand result = fresh(kind);
  std::vector<Operand> numbers;
  for (std::size_t i = 0; i < args.size(); ++i) numbers.push_back(args[i]->type.is_number() ? argument(function.args[i].type, *args[i]) : Operand());
  const Compiler::InFunction in_function(c_);
  const Compiler::Scope scope(c_);
  name_arguments(function, args, numbers);
  inlined_.push_back({result, label()});
  std::vector<Loop> loops = std::exchange(loops_, {});
  stmt(*function.body);
  loops_ = std::move(loops);
  bind(inlined_.back().end);
  inlined_.pop_back();
  site_ = at;
  passive_ = before;
  return moved(result, want, kind == RegisterKind::Int ? Op::MoveInt : Op::Move);
}

void JitLowering::name_arguments(const mir::Function& function, const std::vector<mir::ExprPtr>& args, const std::vector<Operand>& numbers) {
  std::vector<Compiler::Variable> containers;
  for (const mir::ExprPtr& a : args)
    if (!a->type.is_number()) containers.push_back(c_.lookup(a->span, mir::as_var(*a)->name));
  std::size_t next = 0;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const mir::FunctionArg& formal = function.args[i];
    if (args[i]->type.is_number()) moved(numbers[i], declare(formal.name, formal.type), formal.type.is(BaseType::Int) ? Op::MoveInt : Op::Move);
    else c_.alias(formal.name, containers[next++]);
  }
}

}  // namespace fermiac::interp
