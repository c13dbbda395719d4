// Complex numbers: elementary functions, arithmetic with broadcasting, products and right division. A complex adjoint
// (g_re, g_im) is the number g = g_re + i g_im; for a function that is complex-differentiable, z̄ += g conj(f'(z)).
#include <fmt/format.h>

#include <cmath>
#include <complex>

#include "autodiff/linalg/eigen.h"
#include "autodiff/linalg/kernel_tools.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

using C = std::complex<double>;

std::uint32_t scalars_of(const KernelArg& a) { return a.shape.scalars(); }

/// Scalar k; a real or int operand has no imaginary part, a scalar operand the same value everywhere.
C at(const KernelArg& a, std::uint32_t k) {
  if (a.shape.is_scalar()) k = 0;
  return a.shape.complex ? C(a.v[2 * k], a.v[2 * k + 1]) : C(number(a, k));
}
void add_adjoint(const KernelArg& a, std::uint32_t k, C g) {
  if (!a.a) return;
  if (a.shape.is_scalar()) k = 0;
  if (!a.shape.complex) {
    a.a[k] += g.real();
    return;
  }
  a.a[2 * k] += g.real();
  a.a[2 * k + 1] += g.imag();
}
void put(double* out, std::uint32_t k, C z) {
  out[2 * k] = z.real();
  out[2 * k + 1] = z.imag();
}
C get(const double* p, std::uint32_t k) { return {p[2 * k], p[2 * k + 1]}; }

Shape as_complex(Shape s) {
  s.complex = true;
  return s;
}
Shape as_real(Shape s) {
  s.complex = false;
  return s;
}

// ---- elementary functions

Plan like_plan(const KernelCall& c) { return {as_complex(c.in[0].shape), 0}; }

template <C (*F)(const C&)>
void unary(const KernelCall& c) {
  for (std::uint32_t k = 0; k < scalars_of(c.in[0]); ++k) put(c.out, k, F(at(c.in[0], k)));
}
template <C (*Slope)(C z, C value)>
void unary_reverse(const KernelCall& c) {
  for (std::uint32_t k = 0; k < scalars_of(c.in[0]); ++k) {
    const C g = get(c.out_a, k);
    if (g != 0.0) add_adjoint(c.in[0], k, g * std::conj(Slope(at(c.in[0], k), get(c.out, k))));
  }
}

/// 1 / cosh(z)²; far from the imaginary axis without the cancellation of 1 - tanh(z)².
C sech_squared(C z, C tanh_z) {
  if (std::abs(z.real()) < 1) return 1.0 - tanh_z * tanh_z;
  const C e = std::exp(z.real() > 0 ? -2.0 * z : 2.0 * z);
  return 4.0 * e / ((1.0 + e) * (1.0 + e));
}
/// 1 / cos(z)² = 1 / cosh(iz)², tanh(iz) = i tan(z).
C sec_squared(C z, C tan_z) { return sech_squared(C(-z.imag(), z.real()), C(-tan_z.imag(), tan_z.real())); }

/// x / y, and 0 where y is 0: the partial at a branch point or at the origin, where the derivative is infinite or undefined.
template <class Y>
C finite_quotient(C x, const Y& y) {
  return y == 0.0 ? C(0.0) : x / y;
}

#define FERMIAC_COMPLEX_UNARY(name, slope)                             \
  C name##_value(const C& z) { return std::name(z); }                  \
  C name##_slope([[maybe_unused]] C z, [[maybe_unused]] C v) { return slope; }
FERMIAC_COMPLEX_UNARY(exp, v)
FERMIAC_COMPLEX_UNARY(log, 1.0 / z)
FERMIAC_COMPLEX_UNARY(log10, 1.0 / (z * std::log(10.0)))
FERMIAC_COMPLEX_UNARY(sqrt, finite_quotient(0.5, v))
FERMIAC_COMPLEX_UNARY(sin, std::cos(z))
FERMIAC_COMPLEX_UNARY(cos, -std::sin(z))
FERMIAC_COMPLEX_UNARY(tan, sec_squared(z, v))
FERMIAC_COMPLEX_UNARY(asin, finite_quotient(1.0, std::sqrt(1.0 - z * z)))
FERMIAC_COMPLEX_UNARY(acos, finite_quotient(-1.0, std::sqrt(1.0 - z * z)))
FERMIAC_COMPLEX_UNARY(atan, 1.0 / (1.0 + z * z))
FERMIAC_COMPLEX_UNARY(sinh, std::cosh(z))
FERMIAC_COMPLEX_UNARY(cosh, std::sinh(z))
FERMIAC_COMPLEX_UNARY(tanh, sech_squared(z, v))
FERMIAC_COMPLEX_UNARY(asinh, finite_quotient(1.0, std::sqrt(1.0 + z * z)))
FERMIAC_COMPLEX_UNARY(acosh, finite_quotient(1.0, std::sqrt(z - 1.0) * std::sqrt(z + 1.0)))
FERMIAC_COMPLEX_UNARY(atanh, 1.0 / (1.0 - z * z))
#undef FERMIAC_COMPLEX_UNARY

/// Projection onto the Riemann sphere: the identity on finite numbers.
C proj_value(const C& z) { return std::proj(z); }
C proj_slope(C, C) { return 1.0; }

// ---- to real numbers

Plan real_plan(const KernelCall& c) { return {as_real(c.in[0].shape), 0}; }

template <double (*F)(const C&)>
void to_real(const KernelCall& c) {
  for (std::uint32_t k = 0; k < scalars_of(c.in[0]); ++k) c.out[k] = F(at(c.in[0], k));
}
/// The gradient as a complex number.
template <C (*Gradient)(C z)>
void to_real_reverse(const KernelCall& c) {
  for (std::uint32_t k = 0; k < scalars_of(c.in[0]); ++k)
    if (c.out_a[k] != 0) add_adjoint(c.in[0], k, c.out_a[k] * Gradient(at(c.in[0], k)));
}
double abs_value(const C& z) { return std::hypot(z.real(), z.imag()); }
C abs_gradient(C z) { return finite_quotient(z, std::hypot(z.real(), z.imag())); }
double norm_value(const C& z) { return std::isinf(z.real()) || std::isinf(z.imag()) ? HUGE_VAL : std::norm(z); }
C norm_gradient(C z) { return 2.0 * z; }
double arg_value(const C& z) { return std::arg(z); }
C arg_gradient(C z) { return finite_quotient(C(-z.imag(), z.real()), std::norm(z)); }

// ---- arithmetic

Plan broadcast_plan(const KernelCall& c) {
  const Shape &x = c.in[0].shape, &y = c.in[1].shape;
  if (!x.is_scalar() && !y.is_scalar() && as_real(x) != as_real(y))
    throw SizeError(fmt::format("{}: the arguments must have the same size, but they are {} and {}", c.name, x.str(), y.str()));
  return {as_complex(x.is_scalar() ? y : x), 0};
}

template <C (*F)(C, C)>
void binary(const KernelCall& c) {
  for (std::uint32_t k = 0; k < c.out_shape.scalars(); ++k) put(c.out, k, F(at(c.in[0], k), at(c.in[1], k)));
}
struct Slopes {
  C x, y;
};
template <Slopes (*F)(C x, C y, C value)>
void binary_reverse(const KernelCall& c) {
  for (std::uint32_t k = 0; k < c.out_shape.scalars(); ++k) {
    const C g = get(c.out_a, k);
    if (g == 0.0) continue;
    const Slopes s = F(at(c.in[0], k), at(c.in[1], k), get(c.out, k));
    add_adjoint(c.in[0], k, g * std::conj(s.x));
    add_adjoint(c.in[1], k, g * std::conj(s.y));
  }
}
C add(C x, C y) { return x + y; }
Slopes add_slopes(C, C, C) { return {1.0, 1.0}; }
C subtract(C x, C y) { return x - y; }
Slopes subtract_slopes(C, C, C) { return {1.0, -1.0}; }
C times(C x, C y) { return x * y; }
Slopes times_slopes(C x, C y, C) { return {y, x}; }
C over(C x, C y) { return x / y; }
Slopes over_slopes(C, C y, C v) { return {1.0 / y, -v / y}; }
C power(C x, C y) { return std::pow(x, y); }
Slopes power_slopes(C x, C y, C v) {
  if (x == 0.0) return {y == 1.0 ? C(1) : C(0), 0.0};
  return {y * v / x, v * std::log(x)};
}

// ---- matrices

using Matrix = Eigen::MatrixXcd;

Matrix matrix_of(const KernelArg& a) {
  Matrix m(a.shape.rows, a.shape.cols);
  for (std::uint32_t k = 0; k < scalars_of(a); ++k) m.data()[k] = at(a, k);
  return m;
}
Matrix matrix_of(const Shape& s, const double* p) {
  Matrix m(s.rows, s.cols);
  for (std::uint32_t k = 0; k < s.scalars(); ++k) m.data()[k] = get(p, k);
  return m;
}
void put(const Matrix& m, double* out) {
  for (Eigen::Index k = 0; k < m.size(); ++k) put(out, static_cast<std::uint32_t>(k), m.data()[k]);
}
void add_adjoint(const KernelArg& a, const Matrix& g) {
  for (Eigen::Index k = 0; k < g.size(); ++k) add_adjoint(a, static_cast<std::uint32_t>(k), g.data()[k]);
}

Plan product_plan(const KernelCall& c) {
  const Shape &x = c.in[0].shape, &y = c.in[1].shape;
  check_sizes_match(c.name, "Columns of m1", x.cols, "Rows of m2", y.rows);
  const bool row = x.inner == Inner::RowVector, column = y.inner == Inner::Vector;
  Shape out = row && column ? Shape::scalar()
              : row         ? Shape::row_vector(y.cols)
              : column      ? Shape::vector(x.rows)
                            : Shape::matrix(x.rows, y.cols);
  return {as_complex(out), 0};
}
void product(const KernelCall& c) { put(matrix_of(c.in[0]) * matrix_of(c.in[1]), c.out); }
void product_reverse(const KernelCall& c) {
  const Matrix g = matrix_of(c.out_shape, c.out_a);
  if (c.in[0].a) add_adjoint(c.in[0], g * matrix_of(c.in[1]).adjoint());
  if (c.in[1].a) add_adjoint(c.in[1], matrix_of(c.in[0]).adjoint() * g);
}

/// X = B A^-1.
Plan right_division_plan(const KernelCall& c) {
  check_square(c.name, "A", c.in[1].shape);
  check_sizes_match(c.name, "Columns of b", c.in[0].shape.cols, "Rows of A", c.in[1].shape.rows);
  return {as_complex(c.in[0].shape), 0};
}
void right_division(const KernelCall& c) {
  if (c.out_shape.scalars() == 0) return;
  const Matrix x = matrix_of(c.in[1]).transpose().partialPivLu().solve(matrix_of(c.in[0]).transpose());
  put(x.transpose(), c.out);
}
/// B̄ = X̄ A^-H, Ā = -X^H B̄.
void right_division_reverse(const KernelCall& c) {
  if (c.out_shape.scalars() == 0) return;
  const Matrix g = matrix_of(c.out_shape, c.out_a);
  const Matrix b = matrix_of(c.in[1]).conjugate().partialPivLu().solve(g.transpose()).transpose();
  add_adjoint(c.in[0], b);
  if (c.in[1].a) add_adjoint(c.in[1], -matrix_of(c.out_shape, c.out).adjoint() * b);
}

#define FERMIAC_ROW(name) {"complex_" #name, like_plan, unary<name##_value>, unary_reverse<name##_slope>}
#define FERMIAC_REAL_ROW(name) {"complex_" #name, real_plan, to_real<name##_value>, to_real_reverse<name##_gradient>}
#define FERMIAC_PAIR_ROW(name, f) {"complex_" #name, broadcast_plan, binary<f>, binary_reverse<f##_slopes>}

}  // namespace

FERMIAC_EXPORT_KERNELS(complex_kernels, FERMIAC_ROW(exp), FERMIAC_ROW(log), FERMIAC_ROW(log10), FERMIAC_ROW(sqrt),
                       FERMIAC_ROW(sin), FERMIAC_ROW(cos), FERMIAC_ROW(tan), FERMIAC_ROW(asin), FERMIAC_ROW(acos),
                       FERMIAC_ROW(atan), FERMIAC_ROW(sinh), FERMIAC_ROW(cosh), FERMIAC_ROW(tanh), FERMIAC_ROW(asinh),
                       FERMIAC_ROW(acosh), FERMIAC_ROW(atanh), FERMIAC_ROW(proj), FERMIAC_REAL_ROW(abs),
                       FERMIAC_REAL_ROW(norm), FERMIAC_REAL_ROW(arg), FERMIAC_PAIR_ROW(add, add),
                       FERMIAC_PAIR_ROW(subtract, subtract), FERMIAC_PAIR_ROW(multiply, times),
                       FERMIAC_PAIR_ROW(divide, over), FERMIAC_PAIR_ROW(pow, power),
                       {"complex_matrix_multiply", product_plan, product, product_reverse},
                       {"complex_mdivide_right", right_division_plan, right_division, right_division_reverse})

}  // namespace fermiac::ad
