// Parts of vectors, arrays and matrices.
#include <fmt/format.h>

#include <algorithm>

#include "interp/functions/builtin_tools.h"
#include "interp/value/selection.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

using ad::Inner;
using Name = std::string_view;

void need(bool fits, Name name, Args a) {
  if (!fits) wrong_arguments(name, a);
}

/// n elements from position `first` (from 0) of a vector, row vector or array.
Value slice(Name name, Args a, std::uint32_t first, std::uint32_t n) {
  const Shape& s = a[0].shape();
  need(!s.is_scalar() && (s.rank > 0 || s.inner != Inner::Matrix), name, a);
  Shape out = s;
  if (s.rank > 0) out.array_dims[0] = n;
  else (s.inner == Inner::Vector ? out.rows : out.cols) = n;
  const std::uint32_t block = s.rank > 0 ? scalar_count(a[0]) / std::max(s.array_dims[0], 1u) : 1;
  return read(a[0], {.shape = out, .contiguous = true, .offset = first * block, .offsets = {}});
}

std::uint32_t part_length(Name name, Args a) {
  const std::int32_t n = int_argument(name, a, 1);
  const std::uint32_t all = a[0].shape().length();
  if (n < 0 || static_cast<std::uint32_t>(n) > all)
    throw ad::IndexError(fmt::format("{}: n is {}, but must be between 0 and the size, which is {}", name, n, all));
  return static_cast<std::uint32_t>(n);
}

Value head(CallContext&, Name name, Args a) { return slice(name, a, 0, part_length(name, a)); }
Value tail(CallContext&, Name name, Args a) {
  const std::uint32_t n = part_length(name, a);
  return slice(name, a, a[0].shape().length() - n, n);
}

Value segment(CallContext&, Name name, Args a) {
  const std::int64_t i = int_argument(name, a, 1), n = int_argument(name, a, 2), all = a[0].shape().length();
  if (i < 1 || i > all)
    throw ad::DomainError(fmt::format("{}: i is {}, but must be between 1 and the size, which is {}", name, i, all));
  if (n < 0 || i + n - 1 > all)
    throw ad::DomainError(fmt::format("{}: n is {}, but must be between 0 and {}, the number of elements from position {} on",
                                      name, n, all - i + 1, i));
  return slice(name, a, static_cast<std::uint32_t>(i - 1), static_cast<std::uint32_t>(n));
}

// ---- of matrices

/// Rows [i, i + m), columns [j, j + n), from 0.
Value submatrix(CallContext& c, Args a, Shape out, std::uint32_t i, std::uint32_t j) {
  const std::uint32_t stride = a[0].shape().rows;
  out.complex = a[0].shape().complex;
  if (out.cols == 1 || out.rows == stride)  // whole columns, or a part of one, lie one behind the other
    return read(a[0], {.shape = out, .contiguous = true, .offset = j * stride + i, .offsets = {}});
  const auto at = [&](std::uint32_t k) { return (j + k / out.rows) * stride + i + k % out.rows; };
  return pick(c, out, a.first(1), positions(out.scalars(), at));
}

/// How many rows or columns to take from position `first` (from 1) on.
std::uint32_t extent(Name name, std::string_view label, Args a, std::size_t arg, std::uint32_t first, std::uint32_t all) {
  const std::int32_t n = int_argument(name, a, arg);
  if (n < 0 || static_cast<std::uint32_t>(n) > all - first + 1)
    throw ad::IndexError(fmt::format("{}: {} is {}, but must be between 0 and {}", name, label, n, all - first + 1));
  return static_cast<std::uint32_t>(n);
}

void need_matrix(Name name, Args a) {
  need(!a.empty() && a[0].shape().rank == 0 && a[0].shape().inner == Inner::Matrix, name, a);
}

Value col(CallContext& c, Name name, Args a) {
  need_matrix(name, a);
  const Shape& s = a[0].shape();
  return submatrix(c, a, Shape::vector(s.rows), 0, index_argument(name, "column", a, 1, s.cols) - 1);
}

Value row(CallContext& c, Name name, Args a) {
  need_matrix(name, a);
  const Shape& s = a[0].shape();
  return submatrix(c, a, Shape::row_vector(s.cols), index_argument(name, "row", a, 1, s.rows) - 1, 0);
}

Value block(CallContext& c, Name name, Args a) {
  need_matrix(name, a);
  const Shape& s = a[0].shape();
  const std::uint32_t i = index_argument(name, "row", a, 1, s.rows), j = index_argument(name, "column", a, 2, s.cols);
  const std::uint32_t m = extent(name, "number of rows", a, 3, i, s.rows);
  const std::uint32_t n = extent(name, "number of columns", a, 4, j, s.cols);
  return submatrix(c, a, Shape::matrix(m, n), i - 1, j - 1);
}

Value sub_col(CallContext& c, Name name, Args a) {
  need_matrix(name, a);
  const Shape& s = a[0].shape();
  const std::uint32_t i = index_argument(name, "row", a, 1, s.rows), j = index_argument(name, "column", a, 2, s.cols);
  return submatrix(c, a, Shape::vector(extent(name, "number of rows", a, 3, i, s.rows)), i - 1, j - 1);
}

Value sub_row(CallContext& c, Name name, Args a) {
  need_matrix(name, a);
  const Shape& s = a[0].shape();
  const std::uint32_t i = index_argument(name, "row", a, 1, s.rows), j = index_argument(name, "column", a, 2, s.cols);
  return submatrix(c, a, Shape::row_vector(extent(name, "number of columns", a, 3, j, s.cols)), i - 1, j - 1);
}

constexpr FunctionRow kRows[] = {
    {"head", head}, {"tail", tail},   {"segment", segment}, {"col", col},
    {"row", row},   {"block", block}, {"sub_col", sub_col}, {"sub_row", sub_row},
};

}  // namespace

std::span<const FunctionRow> slice_functions() { return kRows; }

}  // namespace fermiac::interp
