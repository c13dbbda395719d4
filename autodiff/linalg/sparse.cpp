// Compressed sparse rows: w holds the values, v their columns, u where each row starts (all indexes from 1).
#include <fmt/format.h>

#include <algorithm>

#include "autodiff/linalg/kernel_tools.h"
#include "support/base/errors.h"
#include "support/base/stop.h"

namespace fermiac::ad {
namespace {

struct Csr {
  Index m, n;
  const KernelArg &w, &v, &u;
  explicit Csr(const KernelCall& c) : m(*c.in[0].i), n(*c.in[1].i), w(c.in[2]), v(c.in[3]), u(c.in[4]) {}
  /// Calls visit(k, row, column) for every stored value.
  template <class Visit>
  void each(Visit visit) const {
    for (Index i = 0; i < m; ++i) {
      if (i % 1024 == 1023) stop_point();
      for (Index k = u.i[i] - 1; k < u.i[i + 1] - 1; ++k) visit(k, i, static_cast<Index>(v.i[k]) - 1);
    }
  }
};

void check_csr(const KernelCall& c, const Csr& a) {
  for (auto [label, size] : {std::pair{"m", a.m}, std::pair{"n", a.n}})
    if (size <= 0) domain_error(c.name, label, 0, static_cast<double>(size), "positive");
  check_sizes_match(c.name, "m", a.m, "size of u - 1", size_of(a.u) - 1);
  check_sizes_match(c.name, "size of w", size_of(a.w), "size of v", size_of(a.v));
  check_sizes_match(c.name, "u[m] + number of values in the last row", Index{a.u.i[a.m]} - 1, "size of w", size_of(a.w));
  for (Index k = 0; k < size_of(a.v); ++k)
    if (a.v.i[k] < 1 || a.v.i[k] > a.n)
      throw IndexError(fmt::format("{}: v[{}] is {}, but must be in the interval [1, {}]", c.name, k + 1, a.v.i[k], a.n));
  for (Index i = 0; i <= a.m; ++i)
    if (a.u.i[i] < 1 || a.u.i[i] > size_of(a.w) + 1 || (i > 0 && a.u.i[i] < a.u.i[i - 1]))
      throw IndexError(fmt::format("{}: u[{}] is {}, but must be increasing in the interval [1, {}]", c.name, i + 1,
                                   a.u.i[i], size_of(a.w) + 1));
}

Plan times_vector_plan(const KernelCall& c) {
  const Csr a(c);
  check_csr(c, a);
  check_sizes_match(c.name, "n", a.n, "size of b", size_of(c.in[5]));
  return {Shape::vector(static_cast<std::uint32_t>(a.m)), 0};
}
void times_vector(const KernelCall& c) {
  const Csr a(c);
  std::fill_n(c.out, a.m, 0.0);
  a.each([&](Index k, Index i, Index j) { c.out[i] += a.w.v[k] * c.in[5].v[j]; });
}
void times_vector_reverse(const KernelCall& c) {
  const Csr a(c);
  const KernelArg& b = c.in[5];
  if (a.w.a) a.each([&](Index k, Index i, Index j) { a.w.a[k] += c.out_a[i] * b.v[j]; });
  if (b.a) a.each([&](Index k, Index i, Index j) { b.a[j] += c.out_a[i] * a.w.v[k]; });
}

Plan to_dense_plan(const KernelCall& c) {
  const Csr a(c);
  check_csr(c, a);
  return {Shape::matrix(static_cast<std::uint32_t>(a.m), static_cast<std::uint32_t>(a.n)), 0};
}
void to_dense(const KernelCall& c) {
  const Csr a(c);
  std::fill_n(c.out, a.m * a.n, 0.0);
  a.each([&](Index k, Index i, Index j) { c.out[i + j * a.m] = a.w.v[k]; });
}
void to_dense_reverse(const KernelCall& c) {
  const Csr a(c);
  a.each([&](Index k, Index i, Index j) { a.w.a[k] += c.out_a[i + j * a.m]; });
}

}  // namespace

FERMIAC_EXPORT_KERNELS(sparse_kernels,
                       {"csr_matrix_times_vector", times_vector_plan, times_vector, times_vector_reverse},
                       {"csr_to_dense_matrix", to_dense_plan, to_dense, to_dense_reverse})

}  // namespace fermiac::ad
