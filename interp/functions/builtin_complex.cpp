// Complex numbers: parts, and functions made of functions of the parts. Elementary functions and arithmetic are kernels
// (autodiff/complex), chosen wherever an operand is complex.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "interp/functions/builtin_tools.h"
#include "interp/functions/functions.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

using ad::Inner;
using Name = std::string_view;

/// Real (0) or imaginary (1) parts, shaped as the argument.
Value part(CallContext& c, const Value& v, std::uint32_t which) {
  Shape shape = v.shape();
  if (!shape.complex) return which == 0 ? to_reals(v) : Value::reals(shape, 0.0);
  shape.complex = false;
  const Value numbers = reshape(v, Shape::vector(v.shape().size()));
  const auto at = [which](std::uint32_t k) { return 2 * k + which; };
  return pick(c, shape, {&numbers, 1}, positions(shape.scalars(), at));
}

/// Complex numbers from their parts; a scalar part goes with every element of the other.
Value join(CallContext& c, const Value& re, const Value& im) {
  const Value parts[] = {to_reals(re), to_reals(im)};
  Shape shape = elementwise_shape("to_complex", parts);
  shape.complex = true;
  const std::uint32_t second = re.shape().scalars();
  const std::uint32_t re_step = re.shape().is_scalar() ? 0 : 1, im_step = im.shape().is_scalar() ? 0 : 1;
  const Index index = positions(shape.size(), [=](std::uint32_t k) {
    return k % 2 == 0 ? k / 2 * re_step : second + k / 2 * im_step;
  });
  return reshape(pick(c, Shape::vector(shape.size()), parts, index), shape);
}

/// The lower triangle and its mirror image above, with the opposite sign if `negate`.
Value symmetric_from_lower(CallContext& c, Args a, bool negate) {
  const Shape& s = a[0].shape();
  if (s.rows != s.cols)
    throw ad::SizeError(fmt::format("symmetrize_from_lower_tri: the matrix must be square, but it is {} x {}", s.rows, s.cols));
  const Value sources[] = {a[0], negate ? LibraryFunction::find(Builtin::minus)->apply(c, a) : a[0]};
  const std::uint32_t mirrored = negate ? s.scalars() : 0;
  return pick(c, s, sources, positions(s.scalars(), [&](std::uint32_t k) {
                const std::uint32_t i = k % s.rows, j = k / s.rows;
                return std::min(i, j) * s.rows + std::max(i, j) + (i < j ? mirrored : 0);
              }));
}

/// Applies a function of real arguments to the real and the imaginary parts.
template <class F>
Value by_parts(CallContext& c, Args a, F f) {
  std::vector<Value> re, im;
  for (const Value& v : a) {
    const bool keep = is_ints(v);
    re.push_back(keep ? v : part(c, v, 0));
    im.push_back(keep ? v : part(c, v, 1));
  }
  return join(c, f(Args(re)), f(Args(im)));
}

Value call(CallContext& c, Builtin fn, std::initializer_list<Value> args) {
  return LibraryFunction::find(fn)->apply(c, {args.begin(), args.size()});
}

Value complex_multiply(CallContext& c, std::initializer_list<Value> args) {
  static const NamedKernel kProduct("complex_multiply");
  return kProduct(c, {args.begin(), args.size()});
}

Value get_real(CallContext& c, Name, Args a) { return part(c, a[0], 0); }
Value get_imag(CallContext& c, Name, Args a) { return part(c, a[0], 1); }

Value to_complex(CallContext& c, Name, Args a) {
  if (a.empty()) return Value::complex(0, 0);
  if (a.size() == 1) return is_complex(a[0]) ? a[0] : join(c, a[0], Value(0.0));
  return join(c, a[0], a[1]);
}

Value conj(CallContext& c, Name, Args a) {
  return join(c, part(c, a[0], 0), call(c, Builtin::minus, {part(c, a[0], 1)}));
}

/// Of modulus and phase; a negative modulus or an infinite phase gives no number.
Value polar(CallContext& c, Name, Args a) {
  const Value zero[] = {0.0, a[0]}, far[] = {call(c, Builtin::abs, {a[1]}), std::numeric_limits<double>::infinity()};
  if (LibraryFunction::find(Builtin::logical_lte)->apply(c, zero).as_int() == 0 || LibraryFunction::find(Builtin::logical_lt)->apply(c, far).as_int() == 0)
    return Value::complex(std::numeric_limits<double>::quiet_NaN(), 0);
  return join(c, call(c, Builtin::multiply, {a[0], call(c, Builtin::cos, {to_reals(a[1])})}),
              call(c, Builtin::multiply, {a[0], call(c, Builtin::sin, {to_reals(a[1])})}));
}

/// Kernels that only exist for complex numbers: `abs` and the like are chosen elsewhere.
Value complex_kernel(CallContext& c, Name name, Args a) {
  const ad::Kernel* kernel = ad::find_kernel("complex_" + std::string(name));
  const Value z = is_complex(a[0]) ? a[0] : join(c, a[0], Value(0.0));
  return apply_kernel(c, *kernel, name, {&z, 1});
}

// ---- the functions of real containers that also take complex ones

bool any_complex(Args a) { return std::ranges::any_of(a, is_complex); }

/// Linear in all arguments together: real and imaginary parts do not mix.
Value linear(CallContext& c, Name name, Args a) {
  if (!any_complex(a)) return real_kernel(c, name, a);
  return by_parts(c, a, [&](Args parts) { return real_kernel(c, name, parts); });
}

Value complex_sum(CallContext& c, const Value& z) {
  return by_parts(c, {&z, 1}, [&](Args parts) { return call(c, Builtin::sum, {parts[0]}); });
}

Value dot_product(CallContext& c, Name name, Args a) {
  if (!any_complex(a)) return real_kernel(c, name, a);
  const Value x = call(c, Builtin::to_vector, {call(c, Builtin::conj, {a[0]})}), y = call(c, Builtin::to_vector, {a[1]});
  return complex_sum(c, complex_multiply(c, {x, y}));
}

Value dot_self(CallContext& c, Name name, Args a) {
  if (!any_complex(a)) return real_kernel(c, name, a);
  const Value re = part(c, a[0], 0), im = part(c, a[0], 1);
  const Value norm = call(c, Builtin::add, {real_kernel(c, name, {&re, 1}), real_kernel(c, name, {&im, 1})});
  return join(c, norm, norm.shape().is_scalar() ? Value(0.0) : Value::reals(norm.shape(), 0.0));
}

/// `columns_dot_product`, `rows_dot_product`: sums of products, without conjugation.
Value lines_dot_product(CallContext& c, Name name, Args a) {
  if (!any_complex(a)) return real_kernel(c, name, a);
  const Value products = complex_multiply(c, {a[0], a[1]});
  return by_parts(c, {&products, 1}, [&](Args parts) {
    const Value with_ones[] = {parts[0], Value::reals(parts[0].shape(), 1.0)};
    return real_kernel(c, name, with_ones);
  });
}

/// Hermitian: the upper triangle is the conjugate of the lower one.
Value symmetrize_from_lower_tri(CallContext& c, Name, Args a) {
  if (!any_complex(a)) return symmetric_from_lower(c, a, false);
  return join(c, symmetric_from_lower(c, std::array{part(c, a[0], 0)}, false),
              symmetric_from_lower(c, std::array{part(c, a[0], 1)}, true));
}

/// The vector as a matrix that scales rows (columns) element by element.
Value spread(CallContext& c, const Value& v, const Shape& shape, bool rows) {
  Shape out = shape;
  out.complex = is_complex(v);
  const auto at = [&](std::uint32_t k) { return rows ? k % out.rows : k / out.rows; };
  return pick(c, out, {&v, 1}, positions(out.scalars(), at));
}

void check_spread(Name name, std::uint32_t n, std::uint32_t m) {
  if (n != m) throw ad::SizeError(fmt::format("{}: the vector has {} elements, but the matrix needs {}", name, n, m));
}

Value diag_pre_multiply(CallContext& c, Name name, Args a) {
  if (!any_complex(a)) return real_kernel(c, name, a);
  check_spread(name, scalar_count(a[0]), a[1].shape().rows);
  return complex_multiply(c, {spread(c, a[0], a[1].shape(), true), a[1]});
}
Value diag_post_multiply(CallContext& c, Name name, Args a) {
  if (!any_complex(a)) return real_kernel(c, name, a);
  check_spread(name, scalar_count(a[1]), a[0].shape().cols);
  return complex_multiply(c, {a[0], spread(c, a[1], a[0].shape(), false)});
}

constexpr FunctionRow kRows[] = {
    {"get_real", get_real},
    {"get_imag", get_imag},
    {"to_complex", to_complex},
    {"conj", conj},
    {"polar", polar},
    {"symmetrize_from_lower_tri", symmetrize_from_lower_tri},
    {"arg", complex_kernel},
    {"norm", complex_kernel},
    {"proj", complex_kernel},
    {"add_diag", linear},
    {"trace", linear},
    {"dot_product", dot_product},
    {"dot_self", dot_self},
    {"columns_dot_product", lines_dot_product},
    {"rows_dot_product", lines_dot_product},
    {"columns_dot_self", dot_self},
    {"rows_dot_self", dot_self},
    {"diag_pre_multiply", diag_pre_multiply},
    {"diag_post_multiply", diag_post_multiply},
};

}  // namespace

std::span<const FunctionRow> complex_functions() { return kRows; }

}  // namespace fermiac::interp
