#include "autodiff/kernels/simd.h"
#include "autodiff/solvers/lane_vector.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

template <class F>
FERMIAC_INLINE void each(std::size_t n, double* z, F f) {
  for (std::size_t i = 0; i < n; i += kLanes) store(z + i, f(i));
}

void linear_sum(std::size_t n, double a, const double* x, double b, const double* y, double* z) {
  each(
      n, z, [&](std::size_t i) __attribute__((always_inline)) { return a * load(x + i) + b * load(y + i); });
}
void product(std::size_t n, const double* x, const double* y, double* z) {
  each(
      n, z, [&](std::size_t i) __attribute__((always_inline)) { return load(x + i) * load(y + i); });
}
void quotient(std::size_t n, const double* x, const double* y, double* z) {
  each(
      n, z, [&](std::size_t i) __attribute__((always_inline)) { return load(x + i) / load(y + i); });
}
void affine(std::size_t n, double a, const double* x, double b, double* z) {
  each(
      n, z, [&](std::size_t i) __attribute__((always_inline)) { return a * load(x + i) + b; });
}
void absolute(std::size_t n, const double* x, double* z) {
  each(
      n, z, [&](std::size_t i) __attribute__((always_inline)) { return abs(load(x + i)); });
}
void inverse(std::size_t n, const double* x, double* z) {
  each(
      n, z, [&](std::size_t i) __attribute__((always_inline)) { return 1.0 / load(x + i); });
}

double weighted_square(std::size_t rows, std::size_t lanes, const double* v, const double* w) {
  V largest{};
  for (std::size_t j = 0; j < lanes; j += kLanes) {
    V sum{};
    for (std::size_t i = 0; i < rows; ++i) {
      const V x = load(v + i * lanes + j) * load(w + i * lanes + j);
      sum += x * x;
    }
    largest = select(sum <= largest, largest, sum);  // NaN stays
  }
  double result = largest[0];
  for (int l = 1; l < kLanes; ++l)
    if (!(largest[l] <= result)) result = largest[l];
  return result;
}

}  // namespace

extern const LaneLoops lane_loop_table;
constinit const LaneLoops lane_loop_table = {linear_sum, product, quotient, affine, absolute, inverse, weighted_square};

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
