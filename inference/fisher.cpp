#include "inference/fisher.h"

#include <algorithm>
#include <numeric>
#include <cstdlib>

#include "inference/symmetric_eigen.h"

namespace fermiac::inference {
namespace {
double env(const char* n, double d) { const char* s = std::getenv(n); return s ? std::atof(s) : d; }

/// Eigenvalues this far from one, or less, are not worth their cost and are noise.
const double kCutoff = env("FX_CUT", 2);
/// Added to the diagonals of both covariances, which are about one.
const double kRidge = env("FX_GAMMA", 1e-5);
const double kShrink = env("FX_SHRINK", 0);

/// Rows of unit variance as a matrix: positions divided by the scales, gradients multiplied by them, both centred.
struct Standardised {
  std::size_t count = 0;
  Vec positions, gradients;  // row-major [count × n]
};

void append_row(ConstSpan from, ConstSpan mean, ConstSpan scale, bool divide, Vec* to) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    const double centred = from[i] - mean[i];
    to->push_back(divide ? centred / scale[i] : centred * scale[i]);
  }
}

/// Adds to the orthonormal rows of `basis` the directions in which the rows of `x` vary most.
void add_directions(ConstSpan x, std::size_t n, Vec* basis) {
  const std::size_t rows = x.size() / n;
  Vec gram(rows * rows), values(rows), direction(n);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      gram[i * rows + j] = gram[j * rows + i] = dot(x.subspan(i * n, n), x.subspan(j * n, n));
  if (!symmetric_eigen(gram, rows, values)) return;
  const double largest = *std::max_element(values.begin(), values.end());
  for (std::size_t k = 0; k < rows; ++k) {
    if (!(values[k] > 1e-10 * largest) || basis->size() == n * n) continue;
    std::fill(direction.begin(), direction.end(), 0.0);
    for (std::size_t i = 0; i < rows; ++i) axpy(gram[k * rows + i] / std::sqrt(values[k]), x.subspan(i * n, n), direction);
    for (int again = 0; again < 2; ++again)
      for (std::size_t at = 0; at < basis->size(); at += n) {
        const ConstSpan b = ConstSpan(*basis).subspan(at, n);
        axpy(-dot(b, direction), b, direction);
      }
    const double left = norm(direction);
    if (left < 1e-3) continue;
    for (double& d : direction) d /= left;
    basis->insert(basis->end(), direction.begin(), direction.end());
  }
}

/// The rows of `x` in the coordinates of `basis`: [count × rank].
Vec project(ConstSpan x, ConstSpan basis, std::size_t n) {
  Vec out;
  out.reserve(x.size() / n * (basis.size() / n));
  for (std::size_t r = 0; r < x.size(); r += n)
    for (std::size_t b = 0; b < basis.size(); b += n) out.push_back(dot(x.subspan(r, n), basis.subspan(b, n)));
  return out;
}

/// Mean square of centred rows of length k, with the ridge that keeps it away from singular.
Vec covariance(ConstSpan rows, std::size_t k, double n) {
  Vec out(k * k);
  const double count = static_cast<double>(rows.size() / k);
  for (std::size_t r = 0; r < rows.size(); r += k)
    for (std::size_t i = 0; i < k; ++i) axpy(rows[r + i] / count, rows.subspan(r, i + 1), Span(out).subspan(i * k, i + 1));
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < i; ++j) out[j * k + i] = out[i * k + j];
    out[i * k + i] += kRidge + kShrink * n / count;
  }
  return out;
}

}  // namespace

FisherEstimator::FisherEstimator(MetricKind kind, std::size_t n) : kind_(kind), n_(n) {
  blocks_.push_back({Moments(n), {}});
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
  block.moments.add(position, gradient);
  if (kind_ != MetricKind::LowRank) return;
  Vec row(position.begin(), position.end());
  row.insert(row.end(), gradient.begin(), gradient.end());
  block.rows.push_back(std::move(row));
}

void FisherEstimator::end_block(std::size_t keep) {
  while (blocks_.size() > keep) blocks_.pop_front();
  blocks_.push_back({Moments(n_), {}});
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
  Vec x, g;
  for (const Block& block : blocks_)
    for (const Vec& row : block.rows) {
      append_row(ConstSpan(row).first(n_), all.mean, out.scales, true, &x);
      append_row(ConstSpan(row).subspan(n_), ConstSpan(all.mean).subspan(n_), out.scales, false, &g);
    }
  Vec basis;
  if (count() > n_) {
    basis.assign(n_ * n_, 0.0);
    for (std::size_t i = 0; i < n_; ++i) basis[i * n_ + i] = 1;
  } else {
    add_directions(x, n_, &basis);
    add_directions(g, n_, &basis);
  }
  const std::size_t k = basis.size() / n_;
  Vec cov_x = covariance(project(x, basis, n_), k, n_), cov_g = covariance(project(g, basis, n_), k, n_), mean, values(k);
  if (!geometric_mean(cov_g, cov_x, k, &mean) || !symmetric_eigen(mean, k, values)) return out;
  for (std::size_t j = 0; j < k; ++j) {
    if (!(values[j] > kCutoff) && !(values[j] < 1 / kCutoff)) continue;
    out.eigenvalues.push_back(values[j]);
    const std::size_t at = out.directions.size();
    out.directions.resize(at + n_);
    for (std::size_t b = 0; b < k; ++b)
      axpy(mean[j * k + b], ConstSpan(basis).subspan(b * n_, n_), Span(out.directions).subspan(at, n_));
  }
  return out;
}

Result FisherEstimator::estimate(Metric* metric) const {
  const Moments all = total();
  if (kind_ == MetricKind::LowRank) return metric->set_inverse(low_rank(all));
  Vec inverse = scales(all);
  for (double& s : inverse) s *= s;
  return metric->set_inverse(inverse);
}

}  // namespace fermiac::inference
