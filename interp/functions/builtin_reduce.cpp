// Reductions: of ints here, of reals by the kernel of the same name, of complex numbers by parts.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "interp/functions/builtin_tools.h"
#include "interp/functions/functions.h"
#include "interp/value/int_ops.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

using Name = std::string_view;
using Ints = std::span<const std::int32_t>;

std::int32_t sum_ints(Name, Ints x) { return wrap(std::accumulate(x.begin(), x.end(), std::int64_t{0})); }
std::int32_t prod_ints(Name, Ints x) {
  std::int32_t product = 1;
  for (const std::int32_t i : x) product = wrap(std::int64_t{product} * i);
  return product;
}
void need_elements(Name name, Ints x) {
  if (x.empty()) throw ad::SizeError(fmt::format("{}: an int array must have elements", name));
}
std::int32_t max_ints(Name name, Ints x) { return need_elements(name, x), *std::ranges::max_element(x); }
std::int32_t min_ints(Name name, Ints x) { return need_elements(name, x), *std::ranges::min_element(x); }

Value complex_pair(CallContext& c, const Value& re, const Value& im) {
  const Value parts[] = {re, im};
  return LibraryFunction::find(Builtin::to_complex)->apply(c, parts);
}
Value part(CallContext& c, Builtin which, const Value& z) { return LibraryFunction::find(which)->apply(c, {&z, 1}); }

/// Functions that are linear: real and imaginary parts do not mix.
Value by_parts(CallContext& c, Name name, const Value& z) {
  const Value re = part(c, Builtin::get_real, z), im = part(c, Builtin::get_imag, z);
  return complex_pair(c, real_kernel(c, name, {&re, 1}), real_kernel(c, name, {&im, 1}));
}

Value sum(CallContext& c, Name name, Args a) {
  if (is_scalar_number(a[0])) return a[0];
  if (is_ints(a[0])) return sum_ints(name, a[0].int_data());
  return is_complex(a[0]) ? by_parts(c, name, a[0]) : real_kernel(c, name, a);
}

Value complex_prod(CallContext& c, const Value& z) {
  static const NamedKernel kMultiply("complex_multiply");
  Shape scalar;
  scalar.complex = true;
  Value product = Value::complex(1, 0);
  ad::each_stoppable(scalar_count(z), [&](std::size_t i) {
    const auto k = static_cast<std::uint32_t>(i);
    const Value pair[] = {product, pick(c, scalar, {&z, 1}, {&k, 1})};
    product = kMultiply(c, pair);
  });
  return product;
}

Value prod(CallContext& c, Name name, Args a) {
  if (is_scalar_number(a[0])) return a[0];
  if (is_ints(a[0])) return prod_ints(name, a[0].int_data());
  return is_complex(a[0]) ? complex_prod(c, a[0]) : real_kernel(c, name, a);
}

Value cumulative_sum(CallContext& c, Name name, Args a) {
  if (is_complex(a[0])) return by_parts(c, name, a[0]);
  if (!is_ints(a[0])) return real_kernel(c, name, a);
  std::vector<std::int32_t> out(a[0].int_data());
  for (std::size_t k = 1; k < out.size(); ++k) out[k] = wrap(std::int64_t{out[k]} + out[k - 1]);
  return Value::ints(a[0].shape(), std::move(out));
}

/// Two ints, an int array, or a container of reals.
template <std::int32_t (*OfInts)(Name, Ints)>
Value extremum(CallContext& c, Name name, Args a) {
  if (all_int(a)) {
    const std::int32_t both[] = {a[0].as_int(), a[a.size() - 1].as_int()};
    return OfInts(name, Ints(both));
  }
  return is_ints(a[0]) ? Value(OfInts(name, a[0].int_data())) : real_kernel(c, name, a);
}

/// (x - y)² of two scalars, or of vectors by the kernel.
Value squared_distance(CallContext& c, Name name, Args a) {
  static const NamedMap kSubtract("subtract"), kSquare("square");
  if (a.size() != 2 || !is_scalar_number(a[0])) return real_kernel(c, name, a);
  const Value difference = kSubtract(c, a);
  return kSquare(c, {&difference, 1});
}

constexpr FunctionRow kRows[] = {
    {"sum", sum},
    {"prod", prod},
    {"cumulative_sum", cumulative_sum},
    {"max", extremum<max_ints>},
    {"min", extremum<min_ints>},
    {"squared_distance", squared_distance},
};

}  // namespace

std::span<const FunctionRow> reduction_functions() { return kRows; }

}  // namespace fermiac::interp
