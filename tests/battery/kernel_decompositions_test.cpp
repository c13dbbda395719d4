// Decompositions that are unique only up to phases: their defining equations.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "autodiff/kernels/kernel.h"

namespace fermiac::ad {
namespace {

using Complex = std::complex<double>;
using Numbers = std::vector<Complex>;

struct Matrix {
  std::size_t rows, cols;
  Numbers x;
  Complex operator()(std::size_t i, std::size_t j) const { return x[i + j * rows]; }
};

Matrix filled(std::size_t rows, std::size_t cols, bool complex) {
  Matrix a{rows, cols, Numbers(rows * cols)};
  for (std::size_t i = 0; i < a.x.size(); ++i) {
    const double t = static_cast<double>(i);
    a.x[i] = {std::sin(1 + 1.9 * t) + std::cos(t * t), complex ? std::cos(0.4 + 2.3 * t) : 0.0};
  }
  return a;
}

Matrix run(const char* name, const Matrix& a, bool complex) {
  std::vector<double> v;
  for (const Complex z : a.x) {
    v.push_back(z.real());
    if (complex) v.push_back(z.imag());
  }
  KernelArg in;
  in.shape = Shape::matrix(static_cast<std::uint32_t>(a.rows), static_cast<std::uint32_t>(a.cols));
  in.shape.complex = complex;
  in.v = v.data();
  const Kernel* k = find_kernel(name);
  KernelCall call;
  call.name = k->name;
  call.in = std::span<const KernelArg>(&in, 1);
  const Plan plan = k->plan(call);
  call.out_shape = plan.out;
  std::vector<double> out(plan.out.size()), scratch(plan.scratch);
  call.out = out.data();
  call.scratch = scratch.data();
  k->forward(call);
  Matrix r{plan.out.rows, plan.out.cols, Numbers(plan.out.scalars())};
  for (std::size_t i = 0; i < r.x.size(); ++i) r.x[i] = plan.out.complex ? Complex(out[2 * i], out[2 * i + 1]) : Complex(out[i]);
  return r;
}

Matrix times(const Matrix& a, const Matrix& b) {
  Matrix r{a.rows, b.cols, Numbers(a.rows * b.cols)};
  for (std::size_t j = 0; j < b.cols; ++j)
    for (std::size_t k = 0; k < a.cols; ++k)
      for (std::size_t i = 0; i < a.rows; ++i) r.x[i + j * a.rows] += a(i, k) * b(k, j);
  return r;
}
Matrix adjoint(const Matrix& a) {
  Matrix r{a.cols, a.rows, Numbers(a.x.size())};
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.cols; ++j) r.x[j + i * a.cols] = std::conj(a(i, j));
  return r;
}
Matrix scaled_columns(Matrix a, const Matrix& s) {
  for (std::size_t j = 0; j < a.cols; ++j)
    for (std::size_t i = 0; i < a.rows; ++i) a.x[i + j * a.rows] *= s.x[j];
  return a;
}
void expect_equal(const Matrix& a, const Matrix& b) {
  ASSERT_EQ(a.x.size(), b.x.size());
  for (std::size_t i = 0; i < a.x.size(); ++i) EXPECT_LT(std::abs(a.x[i] - b.x[i]), 1e-10) << i;
}
Matrix identity(std::size_t n) {
  Matrix r{n, n, Numbers(n * n)};
  for (std::size_t i = 0; i < n; ++i) r.x[i + i * n] = 1;
  return r;
}

TEST(Decompositions, EigenvectorsBelongToEigenvalues) {
  for (const bool complex : {false, true})
    for (std::size_t n = 1; n < 8; ++n) {
      const Matrix a = filled(n, n, complex), v = run("eigenvectors", a, complex), lambda = run("eigenvalues", a, complex);
      expect_equal(times(a, v), scaled_columns(v, lambda));
      for (std::size_t j = 0; j < n; ++j) {
        double square = 0;
        for (std::size_t i = 0; i < n; ++i) square += std::norm(v(i, j));
        EXPECT_NEAR(square, 1, 1e-12);
      }
    }
}

TEST(Decompositions, SchurForm) {
  for (const bool complex : {false, true}) {
    const Matrix a = filled(5, 5, complex), u = run("complex_schur_decompose_u", a, complex),
                 t = run("complex_schur_decompose_t", a, complex);
    expect_equal(times(times(u, t), adjoint(u)), a);
    expect_equal(times(adjoint(u), u), identity(5));
    for (std::size_t j = 0; j < 5; ++j)
      for (std::size_t i = j + 1; i < 5; ++i) EXPECT_EQ(t(i, j), Complex(0));
  }
}

TEST(Decompositions, ComplexSingularValues) {
  for (const auto& [m, n] : {std::pair<std::size_t, std::size_t>{4, 3}, {3, 4}, {3, 3}}) {
    const Matrix a = filled(m, n, true), u = run("complex_svd_U", a, true), s = run("complex_singular_values", a, true),
                 v = run("complex_svd_V", a, true);
    expect_equal(times(scaled_columns(u, s), adjoint(v)), a);
    expect_equal(times(adjoint(u), u), identity(3));
  }
}

/// Σ Re(w̄ (projector of column k)) does not depend on phases: its slope by adjoints of the eigenvectors and by differences.
TEST(Decompositions, EigenvectorAdjointOfWhatDoesNotDependOnPhases) {
  const std::size_t n = 4;
  const Matrix a = filled(n, n, false);
  const auto value = [&](const Matrix& m) {
    const Matrix v = run("eigenvectors", m, false);
    double s = 0;
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) s += std::cos(static_cast<double>(i + n * j)) * std::norm(v(i, j));
    return s;
  };
  std::vector<double> numbers, adjoints(n * n);
  for (const Complex z : a.x) numbers.push_back(z.real());
  KernelArg in;
  in.shape = Shape::matrix(n, n);
  in.v = numbers.data();
  in.a = adjoints.data();
  in.autodiff = true;
  const Kernel* k = find_kernel("eigenvectors");
  KernelCall call;
  call.name = k->name;
  call.in = std::span<const KernelArg>(&in, 1);
  const Plan plan = k->plan(call);
  call.out_shape = plan.out;
  std::vector<double> out(plan.out.size()), weights(plan.out.size()), scratch(plan.scratch);
  call.out = out.data();
  call.scratch = scratch.data();
  k->forward(call);
  for (std::size_t i = 0; i < out.size(); ++i) weights[i] = 2 * std::cos(static_cast<double>(i / 2)) * out[i];
  call.out_a = weights.data();
  k->reverse(call);
  for (std::size_t i = 0; i < n * n; ++i) {
    Matrix up = a, down = a;
    up.x[i] += 1e-6;
    down.x[i] -= 1e-6;
    EXPECT_NEAR(adjoints[i], (value(up) - value(down)) / 2e-6, 1e-7) << i;
  }
}

}  // namespace
}  // namespace fermiac::ad
