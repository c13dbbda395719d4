#include "interp/queries/generators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "interp/functions/builtin_tools.h"
#include "interp/functions/functions.h"
#include "interp/value/numbers.h"
#include "mir/ir/build.h"
#include "support/base/errors.h"

namespace fermiac::interp {

Value call_library(Frame& f, std::string_view name, std::vector<Value> args) {
  CallContext context = f.context(false);
  const LibraryFunction* builtin = LibraryFunction::find(name);
  if (!builtin) throw ad::FatalError(fmt::format("the function {} is not implemented", name));
  return builtin->apply(context, args);
}
Value call_library(Frame& f, Builtin fn, std::vector<Value> args) {
  CallContext context = f.context(false);
  return LibraryFunction::find(fn)->apply(context, args);
}

namespace {

std::int32_t rows_of(const Value& v) {
  return static_cast<std::int32_t>(v.shape().rows);
}

// ---------------------------------------------------------------- distributions without a generator of their own

/// Arguments of one element, left side first.
using Drawn = Value (*)(Frame& f, const std::vector<Value>& a);

/// alpha + X * beta of one row, as a number or (for several categories) as a vector.
Value predictor(Frame& f, const Value& x, const Value& alpha, const Value& beta) {
  const Value product = call_library(f, Builtin::Times, {x, beta});
  if (product.shape().is_scalar()) return call_library(f, Builtin::Plus, {product, alpha});
  const Value eta = product.shape().size() == 1 ? Value(element_value(f.context(false), product, 0)) : call_library(f, Builtin::to_vector, {product});
  const Value offset = alpha.shape().size() == 1 && eta.shape().is_scalar() ? Value(element_value(f.context(false), alpha, 0)) : alpha;
  return call_library(f, Builtin::Plus, {eta, offset});
}

Value first_number(Frame& f, const Value& v) {
  return v.shape().is_scalar() ? v : Value(element_value(f.context(false), v, 0));
}

Value total(const Value& counts) {
  std::int32_t n = 0;
  for (const std::int32_t x : counts.int_data()) {
    if (x < 0) throw ad::DomainError("the number of trials is the sum of the data, which is not known");
    n += x;
  }
  return n;
}

/// Rows of a matrix that are normal with the same correlation of their columns.
Value gaussian_rows(Frame& f, const Value& y, const Value& factor, const Value& weights) {
  const Shape& s = y.shape();
  RealBuffer out(s.size());
  const CallContext context = f.context(false);
  for (std::uint32_t r = 0; r < s.rows; ++r) {
    const Value mean = Value::reals(Shape::vector(s.cols), 0.0);
    const Value row = call_library(f, Builtin::multi_normal_cholesky_rng, {mean, factor});
    for (std::uint32_t c = 0; c < s.cols; ++c) out[c * s.rows + r] = row.real_data()[c] / std::sqrt(element_value(context, weights, r));
  }
  return Value::reals(s, std::move(out));
}

struct Row {
  std::string_view distribution;
  Drawn draw;
};
constexpr std::array kRows = {
    Row{"std_normal", [](Frame& f, const std::vector<Value>&) { return call_library(f, Builtin::normal_rng, {0.0, 1.0}); }},
    Row{"binomial_logit", [](Frame& f, const std::vector<Value>& a) { return call_library(f, Builtin::binomial_rng, {a[1], call_library(f, Builtin::inv_logit, {a[2]})}); }},
    Row{"bernoulli_logit_glm",
        [](Frame& f, const std::vector<Value>& a) { return call_library(f, Builtin::bernoulli_logit_rng, {predictor(f, a[1], a[2], a[3])}); }},
    Row{"binomial_logit_glm",
        [](Frame& f, const std::vector<Value>& a) {
          const Value p = call_library(f, Builtin::inv_logit, {predictor(f, a[2], a[3], a[4])});
          return call_library(f, Builtin::binomial_rng, {first_number(f, a[1]), p});
        }},
    Row{"poisson_log_glm", [](Frame& f, const std::vector<Value>& a) { return call_library(f, Builtin::poisson_log_rng, {predictor(f, a[1], a[2], a[3])}); }},
    Row{"neg_binomial_2_log_glm",
        [](Frame& f, const std::vector<Value>& a) {
          return call_library(f, Builtin::neg_binomial_2_log_rng, {predictor(f, a[1], a[2], a[3]), first_number(f, a[4])});
        }},
    Row{"normal_id_glm",
        [](Frame& f, const std::vector<Value>& a) { return call_library(f, Builtin::normal_rng, {predictor(f, a[1], a[2], a[3]), first_number(f, a[4])}); }},
    Row{"categorical_logit_glm",
        [](Frame& f, const std::vector<Value>& a) { return call_library(f, Builtin::categorical_logit_rng, {predictor(f, a[1], a[2], a[3])}); }},
    Row{"ordered_logistic_glm",
        [](Frame& f, const std::vector<Value>& a) { return call_library(f, Builtin::ordered_logistic_rng, {predictor(f, a[1], 0.0, a[2]), a[3]}); }},
    Row{"multi_normal_prec",
        [](Frame& f, const std::vector<Value>& a) { return call_library(f, Builtin::multi_normal_rng, {a[1], call_library(f, Builtin::inverse_spd, {a[2]})}); }},
    Row{"multi_gp",
        [](Frame& f, const std::vector<Value>& a) { return gaussian_rows(f, a[0], call_library(f, Builtin::cholesky_decompose, {a[1]}), a[2]); }},
    Row{"multi_gp_cholesky", [](Frame& f, const std::vector<Value>& a) { return gaussian_rows(f, a[0], a[1], a[2]); }},
    Row{"lkj_corr", [](Frame& f, const std::vector<Value>& a) { return call_library(f, Builtin::lkj_corr_rng, {rows_of(a[0]), a[1]}); }},
    Row{"lkj_corr_cholesky", [](Frame& f, const std::vector<Value>& a) { return call_library(f, Builtin::lkj_corr_cholesky_rng, {rows_of(a[0]), a[1]}); }},
    Row{"multinomial", [](Frame& f, const std::vector<Value>& a) { return call_library(f, Builtin::multinomial_rng, {a[1], total(a[0])}); }},
    Row{"multinomial_logit", [](Frame& f, const std::vector<Value>& a) { return call_library(f, Builtin::multinomial_logit_rng, {a[1], total(a[0])}); }},
    Row{"dirichlet_multinomial", [](Frame& f, const std::vector<Value>& a) { return call_library(f, Builtin::dirichlet_multinomial_rng, {a[1], total(a[0])}); }}};

const Row* row_of(std::string_view distribution) {
  const auto found = std::ranges::find(kRows, distribution, &Row::distribution);
  return found == kRows.end() ? nullptr : &*found;
}

const FunctionCode* own_generator(const CompiledModel& compiled, const mir::Site& site) {
  const auto& functions = compiled.code->functions_by_name;
  const auto found = functions.find(site.distribution + "_rng");
  if (found == functions.end()) return nullptr;
  const std::size_t wanted = mir::as_call(*site.call)->args.size() - 1;
  for (const FunctionCode* f : found->second)
    if (f->formals.size() == wanted && f->defined) return f;
  return nullptr;
}

bool is_user(const mir::Site& site) {
  return std::holds_alternative<mir::UserDefined>(mir::as_call(*site.call)->fn);
}

std::vector<Value> behind_left(const std::vector<Value>& args) {
  return {args.begin() + 1, args.end()};
}

}  // namespace

bool has_generator(const CompiledModel& compiled, const mir::Site& site) {
  if (is_user(site)) return own_generator(compiled, site) != nullptr;
  return row_of(site.distribution) || LibraryFunction::find(site.distribution + "_rng");
}

Value draw_element(const CompiledModel& compiled, SiteCall& call, std::size_t i, Frame& f) {
  const std::vector<Value> args = call.element_arguments(i);
  const mir::Site& site = call.site();
  if (is_user(site)) return call_function(*own_generator(compiled, site), f, behind_left(args));
  if (const Row* row = row_of(site.distribution)) return row->draw(f, args);
  return call_library(f, site.distribution + "_rng", behind_left(args));
}

bool draw_all_elements(const CompiledModel& compiled, SiteCall& call, Frame& f, Value* out) {
  const mir::Site& site = call.site();
  (void)compiled;
  if (is_user(site) || row_of(site.distribution) || call.size() < 2) return false;
  const std::vector<Value> args = behind_left(call.whole_arguments());
  const bool containers = std::ranges::any_of(args, [](const Value& v) { return !v.shape().is_scalar(); });
  if (!containers) {  // the same arguments for all
    RealBuffer draws(call.size());
    bool ints = false;
    for (std::size_t i = 0; i < call.size(); ++i) {
      const Value x = call_library(f, site.distribution + "_rng", args);
      if (!x.shape().is_scalar()) return false;
      ints = x.is_int();
      draws[i] = number(x);
    }
    (void)ints;
    *out = Value::reals(Shape::vector(static_cast<std::uint32_t>(call.size())), std::move(draws));
    return true;
  }
  if (ad::find_map(site.distribution + "_lpdf") == ad::kNoMap && ad::find_map(site.distribution + "_lpmf") == ad::kNoMap) return false;
  *out = call_library(f, site.distribution + "_rng", args);
  return out->shape().scalars() == call.size();
}

// ---------------------------------------------------------------- truncation

namespace {

bool inside(const Value& x, const Value& lower, const Value& upper) {
  return (lower.is_none() || number(x) >= number(lower)) && (upper.is_none() || number(x) <= number(upper));
}

/// The x with P(X <= x) = p, between the bounds, by halving.
double inverse_cdf(SiteCall& call, std::size_t i, double log_p, double low, double high) {
  for (int k = 0; k < 200 && high - low > 1e-14 * std::max(1.0, std::fabs(low)); ++k) {
    const double middle = low + (high - low) / 2;
    (call.lcdf_of(i, middle) < log_p ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

std::int32_t inverse_cdf_of_ints(SiteCall& call, std::size_t i, double log_p, std::int64_t low, std::int64_t high) {
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (call.lcdf_of(i, static_cast<std::int32_t>(middle)) < log_p) low = middle + 1;
    else high = middle;
  }
  return static_cast<std::int32_t>(low);
}

/// An end that the truncation leaves open: far enough out for all but nothing of the mass.
double far_end(SiteCall& call, std::size_t i, double from, bool up, bool ints) {
  double step = 1;
  for (int k = 0; k < 1000; ++k, step *= 2) {
    const double x = up ? from + step : from - step;
    if (ints && std::fabs(x) > 1e9) return x;
    const double log_p = call.lcdf_of(i, ints ? Value(static_cast<std::int32_t>(x)) : Value(x));
    if (up ? log_p > -1e-16 : log_p < -745) return x;
  }
  return up ? from + step : from - step;
}

}  // namespace

Value draw_truncated(const CompiledModel& compiled, SiteCall& call, std::size_t i, Frame& f) {
  const Value lower = call.lower(), upper = call.upper();
  const double log_mass = call.log_mass_of(i);
  constexpr double kEasy = 0.1;
  if (std::exp(log_mass) > kEasy) {
    for (;;) {
      f.m.poll();
      Value x = draw_element(compiled, call, i, f);
      if (inside(x, lower, upper)) return x;
    }
  }
  const bool ints = call.whole_arguments()[0].is_int() || call.whole_arguments()[0].kind() == Value::Kind::Ints;
  const auto below = [&] { return lower.is_none() ? -std::numeric_limits<double>::infinity() : call.lcdf_of(i, ints ? Value(lower.as_int() - 1) : Value(number(lower))); };
  const double u = f.m.rng->uniform();
  // log(P(X < lower) + u * mass)
  const double a = below(), b = std::log(u) + log_mass;
  const double log_p = std::max(a, b) + std::log1p(std::exp(-std::fabs(a - b)));
  if (ints) {
    const std::int64_t low = lower.is_none() ? 0 : lower.as_int();
    const std::int64_t high = upper.is_none() ? static_cast<std::int64_t>(far_end(call, i, static_cast<double>(low), true, true)) : upper.as_int();
    return inverse_cdf_of_ints(call, i, log_p, low, high);
  }
  const double low = lower.is_none() ? far_end(call, i, number(upper), false, false) : number(lower);
  const double high = upper.is_none() ? far_end(call, i, low, true, false) : number(upper);
  return inverse_cdf(call, i, log_p, low, high);
}

}  // namespace fermiac::interp
