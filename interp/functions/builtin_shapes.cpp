// Sizes, and the same elements under another shape.
#include <fmt/format.h>

#include <algorithm>

#include "interp/functions/builtin_tools.h"
#include "support/base/errors.h"

namespace fermiac::interp {
namespace {

using ad::Inner;
using Name = std::string_view;

void need(bool fits, Name name, Args a) {
  if (!fits) wrong_arguments(name, a);
}

Value as_int(std::uint32_t n) { return static_cast<std::int32_t>(n); }

Value size(CallContext&, Name name, Args a) {
  need(a.size() == 1, name, a);
  return a[0].kind() == Value::Kind::Tuple ? Value(1) : as_int(a[0].shape().length());
}
Value num_elements(CallContext&, Name, Args a) { return as_int(scalar_count(a[0])); }
Value rows(CallContext&, Name, Args a) { return as_int(a[0].shape().rows); }
Value cols(CallContext&, Name, Args a) { return as_int(a[0].shape().cols); }

/// Array sizes, then rows and columns of any vector or matrix inside; nothing is known beyond an empty array.
Value dims(CallContext&, Name, Args a) {
  const Shape& s = a[0].shape();
  std::vector<std::int32_t> out;
  for (int i = 0; i < s.rank; ++i) {
    out.push_back(static_cast<std::int32_t>(s.array_dims[i]));
    if (s.array_dims[i] == 0) return Value::ints(Shape::array(static_cast<std::uint32_t>(out.size()), {}), out);
  }
  if (s.inner != Inner::Scalar)
    out.insert(out.end(), {static_cast<std::int32_t>(s.rows), static_cast<std::int32_t>(s.cols)});
  const auto n = static_cast<std::uint32_t>(out.size());
  return Value::ints(Shape::array(n, {}), std::move(out));
}

Shape with_complex(Shape s, const Value& like) {
  s.complex = like.shape().complex;
  return s;
}

Value to_vector(CallContext&, Name, Args a) {
  return reshape(a[0], with_complex(Shape::vector(scalar_count(a[0])), a[0]));
}
Value to_row_vector(CallContext&, Name, Args a) {
  return reshape(a[0], with_complex(Shape::row_vector(scalar_count(a[0])), a[0]));
}
Value to_array_1d(CallContext&, Name, Args a) {
  return reshape(a[0], Shape::array(scalar_count(a[0]), with_complex({}, a[0])));
}

/// index[i * cols + j] = position of (i, j) in a column-major matrix.
Index rows_first(std::uint32_t n_rows, std::uint32_t n_cols) {
  const std::uint32_t n = Shape::matrix(n_rows, n_cols).size();
  return positions(n, [=](std::uint32_t k) { return k % n_cols * n_rows + k / n_cols; });
}

Value to_array_2d(CallContext& c, Name, Args a) {
  const Shape& s = a[0].shape();
  return pick(c, Shape::array(s.rows, Shape::array(s.cols, with_complex({}, a[0]))), a, rows_first(s.rows, s.cols));
}

/// A matrix whose rows follow one another in `v`.
Value from_rows(CallContext& c, const Value& v, std::uint32_t n_rows, std::uint32_t n_cols) {
  return pick(c, with_complex(Shape::matrix(n_rows, n_cols), v), {&v, 1}, rows_first(n_cols, n_rows));
}

/// Vector: one column; row vector: one row; arrays of rows, nested arrays: row by row.
Value to_matrix_1(CallContext& c, const Value& v) {
  const Shape& s = v.shape();
  if (s.rank == 0) return reshape(v, with_complex(Shape::matrix(s.rows, s.cols), v));
  const std::uint32_t n_rows = s.array_dims[0];
  return from_rows(c, v, n_rows, n_rows == 0 ? 0 : scalar_count(v) / n_rows);
}

Value to_matrix(CallContext& c, Name name, Args a) {
  if (a.size() == 1) return to_matrix_1(c, a[0]);
  need(a.size() >= 3, name, a);
  const std::uint32_t m = size_argument(name, "rows", a, 1), n = size_argument(name, "columns", a, 2);
  if (std::uint64_t{m} * n != scalar_count(a[0]))
    throw ad::SizeError(fmt::format("{}: {} rows and {} columns need {} elements, but there are {}", name, m, n,
                                    std::uint64_t{m} * n, scalar_count(a[0])));
  if (a.size() == 4 && int_argument(name, a, 3) == 0) return from_rows(c, a[0], m, n);
  return reshape(a[0], with_complex(Shape::matrix(m, n), a[0]));
}

// ---- putting things beside one another

[[noreturn]] void do_not_match(Name name, std::string_view what, std::uint32_t m, std::uint32_t n) {
  throw ad::SizeError(fmt::format("{}: {} of the arguments must match, but they are {} and {}", name, what, m, n));
}

bool either_complex(Args a) { return a[0].shape().complex || a[1].shape().complex; }

/// A dimension of the result: even without elements it has to be an int.
std::uint32_t joined(Name name, std::uint32_t m, std::uint32_t n) {
  if (std::uint64_t{m} + n > ad::kMaxNumbers)
    throw ad::SizeError(fmt::format("{}: the result would have {} rows, columns or elements in one dimension, but at most {} are possible",
                                    name, std::uint64_t{m} + n, ad::kMaxNumbers));
  return m + n;
}

Value append_col(CallContext& c, Name name, Args a) {
  need(a.size() == 2, name, a);
  const Shape &x = a[0].shape(), &y = a[1].shape();
  if (x.rows != y.rows) do_not_match(name, "rows", x.rows, y.rows);
  const auto flat = [](const Shape& s) { return s.inner == Inner::Scalar || s.inner == Inner::RowVector; };
  const std::uint32_t cols = joined(name, x.cols, y.cols);
  Shape out = flat(x) && flat(y) ? Shape::row_vector(cols) : Shape::matrix(x.rows, cols);
  out.complex = either_complex(a);
  return pick(c, out, a, one_after_the_other(out.scalars()));
}

Value append_row(CallContext& c, Name name, Args a) {
  need(a.size() == 2, name, a);
  const Shape &x = a[0].shape(), &y = a[1].shape();
  if (x.cols != y.cols) do_not_match(name, "columns", x.cols, y.cols);
  const auto flat = [](const Shape& s) { return s.inner == Inner::Scalar || s.inner == Inner::Vector; };
  const std::uint32_t rows = joined(name, x.rows, y.rows);
  Shape out = flat(x) && flat(y) ? Shape::vector(rows) : Shape::matrix(rows, x.cols);
  out.complex = either_complex(a);
  const std::uint32_t second = x.scalars();
  return pick(c, out, a, positions(out.scalars(), [&](std::uint32_t k) {
                const std::uint32_t i = k % out.rows, j = k / out.rows;
                return i < x.rows ? j * x.rows + i : second + j * y.rows + (i - x.rows);
              }));
}

Value append_array(CallContext& c, Name name, Args a) {
  need(a.size() == 2 && a[0].shape().rank > 0 && a[1].shape().rank > 0, name, a);
  const Shape &x = a[0].shape(), &y = a[1].shape();
  const std::uint32_t m = x.array_dims[0], n = y.array_dims[0];
  if (m > 0 && n > 0 && x.element() != y.element())
    throw ad::SizeError(fmt::format("{}: the elements of the arguments must have the same size, but they are {} and {}",
                                    name, x.element().str(), y.element().str()));
  const Shape out = Shape::array(joined(name, m, n), (m > 0 ? x : y).element());
  return pick(c, out, a, one_after_the_other(out.scalars()));
}

Value reverse(CallContext& c, Name name, Args a) {
  const Shape& s = a[0].shape();
  need(s.rank > 0 || s.inner != Inner::Matrix, name, a);
  const std::uint32_t n = s.length(), block = n == 0 ? 0 : s.scalars() / n;
  const auto at = [=](std::uint32_t k) { return (n - 1 - k / block) * block + k % block; };
  return pick(c, s, a, positions(s.scalars(), at));
}

// ---- diagonals

Value diagonal(CallContext& c, Name, Args a) {
  const Shape& s = a[0].shape();
  const std::uint32_t n = std::min(s.rows, s.cols);
  const auto at = [&](std::uint32_t k) { return k * s.rows + k; };
  return pick(c, with_complex(Shape::vector(n), a[0]), a, positions(n, at));
}

Value diag_matrix(CallContext& c, Name, Args a) {
  const std::uint32_t n = a[0].shape().rows;
  const Value sources[] = {a[0], 0.0};
  const Shape out = with_complex(Shape::matrix(n, n), a[0]);
  Index index = filled(out.scalars(), n);
  for (std::uint32_t k = 0; k < n; ++k) index[k * n + k] = k;
  return pick(c, out, sources, index);
}

constexpr FunctionRow kRows[] = {
    {"size", size},
    {"FnLength", size},
    {"num_elements", num_elements},
    {"rows", rows},
    {"cols", cols},
    {"dims", dims},
    {"to_vector", to_vector},
    {"to_row_vector", to_row_vector},
    {"to_array_1d", to_array_1d},
    {"to_array_2d", to_array_2d},
    {"to_matrix", to_matrix},
    {"append_col", append_col},
    {"append_row", append_row},
    {"append_array", append_array},
    {"reverse", reverse},
    {"diagonal", diagonal},
    {"diag_matrix", diag_matrix},
};

}  // namespace

std::span<const FunctionRow> shape_functions() { return kRows; }

}  // namespace fermiac::interp
