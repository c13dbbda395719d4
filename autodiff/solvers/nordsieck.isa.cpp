#include "autodiff/solvers/nordsieck.h"

#include "autodiff/kernels/simd.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// Pascal's triangle by additions, in registers. Order 2: rows a, b, c become a + b + c, b + 2 c, c.
template <int kOrder>
void predict_order(std::size_t n, const double* z, double* to) {
  for (std::size_t i = 0; i < n; i += kLanes) {
    V row[kOrder + 1];
    for (int j = 0; j <= kOrder; ++j) row[j] = load(z + static_cast<std::size_t>(j) * n + i);
    for (int k = 0; k < kOrder; ++k)
      for (int j = kOrder - 1; j >= k; --j) row[j] += row[j + 1];
    for (int j = 0; j <= kOrder; ++j) store(to + static_cast<std::size_t>(j) * n + i, row[j]);
  }
}

void predict(int q, std::size_t n, const double* z, double* to) {
  using Form = void (*)(std::size_t, const double*, double*);
  static constexpr Form kForms[] = {predict_order<0>, predict_order<1>, predict_order<2>,  predict_order<3>,  predict_order<4>,
                                    predict_order<5>, predict_order<6>, predict_order<7>,  predict_order<8>,  predict_order<9>,
                                    predict_order<10>, predict_order<11>, predict_order<12>};
  kForms[q](n, z, to);
}

void correct(int q, std::size_t n, const double* c, const double* delta, const double* p, double* to) {
  for (std::size_t j = 0; j <= static_cast<std::size_t>(q); ++j)
    for (std::size_t i = 0; i < n; i += kLanes) store(to + j * n + i, load(p + j * n + i) + c[j] * load(delta + i));
}

void rescale(int q, std::size_t n, double eta, double* z) {
  double power = 1;
  for (std::size_t j = 1; j <= static_cast<std::size_t>(q); ++j) {
    power *= eta;
    for (std::size_t i = 0; i < n; i += kLanes) store(z + j * n + i, power * load(z + j * n + i));
  }
}

void interpolate(int q, std::size_t n, double x, const double* z, double* to) {
  for (std::size_t i = 0; i < n; i += kLanes) {
    V sum = load(z + static_cast<std::size_t>(q) * n + i);
    for (int j = q - 1; j >= 0; --j) sum = x * sum + load(z + static_cast<std::size_t>(j) * n + i);
    store(to + i, sum);
  }
}

void weights(std::size_t n, double abs_tol, double rel_tol, const double* z, double* w) {
  for (std::size_t i = 0; i < n; i += kLanes) store(w + i, 1.0 / (abs_tol + rel_tol * abs(load(z + i))));
}

void residual(std::size_t n, double gamma, double inverse_l1, const double* z1, const double* delta, double* f) {
  for (std::size_t i = 0; i < n; i += kLanes)
    store(f + i, gamma * load(f + i) - inverse_l1 * load(z1 + i) - load(delta + i));
}

void advance(std::size_t n, const double* by, const double* p, double* delta, double* y) {
  for (std::size_t i = 0; i < n; i += kLanes) {
    const V d = load(delta + i) + load(by + i);
    store(delta + i, d);
    store(y + i, load(p + i) + d);
  }
}

void difference(std::size_t n, double a, const double* x, double b, const double* y, double* to) {
  for (std::size_t i = 0; i < n; i += kLanes) store(to + i, a * load(x + i) - b * load(y + i));
}

double weighted_square(std::size_t n, const double* v, const double* w) {
  V sum{};
  for (std::size_t i = 0; i < n; i += kLanes) {
    const V x = load(v + i) * load(w + i);
    sum += x * x;
  }
  return sum_lanes(sum);
}

double weighted_square_of_lanes(std::size_t rows, std::size_t lanes, const double* v, const double* w) {
  V largest{}, not_finite{};
  for (std::size_t j = 0; j < lanes; j += kLanes) {
    V sum{};
    for (std::size_t i = 0; i < rows; ++i) {
      const V x = load(v + i * lanes + j) * load(w + i * lanes + j);
      sum += x * x;
    }
    largest = select(sum > largest, sum, largest);
    not_finite += sum - sum;
  }
  return largest_lane(largest) + sum_lanes(not_finite);
}

/// Row i of the right sides loses c times row k.
FERMIAC_INLINE void subtract_row(std::size_t lanes, double c, const double* k, double* i) {
  for (std::size_t l = 0; l < lanes; l += kLanes) store(i + l, load(i + l) - c * load(k + l));
}
FERMIAC_INLINE void swap_rows(std::size_t lanes, double* a, double* b) {
  for (std::size_t l = 0; l < lanes; l += kLanes) {
    const V x = load(a + l);
    store(a + l, load(b + l));
    store(b + l, x);
  }
}
FERMIAC_INLINE void scale_row(std::size_t lanes, double c, double* x) {
  for (std::size_t l = 0; l < lanes; l += kLanes) store(x + l, c * load(x + l));
}

void solve(std::size_t rows, std::size_t lanes, const double* lu, const std::size_t* swaps, double* x) {
  for (std::size_t k = 0; k < rows; ++k)
    if (swaps[k] != k) swap_rows(lanes, x + k * lanes, x + swaps[k] * lanes);
  for (std::size_t k = 0; k < rows; ++k)
    for (std::size_t i = k + 1; i < rows; ++i) subtract_row(lanes, lu[i * rows + k], x + k * lanes, x + i * lanes);
  for (std::size_t k = rows; k-- > 0;) {
    scale_row(lanes, lu[k * rows + k], x + k * lanes);
    for (std::size_t i = 0; i < k; ++i) subtract_row(lanes, lu[i * rows + k], x + k * lanes, x + i * lanes);
  }
}

}  // namespace

extern const NordsieckLoops kNordsieckLoops;
const NordsieckLoops kNordsieckLoops{predict,  correct,    rescale,         interpolate,              weights, residual,
                                     advance,  difference, weighted_square, weighted_square_of_lanes, solve};

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
