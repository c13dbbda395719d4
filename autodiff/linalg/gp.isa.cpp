#include "autodiff/linalg/gp_loops.h"
#include "autodiff/linalg/tiles.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// Calls f(i, count) for the whole vectors of a run and once for what is left, count numbers.
template <class F>
FERMIAC_INLINE void each_vector(GpIndex n, F f) {
  GpIndex i = 0;
  for (; i + kLanes <= n; i += kLanes) f(i, kLanes);
  if (i < n) f(i, static_cast<int>(n - i));
}

/// Of `count` rows from row i on.
FERMIAC_INLINE V square_of(const GpBlock& b, GpIndex i, GpIndex count, GpIndex j) {
  V s{};
  for (GpIndex d = 0; d < b.dim; ++d) {
    const V z = (load_part(b.x + i + d * b.x_stride, count) - b.y[j + d * b.y_stride]) * b.factors[d];
    s += z * z;
  }
  return s;
}

// ---- forms: k = variance f(s), and dk/ds from k, which needs no exponential

template <GpForm F>
FERMIAC_INLINE V covariance(const GpScales& c, V s) {
  if constexpr (F == GpForm::ExpQuad) return c.variance * exp(-0.5 * s);
  if constexpr (F == GpForm::Exponential) return c.variance * exp(-sqrt(s));
  if constexpr (F == GpForm::Matern32) {
    const V r = sqrt(3.0 * s);
    return c.variance * (1.0 + r) * exp(-r);
  }
  if constexpr (F == GpForm::Matern52) {
    const V r = sqrt(5.0 * s);
    return c.variance * (1.0 + r + r * r * (1.0 / 3)) * exp(-r);
  }
  const V z = sin(c.angle * sqrt(s)) * c.inverse_length;
  return c.variance * exp(-2.0 * z * z);
}
template <GpForm F>
FERMIAC_INLINE V slope_of(V k, V s) {
  if constexpr (F == GpForm::ExpQuad) return -0.5 * k;
  if constexpr (F == GpForm::Exponential) return select(s == 0.0, V{}, -0.5 * k / sqrt(s));
  if constexpr (F == GpForm::Matern32) return -1.5 * k / (1.0 + sqrt(3.0 * s));
  const V r = sqrt(5.0 * s);
  return (-5.0 / 6) * (1.0 + r) * k / (1.0 + r + r * r * (1.0 / 3));
}

template <GpForm F>
void value(const GpBlock& b, const GpScales& c, double* k) {
  for (GpIndex j = 0; j < b.columns; ++j)
    each_vector(
        b.rows, [&](GpIndex i, int count) __attribute__((always_inline)) {
          store_part(k + i + j * b.ld, covariance<F>(c, square_of(b, i, count, j)), count);
        });
}

// ---- slopes

struct Totals {
  V value{}, inner{}, angle{};
};

/// w; what is not used of it is not computed.
template <GpForm F>
FERMIAC_INLINE V slope_of_pairs(const GpScales& c, V g, V k, V s, Totals& t) {
  const V gk = g * k;
  t.value += gk;
  if constexpr (F == GpForm::Periodic) {
    const V distance = sqrt(s), angle = c.angle * distance, sine = sin(angle);
    const V by_angle = -4.0 * c.inverse_length * c.inverse_length * gk * sine * cos(angle);
    t.inner += gk * sine * sine;
    t.angle += by_angle * angle;
    return select(s == 0.0, V{}, 0.5 * c.angle * by_angle / distance);
  }
  const V w = g * slope_of<F>(k, s);
  t.inner += w * s;
  return w;
}

/// Calls f(0), ..., f(kLanes - 1); arrays that f indexes live in registers if the calls are `Unrolled`.
template <bool Unrolled, class F>
FERMIAC_INLINE void each_lane(F f) {
  if constexpr (Unrolled) {
    FERMIAC_UNROLL
    for (int q = 0; q < kLanes; ++q) f(q);
  } else {
    for (int q = 0; q < kLanes; ++q) f(q);
  }
}

/// The slopes w of a square of pairs to the adjoints of their points.
template <bool Unrolled>
FERMIAC_INLINE void spread(const GpBlock& b, GpIndex i, GpIndex count, GpIndex j, GpIndex columns, const V* w,
                           const GpAdjoints& a) {
  for (GpIndex d = 0; d < b.dim; ++d) {
    const double *y = b.y + j + d * b.y_stride, f = b.factors[d];
    const V x = load_part(b.x + i + d * b.x_stride, count);
    V part[kLanes], of_x{}, of_length{};
    each_lane<Unrolled>([&](int q) __attribute__((always_inline)) {
      const V z = q < columns ? (x - y[q]) * f : V{};
      part[q] = w[q] * z;
      of_x += part[q];
      of_length += part[q] * z;
    });
    if (a.lengths != nullptr) a.lengths[d] += sum_lanes(of_length);
    if (a.x != nullptr) {
      double* to = a.x + i + d * b.x_stride;
      store_part(to, load_part(to, count) + 2 * f * of_x, count);
    }
    if (a.y != nullptr) {
      double* to = a.y + j + d * b.y_stride;
      store_part(to, load_part(to, columns) - 2 * f * sum_each(part, 1), columns);
    }
  }
}

struct GpMatrices {
  const double *k, *g, *across;
};

/// A square of pairs, `count` rows and `columns` columns of it.
template <GpForm F, bool Spread, bool Unrolled>
FERMIAC_INLINE void slope_square(const GpBlock& b, const GpScales& c, const GpMatrices& m, GpIndex i, GpIndex count,
                                 GpIndex j, GpIndex columns, Totals& t, const GpAdjoints& a) {
  const GpIndex at = i + j * b.ld;
  V g[kLanes], w[kLanes];
  if (m.across != nullptr)
    load_turned_part(m.across + j + i * b.ld, b.ld, columns, count, g);
  else
    for (V& v : g) v = V{};
  each_lane<Unrolled>([&](int q) __attribute__((always_inline)) {
    w[q] = V{};
    if (q >= columns) return;
    g[q] += load_part(m.g + at + q * b.ld, count);
    w[q] = slope_of_pairs<F>(c, g[q], load_part(m.k + at + q * b.ld, count), square_of(b, i, count, j + q), t);
  });
  if constexpr (Spread) spread<Unrolled>(b, i, count, j, columns, w, a);
}
/// What is cut off is met once per row of squares.
template <GpForm F, bool Spread>
__attribute__((noinline)) void slope_part(const GpBlock& b, const GpScales& c, const GpMatrices& m, GpIndex i, GpIndex count,
                                          GpIndex j, GpIndex columns, Totals& t, const GpAdjoints& a) {
  slope_square<F, Spread, false>(b, c, m, i, count, j, columns, t, a);
}

template <GpForm F, bool Spread>
void slopes(const GpBlock& b, const GpScales& c, const GpMatrices& m, GpSums& sums, const GpAdjoints& a) {
  Totals t;
  for (GpIndex j = 0; j < b.columns; j += kLanes) {
    const GpIndex columns = b.columns - j;
    each_vector(
        b.rows, [&](GpIndex i, int count) __attribute__((always_inline)) {
          if (columns >= kLanes && count == kLanes)
            slope_square<F, Spread, F != GpForm::Periodic>(b, c, m, i, kLanes, j, kLanes, t, a);
          else
            slope_part<F, Spread>(b, c, m, i, count, j, columns, t, a);
        });
  }
  sums.value += sum_lanes(t.value);
  sums.inner += sum_lanes(t.inner);
  sums.angle += sum_lanes(t.angle);
}
template <GpForm F>
void slope(const GpBlock& b, const GpScales& c, const double* k, const double* g, const double* across, GpSums& sums,
           const GpAdjoints& a) {
  const GpMatrices m{k, g, across};
  if (a.x != nullptr || a.y != nullptr || a.lengths != nullptr)
    slopes<F, true>(b, c, m, sums, a);
  else
    slopes<F, false>(b, c, m, sums, a);
}

}  // namespace

extern const GpLoops gp_loop_table;
constinit const GpLoops gp_loop_table = {{value<GpForm::ExpQuad>, value<GpForm::Exponential>, value<GpForm::Matern32>,
                                          value<GpForm::Matern52>, value<GpForm::Periodic>},
                                         {slope<GpForm::ExpQuad>, slope<GpForm::Exponential>, slope<GpForm::Matern32>,
                                          slope<GpForm::Matern52>, slope<GpForm::Periodic>}};

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
