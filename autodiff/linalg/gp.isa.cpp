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
FERMIAC_INLINE V load_part(const double* p, int count) {
  return count == kLanes ? load(p) : load_first(p, count);
}
FERMIAC_INLINE void store_part(double* p, V x, int count) {
  if (count == kLanes)
    store(p, x);
  else
    store_first(p, x, count);
}

void add_squares(GpIndex n, const double* x, double y, double scale, double* s) {
  each_vector(
      n, [&](GpIndex i, int count) __attribute__((always_inline)) {
        const V z = (load_part(x + i, count) - y) * scale;
        store_part(s + i, load_part(s + i, count) + z * z, count);
      });
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
void value(GpIndex n, const GpScales& c, double* s) {
  each_vector(
      n, [&](GpIndex i, int count)
             __attribute__((always_inline)) { store_part(s + i, covariance<F>(c, load_part(s + i, count)), count); });
}

template <GpForm F>
void slope(GpIndex n, const GpScales&, const double* k, const double* g, double* s, GpSums& sums) {
  V of_value{}, of_inner{};
  each_vector(
      n, [&](GpIndex i, int count) __attribute__((always_inline)) {
        const V kv = load_part(k + i, count), gv = load_part(g + i, count), sv = load_part(s + i, count);
        const V w = gv * slope_of<F>(kv, sv);
        of_value += gv * kv;
        of_inner += w * sv;
        store_part(s + i, w, count);
      });
  sums.value += sum_lanes(of_value);
  sums.inner += sum_lanes(of_inner);
}
template <>
void slope<GpForm::Periodic>(GpIndex n, const GpScales& c, const double* k, const double* g, double* s, GpSums& sums) {
  V of_value{}, of_inner{}, of_angle{};
  each_vector(
      n, [&](GpIndex i, int count) __attribute__((always_inline)) {
        const V gk = load_part(g + i, count) * load_part(k + i, count);
        const V angle = c.angle * sqrt(load_part(s + i, count)), sine = sin(angle);
        const V by_angle = -4.0 * c.inverse_length * c.inverse_length * gk * sine * cos(angle);
        of_value += gk;
        of_inner += gk * sine * sine;
        of_angle += by_angle * angle;
        store_part(s + i, by_angle, count);
      });
  sums.value += sum_lanes(of_value);
  sums.inner += sum_lanes(of_inner);
  sums.angle += sum_lanes(of_angle);
}

void fold(GpIndex rows, GpIndex columns, const double* a, const double* across, GpIndex ld, double* out, GpIndex ldo) {
  GpIndex whole = 0;
  if (columns % kLanes == 0)
    for (; whole + kLanes <= rows; whole += kLanes)
      for (GpIndex q = 0; q < columns; q += kLanes) {
        V x[kLanes];
        load_turned(across + q + whole * ld, ld, x);
        FERMIAC_UNROLL
        for (int l = 0; l < kLanes; ++l) store(out + whole + (q + l) * ldo, x[l] + load(a + whole + (q + l) * ld));
      }
  for (GpIndex q = 0; q < columns; ++q)
    for (GpIndex r = whole; r < rows; ++r) out[r + q * ldo] = a[r + q * ld] + across[q + r * ld];
}

}  // namespace

extern const GpLoops gp_loop_table;
constinit const GpLoops gp_loop_table = {add_squares,
                                         {value<GpForm::ExpQuad>, value<GpForm::Exponential>, value<GpForm::Matern32>,
                                          value<GpForm::Matern52>, value<GpForm::Periodic>},
                                         {slope<GpForm::ExpQuad>, slope<GpForm::Exponential>, slope<GpForm::Matern32>,
                                          slope<GpForm::Matern52>, slope<GpForm::Periodic>},
                                         fold};

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
