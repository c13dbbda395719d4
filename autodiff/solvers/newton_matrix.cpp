#include "autodiff/solvers/newton_matrix.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fermiac::ad {

bool NewtonMatrix::form(double gamma, const double* jacobian) {
  for (std::size_t i = 0; i < rows_ * rows_; ++i) lu_[i] = -gamma * jacobian[i];
  for (std::size_t i = 0; i < rows_; ++i) row(i)[i] += 1;
  for (std::size_t k = 0; k < rows_; ++k)
    if (!eliminate(k)) return false;
  return true;
}

bool NewtonMatrix::eliminate(std::size_t k) {
  std::size_t p = k;
  for (std::size_t i = k + 1; i < rows_; ++i)
    if (std::abs(row(i)[k]) > std::abs(row(p)[k])) p = i;
  swaps_[k] = p;
  if (p != k) std::swap_ranges(row(k), row(k) + rows_, row(p));
  if (!(std::abs(row(k)[k]) > 0)) return false;
  const double inverse = row(k)[k] = 1 / row(k)[k];
  for (std::size_t i = k + 1; i < rows_; ++i) {
    const double c = row(i)[k] *= inverse;
    if (c == 0) continue;
    for (std::size_t j = k + 1; j < rows_; ++j) row(i)[j] -= c * row(k)[j];
  }
  return true;
}

void NewtonMatrix::solve(double* x) const {
  for (std::size_t k = 0; k < rows_; ++k) std::swap(x[k], x[swaps_[k]]);
  for (std::size_t k = 0; k < rows_; ++k)
    for (std::size_t i = k + 1; i < rows_; ++i) x[i] -= row(i)[k] * x[k];
  for (std::size_t k = rows_; k-- > 0;) {
    x[k] *= row(k)[k];
    for (std::size_t i = 0; i < k; ++i) x[i] -= row(i)[k] * x[k];
  }
}

}  // namespace fermiac::ad
