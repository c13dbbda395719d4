// The embedded Laplace approximation: a likelihood with its arguments in a tuple (or one of three built-in likelihoods
// with plain arguments), a block size, a covariance function with its arguments in a tuple, and for `_tol` a control
// tuple.
#include <algorithm>
#include <set>

#include "frontend/builtins/expand.h"
#include "frontend/builtins/laplace.h"
#include "frontend/check/checker.h"
#include "frontend/check/conversions.h"
#include "frontend/check/walk.h"

namespace fermiac::check {
namespace {

constexpr std::string_view kControl = "(vector, data real, data int, data int, data int, data int) => real";

const LaplaceRow* find_form(std::string_view name) {
  const std::optional<Builtin> fn = builtin_named(name);
  return fn ? find_laplace(*fn) : nullptr;
}

bool lacks_second_derivatives(std::string_view name) {
  const auto fn = builtin_named(name);
  return (fn && has(*fn, Fact::FirstOrder)) || is_special_form(normalised(name));
}

/// The slots of a tuple as arguments: those of a literal, or stand-ins with the types of its slots.
struct Slots {
  std::vector<ast::ExprPtr> stand_ins;
  Arguments arguments;
  bool literal = false;
};

Slots slots_of(const ast::Expr& tuple) {
  Slots out;
  if (const auto* literal = std::get_if<ast::TupleLiteral>(&tuple.node)) {
    out.arguments = literal->items;
    out.literal = true;
    return out;
  }
  for (std::size_t i = 0; i < tuple.type.slots().size(); ++i) {
    auto stand_in = std::make_unique<ast::Expr>();
    stand_in->span = tuple.span;
    stand_in->type = tuple.type.slots()[i];
    if (i < tuple.ad.slots.size()) stand_in->ad = tuple.ad.slots[i];
    out.stand_ins.push_back(std::move(stand_in));
  }
  out.arguments = out.stand_ins;
  return out;
}

Type tuple_type(std::span<const Formal> formals) {
  std::vector<Type> slots;
  for (const auto& formal : formals) slots.push_back(formal.type);
  return Type::tuple(std::move(slots));
}

}  // namespace

struct Checker::LaplaceCall {
  Span where;
  const LaplaceRow& form;
  std::string name;
  std::vector<ast::ExprPtr>& args;
  ast::Resolution& out;
  std::size_t next = 0;  // the argument to look at
  bool data_tuples = false;

  Span end_of_previous() const { return {args[next - 1]->span.end, args[next - 1]->span.end}; }
};

bool is_laplace(std::string_view name) {
  return find_form(name) != nullptr;
}

Type Checker::laplace(Span where, const ast::Name& name, std::vector<ast::ExprPtr>& args, ast::Resolution& out) {
  const auto plain = normalised(name.text);
  const LaplaceRow& form = *find_form(plain);
  const Type result = form.result == LaplaceResult::Density ? Type(BaseType::Real)
                      : form.result == LaplaceResult::Draw  ? Type(BaseType::Vector)
                                                            : Type::tuple({BaseType::Vector, BaseType::Matrix});
  out = {};
  LaplaceCall call{where, form, name.text, args, out};
  call.data_tuples = form.result == LaplaceResult::Moments && context_.block != ast::BlockKind::GeneratedQuantities;
  if (!laplace_likelihood(call) || !laplace_block_size(call) || !laplace_callback(call, false) ||
      !laplace_control(call))
    return BaseType::Error;
  out.name = plain;
  out.suffix = suffix_of(plain);
  out.propto = is_unnormalised(name.text);
  out.result = result;
  return result;
}

namespace {

std::string usage(const LaplaceRow& form) {
  std::string out = std::string(form.name()) + "(";
  if (form.likelihood == LaplaceLikelihood::User)
    out += "likelihood, (its arguments), ";
  else
    out += form.likelihood == LaplaceLikelihood::NegBinomial2Log ? "y, y_index, eta, offset, " : "y, y_index, offset, ";
  out += "hessian_block_size, covariance, (its arguments)";
  return out +
         (form.control ? ", (theta0, tol, max_num_steps, solver, max_steps_line_search, allow_fallthrough))" : ")");
}

}  // namespace

bool Checker::laplace_wrong(const LaplaceCall& call, Span place, const std::string& text) {
  error(place, kHigherOrder, call.name, text);
  return false;
}

bool Checker::laplace_likelihood(LaplaceCall& call) {
  if (call.form.likelihood == LaplaceLikelihood::User) return laplace_callback(call, true);
  const bool has_eta = call.form.likelihood == LaplaceLikelihood::NegBinomial2Log;
  const auto leading = expand_scheme(call.form.name(), has_eta ? "@counts_with_eta" : "@counts").front().formals;
  if (call.args.size() < leading.size()) return error(call.where, kLaplaceUsage, call.name, usage(call.form)), false;
  for (; call.next < leading.size(); ++call.next) {
    const ast::Expr& arg = *call.args[call.next];
    if (!resolver_.cost(leading[call.next], arg))
      return laplace_wrong(
          call, arg.span,
          "argument " + std::to_string(call.next + 1) + " " + resolver_.reason(leading[call.next], arg) + ".");
    call.out.formals.push_back(leading[call.next]);
  }
  return true;
}

namespace {

/// Why a function cannot be the likelihood or the covariance function; empty if it can.
std::string laplace_fault(const Candidate& candidate, bool likelihood) {
  const Type wanted = likelihood ? BaseType::Real : BaseType::Matrix;
  if (*candidate.result != wanted) return "it must return " + wanted.str() + ", not " + candidate.result->str();
  if (!likelihood) return "";
  if (candidate.formals.empty() || !candidate.formals[0].type.is(BaseType::Vector))
    return "its first argument must be a vector";
  return candidate.formals[0].data_only ? "its first argument must not be marked data" : "";
}

const char* role(bool likelihood) {
  return likelihood ? "likelihood" : "covariance function";
}

}  // namespace

/// The likelihood or the covariance function, and the tuple after it.
bool Checker::laplace_callback(LaplaceCall& call, bool likelihood) {
  if (call.args.size() < call.next + 2) return error(call.where, kLaplaceUsage, call.name, usage(call.form)), false;
  const ast::Expr& function = *call.args[call.next];
  const ast::Expr& tuple = *call.args[call.next + 1];
  const std::string what = role(likelihood);
  const auto* name = function_name(function);
  if (!name || suffix_of(name->name.text) != Suffix::Plain)
    return laplace_wrong(call, function.span,
                         "the " + what + " must be the name of a function without a special ending.");
  if (!tuple.type.is(BaseType::Tuple))
    return laplace_wrong(
        call, tuple.span,
        "the arguments of the " + what + " must be given in a tuple, found type " + tuple.type.str() + ".");
  std::vector<Candidate> fitting;
  std::string fault;
  for (const auto& candidate : resolver_.overloads(name->name.text)) {
    auto found = laplace_fault(candidate, likelihood);
    // the latent values come first in a likelihood; the call does not pass them
    if (found.empty())
      fitting.push_back({candidate.formals.subspan(likelihood ? 1 : 0), candidate.result, candidate.user_index});
    if (fault.empty()) fault = std::move(found);
  }
  if (fitting.empty())
    return laplace_wrong(call, function.span,
                         "the " + what + " '" + name->name.text + "' does not fit: " + fault + ".");
  if (!laplace_arguments(call, likelihood, fitting)) return false;
  if (likelihood) laplace_uses_.push_back({name->name.text, function.span});
  call.next += 2;
  return true;
}

/// Matches the tuple with the functions that may be meant, and notes the one that is.
bool Checker::laplace_arguments(LaplaceCall& call, bool likelihood, const std::vector<Candidate>& fitting) {
  ast::Expr& function = *call.args[call.next];
  const ast::Expr& tuple = *call.args[call.next + 1];
  const std::string name = "'" + function_name(function)->name.text + "'";
  const Slots slots = slots_of(tuple);
  const auto place = [&](std::size_t slot) { return slots.literal ? slots.arguments[slot]->span : tuple.span; };
  for (std::size_t i = 0; call.data_tuples && i < slots.arguments.size(); ++i)
    if (slots.arguments[i]->ad.any())
      return laplace_wrong(call, place(i), "outside generated quantities the arguments of " + name + " must be data.");
  const Match match = resolver_.match(fitting, slots.arguments);
  if (match.kind == Match::Kind::Ambiguous)
    return laplace_wrong(call, function.span, "several functions " + name + " fit their arguments equally well.");
  if (match.kind == Match::Kind::None) {
    const auto mismatch = resolver_.explain(fitting.front().formals, slots.arguments);
    return laplace_wrong(
        call, tuple.span,
        "in the arguments of the " + std::string(role(likelihood)) + " " + name + ": " + mismatch->reason + ".");
  }
  std::vector<Formal> all(match.best.formals.begin(), match.best.formals.end());
  if (likelihood) all.insert(all.begin(), Formal{BaseType::Vector, false});
  function.type = Type::function({std::move(all), *match.best.result});
  call.out.formals.push_back({function.type, false});
  call.out.formals.push_back({tuple_type(match.best.formals), false});
  return true;
}

bool Checker::laplace_block_size(LaplaceCall& call) {
  if (call.args.size() <= call.next)
    return laplace_wrong(call, call.end_of_previous(), "expected the block size of the Hessian (an int) here.");
  const ast::Expr& size = *call.args[call.next];
  if (!size.type.is(BaseType::Int) || size.ad.any())
    return laplace_wrong(
        call, size.span,
        "the block size of the Hessian must be an int that is data, found type " + size.type.str() + ".");
  call.out.formals.push_back({BaseType::Int, true});
  ++call.next;
  return true;
}

bool Checker::laplace_control(LaplaceCall& call) {
  const std::size_t expected = call.next + (call.form.control ? 1 : 0);
  if (call.args.size() > expected) {
    const std::string hint = call.form.control ? "" : " Controls are taken by the function with _tol in its name.";
    return laplace_wrong(call, call.args[expected]->span, "surplus argument." + hint);
  }
  if (!call.form.control) return true;
  if (call.args.size() < expected) return error(call.where, kLaplaceUsage, call.name, usage(call.form)), false;
  const ast::Expr& tuple = *call.args[call.next];
  if (!tuple.type.is(BaseType::Tuple))
    return laplace_wrong(call, tuple.span, "the controls must be a tuple, found type " + tuple.type.str() + ".");
  const auto control = expand_scheme(call.form.name(), kControl).front().formals;
  const Slots slots = slots_of(tuple);
  if (const auto mismatch = resolver_.explain(control, slots.arguments)) {
    // too few slots: the last one given is the place; too many: the first surplus one
    const std::size_t slot = !mismatch->arity                          ? mismatch->position
                             : slots.arguments.size() > control.size() ? control.size()
                                                                       : slots.arguments.size() - 1;
    return laplace_wrong(call, slots.literal ? slots.arguments[slot]->span : tuple.span,
                         "in the controls: " + mismatch->reason + ".");
  }
  call.out.formals.push_back({tuple_type(control), false});
  ++call.next;
  return true;
}

// ---------------------------------------------------------------- second derivatives

void Checker::remember_calls(const ast::FunctionDef& definition) {
  if (!definition.body) return;
  auto& names = calls_[definition.name.text];
  visit_called_names(*definition.body, [&](std::string_view name) { names.push_back(normalised(name)); });
}

/// Every likelihood and whatever it calls, directly or not, must have second derivatives.
void Checker::check_second_order() {
  for (const auto& use : laplace_uses_) {
    std::set<std::string, std::less<>> seen = {use.likelihood};
    std::vector<std::string> todo = {use.likelihood};
    while (!todo.empty()) {
      const auto name = std::move(todo.back());
      todo.pop_back();
      if (lacks_second_derivatives(name)) {
        error(use.span, kNotTwiceDifferentiable, use.likelihood, name);
        break;
      }
      if (auto found = calls_.find(name); found != calls_.end())
        for (const auto& next : found->second)
          if (seen.insert(next).second) todo.push_back(next);
    }
  }
  laplace_uses_.clear();
}

}  // namespace fermiac::check
