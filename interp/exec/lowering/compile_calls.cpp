// Calls to nodes: operators, built-in functions, user functions, functions of functions.
#include <fmt/format.h>

#include <limits>
#include <utility>

#include "frontend/builtins/laplace.h"
#include "interp/exec/lowering/compiler.h"
#include "mir/ir/build.h"
#include "support/base/check.h"
#include "support/base/match.h"

namespace fermiac::interp {

ExprPtr Compiler::call(const mir::Expr& e, const mir::FunApp& app) {
  return match(
      app.fn, [&](const mir::StanLib& fn) { return library_call(e, fn, app.args); },
      [&](const mir::UserDefined& fn) { return user_call(e.span, fn, app.args, e.type); },
      [&](const mir::CompilerInternal& fn) { return internal_call(e, fn, app.args); });
}

ExprPtr Compiler::internal_call(const mir::Expr& e, const mir::CompilerInternal& fn,
                                const std::vector<mir::ExprPtr>& args) {
  switch (fn.fn) {
    case mir::Internal::FnLength: return make_length(expr(*args.at(0)));
    case mir::Internal::FnMakeArray: return make_array(e.type, exprs(args));
    case mir::Internal::FnMakeRowVec: return make_row(e.type, exprs(args));
    case mir::Internal::FnMakeTuple: return make_tuple(e.type, exprs(args));
    case mir::Internal::FnNegInf: return make_real_literal(-std::numeric_limits<double>::infinity());
    case mir::Internal::FnNaN: return make_real_literal(std::numeric_limits<double>::quiet_NaN());
    case mir::Internal::FnDeepCopy: return expr(*args.at(0));  // values are copied on assignment anyway
    default: break;
  }
  throw ProgramError(e.span, fmt::format("{} cannot be interpreted as an expression", mir::internal_name(fn.fn)));
}

const LibraryFunction& Compiler::builtin(Span span, Builtin fn) {
  const LibraryFunction* found = LibraryFunction::find(fn);
  if (!found) throw ProgramError(span, fmt::format("the function {} is not implemented", name_of(fn)));
  return *found;
}

ExprPtr Compiler::library_call(const mir::Expr& e, const mir::StanLib& fn, const std::vector<mir::ExprPtr>& args) {
  if (fn.fn == Builtin::target) {
    code_->reads_target = true;
    return make_target_value();
  }
  if (find_laplace(fn.fn)) return laplace_call(e, fn, args);
  for (const mir::ExprPtr& arg : args)
    if (arg->type.base() == BaseType::Function) return higher_order_call(e, fn, args);
  std::vector<ExprPtr> nodes = exprs(args);
  const Dropping dropped = fn.propto ? dropping(true, args) : Dropping();
  if (ExprPtr scalar = make_scalar_call(fn.fn, dropped, e.type, nodes)) return scalar;
  return make_builtin_call(builtin(e.span, fn.fn), dropped, e.type, std::move(nodes));
}

// ---------------------------------------------------------------- user functions

void Code::add_function(std::unique_ptr<FunctionCode> function) {
  functions_by_name[function->name].push_back(function.get());
  functions.push_back(std::move(function));
}

const FunctionCode* Code::find_function(const std::string& name, const std::vector<Type>& arguments) const {
  const auto named = functions_by_name.find(name);
  if (named == functions_by_name.end()) return nullptr;
  const FunctionCode* same_arity = nullptr;
  int candidates = 0;
  for (const FunctionCode* function : named->second) {
    if (function->formals == arguments) return function;
    if (function->formals.size() != arguments.size()) continue;
    same_arity = function;
    ++candidates;
  }
  return candidates == 1 ? same_arity : nullptr;
}

const mir::Function* Compiler::definition(const FunctionCode& function) const {
  const auto it = definitions_.find(&function);
  return it == definitions_.end() ? nullptr : it->second;
}

const FunctionCode& Compiler::user_function(Span span, const std::string& name, const std::vector<Type>& arguments) {
  const FunctionCode* function = code_->find_function(name, arguments);
  if (!function) throw ProgramError(span, fmt::format("no definition of function {} takes these arguments", name));
  if (!function->defined) throw ProgramError(span, fmt::format("function {} is declared, but not defined; `fermiac bundle --user-header` takes it from a header in C++", name));
  return *function;
}

namespace {

std::vector<Type> types_of(const std::vector<mir::ExprPtr>& args) {
  std::vector<Type> types;
  for (const mir::ExprPtr& arg : args) types.push_back(arg->type);
  return types;
}

/// `foo_lupdf` as the program defines it, and whether constants are dropped.
std::pair<std::string, bool> normalised(const std::string& name) {
  for (const char* ending : {"_lupdf", "_lupmf"})
    if (name.ends_with(ending)) return {name.substr(0, name.size() - 4) + (ending + 3), true};
  return {name, false};
}

}  // namespace

ExprPtr Compiler::user_call(Span span, const mir::UserDefined& fn, const std::vector<mir::ExprPtr>& args,
                            const Type& result) {
  const FunctionCode& function = user_function(span, fn.name, types_of(args));
  if (!function.adjoints.empty()) return make_adjoint_call(function, result, exprs(args));
  return make_user_call(function, dropping(fn.propto, args), result, exprs(args));
}

// ---------------------------------------------------------------- functions of functions

const FunctionCode& Compiler::callback(const mir::Expr& function, const std::string& name,
                                       const std::vector<Type>& arguments) {
  const bool library = !code_->find_function(name, arguments) && LibraryFunction::find(name);
  return library ? builtin_callback(function, name, arguments) : user_function(function.span, name, arguments);
}

/// `f(x1, …) { return name(x1, …); }`
const FunctionCode& Compiler::builtin_callback(const mir::Expr& function, const std::string& name,
                                               const std::vector<Type>& arguments) {
  auto& known = builtin_callbacks_[name];
  for (const FunctionCode* code : known)
    if (code->formals == arguments) return *code;
  auto code = std::make_unique<FunctionCode>();
  code->name = name;
  code->suffix = mir::suffix_of(name);
  code->jit = code_->jit;
  code->formals = arguments;
  code->data_only.assign(arguments.size(), false);
  code->result = function.type.signature().result;
  code->span = function.span;
  code->defined = true;
  const SectionKind outer_kind = std::exchange(kind_, SectionKind::Function);
  const mir::ActivityScope outer_activity = std::exchange(activity_, {.in_function = true, .arguments = {}});
  const std::size_t outer_slots = std::exchange(slots_, 0);
  {
    const Scope scope(*this);
    std::vector<mir::ExprPtr> operands;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string argument = fmt::format("argument {}", i + 1);  // no name of a program
      declare(argument, arguments[i], true);
      activity_.arguments.push_back(argument);
      operands.push_back(mir::var(argument, arguments[i], mir::uniform_level(arguments[i], !arguments[i].is_discrete())));
    }
    const mir::StanLib library{.fn = *builtin_named(name), .suffix = code->suffix, .propto = true};
    const mir::ExprPtr call = mir::make_expr(mir::FunApp{library, std::move(operands)}, code->result, {}, function.span);
    code->body = make_return(site(function.span), expr(*call));
  }
  code->slots = std::exchange(slots_, outer_slots);
  kind_ = outer_kind;
  activity_ = outer_activity;
  known.push_back(code.get());
  code_->functions.push_back(std::move(code));
  return *known.back();
}

ExprPtr Compiler::higher_order_call(const mir::Expr& e, const mir::StanLib& fn, const std::vector<mir::ExprPtr>& args) {
  const auto* callee = std::get_if<mir::Var>(&args[0]->node);
  if (!callee) throw ProgramError(e.span, fmt::format("{}: the first argument must name a function", name_of(fn.fn)));
  const std::vector<mir::ExprPtr> rest(args.begin() + 1, args.end());
  const auto [name, propto] = normalised(callee->name);
  if (fn.fn == Builtin::reduce_sum || fn.fn == Builtin::reduce_sum_static) {
    std::vector<Type> formals = {rest.at(0)->type, BaseType::Int, BaseType::Int};
    for (std::size_t i = 2; i < rest.size(); ++i) formals.push_back(rest[i]->type);
    return make_reduce_sum(callback(*args[0], name, formals), dropping(propto, rest), exprs(rest));
  }
  if (fn.fn == Builtin::map_rect) {
    std::vector<Type> formals = {rest.at(0)->type};
    for (std::size_t i = 1; i < rest.size(); ++i) formals.push_back(rest[i]->type.element());
    return make_map_rect(callback(*args[0], name, formals), exprs(rest));
  }
  if (is_solver(fn.fn)) {
    const std::vector<Type> formals = solver_callback_types(fn.fn, types_of(rest));
    return make_solver_call(fn.fn, callback(*args[0], name, formals), e.type, exprs(rest));
  }
  throw ProgramError(e.span, fmt::format("the function {} is not implemented", name_of(fn.fn)));
}

ExprPtr Compiler::laplace_call(const mir::Expr& e, const mir::StanLib& fn, const std::vector<mir::ExprPtr>& args) {
  std::vector<const FunctionCode*> functions;
  std::vector<ExprPtr> values;
  for (const mir::ExprPtr& arg : args) {
    if (arg->type.base() != BaseType::Function) {
      values.push_back(expr(*arg));
      continue;
    }
    std::vector<Type> formals;
    for (const Formal& formal : arg->type.signature().formals) formals.push_back(formal.type);
    functions.push_back(&callback(*arg, std::get<mir::Var>(arg->node).name, formals));
  }
  return make_laplace_call(fn.fn, functions, e.type, std::move(values));
}

}  // namespace fermiac::interp
