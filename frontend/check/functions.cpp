// Definitions of functions: their signatures first, so that every body sees every function, then the bodies.
#include <algorithm>
#include <utility>

#include "frontend/builtins/builtins.h"
#include "frontend/check/annotations.h"
#include "frontend/check/checker.h"
#include "frontend/check/conversions.h"

namespace fermiac::check {
namespace {

using namespace ast;

std::vector<Formal> formals_of(const FunctionDef& definition) {
  std::vector<Formal> out;
  for (const auto& arg : definition.args) out.push_back({arg.type.type(), arg.data_only});
  return out;
}

Type result_of(const FunctionDef& definition) {
  return definition.result ? definition.result->type() : BaseType::Void;
}

std::string formals_text(std::span<const Formal> formals) {
  std::string out = "(";
  for (std::size_t i = 0; i < formals.size(); ++i)
    out += (i > 0 ? ", " : "") + std::string(formals[i].data_only ? "data " : "") + formals[i].type.str();
  return out + ")";
}

bool must_return_real(std::string_view name) {
  return is_conditional(name);
}

}  // namespace

bool Checker::function_name_is_free(const FunctionDef& definition) {
  if (!fresh_name(definition.name)) return false;
  if (is_special_form(definition.name.text))
    return error(definition.name.span, kNotOverloadable, definition.name.text), false;
  for (std::size_t i = 0; i < definition.args.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (definition.args[i].name.text == definition.args[j].name.text)
        return error(definition.span, kDuplicateArgument, definition.name.text, definition.args[i].name.text), false;
  return true;
}

/// What the ending of a density's or distribution function's name promises.
bool Checker::density_rules(const FunctionDef& definition, std::span<const Formal> formals, const Type& result) {
  const std::string& name = definition.name.text;
  if (!must_return_real(name)) return true;
  if (!result.is(BaseType::Real)) return error(definition.span, kDensityReturn, name, result.str()), false;
  const Suffix suffix = suffix_of(name);
  if (suffix != Suffix::Lpdf && suffix != Suffix::Lpmf) return true;
  const bool wants_discrete = suffix == Suffix::Lpmf;
  if (!formals.empty() && formals.front().type.is_discrete() == wants_discrete) return true;
  error(definition.span, kDensityVariate, name, wants_discrete ? "an int or made of ints" : "real or made of reals",
        formals.empty() ? ", and there is none" : ", not " + formals.front().type.str());
  return false;
}

/// Whether a declaration or definition goes with an earlier one of the same name and argument types.
bool Checker::fits_earlier(const FunctionDef& definition, UserFunction& earlier, const UserFunction& now) {
  const std::string& name = definition.name.text;
  if (earlier.formals != now.formals) return error(definition.span, kOverloadByData, name), false;
  if (earlier.result != now.result)
    return error(definition.span, kOverloadByReturn, name, earlier.result.str(), now.result.str()), false;
  const ReportNotes there{{{earlier.name_span, "The first one is here."}}, {}};
  if (!now.defined) return error_with(there, definition.span, kDeclaredTwice, name, formals_text(now.formals)), false;
  if (earlier.defined) return error_with(there, definition.span, kRedefined, name, formals_text(now.formals)), false;
  warn(earlier.name_span, kWarnForward, name);
  earlier.defined = true;
  earlier.index = now.index;
  return true;
}

void Checker::function_signature(const FunctionDef& definition, int index) {
  const std::string& name = definition.name.text;
  UserFunction now{formals_of(definition), result_of(definition), index, definition.body != nullptr,
                   definition.name.span};
  if (!function_name_is_free(definition)) return;
  density_rules(definition, now.formals, now.result);  // the function is known all the same, so its calls are no errors
  for (const auto& signature : signatures(name))
    if (same_types(signature.formals, now.formals))
      return error(definition.span, kSameAsBuiltin, name, formals_text(now.formals));
  UserFunction* const earlier = functions_.find_same_types(name, now.formals);
  if (!earlier) return functions_.add(name, std::move(now));
  if (earlier->index >= first_of_piece_) return void(fits_earlier(definition, *earlier, now));
  *earlier = std::move(now);  // a later piece of a session replaces what an earlier one defined
}

void Checker::all_defined(const std::vector<FunctionDef>& definitions) {
  if (options_.allow_undefined) return;
  for (const auto& definition : definitions) {
    if (definition.body || has_annotation(definition.annotations, "extern")) continue;
    const auto* known = functions_.find_same_types(definition.name.text, formals_of(definition));
    if (known && !known->defined) error(definition.name.span, kNeverDefined, definition.name.text);
  }
}

void Checker::function_body(FunctionDef& definition) {
  if (stopped()) return;
  const auto mark = scope_.mark();
  const Context outer = context_;
  context_ = {BlockKind::Functions, suffix_of(definition.name.text), result_of(definition), 0, false};
  for (const auto& arg : definition.args)
    declare(arg.name, arg.type.type(), VariableInfo::Role::Argument, arg.data_only);
  if (definition.body) {
    const Flow flow = statement(*definition.body);
    if (flow != Flow::Complete && !is_void(*context_.returns))
      error(definition.span, kMissingReturn, definition.name.text);
  }
  context_ = outer;
  scope_.release(mark);
  remember_calls(definition);
}

void Checker::function_signatures(const std::vector<FunctionDef>& definitions) {
  first_of_piece_ = function_count_;
  for (const auto& definition : definitions) function_signature(definition, function_count_++);
}

void Checker::checked_functions(const std::vector<FunctionDef>& definitions) {
  function_signatures(definitions);
  for (const auto& definition : definitions) remember_calls(definition);
}

void Checker::function_definitions(std::vector<FunctionDef>& definitions) {
  const BlockKind outer = std::exchange(context_.block, BlockKind::Functions);
  Scope variables = std::exchange(scope_, {});  // functions see none
  function_signatures(definitions);
  std::ranges::stable_sort(deprecations_, {}, [](const Report& report) { return report.span.begin; });
  all_defined(definitions);
  for (auto& definition : definitions) function_body(definition);
  scope_ = std::move(variables);
  context_.block = outer;
}

}  // namespace fermiac::check
