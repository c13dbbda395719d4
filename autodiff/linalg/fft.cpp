// Discrete Fourier transforms of complex vectors and matrices. The adjoint of a transform is the transform with the other
// sign (times its factor), as the matrix is symmetric.
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

#include "autodiff/linalg/kernel_tools.h"
#include "support/base/errors.h"
#include "support/base/stop.h"

namespace fermiac::ad {
namespace {

using Complex = std::complex<double>;
using Signal = std::vector<Complex>;

Complex root(Index k, Index n, double sign) {
  const double angle = 2 * std::numbers::pi * static_cast<double>(k % n) / static_cast<double>(n);
  return {std::cos(angle), sign * std::sin(angle)};
}

/// Transforms of one power of 2, in place.
class PowerOfTwo {
 public:
  explicit PowerOfTwo(std::size_t n) : roots_(n / 2) {
    for (std::size_t k = 0; k < roots_.size(); ++k) roots_[k] = root(static_cast<Index>(k), static_cast<Index>(n), -1);
  }
  std::size_t size() const { return 2 * roots_.size(); }

  void operator()(Signal& x) const {
    reverse_bits(x);
    for (std::size_t half = 1; half < x.size(); half *= 2) {
      stop_point();
      const std::size_t step = roots_.size() / half;
      for (std::size_t first = 0; first < x.size(); first += 2 * half)
        for (std::size_t k = 0; k < half; ++k) {
          Complex &even = x[first + k], &odd = x[first + k + half];
          const Complex shifted = times(odd, roots_[k * step]);
          odd = even - shifted;
          even += shifted;
        }
    }
  }
  /// Without what std::complex does about infinities.
  static Complex times(Complex a, Complex b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }

 private:
  static void reverse_bits(Signal& x) {
    for (std::size_t i = 1, j = 0; i < x.size(); ++i) {
      std::size_t bit = x.size() / 2;
      for (; j & bit; bit /= 2) j ^= bit;
      j ^= bit;
      if (i < j) std::swap(x[i], x[j]);
    }
  }
  Signal roots_;
};

/// Transforms of a large prime length p as convolutions: jk = (j² + k² - (k - j)²) / 2 (L. I. Bluestein, 1970).
class Chirp {
 public:
  Chirp(Index p, double sign) : chirp_(static_cast<std::size_t>(p)), powers_(std::bit_ceil(2 * chirp_.size() - 1)) {
    for (Index j = 0; j < p; ++j) chirp_[static_cast<std::size_t>(j)] = root(j * j, 2 * p, sign);
    filter_.resize(powers_.size());
    for (std::size_t j = 0; j < chirp_.size(); ++j) filter_[(filter_.size() - j) % filter_.size()] = filter_[j] = std::conj(chirp_[j]);
    powers_(filter_);
  }
  /// y_k = Σ_j part_j exp(sign 2πi jk/p), in place.
  void operator()(Signal& part) const {
    Signal x(powers_.size());
    for (std::size_t j = 0; j < part.size(); ++j) x[j] = PowerOfTwo::times(part[j], chirp_[j]);
    powers_(x);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = std::conj(PowerOfTwo::times(x[k], filter_[k]));
    powers_(x);  // of the conjugates: the inverse, but for the conjugates and the factor
    const double scale = 1 / static_cast<double>(x.size());
    for (std::size_t k = 0; k < part.size(); ++k) part[k] = PowerOfTwo::times(scale * std::conj(x[k]), chirp_[k]);
  }

 private:
  Signal chirp_;
  PowerOfTwo powers_;
  Signal filter_;
};

/// Transforms of any length with one sign.
class Transform {
 public:
  explicit Transform(double sign) : sign_(sign) {}

  /// y_k = Σ_j x_j exp(sign 2πi jk/n), by the smallest prime factor of n.
  void operator()(const Complex* x, Index n, Index stride, Complex* y) {
    if (n == 1) {
      *y = *x;
      return;
    }
    if (n >= kLong) stop_point();
    const Index p = smallest_factor(n), m = n / p;
    for (Index r = 0; r < p; ++r) (*this)(x + r * stride, m, stride * p, y + r * m);
    Signal part(static_cast<std::size_t>(p));
    for (Index k = 0; k < m; ++k) {
      for (Index r = 0; r < p; ++r) part[static_cast<std::size_t>(r)] = y[r * m + k] * root(r * k, n, sign_);
      if (p > kLargestByDefinition) by_chirp(part, y + k, m);
      else by_definition(part, y + k, m);
    }
  }

 private:
  static constexpr Index kLong = 4096, kLargestByDefinition = 64;

  static Index smallest_factor(Index n) {
    for (Index p = 2; p * p <= n; ++p)
      if (n % p == 0) return p;
    return n;
  }
  void by_definition(const Signal& part, Complex* y, Index stride) const {
    const auto p = static_cast<Index>(part.size());
    for (Index q = 0; q < p; ++q) {
      Complex sum = 0;
      for (Index r = 0; r < p; ++r) sum += part[static_cast<std::size_t>(r)] * root(q * r, p, sign_);
      y[q * stride] = sum;
    }
  }
  void by_chirp(Signal& part, Complex* y, Index stride) {
    const auto p = static_cast<Index>(part.size());
    chirps_.try_emplace(p, p, sign_).first->second(part);
    for (Index q = 0; q < p; ++q) y[q * stride] = part[static_cast<std::size_t>(q)];
  }

  double sign_;
  std::map<Index, Chirp> chirps_;
};

/// All columns, then all rows (a vector is one column). Adds scale times the result to `out`.
void transform_all(const Shape& s, const double* in, double sign, double scale, double* out) {
  const Index rows = s.inner == Inner::RowVector ? s.cols : s.rows, cols = s.inner == Inner::RowVector ? 1 : s.cols;
  Signal x(static_cast<std::size_t>(rows * cols)), y(x.size()), line(static_cast<std::size_t>(cols));
  Transform transform(sign);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = {in[2 * i], in[2 * i + 1]};
  for (Index j = 0; j < cols && rows > 0; ++j) transform(x.data() + j * rows, rows, 1, y.data() + j * rows);
  for (Index i = 0; i < rows && cols > 1; ++i) {
    transform(y.data() + i, cols, rows, line.data());
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
