// Operators and the functions they stand for: each chooses ints, complex numbers, element-wise maps or matrix products.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "interp/functions/builtin_tools.h"
#include "interp/functions/functions.h"
#include "interp/value/int_ops.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

using Name = std::string_view;

bool any_complex(Args a) { return std::ranges::any_of(a, is_complex); }
bool plain_pair(Args a) { return a.size() == 2 && is_plain_scalar(a[0]) && is_plain_scalar(a[1]); }
bool is_container(const Value& v) { return !v.shape().is_scalar(); }
bool is_matrix(const Value& v) { return v.shape().inner == ad::Inner::Matrix && v.shape().rank == 0; }
bool all_ints(Args a) { return std::ranges::all_of(a, is_ints); }

/// Element-wise on int arrays of one shape.
template <class F>
Value map_ints(const Value& v, F f) {
  if (v.is_int()) return f(v.as_int());
  std::vector<std::int32_t> out(v.int_data());
  for (std::int32_t& x : out) x = f(x);
  return Value::ints(v.shape(), std::move(out));
}

// ---- + - .* ./

Value add(CallContext& c, Name, Args a) {
  static const NamedMap kMap("add");
  static const NamedKernel kComplex("complex_add");
  if (all_int(a)) return int_ops::Add::apply(a[0].as_int(), a[1].as_int());
  if (plain_pair(a)) return plain_scalar(a[0]) + plain_scalar(a[1]);
  return any_complex(a) ? kComplex(c, a) : kMap(c, a);
}

Value subtract(CallContext& c, Name, Args a) {
  static const NamedMap kMap("subtract");
  static const NamedKernel kComplex("complex_subtract");
  if (all_int(a)) return int_ops::Subtract::apply(a[0].as_int(), a[1].as_int());
  if (plain_pair(a)) return plain_scalar(a[0]) - plain_scalar(a[1]);
  return any_complex(a) ? kComplex(c, a) : kMap(c, a);
}

/// A map under another name than its own: what it could complain about is checked before it is called.
Value elementwise(CallContext& c, const NamedMap& map, Name name, Args a) {
  elementwise_shape(name, a);
  return map(c, a);
}

Value elt_multiply(CallContext& c, Name, Args a) {
  static const NamedMap kMap("multiply");
  static const NamedKernel kComplex("complex_multiply");
  if (all_int(a)) return int_ops::Multiply::apply(a[0].as_int(), a[1].as_int());
  if (plain_pair(a)) return plain_scalar(a[0]) * plain_scalar(a[1]);
  return any_complex(a) ? kComplex(c, a) : elementwise(c, kMap, "elt_multiply", a);
}

template <class Division>
std::int32_t divided(Name name, std::int32_t x, std::int32_t y) {
  if (y == 0) throw ad::DomainError(fmt::format("{}: the divisor is 0", name));
  return Division::apply(x, y);
}

Value elt_divide(CallContext& c, Name name, Args a) {
  static const NamedMap kMap("divide");
  static const NamedKernel kComplex("complex_divide");
  if (all_int(a)) return divided<int_ops::Divide>(name, a[0].as_int(), a[1].as_int());
  if (plain_pair(a)) return plain_scalar(a[0]) / plain_scalar(a[1]);
  return any_complex(a) ? kComplex(c, a) : elementwise(c, kMap, "elt_divide", a);
}

template <class Division>
Value int_division(CallContext&, Name name, Args a) {
  const std::int32_t x = int_argument(name, a, 0), y = int_argument(name, a, 1);
  return divided<Division>(name, x, y);
}

// ---- * /

Value multiply(CallContext& c, Name name, Args a) {
  static const NamedKernel kProduct("multiply"), kComplexProduct("complex_matrix_multiply");
  if (a.size() != 2) wrong_arguments(name, a);
  if (!is_container(a[0]) || !is_container(a[1])) return elt_multiply(c, name, a);
  if (!any_complex(a)) return kProduct(c, a);
  const bool scalar = a[0].shape().inner == ad::Inner::RowVector && a[1].shape().inner == ad::Inner::Vector;
  return scalar ? LibraryFunction::find(Builtin::dot_product)->apply(c, a) : kComplexProduct(c, a);
}

Value divide(CallContext& c, Name name, Args a) {
  static const NamedKernel kSolve("mdivide_right"), kComplexSolve("complex_mdivide_right");
  if (a.size() != 2) wrong_arguments(name, a);
  if (!is_container(a[0]) || !is_matrix(a[1])) return elt_divide(c, name, a);
  return any_complex(a) ? kComplexSolve(c, a) : kSolve(c, a);
}

// ---- signs

Value minus(CallContext& c, Name, Args a) {
  static const NamedMap kMap("minus");
  if (all_ints(a)) return map_ints(a[0], [](std::int32_t x) { return wrap(-std::int64_t{x}); });
  if (a[0].kind() == Value::Kind::Real) return -a[0].as_real();
  if (!is_complex(a[0])) return kMap(c, a);
  const Value numbers = reshape(a[0], Shape::vector(a[0].shape().size()));
  return reshape(kMap(c, {&numbers, 1}), a[0].shape());
}

Value plus(CallContext&, Name, Args a) { return a[0]; }

Value absolute(CallContext& c, Name, Args a) {
  static const NamedMap kMap("abs");
  static const NamedKernel kComplex("complex_abs");
  if (all_ints(a)) return map_ints(a[0], [](std::int32_t x) { return wrap(std::abs(std::int64_t{x})); });
  return any_complex(a) ? kComplex(c, a) : kMap(c, a);
}

// ---- powers and friends

Value power(CallContext& c, Name, Args a) {
  static const NamedMap kMap("pow"), kSquare("square");
  static const NamedKernel kComplex("complex_pow");
  if (plain_pair(a)) return std::pow(plain_scalar(a[0]), plain_scalar(a[1]));
  if (a.size() == 2 && is_plain_scalar(a[1]) && plain_scalar(a[1]) == 2 && !is_complex(a[0]))
    return kSquare(c, a.first(1));
  return any_complex(a) ? kComplex(c, a) : kMap(c, a);
}

/// Exact as far as ints go, and no further: it only grows.
double binomial_coefficient(std::int32_t n, std::int32_t k) {
  if (k < 0 || k > n) return 0;
  const std::int32_t few = std::min(k, n - k);
  double result = 1;
  for (std::int32_t i = 1; i <= few && result <= std::numeric_limits<std::int32_t>::max(); ++i)
    result = std::round(result * (n - few + i) / i);
  return result;
}

std::int32_t choose_ints(std::int32_t n, std::int32_t k) {
  if (n < 0) throw ad::DomainError(fmt::format("choose: n is {}, but must be nonnegative!", n));
  if (k < 0) throw ad::DomainError(fmt::format("choose: k is {}, but must be nonnegative!", k));
  const double result = binomial_coefficient(n, k);
  if (result > std::numeric_limits<std::int32_t>::max())
    throw ad::DomainError(fmt::format("choose: the result for n = {}, k = {} does not fit into an int", n, k));
  return static_cast<std::int32_t>(result);
}

Value choose(CallContext&, Name name, Args a) {
  if (a.size() != 2 || !all_ints(a)) wrong_arguments(name, a);
  const auto element = [&](std::size_t j, std::size_t k) { return a[j].is_int() ? a[j].as_int() : a[j].int_data()[k]; };
  if (all_int(a)) return choose_ints(element(0, 0), element(1, 0));
  const Shape shape = a[a[0].is_int() ? 1 : 0].shape();
  if (!a[0].is_int() && !a[1].is_int() && a[0].shape() != a[1].shape())
    throw ad::SizeError(fmt::format("choose: the arrays must have the same size, but they are {} and {}",
                                    a[0].shape().str(), a[1].shape().str()));
  std::vector<std::int32_t> out = filled<std::int32_t>(shape.size());
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = choose_ints(element(0, k), element(1, k));
  return Value::ints(shape, std::move(out));
}

/// Two arguments: a map of scalars or containers. One: a reduction.
Value log_sum_exp(CallContext& c, Name, Args a) {
  static const NamedMap kMap("log_sum_exp");
  static const NamedKernel kReduce("log_sum_exp");
  if (a.size() == 2) return kMap(c, a);
  return is_scalar_number(a[0]) ? to_reals(a[0]) : kReduce(c, a);
}

Value log_mix(CallContext& c, Name, Args a) {
  static const NamedMap kMap("log_mix");
  static const NamedKernel kReduce("log_mix");
  return a.size() == 3 ? kMap(c, a) : kReduce(c, a);
}

/// Exact where all three are plain scalars.
Value fused_multiply_add(CallContext& c, Name, Args a) {
  static const NamedMap kMap("fma");
  if (std::ranges::all_of(a, is_plain_scalar) && a.size() == 3)
    return std::fma(plain_scalar(a[0]), plain_scalar(a[1]), plain_scalar(a[2]));
  return kMap(c, a);
}

Value transpose(CallContext& c, Name name, Args a) {
  if (a.size() != 1 || a[0].shape().rank > 0) wrong_arguments(name, a);
  const Shape& s = a[0].shape();
  Shape out = s;
  std::swap(out.rows, out.cols);
  if (s.inner == ad::Inner::Vector) out.inner = ad::Inner::RowVector;
  else if (s.inner == ad::Inner::RowVector) out.inner = ad::Inner::Vector;
  else if (s.inner != ad::Inner::Matrix) wrong_arguments(name, a);
  if (s.inner != ad::Inner::Matrix) return reshape(a[0], out);
  const auto at = [&](std::uint32_t k) { return k % out.rows * s.rows + k / out.rows; };
  return pick(c, out, a, positions(s.scalars(), at));
}

constexpr FunctionRow kRows[] = {
    {"add", add},
    {"subtract", subtract},
    {"multiply", multiply},
    {"divide", divide},
    {"elt_multiply", elt_multiply},
    {"elt_divide", elt_divide},
    {"modulus", int_division<int_ops::Modulus>},
    {"minus", minus},
    {"plus", plus},
    {"pow", power},
    {"abs", absolute},
    {"choose", choose},
    {"log_sum_exp", log_sum_exp},
    {"log_mix", log_mix},
    {"fma", fused_multiply_add},
    {"transpose", transpose},
};

}  // namespace

std::span<const FunctionRow> arithmetic_functions() { return kRows; }

}  // namespace fermiac::interp
