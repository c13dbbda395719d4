#include "autodiff/linalg/kernel_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "autodiff/kernels/special_scalar.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

/// " is 3, but must be finite!" needs the index of a matrix element as [row,col].
std::string name_in(std::string_view label, const KernelArg& a, Index k) {
  if (a.shape.is_scalar()) return std::string(label);
  if (a.shape.rank == 0 && a.shape.inner == Inner::Matrix)
    return element_name(label, k % a.shape.rows, k / a.shape.rows);
  if (a.shape.rank > 0 && a.shape.inner != Inner::Scalar)
    return fmt::format("{}[{},{}]", label, k / a.shape.inner_size() + 1, k % a.shape.inner_size() + 1);
  return fmt::format("{}[{}]", label, k + 1);
}

template <class Holds>
void check_each(std::string_view function, std::string_view label, const KernelArg& a, std::string_view requirement,
                Holds holds) {
  const Index n = size_of(a);
  for (Index k = 0; k < n; ++k)
    if (!holds(number(a, k)))
      domain_error(function, fmt::format("{} is {}, but must be {}!", name_in(label, a, k), number(a, k), requirement));
}

}  // namespace

dense::View as_matrix(const Shape& s, const double* p) {
  if (s.inner == Inner::Scalar && s.rank == 1) return dense::view(p, s.array_dims[0], 1);
  return dense::view(p, s.rows, s.cols);
}
dense::View as_matrix(const KernelArg& a) { return as_matrix(a.shape, a.v); }

void check_sizes_match(std::string_view function, std::string_view a, Index size_a, std::string_view b, Index size_b) {
  if (size_a != size_b)
    throw SizeError(fmt::format("{}: {} ({}) and {} ({}) must match in size", function, a, size_a, b, size_b));
}

void check_square(std::string_view function, std::string_view label, const Shape& s) {
  if (s.rows != s.cols)
    throw SizeError(fmt::format("{}: expecting a square matrix; rows of {} ({}) and columns of {} ({}) must match in size",
                                function, label, s.rows, label, s.cols));
}

void check_nonempty(std::string_view function, std::string_view label, Index size) {
  if (size == 0) throw SizeError(fmt::format("{}{}{} has size 0, but must have a non-zero size", function, function.empty() ? "" : ": ", label));
}

void check_same_size(const KernelCall& c, int i, int j, std::string_view label_i, std::string_view label_j) {
  const Shape& a = c.in[static_cast<std::size_t>(i)].shape;
  const Shape& b = c.in[static_cast<std::size_t>(j)].shape;
  if (a.inner == Inner::Matrix && b.inner == Inner::Matrix) {
    check_sizes_match(c.name, fmt::format("Rows of {}", label_i), a.rows, fmt::format("rows of {}", label_j), b.rows);
    check_sizes_match(c.name, fmt::format("Columns of {}", label_i), a.cols, fmt::format("columns of {}", label_j),
                      b.cols);
  }
  check_sizes_match(c.name, label_i, a.scalars(), label_j, b.scalars());
}

void domain_error(std::string_view function, const std::string& text) {
  throw DomainError(function.empty() ? text : fmt::format("{}: {}", function, text));
}

void domain_error(std::string_view function, std::string_view label, Index index, double value,
                  std::string_view requirement) {
  const std::string at = index > 0 ? fmt::format("[{}]", index) : "";
  domain_error(function, fmt::format("{}{} is {}, but must be {}!", label, at, value, requirement));
}

std::string element_name(std::string_view label, Index row, Index col) {
  return fmt::format("{}[{},{}]", label, row + 1, col + 1);
}

void check_not_nan(std::string_view function, std::string_view label, const KernelArg& a) {
  check_each(function, label, a, "not nan", [](double x) { return !std::isnan(x); });
}
void check_finite(std::string_view function, std::string_view label, const KernelArg& a) {
  check_each(function, label, a, "finite", [](double x) { return std::isfinite(x); });
}
void check_positive(std::string_view function, std::string_view label, const KernelArg& a) {
  check_each(function, label, a, "positive", [](double x) { return x > 0; });
}
void check_positive_finite(std::string_view function, std::string_view label, const KernelArg& a) {
  check_each(function, label, a, "positive finite", [](double x) { return x > 0 && std::isfinite(x); });
}
void check_nonnegative(std::string_view function, std::string_view label, const KernelArg& a) {
  check_each(function, label, a, "nonnegative", [](double x) { return x >= 0; });
}

void check_symmetric(std::string_view function, std::string_view label, const double* a, Index n) {
  Index j = 0;
  const Index i = dense::first_asymmetric(a, n, &j);
  if (i >= 0)
    domain_error(function, fmt::format("{} is not symmetric. {} = {}, but {} = {}", label, element_name(label, i, j),
                                       a[i + j * n], element_name(label, j, i), a[j + i * n]));
}

void factor_or_throw(std::string_view function, std::string_view label, const double* a, Index n, double* l) {
  std::copy_n(a, n * n, l);
  if (!dense::cholesky(l, n)) domain_error(function, fmt::format("{} is not positive definite.", label));
}

void check_simplex(std::string_view function, std::string_view label, const double* x, Index n, double tolerance) {
  check_nonempty(function, label, n);
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += x[i];
  if (!(std::abs(1 - sum) <= tolerance))
    domain_error(function, fmt::format("{} is not a valid simplex. sum({}) = {}, but should be 1", label, label, sum));
  for (Index i = 0; i < n; ++i)
    if (!(x[i] >= 0))
      domain_error(function, fmt::format("{} is not a valid simplex. {}[{}] = {}, but should be greater than or equal to 0",
                                         label, label, i + 1, x[i]));
}

double digamma(double x) {
  if (!(x > 0)) return scalar::digamma(x);
  double r = 0;
  for (; x < 10; x += 1) r -= 1 / x;
  const double i = 1 / (x * x);  // asymptotic series, Bernoulli numbers
  return r + std::log(x) - 0.5 / x -
         i * (1.0 / 12 - i * (1.0 / 120 - i * (1.0 / 252 - i * (1.0 / 240 - i * (1.0 / 132 - i * (691.0 / 32760 - i / 12))))));
}

}  // namespace fermiac::ad
