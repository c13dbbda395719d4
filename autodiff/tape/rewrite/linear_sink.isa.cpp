// Sum of squares of small triangular systems, groups across lanes; one group is a plain triangular product.
#include "autodiff/kernels/simd.h"
#include "autodiff/tape/rewrite/linear_sink.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

double one_group(const LinearSumOfSquares& s) {
  const std::size_t p = s.uniform_terms + s.local_terms;
  const auto theta = [&](std::size_t c) {
    return c < s.uniform_terms ? s.uniform[c] : c < p ? s.local[c - s.uniform_terms] : 1.0;
  };
  double sum = 0;
  const double* row = s.triangles;
  for (std::size_t r = 0; r <= p; row += p + 1 - r, ++r) {
    double z = 0;
    if (s.local_terms == 0) {
      z = row[p - r];
      for (std::size_t c = r; c < p; ++c) z += row[c - r] * s.uniform[c];
    } else {
      for (std::size_t c = r; c <= p; ++c) z += row[c - r] * theta(c);
    }
    sum += z * z;
    const double gz = 2 * s.g * z;
    if (s.uniform_a != nullptr)
      for (std::size_t c = r; c < s.uniform_terms; ++c) s.uniform_a[c] += gz * row[c - r];
    if (s.local_a != nullptr)
      for (std::size_t c = r > s.uniform_terms ? r : s.uniform_terms; c < p; ++c)
        s.local_a[c - s.uniform_terms] += gz * row[c - r];
  }
  return sum;
}

V load_lanes(const double* p, std::size_t live) {
  if (live >= kLanes) return load(p);
  V x{};
  for (std::size_t i = 0; i < live; ++i) x[i] = p[i];
  return x;
}

void add_lanes(double* p, V x, std::size_t live) {
  if (live >= kLanes) return store(p, load(p) + x);
  for (std::size_t i = 0; i < live; ++i) p[i] += x[i];
}

double many_groups(const LinearSumOfSquares& s) {
  const std::size_t p = s.uniform_terms + s.local_terms;
  const std::size_t stride = padded_groups(s.groups);
  V total{};
  for (std::size_t g = 0; g < s.groups; g += kLanes) {
    const std::size_t live = s.groups - g;
    const double* entry = s.triangles + g;
    for (std::size_t r = 0; r <= p; ++r) {
      V z{};
      const double* e = entry;
      for (std::size_t c = r; c <= p; ++c, e += stride) {
        const V theta = c < s.uniform_terms ? splat<V>(s.uniform[c])
                        : c < p             ? load_lanes(s.local + (c - s.uniform_terms) * s.groups + g, live)
                                            : splat<V>(1.0);
        z += load(e) * theta;
      }
      total += z * z;
      const V gz = 2 * s.g * z;
      for (std::size_t c = r; c < p; ++c, entry += stride) {
        const V d = gz * load(entry);
        if (c < s.uniform_terms) {
          if (s.uniform_a != nullptr) s.uniform_a[c] += sum_lanes(d);
        } else if (s.local_a != nullptr) {
          add_lanes(s.local_a + (c - s.uniform_terms) * s.groups + g, d, live);
        }
      }
      entry += stride;  // the constant column
    }
  }
  return sum_lanes(total);
}

}  // namespace

double sum_of_squares(const LinearSumOfSquares& s) {
  return s.groups == 1 ? one_group(s) : many_groups(s);
}

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
