// Constants, and containers made of one value or of a rule.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "interp/functions/builtin_tools.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

using Name = std::string_view;

// ---- numbers

using Limits = std::numeric_limits<double>;
Value pi(CallContext&, Name, Args) { return std::numbers::pi; }
Value e(CallContext&, Name, Args) { return std::numbers::e; }
Value sqrt2(CallContext&, Name, Args) { return std::numbers::sqrt2; }
Value machine_precision(CallContext&, Name, Args) { return Limits::epsilon(); }
Value positive_infinity(CallContext&, Name, Args) { return Limits::infinity(); }
Value negative_infinity(CallContext&, Name, Args) { return -Limits::infinity(); }
Value not_a_number(CallContext&, Name, Args) { return Limits::quiet_NaN(); }

// ---- copies of a value

Value fill(CallContext& c, Shape shape, const Value& v) {
  shape.complex = is_complex(v);
  if (is_plain_scalar(v) && !(v.is_int() && shape.inner == ad::Inner::Scalar))
    return Value::reals(shape, plain_scalar(v));
  return pick(c, shape, {&v, 1}, filled<std::uint32_t>(shape.scalars()));
}

Value rep_vector(CallContext& c, Name name, Args a) { return fill(c, Shape::vector(size_argument(name, "n", a, 1)), a[0]); }
Value rep_row_vector(CallContext& c, Name name, Args a) {
  return fill(c, Shape::row_vector(size_argument(name, "n", a, 1)), a[0]);
}

/// Of a scalar, a column or a row.
Value rep_matrix(CallContext& c, Name name, Args a) {
  const std::uint32_t n = size_argument(name, a.size() == 3 ? "rows" : "copies", a, 1);
  if (a.size() == 3) return fill(c, Shape::matrix(n, size_argument(name, "columns", a, 2)), a[0]);
  const Shape& s = a[0].shape();
  const bool column = s.inner == ad::Inner::Vector;
  Shape out = column ? Shape::matrix(s.rows, n) : Shape::matrix(n, s.cols);
  out.complex = s.complex;
  const auto at = [&](std::uint32_t k) { return column ? k % out.rows : k / out.rows; };
  return pick(c, out, a.first(1), positions(out.scalars(), at));
}

Value rep_array(CallContext& c, Name name, Args a) {
  Shape out = a[0].kind() == Value::Kind::Tuple ? Shape{} : a[0].shape();
  const std::uint32_t block = scalar_count(a[0]);
  for (std::size_t i = a.size() - 1; i >= 1; --i) out = Shape::array(size_argument(name, "n", a, i), out);
  return pick(c, out, a.first(1), positions(out.scalars(), [block](std::uint32_t k) { return k % block; }));
}

// ---- rules

enum class Form : std::uint8_t { Array, IntArray, Vector, RowVector };

Shape shape_of(Form form, std::uint32_t n) {
  if (form == Form::Vector) return Shape::vector(n);
  return form == Form::RowVector ? Shape::row_vector(n) : Shape::array(n, {});
}

Value build(Form form, std::uint32_t n, auto element) {
  if (form == Form::IntArray) {
    std::vector<std::int32_t> out = filled<std::int32_t>(n);
    ad::each_stoppable(n, [&](std::size_t k) { out[k] = static_cast<std::int32_t>(element(static_cast<std::uint32_t>(k))); });
    return Value::ints(shape_of(form, n), std::move(out));
  }
  RealBuffer out(n);
  ad::each_stoppable(n, [&](std::size_t k) { out[k] = element(static_cast<std::uint32_t>(k)); });
  return Value::reals(shape_of(form, n), std::move(out));
}

template <Form F, int X>
Value constant_fill(CallContext&, Name name, Args a) {
  return build(F, size_argument(name, "n", a, 0), [](std::uint32_t) { return X; });
}

template <Form F>
Value one_hot(CallContext&, Name name, Args a) {
  const std::int32_t n = int_argument(name, a, 0), k = int_argument(name, a, 1);
  if (n < 1) throw ad::DomainError(fmt::format("{}: size is {}, but must be positive!", name, n));
  if (k < 1 || k > n) throw ad::DomainError(fmt::format("{}: k is {}, but must be between 1 and {}", name, k, n));
  return build(F, static_cast<std::uint32_t>(n), [k](std::uint32_t i) { return i + 1 == static_cast<std::uint32_t>(k) ? 1 : 0; });
}

double bound(const CallContext& c, Name name, Args a, std::size_t i) {
  const double x = element_value(c, a[i], 0);
  if (!std::isfinite(x))
    throw ad::DomainError(fmt::format("{}: {} is {}, but must be finite!", name, i == 1 ? "low" : "high", x));
  return x;
}

template <Form F>
Value linspaced(CallContext& c, Name name, Args a) {
  const std::uint32_t n = size_argument(name, "size", a, 0);
  const double low = bound(c, name, a, 1), high = bound(c, name, a, 2);
  if (high < low)
    throw ad::DomainError(fmt::format("{}: high is {}, but must be greater than or equal to low, which is {}", name, high, low));
  return build(F, n, [=](std::uint32_t k) { return k + 1 == n ? high : low + k * ((high - low) / (n - 1)); });
}

/// Equal whole steps from low; where there are more elements than integers, every integer is repeated.
Value linspaced_ints(CallContext& c, Name name, Args a) {
  const std::uint32_t n = size_argument(name, "size", a, 0);
  const std::int32_t low = int_argument(name, a, 1), high = int_argument(name, a, 2);
  bound(c, name, a, 1);
  if (high < low)
    throw ad::DomainError(fmt::format("{}: high is {}, but must be greater than or equal to low, which is {}", name, high, low));
  if (n <= 1) return build(Form::IntArray, n, [=](std::uint32_t) { return high; });
  const std::int64_t range = std::int64_t{high} - low, gaps = n - 1;
  if (range >= gaps) return build(Form::IntArray, n, [=](std::uint32_t k) { return low + k * (range / gaps); });
  const std::int64_t copies = (n + range) / (range + 1);
  return build(Form::IntArray, n, [=](std::uint32_t k) { return low + k / copies; });
}

Value identity_matrix(CallContext&, Name name, Args a) {
  const std::uint32_t n = size_argument(name, "size", a, 0);
  const Shape shape = Shape::matrix(n, n);
  RealBuffer out(shape.size());
  for (std::uint32_t k = 0; k < n; ++k) out[std::size_t{k} * n + k] = 1;
  return Value::reals(shape, std::move(out));
}

Value uniform_simplex(CallContext&, Name name, Args a) {
  const std::int32_t n = int_argument(name, a, 0);
  if (n < 1) throw ad::DomainError(fmt::format("{}: size is {}, but must be positive!", name, n));
  return Value::reals(Shape::vector(static_cast<std::uint32_t>(n)), 1.0 / n);
}

/// Logarithms: a constant without an argument and a map with one.
template <int Argument>
Value constant_or_map(CallContext& c, Name name, Args a) {
  static const NamedKernel kComplex("complex_log10");
  if (a.empty()) return std::log(static_cast<double>(Argument));
  if (is_complex(a[0])) return kComplex(c, a);
  return NamedMap(name)(c, a);
}

constexpr FunctionRow kRows[] = {
    {"pi", pi},
    {"e", e},
    {"sqrt2", sqrt2},
    {"machine_precision", machine_precision},
    {"positive_infinity", positive_infinity},
    {"negative_infinity", negative_infinity},
    {"FnNegInf", negative_infinity},
    {"not_a_number", not_a_number},
    {"FnNaN", not_a_number},
    {"log2", constant_or_map<2>},
    {"log10", constant_or_map<10>},
    {"rep_vector", rep_vector},
    {"rep_row_vector", rep_row_vector},
    {"rep_matrix", rep_matrix},
    {"rep_array", rep_array},
    {"zeros_vector", constant_fill<Form::Vector, 0>},
    {"zeros_row_vector", constant_fill<Form::RowVector, 0>},
    {"zeros_array", constant_fill<Form::Array, 0>},
    {"zeros_int_array", constant_fill<Form::IntArray, 0>},
    {"ones_vector", constant_fill<Form::Vector, 1>},
    {"ones_row_vector", constant_fill<Form::RowVector, 1>},
    {"ones_array", constant_fill<Form::Array, 1>},
    {"ones_int_array", constant_fill<Form::IntArray, 1>},
    {"one_hot_vector", one_hot<Form::Vector>},
    {"one_hot_row_vector", one_hot<Form::RowVector>},
    {"one_hot_array", one_hot<Form::Array>},
    {"one_hot_int_array", one_hot<Form::IntArray>},
    {"linspaced_vector", linspaced<Form::Vector>},
    {"linspaced_row_vector", linspaced<Form::RowVector>},
    {"linspaced_array", linspaced<Form::Array>},
    {"linspaced_int_array", linspaced_ints},
    {"identity_matrix", identity_matrix},
    {"uniform_simplex", uniform_simplex},
};

}  // namespace

std::span<const FunctionRow> fill_functions() { return kRows; }

}  // namespace fermiac::interp
