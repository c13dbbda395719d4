#include "autodiff/linalg/symmetric_eigenpairs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/base/memory.h"
#include "support/base/stop.h"

namespace fermiac::ad {
namespace {

using dense::Index;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kTiny = std::numeric_limits<double>::min();
constexpr Index kLine = 8;         // the most lanes there are
constexpr Index kMostSteps = 30;   // for each eigenvalue; two or three are usual

const SymmetricEigenLoops& loops() { return FERMIAC_FOR_ACTIVE_ISA(kSymmetricEigenLoops); }

/// Columns of whole lanes; a distance of many lines would bring them all to one place of the cache.
Index distance(Index n) {
  const Index padded = (n + kLine - 1) / kLine * kLine;
  return padded % (8 * kLine) == 0 ? padded + kLine : padded;
}

std::vector<double> zeros(Index n) {
  memory_point(static_cast<std::size_t>(n) * sizeof(double));
  return std::vector<double>(static_cast<std::size_t>(n), 0.0);
}

/// Near the largest number of the lower triangle: dividing by it is exact.
double power_of_two(const double* a, Index n) {
  double largest = 0;
  for (Index j = 0; j < n; ++j)
    for (Index i = j; i < n; ++i)
      if (std::fabs(a[i + j * n]) > largest) largest = std::fabs(a[i + j * n]);
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::ldexp(1.0, std::clamp(exponent, -1000, 1000));
}

class SymmetricEigen {
 public:
  SymmetricEigen(const double* a, Index n)
      : n_(n), ld_(distance(n)), room_(zeros(2 * ld_ * n + ld_ + 5 * n)), a_(room_.data()), q_(a_ + ld_ * n), w_(q_ + ld_ * n), d_(w_ + ld_),
        e_(d_ + n), tau_(e_ + n), turns_(tau_ + n), scale_(power_of_two(a, n)) {
    const double by = 1 / scale_;
    for (Index j = 0; j < n; ++j)
      for (Index i = j; i < n; ++i) column(a_, j)[i] = column(a_, i)[j] = a[i + j * n] * by;
  }
  bool operator()(double* vectors, double* values) {
    for (Index k = 0; k + 1 < n_; ++k) reduce(k);
    if (n_ > 0) d_[n_ - 1] = column(a_, n_ - 1)[n_ - 1];
    gather_reflections();
    if (!make_diagonal()) return false;
    write_sorted(vectors, values);
    return true;
  }

 private:
  double* column(double* m, Index j) { return m + j * ld_; }

  void reduce(Index k);
  double reflector(double* x, Index k);
  void gather_reflections();
  bool make_diagonal();
  bool negligible(Index i) const { return std::fabs(e_[i]) <= kEpsilon * (std::fabs(d_[i]) + std::fabs(d_[i + 1])) + kTiny; }
  double shift(Index last) const;
  void step(Index first, Index last);
  void write_sorted(double* vectors, double* values);

  Index n_, ld_;
  std::vector<double> room_;       // of all that follow
  double* a_;                      // of columns that are done the vectors of reflections
  double *q_, *w_;
  double *d_, *e_;                 // the tridiagonal matrix
  double *tau_, *turns_;
  double scale_;                   // squares neither overflow nor vanish without it
};

/// Makes v of what is below x[k]: I - tau v v' leaves of it its first element alone, which is e_[k]. The rest of x becomes 0.
double SymmetricEigen::reflector(double* x, Index k) {
  const double head = x[k + 1];
  const double tail = dense::ops().dot(n_ - k - 2, x + k + 2, x + k + 2);
  std::fill(x, x + k + 1, 0.0);
  e_[k] = head;
  if (tail <= kTiny) return 0;
  const double norm = std::sqrt(head * head + tail), end = head >= 0 ? -norm : norm;
  for (Index i = k + 2; i < n_; ++i) x[i] /= head - end;
  x[k + 1] = 1;
  e_[k] = end;
  return (end - head) / end;
}

/// A reflection from both sides: H A H = A - v w' - w v', w = p - (tau / 2) (p' v) v, p = tau A v. Rows run from the line of row k + 1 on.
void SymmetricEigen::reduce(Index k) {
  if (k % 16 == 15) stop_point();
  double* const v = column(a_, k);
  d_[k] = v[k];
  const double tau = tau_[k] = reflector(v, k);
  if (tau == 0) return;
  const Index first = (k + 1) / kLine * kLine, rows = (n_ - first + kLine - 1) / kLine * kLine, columns = n_ - k - 1;
  double* const block = column(a_, k + 1) + first;
  std::fill(w_ + first, w_ + ld_, 0.0);
  dense::ops().gemv(rows, columns, tau, block, ld_, v + k + 1, w_ + first);
  std::fill(w_ + first, w_ + k + 1, 0.0);
  const double by = -0.5 * tau * dense::ops().dot(rows, w_ + first, v + first);
  dense::ops().axpy(rows, by, v + first, w_ + first);
  loops().rank_two(rows, columns, k + 1 - first, v + first, w_ + first, block, ld_);
}

/// Q = H_0 H_1 …, from the last one on: what is not the unit matrix yet is a block in the corner.
void SymmetricEigen::gather_reflections() {
  for (Index j = 0; j < n_; ++j) column(q_, j)[j] = 1;
  for (Index k = n_ - 2; k-- > 0;) {
    if (k % 16 == 15) stop_point();
    const Index first = (k + 1) / kLine * kLine, rows = (n_ - first + kLine - 1) / kLine * kLine;
    if (tau_[k] != 0) loops().reflect(rows, n_ - k - 1, tau_[k], column(a_, k) + first, column(q_, k + 1) + first, ld_);
  }
}

bool SymmetricEigen::make_diagonal() {
  Index left = kMostSteps * n_;
  for (Index last = n_ - 1; last > 0;) {
    if (negligible(last - 1)) {
      e_[--last] = 0;
      continue;
    }
    if (left-- == 0 || !std::isfinite(e_[last - 1])) return false;
    if (left % 16 == 15) stop_point();
    Index first = last - 1;
    while (first > 0 && !negligible(first - 1)) --first;
    step(first, last);
  }
  return true;
}

/// Of the last two rows the eigenvalue that is nearer to the last number.
double SymmetricEigen::shift(Index last) const {
  const double half = 0.5 * (d_[last - 1] - d_[last]), e = e_[last - 1];
  if (half == 0) return d_[last] - std::fabs(e);
  const double h = std::hypot(half, e);
  return d_[last] - e * (e / (half + std::copysign(h, half)));
}

/// A rotation makes a number beside the three diagonals, the next ones chase it out.
void SymmetricEigen::step(Index first, Index last) {
  double x = d_[first] - shift(last), z = e_[first];
  Index count = 0;
  for (Index k = first; k < last && z != 0; ++k, ++count) {
    const double square = x * x + z * z, h = square > kTiny / kEpsilon ? std::sqrt(square) : std::hypot(x, z);
    const double c = x / h, s = -z / h;
    turns_[2 * count] = c, turns_[2 * count + 1] = s;
    double &dk = d_[k], &next = d_[k + 1], &e = e_[k];
    const double upper = c * dk - s * e, beside = c * e - s * next, lower = s * dk + c * e, corner = s * e + c * next;
    dk = c * upper - s * beside;
    next = s * lower + c * corner;
    e = c * lower - s * corner;
    if (k > first) e_[k - 1] = h;
    x = e;
    if (k + 1 == last) continue;
    z = -s * e_[k + 1];
    e_[k + 1] *= c;
  }
  loops().rotate((n_ + kLine - 1) / kLine * kLine, count, turns_, column(q_, first), ld_);
}

void SymmetricEigen::write_sorted(double* vectors, double* values) {
  for (Index j = 0; j < n_; ++j) {
    double* const least = std::min_element(d_, d_ + n_);
    values[j] = scale_ * *least;
    std::copy_n(column(q_, least - d_), n_, vectors + j * n_);
    *least = std::numeric_limits<double>::infinity();  // it is written
  }
}

}  // namespace

bool symmetric_eigenpairs(const double* a, Index n, double* vectors, double* values) { return SymmetricEigen(a, n)(vectors, values); }

}  // namespace fermiac::ad
