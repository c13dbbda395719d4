// Calls: of library functions, of functions of the program, of those that take functions.
#include <algorithm>
#include <utility>

#include "codegen/names.h"
#include "codegen/stan_math/stan_math.h"
#include "codegen/stan_math/types.h"
#include "frontend/builtins/laplace.h"
#include "frontend/check/special_forms.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "support/base/check.h"

namespace fermiac::codegen::stan_math {

using namespace mir;  // NOLINT: the constructs of this file are its nodes

namespace {

/// Functions that the library has under another name.
struct Renamed {
  Builtin fn;
  std::string_view library;
};
constexpr Renamed kFunctions[] = {{Builtin::lmultiply, "multiply_log"},
                                  {Builtin::lchoose, "binomial_coefficient_log"},
                                  {Builtin::std_normal_qf, "inv_Phi"},
                                  {Builtin::integrate_ode, "integrate_ode_rk45"}};

std::string_view renamed(Builtin fn) {
  const auto* row = std::ranges::find(kFunctions, fn, &Renamed::fn);
  return row == std::end(kFunctions) ? name_of(fn) : row->library;
}

/// Stems of transforms that the library shortens.
std::string_view renamed_transform(std::string_view stem) {
  constexpr std::pair<std::string_view, std::string_view> kRows[] = {{"lower_bound", "lb"},
                                                                     {"upper_bound", "ub"},
                                                                     {"lower_upper_bound", "lub"},
                                                                     {"cholesky_factor_corr", "cholesky_corr"},
                                                                     {"cholesky_factor_cov", "cholesky_factor"}};
  const auto* row = std::ranges::find(kRows, stem, &std::pair<std::string_view, std::string_view>::first);
  return row == std::end(kRows) ? stem : row->second;
}

/// `simplex` of `simplex_jacobian`, if that is a function that transforms.
std::string_view stem(std::string_view name, std::string_view suffix) {
  return name.ends_with(suffix) ? name.substr(0, name.size() - suffix.size()) : std::string_view{};
}

/// Old functions with a callback of one form: how many arguments come before the stream.
struct FixedForm {
  Builtin fn;
  std::size_t before;
};
constexpr FixedForm kFixedForms[] = {{Builtin::algebra_solver, 5},     {Builtin::algebra_solver_newton, 5},
                                     {Builtin::integrate_1d, 6},       {Builtin::integrate_ode, 7},
                                     {Builtin::integrate_ode_rk45, 7}, {Builtin::integrate_ode_bdf, 7},
                                     {Builtin::integrate_ode_adams, 7}};

/// Functions of numbers that take arrays element by element; the headers' own ones for ints keep ints, and cut off.
bool maps_ints(const StanLib& f, const Type& result, const std::vector<ExprPtr>& args) {
  return f.suffix == Suffix::Plain && args.size() == 1 && args[0]->type.is_array() &&
         args[0]->type.base() == BaseType::Int && result.base() == BaseType::Real &&
         result.array_dims() == args[0]->type.array_dims();
}

/// Repeated as it is, it would make an array of matrices that lie by rows, another type.
bool is_transposed_matrix(const Expr& e) {
  return e.type.is(BaseType::Matrix) && as_call(e, Builtin::Transpose);
}

}  // namespace

bool makes_whole(const Expr& e) {
  const StanLib* fn = as_library(e);
  return fn && fn->mem == MemPattern::SoA && !e.type.is_array() && has(fn->fn, Fact::Repeats | Fact::Joins) && carries_derivatives(e);
}

/// The template argument of a call, empty if it takes none.
std::string StanMath::flag(Suffix suffix, bool propto) const {
  switch (suffix) {
    case Suffix::Lpdf:
    case Suffix::Lpmf:
      return propto ? "<propto__>" : "<false>";
    case Suffix::Target:
      return "<propto__>";
    case Suffix::Jacobian:
      return "<jacobian__>";
    default:
      return "";
  }
}

/// What a function that calls itself hands on: a slice, or a tuple of such, would be of a new type in every call.
void StanMath::evaluated(Code& out, const Expr& e) {
  if (is_eigen(e.type)) return enclosed(out, "stan::math::eval(", e, ")");
  if (e.type.is_array() || e.type.base() != BaseType::Tuple) return expr(out, e);
  if (is_internal(e, Internal::FnMakeTuple)) return converted(out, e, e.type, e.ad);
  out << type_text(e.type, e.ad) << "(";
  converted(out, e, e.type, e.ad);
  out << ")";
}

void StanMath::user_call(Code& out, const UserDefined& f, const Args& args) {
  const bool defined = unit_.defines(f.name);
  const bool lazy = in_function() && unit_.recurses(function_->name, f.name);
  // Qualified, or look-up by the arguments' types would bring functions of other namespaces in. Functions that are only
  // declared live where the user's header puts them.
  (out << (defined ? unit_.name_space() + "::" : "") << function_id(f.name) << (defined ? flag(f.suffix, f.propto) : "")
       << "(")
      .open();
  for (const ExprPtr& arg : args) {
    if (lazy && !as_var(*arg))
      evaluated(out, *arg);
    else
      expr(out, *arg);
    (out << ",").br();
  }
  if (f.suffix == Suffix::Rng) (out << "base_rng__,").br();
  if (f.suffix == Suffix::Target || f.suffix == Suffix::Jacobian) (out << "lp__, lp_accum__,").br();
  out.close() << "pstream__)";
}

void StanMath::library_call(Code& out, const Expr& e, const StanLib& f, const Args& args) {
  if (operation(out, e, f.fn, args) || higher_order(out, f, args)) return;
  const std::string_view name = name_of(f.fn);
  if (f.suffix == Suffix::Target) {
    out << "stan::math::get_lp(lp__, lp_accum__)";
  } else if (f.fn == Builtin::fma && f.mem == MemPattern::SoA && is_eigen(e.type) && carries_derivatives(e)) {
    sum_of_product(out, args);
  } else if (f.fn == Builtin::size) {  // unsigned in some versions
    enclosed(out, "static_cast<int>(stan::math::size(", *args[0], "))");
  } else if (const auto constrained = stem(name, "_jacobian"); !constrained.empty()) {
    (out << "stan::math::" << renamed_transform(constrained) << "_constrain<jacobian__>(").open();
    list(out, args);
    (out << ",").br().close() << "lp__)";
  } else {
    out << "stan::math::";
    const auto free = stem(name, "_unconstrain"), plain = stem(name, "_constrain");
    if (!free.empty())
      out << renamed_transform(free) << "_free";
    else if (!plain.empty())
      out << renamed_transform(plain) << "_constrain";
    else
      out << renamed(f.fn);
    if (makes_whole(e)) out << "<" << soa_type_text(e.type) << ">";
    out << flag(f.suffix, f.propto);
    if (maps_ints(f, e.type, args))
      enclosed(out, "(stan::math::promote_scalar<double>(", *args[0], "))");
    else
      arguments(out, f, args);
  }
}

/// `fma` of containers with one adjoint: the headers' own takes no parts or transpositions of such.
void StanMath::sum_of_product(Code& out, const Args& args) {
  const bool by_element = is_eigen(args[0]->type) && is_eigen(args[1]->type);
  (out << "stan::math::add(").open();
  library(out, by_element ? Builtin::elt_multiply : Builtin::multiply, {args[0], args[1]});
  (out << ",").br();
  expr(out, *args[2]);
  out.close() << ")";
}

void StanMath::arguments(Code& out, const StanLib& f, const Args& args) {
  const bool device = on_device_ != nullptr && runs_on_device(f.fn, args);
  (out << "(").open();
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (i > 0) (out << ",").br();
    if (device)
      device_argument(out, *args[i]);
    else if (f.fn == Builtin::rep_array && i == 0 && is_transposed_matrix(*args[i]))
      enclosed(out, type_text(args[i]->type, args[i]->ad) + "(", *args[i], ")");
    else
      expr(out, *args[i]);
  }
  if (f.suffix == Suffix::Rng) out << (args.empty() ? "" : ", ") << "base_rng__";
  out.close() << ")";
}

/// Scalars stay, data have a copy there already.
void StanMath::device_argument(Code& out, const Expr& e) {
  const Var* v = as_var(e);
  if (is_int(e.type) || e.type.is(BaseType::Real)) {
    expr(out, e);
  } else if (v && device_data_->contains(v->name)) {
    on_device_->insert(v->name);
    out << device_name(v->name);
  } else {
    enclosed(out, "stan::math::to_matrix_cl(", e, ")");
  }
}

// ---------------------------------------------------------------- functions that take functions

std::string StanMath::functor(const Expr& callback, Functor::Form form, std::size_t leading, std::size_t arguments) {
  const Var* v = as_var(callback);
  FERMIAC_CHECK(v && callback.type.is(BaseType::Function), "a callback is the name of a function");
  return unit_.use({.form = form, .function = normalised(v->name).name, .leading = leading, .arguments = {arguments}});
}

/// `callee(object, …, stream, …)`: the stream after `before` arguments, the callback counted.
void StanMath::with_stream(Code& out, const std::string& callee, const std::string& object, const Args& args,
                           std::size_t before) {
  (out << "stan::math::" << callee << "(").open() << object;
  for (std::size_t i = 1; i <= args.size(); ++i) {
    if (i == std::min(before, args.size())) (out << ",").br() << "pstream__";
    if (i == args.size()) break;
    (out << ",").br();
    expr(out, *args[i]);
  }
  out.close() << ")";
}

void StanMath::variadic(Code& out, Builtin fn, const Args& args, std::size_t leading, std::size_t control) {
  const std::string object =
      functor(*args[0], Functor::Form::Variadic, leading, leading + args.size() - 1 - control) + "()";
  with_stream(out, std::string(name_of(fn)), object, args, control + 1);
}

void StanMath::reduce_sum(Code& out, Builtin fn, const Args& args) {
  const FunctionName callback = normalised(as_var(*args[0])->name);
  const std::string object = functor(*args[0], Functor::Form::Slice, 3, args.size());
  const bool density = callback.name.ends_with("_lpdf") || callback.name.ends_with("_lpmf");
  const std::string flags = !density ? "" : callback.propto ? "<propto__>" : "<false>";
  (out << "stan::math::" << name_of(fn) << "<" << object << flags << ">(").open();
  for (std::size_t i = 1; i < args.size(); ++i) {
    if (i > 1) (out << ",").br();
    expr(out, *args[i]);
    if (i == 2) (out << ",").br() << "pstream__";
  }
  out.close() << ")";
}

void StanMath::map_rect(Code& out, const Args& args) {
  const std::string object = functor(*args[0], Functor::Form::Plain, 0, 4);
  (out << "stan::math::map_rect<" << unit_.map_rect(object) << ", " << object << ">(").open();
  for (std::size_t i = 1; i < args.size(); ++i) {
    expr(out, *args[i]);
    (out << ",").br();
  }
  out.close() << "pstream__)";
}

void StanMath::laplace(Code& out, const StanLib& f, const Args& args) {
  (out << "stan::math::" << name_of(f.fn) << flag(f.suffix, f.propto) << "(").open();
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!args[i]->type.is(BaseType::Function)) {
      expr(out, *args[i]);
    } else {
      // The arguments of a callback are the slots of the tuple after it; a likelihood has one more before them.
      const std::size_t slots = args[i + 1]->type.slots().size() + (i == 0 ? 1 : 0);
      out << functor(*args[i], Functor::Form::Plain, 0, slots) << "()";
    }
    (out << ",").br();
  }
  if (f.suffix == Suffix::Rng) (out << "base_rng__,").br();
  out.close() << "pstream__)";
}

/// Whether it is a call that takes functions; if so, writes it.
bool StanMath::higher_order(Code& out, const StanLib& f, const Args& args) {
  const bool takes = std::ranges::any_of(args, [](const ExprPtr& a) { return a->type.is(BaseType::Function); });
  if (!takes) return false;
  if (find_laplace(f.fn)) return laplace(out, f, args), true;
  if (f.fn == Builtin::reduce_sum || f.fn == Builtin::reduce_sum_static) return reduce_sum(out, f.fn, args), true;
  if (f.fn == Builtin::map_rect) return map_rect(out, args), true;
  if (const auto shape = check::variadic_shape(name_of(f.fn)))
    return variadic(out, f.fn, args, shape->required, shape->control), true;
  const auto* row = std::ranges::find(kFixedForms, f.fn, &FixedForm::fn);
  FERMIAC_CHECK(row != std::end(kFixedForms), "every function that takes functions has a form");
  const std::string object = functor(*args[0], Functor::Form::Plain, 0, 0) + "()";
  with_stream(out, std::string(renamed(f.fn)), object, args, row->before);
  return true;
}

}  // namespace fermiac::codegen::stan_math
