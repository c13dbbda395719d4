// Discrete Fourier transforms of complex vectors and matrices. The adjoint of a transform is the transform with the other
// sign (times its factor), as the matrix is symmetric.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "autodiff/errors.h"
#include "autodiff/linalg/kernel_tools.h"

namespace fermiac::ad {
namespace {

using Complex = std::complex<double>;
using Signal = std::vector<Complex>;

Complex root(Index k, Index n, double sign) {
  const double angle = 2 * std::numbers::pi * static_cast<double>(k % n) / static_cast<double>(n);
  return {std::cos(angle), sign * std::sin(angle)};
}

/// y_k = Σ_j x_j exp(sign 2πi jk/n), by the smallest prime factor of n.
void transform(const Complex* x, Index n, Index stride, double sign, Complex* y) {
  if (n == 1) {
    *y = *x;
    return;
  }
  Index p = 2;
  while (n % p != 0 && p * p <= n) ++p;
  if (n % p != 0) p = n;
  const Index m = n / p;
  for (Index r = 0; r < p; ++r) transform(x + r * stride, m, stride * p, sign, y + r * m);
  Signal part(static_cast<std::size_t>(p));
  for (Index k = 0; k < m; ++k) {
    for (Index r = 0; r < p; ++r) part[static_cast<std::size_t>(r)] = y[r * m + k] * root(r * k, n, sign);
    for (Index q = 0; q < p; ++q) {
      Complex sum = 0;
      for (Index r = 0; r < p; ++r) sum += part[static_cast<std::size_t>(r)] * root(q * r, p, sign);
      y[q * m + k] = sum;
    }
  }
}

/// All columns, then all rows (a vector is one column). Adds scale times the result to `out`.
void transform_all(const Shape& s, const double* in, double sign, double scale, double* out) {
  const Index rows = s.inner == Inner::RowVector ? s.cols : s.rows, cols = s.inner == Inner::RowVector ? 1 : s.cols;
  Signal x(static_cast<std::size_t>(rows * cols)), y(x.size()), line(static_cast<std::size_t>(cols));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = {in[2 * i], in[2 * i + 1]};
  for (Index j = 0; j < cols && rows > 0; ++j) transform(x.data() + j * rows, rows, 1, sign, y.data() + j * rows);
  for (Index i = 0; i < rows && cols > 1; ++i) {
    transform(y.data() + i, cols, rows, sign, line.data());
    for (Index j = 0; j < cols; ++j) y[static_cast<std::size_t>(i + j * rows)] = line[static_cast<std::size_t>(j)];
  }
  for (std::size_t i = 0; i < y.size(); ++i) {
    out[2 * i] += scale * y[i].real();
    out[2 * i + 1] += scale * y[i].imag();
  }
}

template <bool Inverse>
double scale_of(const Shape& s) { return Inverse ? 1 / static_cast<double>(std::max<std::uint32_t>(1, s.scalars())) : 1; }

Plan like_plan(const KernelCall& c) {
  Shape s = c.in[0].shape;
  s.complex = true;
  return {s, 2 * std::uint64_t{s.scalars()}};
}
/// A real operand as complex numbers.
const double* as_complex(const KernelCall& c) {
  if (c.in[0].shape.complex) return c.in[0].v;
  for (Index i = 0; i < size_of(c.in[0]); ++i) {
    c.scratch[2 * i] = number(c.in[0], i);
    c.scratch[2 * i + 1] = 0;
  }
  return c.scratch;
}
template <bool Inverse>
void fft(const KernelCall& c) {
  std::fill_n(c.out, c.out_shape.size(), 0.0);
  transform_all(c.out_shape, as_complex(c), Inverse ? 1 : -1, scale_of<Inverse>(c.out_shape), c.out);
}
/// With real and imaginary parts as independent numbers the adjoint of z -> w z is conj(w): the other sign.
template <bool Inverse>
void fft_reverse(const KernelCall& c) {
  const double sign = Inverse ? -1 : 1, scale = scale_of<Inverse>(c.out_shape);
  if (c.in[0].shape.complex) return transform_all(c.out_shape, c.out_a, sign, scale, c.in[0].a);
  std::fill_n(c.scratch, c.out_shape.size(), 0.0);
  transform_all(c.out_shape, c.out_a, sign, scale, c.scratch);
  for (Index i = 0; i < size_of(c.in[0]); ++i) c.in[0].a[i] += c.scratch[2 * i];
}

}  // namespace

FERMIAC_EXPORT_KERNELS(fft_kernels, {"fft", like_plan, fft<false>, fft_reverse<false>},
                       {"inv_fft", like_plan, fft<true>, fft_reverse<true>},
                       {"fft2", like_plan, fft<false>, fft_reverse<false>},
                       {"inv_fft2", like_plan, fft<true>, fft_reverse<true>})

}  // namespace fermiac::ad
