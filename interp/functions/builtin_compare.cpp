// Comparisons, logic and classification. On numbers that carry derivatives the outcome is remembered by a guard, so that a
// replay in which it differs stops; the result is a plain int.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "autodiff/ops/scalar.h"
#include "autodiff/tape/record/recorder.h"
#include "interp/functions/builtin_tools.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

using Name = std::string_view;
using ad::Compare;

Ref as_ref(CallContext& c, const Value& v) {
  return v.kind() == Value::Kind::Ref ? v.as_ref() : c.recorder->constant(plain_scalar(v));
}

bool compare(CallContext& c, Compare how, const Value& x, const Value& y) {
  if (x.is_autodiff() || y.is_autodiff()) return c.recorder->guard(how, as_ref(c, x), as_ref(c, y));
  return ad::ops::holds(how, plain_scalar(x), plain_scalar(y));
}

void need_two(Name name, Args a) {
  if (a.size() != 2) wrong_arguments(name, a);
  for (const Value& v : a)
    if (!is_scalar_number(v) && !(is_complex(v) && v.shape().is_scalar())) wrong_arguments(name, a);
}

template <Compare How, bool Swap = false>
Value ordered(CallContext& c, Name name, Args a) {
  need_two(name, a);
  return compare(c, How, a[Swap ? 1 : 0], a[Swap ? 0 : 1]) ? 1 : 0;
}

/// Real or imaginary part of a scalar.
Value part(const Value& v, std::uint32_t which) {
  if (!is_complex(v)) return which == 0 ? v : Value(0.0);
  return v.kind() == Value::Kind::Refs ? Value::reference(v.ref_data()[which]) : Value(v.real_data()[which]);
}

bool equal(CallContext& c, Name name, Args a) {
  need_two(name, a);
  if (!is_complex(a[0]) && !is_complex(a[1])) return compare(c, Compare::Equal, a[0], a[1]);
  return compare(c, Compare::Equal, part(a[0], 0), part(a[1], 0)) && compare(c, Compare::Equal, part(a[0], 1), part(a[1], 1));
}
Value equals(CallContext& c, Name name, Args a) { return equal(c, name, a) ? 1 : 0; }
Value differs(CallContext& c, Name name, Args a) { return equal(c, name, a) ? 0 : 1; }

bool truth(CallContext& c, Name name, Args a, std::size_t i) {
  if (i >= a.size() || !is_scalar_number(a[i])) wrong_arguments(name, a);
  return a[i].is_int() ? a[i].as_int() != 0 : !compare(c, Compare::Equal, a[i], Value(0));
}
Value logical_and(CallContext& c, Name name, Args a) { return truth(c, name, a, 0) && truth(c, name, a, 1) ? 1 : 0; }
Value logical_or(CallContext& c, Name name, Args a) { return truth(c, name, a, 0) || truth(c, name, a, 1) ? 1 : 0; }
Value logical_not(CallContext& c, Name name, Args a) { return truth(c, name, a, 0) ? 0 : 1; }

Value is_nan(CallContext& c, Name, Args a) { return compare(c, Compare::Equal, a[0], a[0]) ? 0 : 1; }
Value is_inf(CallContext& c, Name, Args a) {
  const double inf = std::numeric_limits<double>::infinity();
  return compare(c, Compare::Equal, a[0], inf) || compare(c, Compare::Equal, a[0], -inf) ? 1 : 0;
}

/// 1 where positive; NaN is an error.
Value int_step(CallContext& c, Name name, Args a) {
  if (a.size() != 1 || !is_scalar_number(a[0])) wrong_arguments(name, a);
  return compare(c, Compare::Less, Value(0.0), a[0]) ? 1 : 0;
}

std::int32_t truncate(Name name, double x) {
  if (std::isnan(x)) throw ad::DomainError(fmt::format("{}: the argument is nan, but must be a number", name));
  if (x < -2147483648.0 || x > 2147483647.0)
    throw ad::DomainError(fmt::format("{}: the argument is {}, which does not fit into an int", name, x));
  return static_cast<std::int32_t>(x);
}

Value to_int(CallContext& c, Name name, Args a) {
  if (a.size() != 1 || is_complex(a[0])) wrong_arguments(name, a);
  if (is_ints(a[0])) return a[0];
  const Shape shape = a[0].shape();
  std::vector<std::int32_t> out = filled<std::int32_t>(shape.size());
  ad::each_stoppable(out.size(), [&](std::size_t k) {
    out[k] = truncate(name, element_value(c, a[0], static_cast<std::uint32_t>(k)));
  });
  return Value::ints(shape, std::move(out));
}

constexpr FunctionRow kRows[] = {
    {"logical_eq", equals},
    {"logical_neq", differs},
    {"logical_lt", ordered<Compare::Less>},
    {"logical_lte", ordered<Compare::LessOrEqual>},
    {"logical_gt", ordered<Compare::Less, true>},
    {"logical_gte", ordered<Compare::LessOrEqual, true>},
    {"logical_negation", logical_not},
    {"logical_and", logical_and}, {"logical_or", logical_or},
    {"is_nan", is_nan},       {"is_inf", is_inf},
    {"int_step", int_step},   {"to_int", to_int},
};

}  // namespace

std::span<const FunctionRow> comparison_functions() { return kRows; }

}  // namespace fermiac::interp
