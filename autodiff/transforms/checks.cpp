// Validity of values of constrained types, and the plain functions around the transforms.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "autodiff/linalg/kernel_tools.h"
#include "autodiff/transforms/structured.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

constexpr double kTolerance = 1e-8;

/// What a sum of numbers may be off by: `magnitude` is the sum of what their relative errors count for.
double allowance(double rounding, double magnitude) { return kTolerance + 2 * rounding * magnitude; }

[[noreturn]] void invalid(std::string_view label, std::string_view type, const std::string& why) {
  throw DomainError(fmt::format("{} is not a valid {}. {}", label, type, why));
}

void check_ordered(std::string_view label, const double* x, Index n, bool positive, double rounding) {
  const char* type = positive ? "positive_ordered vector" : "ordered vector";
  if (positive && n > 0 && !(x[0] >= 0))
    invalid(label, type, fmt::format("The element at 1 is {}, but should be greater than or equal to 0", x[0]));
  if (n == 1 && std::isnan(x[0])) invalid(label, type, "The element at 1 is nan");
  for (Index i = 1; i < n; ++i)
    if (!(rounding > 0 ? x[i] >= x[i - 1] : x[i] > x[i - 1]))
      invalid(label, type, fmt::format("The element at {} is {}, but should be greater than the previous element, {}", i + 1,
                                       x[i], x[i - 1]));
}

void check_unit_vector(std::string_view label, const double* x, Index n, double rounding) {
  check_nonempty("", label, n);
  const double square = dense::dot(n, x, x);
  if (!(std::abs(1 - square) <= allowance(rounding, 2 * square)))
    invalid(label, "unit vector", fmt::format("The sum of the squares of the elements should be 1, but is {}", square));
}

/// `y` of `stochastic_row_unconstrain: y`: a label that is repeated within a sentence.
std::string_view without_function(std::string_view label) {
  const std::size_t end = label.rfind(": ");
  return end == label.npos ? label : label.substr(end + 2);
}

void check_sum(std::string_view label, std::string_view type, const double* x, Index n, Index step, double rounding) {
  double sum = 0, magnitude = 0;
  for (Index i = 0; i < n; ++i) {
    sum += x[i * step];
    magnitude += std::abs(x[i * step]);
  }
  if (!(std::abs(sum) <= allowance(rounding, magnitude)))
    invalid(label, type, fmt::format("sum({}) = {}, but should be 0", without_function(label), sum));
}

void check_sum_to_zero(std::string_view label, Extent e, const double* x, double rounding) {
  if (e.vector) return check_sum(label, "sum-to-zero vector", x, e.rows, 1, rounding);
  for (Index j = 0; j < e.cols; ++j)
    check_sum(fmt::format("{}[,{}]", label, j + 1), "sum-to-zero matrix column", x + j * e.rows, e.rows, 1, rounding);
  for (Index i = 0; i < e.rows; ++i)
    check_sum(fmt::format("{}[{}]", label, i + 1), "sum-to-zero matrix row", x + i, e.cols, e.rows, rounding);
}

void check_square_extent(std::string_view label, Extent e) {
  if (e.rows != e.cols)
    throw SizeError(fmt::format("{} must be square, but has {} rows and {} columns", label, e.rows, e.cols));
}

void check_factor(std::string_view label, Extent e, const double* x) {
  if (e.cols > e.rows)
    throw SizeError(fmt::format("{} must have at least as many rows as columns, but has {} rows and {} columns", label,
                                e.rows, e.cols));
  for (Index j = 0; j < e.cols; ++j) {
    for (Index i = 0; i < j; ++i)
      if (x[i + j * e.rows] != 0)
        throw DomainError(fmt::format("{} is not lower triangular; {} = {}", label, element_name(label, i, j), x[i + j * e.rows]));
    if (!(x[j + j * e.rows] > 0))
      throw DomainError(fmt::format("{} is {}, but must be positive!", element_name(label, j, j), x[j + j * e.rows]));
    for (Index i = j; i < e.rows; ++i)
      if (std::isnan(x[i + j * e.rows]))
        throw DomainError(fmt::format("{} is nan, but must be not nan!", element_name(label, i, j)));
  }
}

void check_unit_rows(std::string_view label, Extent e, const double* x, double rounding) {
  for (Index i = 0; i < e.rows; ++i) {
    double square = 0;
    for (Index j = 0; j <= i; ++j) square += x[i + j * e.rows] * x[i + j * e.rows];
    if (!(std::abs(1 - square) <= allowance(rounding, 2 * square)))
      invalid(label, "Cholesky factor of a correlation matrix",
              fmt::format("The sum of the squares of row {} should be 1, but is {}", i + 1, square));
  }
}

void check_positive_definite(std::string_view label, Extent e, const double* x) {
  check_square_extent(label, e);
  check_symmetric("", label, x, e.rows);
  std::vector<double> l(static_cast<std::size_t>(e.size()));
  factor_or_throw("", label, x, e.rows, l.data());
}

void check_unit_diagonal(std::string_view label, Extent e, const double* x, double rounding) {
  for (Index i = 0; i < e.rows; ++i)
    if (!(std::abs(x[i + i * e.rows] - 1) <= allowance(rounding, 1)))
      invalid(label, "correlation matrix",
              fmt::format("{} is {}, but should be near 1", element_name(label, i, i), x[i + i * e.rows]));
}

/// Numbers `step` apart that must be a simplex; `line` is their name within the value.
void check_line(std::string_view label, std::string_view type, const std::string& line, const double* x, Index n, Index step, double rounding) {
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += x[i * step];
  if (!(std::abs(1 - sum) <= allowance(rounding, 1))) invalid(label, type, fmt::format("sum({}) = {}, but should be 1", line, sum));
}

void check_stochastic(std::string_view label, Extent e, const double* x, bool rows, double rounding) {
  const std::string_view type = rows ? "row stochastic matrix" : "column stochastic matrix", name = without_function(label);
  if ((rows ? e.rows : e.cols) > 0) check_nonempty("", label, rows ? e.cols : e.rows);
  for (Index k = 0; k < (rows ? e.rows : e.cols); ++k) {
    if (rows) check_line(label, type, fmt::format("{}[{}]", name, k + 1), x + k, e.cols, e.rows, rounding);
    else check_line(label, type, fmt::format("{}[,{}]", name, k + 1), x + k * e.rows, e.rows, 1, rounding);
  }
  for (Index k = 0; k < e.size(); ++k)
    if (!(x[k] >= 0))
      invalid(label, type, fmt::format("{} = {}, but should be greater than or equal to 0", element_name(name, k % e.rows, k / e.rows), x[k]));
}

// ---- element-wise types

std::string element_label(std::string_view variable, const Shape& s, std::size_t i) {
  if (s.is_scalar()) return std::string(variable);
  std::string index;
  std::size_t rest = i / s.inner_size();
  for (int d = s.rank - 1; d >= 0; --d) {
    const std::size_t n = s.array_dims[static_cast<std::size_t>(d)];
    index = fmt::format("{}{}{}", rest % n + 1, index.empty() ? "" : ",", index);
    rest /= n;
  }
  const std::size_t inner = i % s.inner_size();
  if (s.inner == Inner::Matrix) index += fmt::format("{}{},{}", index.empty() ? "" : ",", inner % s.rows + 1, inner / s.rows + 1);
  else if (s.inner != Inner::Scalar) index += fmt::format("{}{}", index.empty() ? "" : ",", inner + 1);
  return fmt::format("{}[{}]", variable, index);
}

[[noreturn]] void out_of_bounds(std::string_view variable, const Shape& s, std::size_t i, double x, const std::string& must) {
  throw DomainError(fmt::format("{} is {}, but must be {}!", element_label(variable, s, i), x, must));
}

void check_bound_operands(Transform t, std::string_view variable, Bound a, Bound b, std::size_t i) {
  if (t == Transform::LowerUpperBound && !(a.at(i) < b.at(i)))
    throw DomainError(fmt::format("{}: lower bound is {}, but must be less than the upper bound, {}!", variable, a.at(i), b.at(i)));
  if (t != Transform::OffsetMultiplier) return;
  if (!std::isfinite(a.at(i))) throw DomainError(fmt::format("{}: offset is {}, but must be finite!", variable, a.at(i)));
  if (!(b.at(i) > 0 && std::isfinite(b.at(i))))
    throw DomainError(fmt::format("{}: multiplier is {}, but must be positive finite!", variable, b.at(i)));
}

void check_bounded(Transform t, std::string_view variable, const Shape& s, const double* x, Bound a, Bound b, double rounding) {
  for (std::size_t i = 0; i < s.size(); ++i) {
    const double slack = rounding > 0 ? 2 * rounding * std::abs(x[i]) : 0;
    switch (t) {
      case Transform::LowerBound:
        if (!(x[i] + slack >= a.at(i))) out_of_bounds(variable, s, i, x[i], fmt::format("greater than or equal to {}", a.at(i)));
        break;
      case Transform::UpperBound:
        if (!(x[i] - slack <= a.at(i))) out_of_bounds(variable, s, i, x[i], fmt::format("less than or equal to {}", a.at(i)));
        break;
      case Transform::LowerUpperBound:
        if (!(x[i] + slack >= a.at(i) && x[i] - slack <= b.at(i)))
          out_of_bounds(variable, s, i, x[i], fmt::format("in the interval [{}, {}]", a.at(i), b.at(i)));
        break;
      default: break;
    }
  }
}

double unconstrain_one(Transform t, double x, double a, double b) {
  constexpr double kInf = HUGE_VAL;
  switch (t) {
    case Transform::LowerBound: return a == -kInf ? x : std::log(x - a);
    case Transform::UpperBound: return a == kInf ? x : std::log(a - x);
    case Transform::LowerUpperBound:
      if (a == -kInf) return b == kInf ? x : std::log(b - x);
      return b == kInf ? std::log(x - a) : std::log((x - a) / (b - x));
    case Transform::OffsetMultiplier: return (x - a) / b;
    default: return x;
  }
}

/// A value that rounding carried over its bound lies on it.
double within_bounds(Transform t, double x, double a, double b) {
  switch (t) {
    case Transform::LowerBound: return std::fmax(x, a);
    case Transform::UpperBound: return std::fmin(x, a);
    case Transform::LowerUpperBound: return std::fmin(std::fmax(x, a), b);
    default: return x;
  }
}

Extent extent_of(const Shape& s) {
  return {static_cast<Index>(s.rows), static_cast<Index>(s.cols), s.inner != Inner::Matrix};
}

}  // namespace

void check_element(Transform t, std::string_view label, Extent e, const double* x, double rounding) {
  switch (t) {
    case Transform::Ordered: return check_ordered(label, x, e.rows, false, rounding);
    case Transform::PositiveOrdered: return check_ordered(label, x, e.rows, true, rounding);
    case Transform::Simplex: {
      const std::string_view name = without_function(label);
      const std::string_view function = label.substr(0, label.size() - name.size() - (name.size() < label.size() ? 2 : 0));
      return check_simplex(function, name, x, e.rows, allowance(rounding, 1));
    }
    case Transform::UnitVector: return check_unit_vector(label, x, e.rows, rounding);
    case Transform::SumToZero: return check_sum_to_zero(label, e, x, rounding);
    case Transform::CholeskyFactorCov: return check_factor(label, e, x);
    case Transform::CholeskyFactorCorr:
      check_square_extent(label, e);
      check_factor(label, e, x);
      return check_unit_rows(label, e, x, rounding);
    case Transform::CorrMatrix:
      check_square_extent(label, e);
      check_symmetric("", label, x, e.rows);
      check_unit_diagonal(label, e, x, rounding);
      return check_positive_definite(label, e, x);
    case Transform::CovMatrix: return check_positive_definite(label, e, x);
    case Transform::StochasticColumn: return check_stochastic(label, e, x, false, rounding);
    case Transform::StochasticRow: return check_stochastic(label, e, x, true, rounding);
    default: return;
  }
}

std::string_view transform_name(Transform t) {
  static constexpr std::string_view kElementwise[] = {"identity", "lower_bound", "upper_bound", "lower_upper_bound",
                                                      "offset_multiplier"};
  return is_elementwise(t) ? kElementwise[static_cast<int>(t)] : structured(t).name;
}
std::string_view constrain_name(Transform t) {
  static constexpr std::string_view kElementwise[] = {"", "lower_bound_constrain", "upper_bound_constrain",
                                                      "lower_upper_bound_constrain", "offset_multiplier_constrain"};
  return is_elementwise(t) ? kElementwise[static_cast<int>(t)] : structured(t).constrain_kernel;
}
std::string_view jacobian_name(Transform t) {
  static constexpr std::string_view kElementwise[] = {"", "lower_bound_log_jacobian__", "upper_bound_log_jacobian__",
                                                      "lower_upper_bound_log_jacobian__",
                                                      "offset_multiplier_log_jacobian__"};
  return is_elementwise(t) ? kElementwise[static_cast<int>(t)] : structured(t).jacobian_kernel;
}

Shape free_shape(Transform t, std::string_view variable, const Shape& constrained) {
  if (is_elementwise(t)) return constrained;
  const Extent e = extent_of(constrained);
  const bool lines = t == Transform::StochasticColumn || t == Transform::StochasticRow;
  if (t == Transform::Simplex || t == Transform::UnitVector || t == Transform::SumToZero || lines) {
    check_nonempty("", variable, e.rows);
    if (!e.vector) check_nonempty("", variable, e.cols);
  }
  if (t == Transform::CholeskyFactorCov && e.cols > e.rows)
    throw SizeError(fmt::format("{} must have at least as many rows as columns, but has {} rows and {} columns", variable,
                                e.rows, e.cols));
  if (t == Transform::CorrMatrix || t == Transform::CovMatrix || t == Transform::CholeskyFactorCorr)
    check_square_extent(variable, e);
  Shape r = constrained;
  const auto lower = [](std::uint32_t n) { return n > 0 ? n - 1 : 0; };
  if (lines || (t == Transform::SumToZero && !e.vector)) {
    if (t != Transform::StochasticRow) r.rows = lower(r.rows);
    if (t != Transform::StochasticColumn) r.cols = lower(r.cols);
    return r;
  }
  r.inner = Inner::Vector;
  r.rows = static_cast<std::uint32_t>(structured(t).free_size(e));
  r.cols = 1;
  return r;
}

void check_constrained(Transform t, std::string_view variable, const Shape& shape, const double* x, Bound first,
                       Bound second, double rounding) {
  if (is_elementwise(t)) return check_bounded(t, variable, shape, x, first, second, rounding);
  const Extent e = extent_of(shape);
  free_shape(t, variable, shape);
  for (std::uint32_t k = 0; k < shape.count(); ++k)
    check_element(t, shape.rank > 0 ? fmt::format("{}[{}]", variable, k + 1) : std::string(variable), e, x + k * e.size(), rounding);
}

namespace {

/// Stan has a name for a value that is to be made free, which clients look for; the variable stands before it.
std::string free_label(Transform t, std::string_view variable) {
  switch (t) {
    case Transform::LowerBound: return fmt::format("{}: Lower bounded variable", variable);
    case Transform::UpperBound: return fmt::format("{}: Upper bounded variable", variable);
    case Transform::LowerUpperBound: return fmt::format("{}: Bounded variable", variable);
    default: return std::string(variable);
  }
}

}  // namespace

void unconstrain(Transform t, std::string_view variable, const Shape& shape, const double* x, double* y, Bound first,
                 Bound second, double rounding) {
  check_constrained(t, free_label(t, variable), shape, x, first, second, rounding);
  if (is_elementwise(t)) {
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (t != Transform::Identity) check_bound_operands(t, variable, first, second, i);
      const double a = first.v ? first.at(i) : 0, b = second.v ? second.at(i) : 0;
      y[i] = unconstrain_one(t, rounding > 0 ? within_bounds(t, x[i], a, b) : x[i], a, b);
    }
    return;
  }
  const Structured& s = structured(t);
  const Extent e = extent_of(shape);
  const Index n = s.free_size(e);
  for (std::uint32_t k = 0; k < shape.count(); ++k) s.unconstrain(e, x + k * e.size(), y + k * n);
}

}  // namespace fermiac::ad
