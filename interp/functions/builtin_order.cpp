// Sorting, ranks and sparse structure. Where numbers carry derivatives the recorded order is kept by guards between
// neighbours: a replay with another order stops there.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "autodiff/tape/record/recorder.h"
#include "interp/functions/builtin_tools.h"
#include "support/base/errors.h"
#include "support/base/stop.h"

namespace fermiac::interp {
namespace {

using ad::Compare;
using Name = std::string_view;

std::vector<double> numbers_of(const CallContext& c, Name name, const Value& v) {
  std::vector<double> x = filled<double>(scalar_count(v));
  for (std::uint32_t k = 0; k < x.size(); ++k) {
    x[k] = element_value(c, v, k);
    if (std::isnan(x[k])) throw ad::DomainError(fmt::format("{}: element {} is nan, but must not be nan!", name, k + 1));
  }
  return x;
}

void guard_order(CallContext& c, const Value& v, const Index& order, bool descending) {
  if (v.kind() != Value::Kind::Refs) return;
  if (order.size() == 1) c.recorder->guard(Compare::Equal, v.ref_data()[0], v.ref_data()[0]);  // no NaN
  for (std::size_t k = 1; k < order.size(); ++k) {
    const Ref before = v.ref_data()[order[k - 1]], after = v.ref_data()[order[k]];
    c.recorder->guard(Compare::LessOrEqual, descending ? after : before, descending ? before : after);
  }
}

Index sorted(CallContext& c, Name name, const Value& v, bool descending) {
  const std::vector<double> x = numbers_of(c, name, v);
  Index order = one_after_the_other(x.size());
  std::uint32_t comparisons = 0;
  std::ranges::stable_sort(order, [&](auto i, auto j) {
    if (++comparisons % 65536 == 0) ad::stop_point();
    return descending ? x[i] > x[j] : x[i] < x[j];
  });
  guard_order(c, v, order, descending);
  return order;
}

template <bool Descending>
Value sort(CallContext& c, Name name, Args a) {
  return pick(c, a[0].shape(), a, sorted(c, name, a[0], Descending));
}

Value int_array(const Index& index, std::uint32_t add) {
  std::vector<std::int32_t> out(index.size());
  std::ranges::transform(index, out.begin(), [add](std::uint32_t i) { return static_cast<std::int32_t>(i + add); });
  const Shape shape = Shape::array(static_cast<std::uint32_t>(out.size()), {});
  return Value::ints(shape, std::move(out));
}

template <bool Descending>
Value sort_indices(CallContext& c, Name name, Args a) {
  return int_array(sorted(c, name, a[0], Descending), 1);
}

/// Number of elements smaller than the s-th.
Value rank(CallContext& c, Name name, Args a) {
  const std::uint32_t s = index_argument(name, "s", a, 1, scalar_count(a[0])) - 1;
  std::int32_t count = 0;
  for (std::uint32_t k = 0; k < scalar_count(a[0]); ++k) {
    const bool smaller = a[0].kind() == Value::Kind::Refs
                             ? c.recorder->guard(Compare::Less, a[0].ref_data()[k], a[0].ref_data()[s])
                             : element_value(c, a[0], k) < element_value(c, a[0], s);
    if (smaller) ++count;
  }
  return count;
}

// ---- quantiles: linear interpolation between order statistics (R's type 7)

double quantile_of(Name name, const std::vector<double>& x, double p) {
  if (!(p >= 0 && p <= 1)) throw ad::DomainError(fmt::format("{}: p is {}, but must be in the interval [0, 1]", name, p));
  if (x.empty()) return 0;
  const double h = static_cast<double>(x.size() - 1) * p;
  const auto low = static_cast<std::size_t>(h);
  if (low + 1 >= x.size()) return x.back();
  return x[low] + (h - static_cast<double>(low)) * (x[low + 1] - x[low]);
}

Value quantile(CallContext& c, Name name, Args a) {
  if (a.size() != 2) wrong_arguments(name, a);
  std::vector<double> x = numbers_of(c, name, a[0]);
  std::uint32_t comparisons = 0;
  std::ranges::sort(x, [&](double left, double right) {
    if (++comparisons % 65536 == 0) ad::stop_point();
    return left < right;
  });
  const Shape shape = a[1].shape();
  RealBuffer out(shape.size());
  for (std::uint32_t k = 0; k < out.size(); ++k) out[k] = quantile_of(name, x, element_value(c, a[1], k));
  return Value::reals(shape, std::move(out));
}

// ---- compressed sparse rows

struct Sparse {
  Index w;                        // positions in the matrix
  std::vector<std::int32_t> v;    // columns, from 1
  std::vector<std::int32_t> u;    // where each row starts in w, from 1
};

Sparse sparse_rows(CallContext& c, Name name, Args a) {
  if (a.size() != 1 || a[0].shape().inner != ad::Inner::Matrix) wrong_arguments(name, a);
  const Shape& s = a[0].shape();
  Sparse out;
  for (std::uint32_t i = 0; i < s.rows; ++i) {
    out.u.push_back(static_cast<std::int32_t>(out.w.size() + 1));
    for (std::uint32_t j = 0; j < s.cols; ++j) {
      const std::uint32_t k = j * s.rows + i;
      const bool zero = a[0].kind() == Value::Kind::Refs
                            ? c.recorder->guard(Compare::Equal, a[0].ref_data()[k], c.recorder->constant(0))
                            : element_value(c, a[0], k) == 0;
      if (zero) continue;
      out.w.push_back(k);
      out.v.push_back(static_cast<std::int32_t>(j + 1));
    }
  }
  out.u.push_back(static_cast<std::int32_t>(out.w.size() + 1));
  return out;
}

Value as_array(std::vector<std::int32_t> x) {
  const auto n = static_cast<std::uint32_t>(x.size());
  return Value::ints(Shape::array(n, {}), std::move(x));
}
Value values_of(CallContext& c, Args a, const Sparse& s) {
  return pick(c, Shape::vector(static_cast<std::uint32_t>(s.w.size())), a, s.w);
}

Value csr_extract_w(CallContext& c, Name name, Args a) { return values_of(c, a, sparse_rows(c, name, a)); }
Value csr_extract_v(CallContext& c, Name name, Args a) { return as_array(sparse_rows(c, name, a).v); }
Value csr_extract_u(CallContext& c, Name name, Args a) { return as_array(sparse_rows(c, name, a).u); }
Value csr_extract(CallContext& c, Name name, Args a) {
  const Sparse s = sparse_rows(c, name, a);
  return Value::tuple({values_of(c, a, s), as_array(s.v), as_array(s.u)});
}

void check_sparse(Name name, std::int32_t m, std::int32_t n, std::size_t values, std::span<const std::int32_t> v,
                  std::span<const std::int32_t> u) {
  if (m < 1 || n < 1)
    throw ad::DomainError(fmt::format("{}: the matrix is {} x {}, but must have rows and columns", name, m, n));
  if (const auto starts = static_cast<std::size_t>(m) + 1; u.size() != starts)
    throw ad::SizeError(fmt::format("{}: u has {} elements, but {} rows need {}", name, u.size(), m, starts));
  if (v.size() != values)
    throw ad::SizeError(fmt::format("{}: w has {} elements, but must have as many as v, which is {}", name, values, v.size()));
  if (u[0] != 1 || static_cast<std::size_t>(u.back()) != values + 1)
    throw ad::SizeError(fmt::format("{}: u runs from {} to {}, but must run from 1 to {}", name, u[0], u.back(), values + 1));
  for (std::size_t k = 0; k < v.size(); ++k)
    if (v[k] < 1 || v[k] > n)
      throw ad::IndexError(fmt::format("{}: v[{}] is {}, but must be between 1 and {}", name, k + 1, v[k], n));
  for (std::size_t i = 0; i + 1 < u.size(); ++i)
    if (u[i + 1] < u[i])
      throw ad::SizeError(fmt::format("{}: u[{}] is {}, but must not be less than u[{}], which is {}", name, i + 2, u[i + 1],
                                      i + 1, u[i]));
}

Value csr_to_dense_matrix(CallContext& c, Name name, Args a) {
  if (a.size() != 5) wrong_arguments(name, a);
  const std::int32_t m = int_argument(name, a, 0), n = int_argument(name, a, 1);
  const auto v = int_elements(name, a, 3), u = int_elements(name, a, 4);
  const std::uint32_t values = scalar_count(a[2]);
  check_sparse(name, m, n, values, v, u);
  const Value sources[] = {a[2], 0.0};
  const Shape shape = Shape::matrix(static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(n));
  Index index = filled(shape.scalars(), values);
  for (std::int32_t i = 0; i < m; ++i)
    for (std::int32_t k = u[i] - 1; k < u[i + 1] - 1; ++k)
      index[static_cast<std::size_t>(v[k] - 1) * static_cast<std::size_t>(m) + static_cast<std::size_t>(i)] =
          static_cast<std::uint32_t>(k);
  return pick(c, shape, sources, index);
}

constexpr FunctionRow kRows[] = {
    {"sort_asc", sort<false>},
    {"sort_desc", sort<true>},
    {"sort_indices_asc", sort_indices<false>},
    {"sort_indices_desc", sort_indices<true>},
    {"rank", rank},
    {"quantile", quantile},
    {"csr_extract", csr_extract},
    {"csr_extract_w", csr_extract_w},
    {"csr_extract_v", csr_extract_v},
    {"csr_extract_u", csr_extract_u},
    {"csr_to_dense_matrix", csr_to_dense_matrix},
};

}  // namespace

std::span<const FunctionRow> order_functions() { return kRows; }

}  // namespace fermiac::interp
