#include "inference/math/vectors.h"

namespace fermiac::inference {

bool cholesky_in_place(Span a, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    const Span row_j = a.subspan(j * n, n);
    const double pivot = row_j[j] - dot(row_j.first(j), row_j.first(j));
    if (!(pivot > 0) || !std::isfinite(pivot)) return false;
    row_j[j] = std::sqrt(pivot);
    for (std::size_t i = j + 1; i < n; ++i) {
      const Span row_i = a.subspan(i * n, n);
      row_i[j] = (row_i[j] - dot(row_i.first(j), row_j.first(j))) / row_j[j];
    }
    for (std::size_t k = j + 1; k < n; ++k) row_j[k] = 0;
  }
  return true;
}

void solve_lower(ConstSpan l, std::size_t n, Span x) {
  for (std::size_t i = 0; i < n; ++i) {
    const ConstSpan row = l.subspan(i * n, n);
    x[i] = (x[i] - dot(row.first(i), x.first(i))) / row[i];
  }
}

void solve_lower_transposed(ConstSpan l, std::size_t n, Span x) {
  // Column by column of L', which is row by row of L: both run along memory.
  for (std::size_t i = n; i-- > 0;) {
    const ConstSpan row = l.subspan(i * n, n);
    x[i] /= row[i];
    axpy(-x[i], row.first(i), x.first(i));
  }
}

void solve_cholesky(ConstSpan l, std::size_t n, Span x) {
  solve_lower(l, n, x);
  solve_lower_transposed(l, n, x);
}

void multiply_lower(ConstSpan l, std::size_t n, ConstSpan x, Span out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = dot(l.subspan(i * n, i + 1), x.first(i + 1));
}

}  // namespace fermiac::inference
