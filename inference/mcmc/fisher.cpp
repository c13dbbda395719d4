#include "inference/mcmc/fisher.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "inference/math/symmetric_eigen.h"

namespace fermiac::inference {
namespace {

/// Eigenvalues nearer to one than by this factor cost more than they bring.
constexpr double kCutoff = 1.3, kCutoffOfPart = 2;  // of the whole space; of a part, which is estimated from fewer rows
/// Added to the diagonals of both covariances, whose elements are about one or larger.
constexpr double kRidge = 1e-5;
/// Eigenvalues are right to this part of the largest.
constexpr double kRounding = 1e-14;
/// Up to so many parameters the covariances are full matrices; with more, those of the part of the space where draws and
/// gradients vary most.
constexpr std::size_t kFull = 100;
constexpr std::size_t kDirections = 32;  // of draws, and as many of gradients
constexpr std::size_t kFewestRows = 20, kMostRows = 150;
constexpr double kRowWork = 4e7;  // products of all pairs of rows: rows² · n

std::size_t rows_kept(std::size_t n) {
  if (n <= kFull) return std::numeric_limits<std::size_t>::max();
  return std::clamp(static_cast<std::size_t>(std::sqrt(kRowWork / static_cast<double>(n))), kFewestRows, kMostRows);
}

/// Row-major [rows × n], centred and of about unit variance.
struct Rows {
  std::size_t n;
  Vec values;
  std::size_t size() const { return values.size() / n; }
  ConstSpan row(std::size_t i) const { return ConstSpan(values).subspan(i * n, n); }
};

/// Takes what is along the orthonormal rows of `basis` out of x; twice, for orthogonality.
void project_out(const Rows& basis, Span x) {
  for (int again = 0; again < 2; ++again)
    for (std::size_t i = 0; i < basis.size(); ++i) axpy(-dot(basis.row(i), x), basis.row(i), x);
}

/// Adds to the orthonormal rows of `basis` the directions in which every second row of `x` varies most. The others are
/// left to tell how much: the directions fit the noise of those that they were chosen by.
void add_directions(const Rows& x, Rows* basis) {
  const std::size_t m = (x.size() + 1) / 2;
  Vec gram(m * m), values(m), direction(x.n);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j <= i; ++j) gram[i * m + j] = gram[j * m + i] = dot(x.row(2 * i), x.row(2 * j));
  if (!symmetric_eigen(gram, m, values)) return;
  std::vector<std::size_t> order(m);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return values[i] > values[j]; });
  order.resize(std::min({m / 2, kDirections, x.n - basis->size()}));
  for (const std::size_t k : order) {
    if (!(values[k] > 1e-10 * values[order[0]])) return;
    std::fill(direction.begin(), direction.end(), 0.0);
    for (std::size_t i = 0; i < m; ++i) axpy(gram[k * m + i] / std::sqrt(values[k]), x.row(2 * i), direction);
    project_out(*basis, direction);
    const double left = norm(direction);
    if (left < 1e-3) continue;
    for (double& d : direction) d /= left;
    basis->values.insert(basis->values.end(), direction.begin(), direction.end());
  }
}

Rows whole_space(std::size_t n) {
  Rows basis{n, Vec(n * n)};
  for (std::size_t i = 0; i < n; ++i) basis.values[i * n + i] = 1;
  return basis;
}

/// Row i of x in the coordinates of `basis`.
void coordinates(const Rows& x, std::size_t i, const Rows& basis, bool whole, Span out) {
  if (whole) return copy(x.row(i), out);
  for (std::size_t k = 0; k < basis.size(); ++k) out[k] = dot(x.row(i), basis.row(k));
}

/// Mean square of the rows in the coordinates of `basis`, with the ridge that keeps it from being singular.
Vec covariance(const Rows& x, const Rows& basis, bool whole) {
  const std::size_t k = basis.size(), step = whole ? 1 : 2;  // the rows that the basis was not chosen by
  Vec out(k * k), point(k);
  double count = 0;
  for (std::size_t r = step - 1; r < x.size(); r += step, ++count) {
    coordinates(x, r, basis, whole, point);
    for (std::size_t i = 0; i < k; ++i) axpy(point[i], ConstSpan(point).first(i + 1), Span(out).subspan(i * k, i + 1));
  }
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j <= i; ++j) out[j * k + i] = out[i * k + j] /= count;
    out[i * k + i] += kRidge;
  }
  return out;
}

}  // namespace

FisherEstimator::FisherEstimator(MetricKind kind, std::size_t n) : kind_(kind), n_(n) {
  blocks_.push_back({Moments(n), {}, 1});
}

void FisherEstimator::Moments::add(ConstSpan position, ConstSpan gradient) {
  count += 1;
  const std::size_t n = position.size();
  for (std::size_t i = 0; i < 2 * n; ++i) {
    const double x = i < n ? position[i] : gradient[i - n];
    const double delta = x - mean[i];
    mean[i] += delta / count;
    squares[i] += delta * (x - mean[i]);
  }
}

void FisherEstimator::Moments::merge(const Moments& other) {
  if (other.count == 0) return;
  const double both = count + other.count, share = other.count / both;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const double delta = other.mean[i] - mean[i];
    mean[i] += delta * share;
    squares[i] += other.squares[i] + delta * delta * count * share;
  }
  count = both;
}

void FisherEstimator::add(ConstSpan position, ConstSpan gradient) {
  Block& block = blocks_.back();
  const auto before = static_cast<std::size_t>(block.moments.count);
  block.moments.add(position, gradient);
  if (kind_ != MetricKind::LowRank || before % block.stride != 0) return;
  if (block.rows.size() == rows_kept(n_)) {  // every second one goes
    for (std::size_t i = 0; 2 * i < block.rows.size(); ++i) block.rows[i].swap(block.rows[2 * i]);
    block.rows.resize((block.rows.size() + 1) / 2);
    block.stride *= 2;
    if (before % block.stride != 0) return;
  }
  Vec row(position.begin(), position.end());
  row.insert(row.end(), gradient.begin(), gradient.end());
  block.rows.push_back(std::move(row));
}

void FisherEstimator::end_block(std::size_t keep) {
  while (blocks_.size() > keep) blocks_.pop_front();
  blocks_.push_back({Moments(n_), {}, 1});
}

FisherEstimator::Moments FisherEstimator::total() const {
  Moments all(n_);
  for (const Block& block : blocks_) all.merge(block.moments);
  return all;
}

std::size_t FisherEstimator::count() const {
  double sum = 0;
  for (const Block& block : blocks_) sum += block.moments.count;
  return static_cast<std::size_t>(sum);
}

/// The square roots of the diagonal metric: (var x / var g)^(1/4).
Vec FisherEstimator::scales(const Moments& all) const {
  Vec out(n_);
  for (std::size_t i = 0; i < n_; ++i) {
    const double ratio = std::sqrt(all.squares[i]) / std::sqrt(all.squares[n_ + i]);
    out[i] = std::isfinite(ratio) && ratio > 0 ? std::sqrt(std::clamp(ratio, 1e-30, 1e30)) : 1;
  }
  return out;
}

LowRankInverse FisherEstimator::low_rank(const Moments& all) const {
  LowRankInverse out{.scales = scales(all), .eigenvalues = {}, .directions = {}};
  Rows x{n_, {}}, g{n_, {}};
  for (const Block& block : blocks_)
    for (const Vec& row : block.rows)
      for (std::size_t i = 0; i < n_; ++i) {
        x.values.push_back((row[i] - all.mean[i]) / out.scales[i]);
        g.values.push_back((row[n_ + i] - all.mean[n_ + i]) * out.scales[i]);
      }
  const bool whole = n_ <= kFull && x.size() > n_;
  Rows basis = whole ? whole_space(n_) : Rows{n_, {}};
  if (!whole) {
    add_directions(x, &basis);
    add_directions(g, &basis);
  }
  const std::size_t k = basis.size();
  Vec cov_x = covariance(x, basis, whole), cov_g = covariance(g, basis, whole), mean, values(k);
  if (!geometric_mean(cov_g, cov_x, k, &mean) || !symmetric_eigen(mean, k, values)) return out;
  const double largest = k > 0 ? *std::max_element(values.begin(), values.end()) : 1;
  const double cutoff = whole ? kCutoff : kCutoffOfPart;
  for (std::size_t j = 0; j < k; ++j) {
    if (values[j] <= cutoff && values[j] >= 1 / cutoff) continue;
    out.eigenvalues.push_back(std::max(values[j], kRounding * largest));
    const std::size_t at = out.directions.size();
    out.directions.resize(at + n_);
    for (std::size_t b = 0; b < k; ++b) axpy(mean[j * k + b], basis.row(b), Span(out.directions).subspan(at, n_));
  }
  return out;
}

Status FisherEstimator::estimate(Metric* metric) const {
  const Moments all = total();
  if (kind_ == MetricKind::LowRank) return metric->set_inverse(low_rank(all));
  Vec inverse = scales(all);
  for (double& s : inverse) s *= s;
  return metric->set_inverse(inverse);
}

}  // namespace fermiac::inference
