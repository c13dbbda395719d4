// Function calls: which overload, and whether it may be called here.
#include <algorithm>

#include "frontend/builtins/builtins.h"
#include "frontend/builtins/removed.h"
#include "frontend/check/checker.h"
#include "frontend/check/conversions.h"
#include "frontend/check/foreign_names.h"

namespace fermiac::check {
namespace {

using ast::BlockKind;

struct OldSolver {
  Builtin old, now;
};
constexpr OldSolver kOldSolvers[] = {{Builtin::integrate_ode, Builtin::ode_rk45},
                                     {Builtin::integrate_ode_rk45, Builtin::ode_rk45},
                                     {Builtin::integrate_ode_bdf, Builtin::ode_bdf},
                                     {Builtin::integrate_ode_adams, Builtin::ode_adams}};

/// The larger of two ints has the name of the largest of many reals.
std::string of_reals(std::string_view name, Arguments args) {
  if ((name != "max" && name != "min") || args.size() != 2) return "";
  return "\nOf two reals it is 'f" + std::string(name) + "'.";
}

bool any_error(Arguments args) {
  return std::ranges::any_of(args, [](const ast::ExprPtr& arg) { return arg->type.is_error(); });
}

}  // namespace

bool Checker::callable_name(Span where, const ast::Name& name) {
  if (!usable_name(name)) return false;
  if (!scope_.find(name.text)) return true;
  if (is_builtin(normalised(name.text)) || is_special_form(normalised(name.text))) return true;
  error(where, kCalledVariable, name.text);
  return false;
}

bool Checker::bar_is_right(Span where, const ast::Name& name, Arguments args, bool conditional) {
  const bool takes_bar = is_conditional(name.text);
  if (args.size() < 2 || conditional == takes_bar) {
    if (conditional && !takes_bar) return error(where, kBarSuperfluous, name.text), false;
    return true;
  }
  const Span between{args[0]->span.end, args[1]->span.begin};
  if (conditional) return error_with({{}, {{"Write a comma", between, ", "}}}, where, kBarSuperfluous, name.text), false;
  return error_with({{}, {{"Write a vertical bar", between, " | "}}}, where, kBarMissing, name.text), false;
}

/// Whether a function with such a name may be called (or passed on) where the checker is.
bool Checker::placement(Span where, std::string_view name) {
  const bool function = context_.in_function();
  const BlockKind block = context_.block;
  if (is_unnormalised(name)) {
    const bool allowed =
        function ? context_.suffix == Suffix::Lpdf || context_.suffix == Suffix::Lpmf : block == BlockKind::Model;
    if (!allowed) error(where, kUnnormalisedPlace);
    return allowed;
  }
  const Suffix suffix = suffix_of(name);
  if (suffix == Suffix::Rng) {
    const bool allowed = function ? context_.suffix == Suffix::Rng
                                  : block == BlockKind::TransformedData || block == BlockKind::GeneratedQuantities;
    if (!allowed) error(where, kRngPlace);
    return allowed;
  }
  if (suffix == Suffix::Target) {
    const bool deprecated = !function && block == BlockKind::TransformedParameters;
    if (deprecated) warn(where, kWarnLpPlace, std::string(name));
    const bool allowed = deprecated || (function ? context_.suffix == Suffix::Target : block == BlockKind::Model);
    if (!allowed) error(where, kLpPlace);
    return allowed;
  }
  if (suffix == Suffix::Jacobian) {
    const bool allowed = function ? context_.suffix == Suffix::Jacobian : block == BlockKind::TransformedParameters;
    if (!allowed) error(where, kJacobianPlace);
    return allowed;
  }
  return true;
}

void Checker::unknown_function(Span where, const ast::Name& called) {
  const std::string& name = called.text;
  for (const auto& [removed, replacement] : kRemovedFunctions)
    if (name == removed)
      return error(where, kUnknownFunction, name,
                   " It was removed from the language; use " + std::string(replacement) + ".");
  if (const ForeignName* foreign = foreign_function(name)) {
    ReportNotes notes;
    if (!foreign->now.empty()) notes.fixes.push_back({"Write '" + std::string(foreign->now) + "'", called.span, std::string(foreign->now)});
    return error_with(std::move(notes), where, kUnknownFunction, name, " " + std::string(foreign->hint));
  }
  const auto plain = normalised(name);
  const std::string stem(stem_of(plain));
  if (plain.ends_with("_lpdf") && resolver_.exists(stem + "_lpmf"))
    return error(where, kUnknownFunction, name, " '" + stem + "' is discrete: did you mean '" + stem + "_lpmf'?");
  if (plain.ends_with("_lpmf") && resolver_.exists(stem + "_lpdf"))
    return error(where, kUnknownFunction, name, " '" + stem + "' is continuous: did you mean '" + stem + "_lpdf'?");
  if (name.ends_with("_log") && find_distribution(std::string_view(name).substr(0, name.size() - 4))) {
    const std::string distribution = name.substr(0, name.size() - 4);
    const bool discrete = resolver_.exists(distribution + "_lpmf");
    return error(where, kUnknownFunction, name, " Did you mean '" + distribution + (discrete ? "_lpmf'?" : "_lpdf'?"));
  }
  if (find_distribution(name)) {
    const std::string density = name + (resolver_.exists(name + "_lpmf") ? "_lpmf" : "_lpdf");
    return error(where, kUnknownFunction, name,
                 " It is a distribution: write 'y ~ " + name + "(...)' as a statement, or '" + density +
                     "(y | ...)' for the value of its logarithm.");
  }
  ReportNotes notes;
  std::string hint = did_you_mean(called, true, notes);
  if (hint.empty()) hint = near_distribution(called, notes);
  error_with(std::move(notes), where, kUnknownFunction, name, hint);
}

void Checker::deprecated_function(const ast::Name& name) {
  for (const auto& [old, now] : kOldSolvers)
    if (name.text == name_of(old)) warn(name.span, kWarnOdeOld, name.text, std::string(name_of(now)));
  if (stem_of(name.text) == "lkj_cov" || name.text == "lkj_cov") warn(name.span, kWarnLkjCov);
}

void Checker::jacobian_of_data(Span where, const ast::Name& name, Arguments args) {
  if (suffix_of(name.text) != Suffix::Jacobian) return;
  if (std::ranges::any_of(args, [](const ast::ExprPtr& arg) { return arg->ad.any(); })) return;
  const auto constrain = std::string(stem_of(name.text)) + "_constrain";
  warn(where, kWarnJacobianData, name.text,
       resolver_.exists(constrain) ? " Use '" + constrain + "', which leaves the Jacobian alone." : "");
}

void Checker::accept(const Match& match, const std::string& name, Arguments args, ast::Resolution& out) {
  out = {};
  out.name = normalised(name);
  out.suffix = suffix_of(name);
  out.propto = is_unnormalised(name);
  out.formals.assign(match.best.formals.begin(), match.best.formals.end());
  out.result = *match.best.result;
  out.user_index = match.best.user_index;
  out.kind = out.user_index < 0 ? ast::Resolution::Kind::StanLib : ast::Resolution::Kind::User;
  // a function that is passed on is the overload that fits
  for (std::size_t i = 0; i < out.formals.size(); ++i)
    if (is_function(out.formals[i].type))
      if (auto chosen = resolver_.callback(out.formals[i].type.signature(), *args[i]))
        args[i]->type = Type::function({{chosen->formals.begin(), chosen->formals.end()}, *chosen->result});
}

Type Checker::ordinary_call(Span where, const ast::Name& name, Arguments args, ast::Resolution& out) {
  const std::string plain = normalised(name.text);
  if (!resolver_.exists(plain)) return unknown_function(where, name), BaseType::Error;
  if (!bar_is_right(where, name, args, out.propto)) return BaseType::Error;
  if (any_error(args)) return BaseType::Error;
  const Match match = resolver_.match(plain, args);
  switch (match.kind) {
    case Match::Kind::Unique:
      accept(match, name.text, args, out);
      return out.result;
    case Match::Kind::Ambiguous:
      error(where, kAmbiguousCall, name.text, types_text(args), candidate_lines(match.tied));
      return BaseType::Error;
    case Match::Kind::None:
      break;
  }
  error(where, kIllTypedCall, name.text, types_text(args), resolver_.explain_all(resolver_.overloads(plain), args) + of_reals(plain, args));
  return BaseType::Error;
}

Type Checker::application(Span where, const ast::Name& name, std::vector<ast::ExprPtr>& args, bool conditional,
                          ast::Resolution& out) {
  if (!callable_name(where, name)) return BaseType::Error;
  expressions(args);
  if (is_special_form(normalised(name.text))) {
    if (any_error(args)) return BaseType::Error;
    const auto type = special_form(where, name, args, out);
    if (!type || type->is_error() || !bar_is_right(where, name, args, conditional)) return BaseType::Error;
    if (!placement(where, name.text)) return BaseType::Error;
    return *type;
  }
  out.propto = conditional;  // only for bar_is_right, overwritten by a match
  const Type type = ordinary_call(where, name, args, out);
  if (type.is_error() || !placement(where, name.text)) return BaseType::Error;
  deprecated_function(name);
  jacobian_of_data(where, name, args);
  return type;
}

}  // namespace fermiac::check
