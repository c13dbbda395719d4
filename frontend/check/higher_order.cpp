// Functions with a callback first and any number of further arguments: differential equations, root finding,
// quadrature, reduce_sum. The callback's own signature decides what the further arguments must be.
#include <algorithm>

#include "frontend/builtins/expand.h"
#include "frontend/builtins/table.h"
#include "frontend/check/checker.h"
#include "frontend/check/conversions.h"
#include "frontend/check/special_forms.h"

namespace fermiac::check {
namespace {

struct VariadicRow {
  std::string_view name, callback, control;  // schemes as in the table of built-ins
};
constexpr VariadicRow kVariadics[] = {
#define VARIADIC(name, ...) {#name, __VA_ARGS__},
#include "frontend/builtins/special_forms.def"
};

const VariadicRow* find_variadic(std::string_view name) {
  auto found = std::ranges::find(kVariadics, name, &VariadicRow::name);
  return found == std::end(kVariadics) ? nullptr : found;
}

bool is_reduce_sum(std::string_view name) {
  return name == "reduce_sum" || name == "reduce_sum_static";
}

/// What is wrong with the first arguments and the result of a callback; empty if nothing is.
std::string callback_fault(const Candidate& candidate, const std::vector<Formal>& required, const Type& result) {
  if (candidate.formals.size() < required.size())
    return "it takes " + std::to_string(candidate.formals.size()) + " arguments, but must take at least " +
           std::to_string(required.size());
  for (std::size_t i = 0; i < required.size(); ++i) {
    const Formal& own = candidate.formals[i];
    const std::string position = "its argument " + std::to_string(i + 1);
    if (own.type != required[i].type)
      return position + " must have type " + required[i].type.str() + ", not " + own.type.str();
    if (own.data_only && !required[i].data_only) return position + " must not be marked data";
  }
  if (*candidate.result != result) return "it must return " + result.str() + ", not " + candidate.result->str();
  return "";
}

bool can_be_sliced(BaseType base) {
  return base == BaseType::Int || base == BaseType::Real || base == BaseType::Vector || base == BaseType::RowVector ||
         base == BaseType::Matrix;
}

std::string callback_text(const std::vector<Formal>& required, const Type& result) {
  std::string out = "(";
  for (const auto& formal : required) out += formal.type.str() + ", ";
  return out + "...) => " + result.str();
}

}  // namespace

/// One overload of the callback: what it makes of the call, or why it cannot be used.
struct Checker::CallbackMatch {
  Candidate callback;
  std::vector<Formal> formals;  // of the arguments after the callback
  std::string fault;            // of the callback itself
};

struct Checker::VariadicForm {
  std::string name;
  std::vector<Formal> required;
  Type callback_result;
  std::vector<Formal> control;
  Type result;
};

bool is_special_form(std::string_view name) {
  return find_variadic(name) || is_reduce_sum(name) || is_laplace(name);
}

std::optional<VariadicShape> variadic_shape(std::string_view name) {
  const VariadicRow* row = find_variadic(name);
  if (!row) return std::nullopt;
  return VariadicShape{expand_scheme(row->name, row->callback).front().formals.size(),
                       expand_scheme(row->name, row->control).front().formals.size()};
}

std::vector<std::string_view> special_form_names() {
  std::vector<std::string_view> out;
  for (const BuiltinEntry& entry : builtin_entries())
    if (is_special_form(entry.name)) out.push_back(entry.name);
  std::ranges::sort(out);
  return out;
}

std::optional<Type> Checker::special_form(Span where, const ast::Name& name, std::vector<ast::ExprPtr>& args,
                                          ast::Resolution& out) {
  if (is_laplace(normalised(name.text))) return laplace(where, name, args, out);
  if (is_reduce_sum(name.text)) return reduce_sum(where, name, args, out);
  const VariadicRow* row = find_variadic(name.text);
  if (!row) return std::nullopt;
  const auto callback = expand_scheme(row->name, row->callback).front();
  const auto control = expand_scheme(row->name, row->control).front();
  const VariadicForm form{name.text, callback.formals, callback.result, control.formals, control.result};
  return variadic(where, form, args, out);
}

Type Checker::variadic(Span where, const VariadicForm& form, std::vector<ast::ExprPtr>& args, ast::Resolution& out) {
  const auto* callback = args.empty() ? nullptr : function_name(*args[0]);
  if (!callback || suffix_of(callback->name.text) != Suffix::Plain) {
    error(args.empty() ? where : args[0]->span, kHigherOrder, form.name,
          "the first argument must be the name of a function " + callback_text(form.required, form.callback_result) +
              " without a special ending.");
    return BaseType::Error;
  }
  std::vector<CallbackMatch> matches;
  for (const auto& candidate : resolver_.overloads(callback->name.text)) {
    CallbackMatch match{candidate, form.control, callback_fault(candidate, form.required, form.callback_result)};
    if (match.fault.empty()) {
      const auto rest = candidate.formals.subspan(form.required.size());
      match.formals.insert(match.formals.end(), rest.begin(), rest.end());
    }
    matches.push_back(std::move(match));
  }
  return choose_callback(where, form.name, args, matches, out, form.result);
}

/// Says why no overload of the callback fits: the last one's reason, at the argument it is about.
void Checker::no_callback(const std::string& name, const std::vector<ast::ExprPtr>& args,
                          const std::vector<CallbackMatch>& matches) {
  const std::string callback = "'" + function_name(*args[0])->name.text + "'";
  if (matches.empty()) return error(args[0]->span, kHigherOrder, name, callback + " cannot be passed on.");
  const auto& first = matches.back();
  if (!first.fault.empty())
    return error(args[0]->span, kHigherOrder, name, "function " + callback + " does not fit: " + first.fault + ".");
  const Arguments rest = Arguments(args).subspan(1);
  const auto mismatch = resolver_.explain(first.formals, rest);
  if (mismatch->arity) {
    const auto& place = rest.size() > first.formals.size() ? args[first.formals.size() + 1] : args.back();
    return error(place->span, kHigherOrder, name,
                 "expected " + std::to_string(first.formals.size() + 1) + " arguments with the callback " + callback +
                     ", found " + std::to_string(args.size()) + ".");
  }
  const std::size_t at = mismatch->position;
  error(args[at + 1]->span, kHigherOrder, name,
        "argument " + std::to_string(at + 2) + " " + resolver_.reason(first.formals[at], *rest[at]) + ".");
}

/// Picks the overload of the callback whose signature takes the other arguments at least cost.
Type Checker::choose_callback(Span where, const std::string& name, std::vector<ast::ExprPtr>& args,
                              const std::vector<CallbackMatch>& matches, ast::Resolution& out, const Type& result) {
  std::vector<Candidate> candidates;  // their indexes lead back to `matches`
  for (const auto& match : matches)
    if (match.fault.empty()) candidates.push_back({match.formals, &result, static_cast<int>(&match - matches.data())});
  const Match best = resolver_.match(candidates, Arguments(args).subspan(1));
  if (best.kind == Match::Kind::None) return no_callback(name, args, matches), BaseType::Error;
  const auto callback_of = [&](const Candidate& candidate) -> const CallbackMatch& {
    return matches[static_cast<std::size_t>(candidate.user_index)];
  };
  if (best.kind == Match::Kind::Ambiguous) {
    std::string lines;
    for (const auto& tied : best.tied) {
      const Candidate& callback = callback_of(tied).callback;
      lines += (lines.empty() ? "" : "\n") + signature_line(callback.formals, *callback.result);
    }
    return error(where, kAmbiguousCallback, name, function_name(*args[0])->name.text, lines), BaseType::Error;
  }
  const CallbackMatch& chosen = callback_of(best.best);
  const auto own = chosen.callback.formals;
  args[0]->type = Type::function({{own.begin(), own.end()}, *chosen.callback.result});
  out = {};
  out.name = name;
  out.suffix = suffix_of(name);
  out.formals.push_back({args[0]->type, false});
  out.formals.insert(out.formals.end(), chosen.formals.begin(), chosen.formals.end());
  out.result = result;
  return result;
}

namespace {

/// What is wrong with an overload as the callback of reduce_sum; empty if nothing is.
std::string slice_fault(const Candidate& candidate) {
  const auto formals = candidate.formals;
  if (formals.size() < 3 || !formals[0].type.is_array() || !can_be_sliced(formals[0].type.base()))
    return "it must take an array, two ints (first and last position) and any further arguments";
  if (!formals[1].type.is(BaseType::Int) || !formals[2].type.is(BaseType::Int))
    return "its second and third argument must be int";
  return candidate.result->is(BaseType::Real) ? "" : "it must return real, not " + candidate.result->str();
}

}  // namespace

Type Checker::reduce_sum(Span where, const ast::Name& name, std::vector<ast::ExprPtr>& args, ast::Resolution& out) {
  const auto wrong = [&](Span place, const std::string& text) {
    error(place, kHigherOrder, name.text, text);
    return Type(BaseType::Error);
  };
  if (args.size() < 2)
    return wrong(
        args.empty() ? where : args.back()->span,
        "expected the name of a function, an array to slice, a grain size and the function's further arguments.");
  const auto* callback = function_name(*args[0]);
  const Suffix suffix = callback ? suffix_of(callback->name.text) : Suffix::Rng;
  if (suffix != Suffix::Plain && suffix != Suffix::Lpdf && suffix != Suffix::Lpmf)
    return wrong(args[0]->span, "the first argument must be the name of a function (array, int, int, ...) => real.");
  const Type& sliced = args[1]->type;
  if (!sliced.is_array())
    return wrong(args[1]->span, "the second argument must be an array, found type " + sliced.str() + ".");
  if (!can_be_sliced(sliced.base()))
    return wrong(args[1]->span, "only arrays of int, real, vector, row_vector or matrix can be sliced, found type " +
                                    sliced.str() + ".");
  std::vector<CallbackMatch> matches;
  for (const auto& candidate : resolver_.overloads(normalised(callback->name.text))) {
    CallbackMatch match{candidate, {}, slice_fault(candidate)};
    if (match.fault.empty()) {
      match.formals = {candidate.formals[0], {BaseType::Int, false}};  // the array, the grain size
      match.formals.insert(match.formals.end(), candidate.formals.begin() + 3, candidate.formals.end());
    }
    matches.push_back(std::move(match));
  }
  return choose_callback(where, name.text, args, matches, out, BaseType::Real);
}

}  // namespace fermiac::check
