#include "inference/diagnostics/ess.h"

#include <algorithm>
#include <bit>
#include <complex>
#include <numeric>

#include "inference/diagnostics/ordered_draws.h"
#include "inference/math/vector_kernels.h"

namespace fermiac::inference {
namespace {

constexpr std::size_t kMinDraws = 4;
constexpr std::size_t kDirectLags = 256;  // beyond this many lags a Fourier transform is cheaper

// --- autocovariance -------------------------------------------------------------------------------------------------

void fft(std::vector<std::complex<double>>& a) {
  const std::size_t n = a.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(a[i], a[j]);
  }
  for (std::size_t len = 2; len <= n; len <<= 1) {
    const double angle = -2 * 3.14159265358979323846 / static_cast<double>(len);
    std::vector<std::complex<double>> roots(len / 2);
    for (std::size_t k = 0; k < len / 2; ++k) roots[k] = std::polar(1.0, angle * static_cast<double>(k));
    for (std::size_t i = 0; i < n; i += len)
      for (std::size_t k = 0; k < len / 2; ++k) {
        const std::complex<double> u = a[i + k], v = a[i + k + len / 2] * roots[k];
        a[i + k] = u + v;
        a[i + k + len / 2] = u - v;
      }
  }
}

/// Autocovariances averaged over chains, lag by lag as they are asked for.
class MeanAutocovariance {
 public:
  explicit MeanAutocovariance(const ChainVecs& chains) : centred_(chains), n_(chains[0].size()) {
    for (Vec& chain : centred_) {
      const double mean = std::accumulate(chain.begin(), chain.end(), 0.0) / static_cast<double>(n_);
      for (double& x : chain) x -= mean;
      means_.push_back(mean);
    }
  }
  const Vec& means() const { return means_; }

  double operator()(std::size_t lag) {
    if (lag >= kDirectLags) {
      if (by_lag_.empty()) transform();
      return by_lag_[lag];
    }
    double sum = 0;
    for (const Vec& chain : centred_) sum += vector_kernels().dot(chain.data() + lag, chain.data(), n_ - lag);
    return sum / static_cast<double>(n_ * centred_.size());
  }

 private:
  void transform() {
    const std::size_t padded = std::bit_ceil(2 * n_);
    std::vector<std::complex<double>> power(padded), work;
    for (const Vec& chain : centred_) {
      work.assign(padded, 0);
      std::copy(chain.begin(), chain.end(), work.begin());
      fft(work);
      for (std::size_t i = 0; i < padded; ++i) power[i] += std::norm(work[i]);
    }
    fft(power);  // the spectrum is real and even: forward and inverse transform agree up to the scale
    by_lag_.resize(n_);
    const double scale = static_cast<double>(padded) * static_cast<double>(n_ * centred_.size());
    for (std::size_t i = 0; i < n_; ++i) by_lag_[i] = power[i].real() / scale;
  }

  ChainVecs centred_;
  std::size_t n_;
  Vec means_, by_lag_;
};

double sample_variance(ConstSpan x) {
  const double n = static_cast<double>(x.size());
  const double mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
  double sum = 0;
  for (const double v : x) sum += (v - mean) * (v - mean);
  return sum / (n - 1);
}

// --- ranks ----------------------------------------------------------------------------------------------------------

bool usable(const ChainVecs& chains) {
  if (chains.empty() || chains[0].size() < kMinDraws) return false;
  bool varies = false;
  for (const Vec& chain : chains) {
    if (!all_finite(chain)) return false;
    varies = varies || std::any_of(chain.begin(), chain.end(), [&](double x) { return x != chain[0]; });
  }
  return varies;
}

ChainVecs split(const ChainVecs& chains) {
  const auto half = static_cast<std::ptrdiff_t>(chains[0].size() / 2);
  ChainVecs out;
  for (const Vec& chain : chains) {
    out.emplace_back(chain.begin(), chain.begin() + half);
    out.emplace_back(chain.end() - half, chain.end());
  }
  return out;
}

/// Values of chains of these lengths replaced by the normal scores of their ranks, ties sharing the mean rank.
ChainVecs rank_normalised(const ChainVecs& chains, const OrderedDraws& ordered, const NormalScores& score) {
  const std::size_t n = chains[0].size();
  ChainVecs out(chains.size(), Vec(n));
  for (std::size_t i = 0; i < ordered.values.size();) {
    std::size_t next = i + 1;
    while (next < ordered.values.size() && ordered.values[next] == ordered.values[i]) ++next;
    const double z = score(i, next - 1);
    for (; i < next; ++i) out[ordered.places[i] / n][ordered.places[i] % n] = z;
  }
  return out;
}

ChainVecs at_most(const ChainVecs& chains, double bound) {
  ChainVecs out = chains;
  for (Vec& chain : out)
    for (double& x : chain) x = x <= bound ? 1 : 0;
  return out;
}

// --- the estimators on chains that are split already
// ------------------------------------------------------------------

double basic_rhat(const ChainVecs& chains) {
  const double n = static_cast<double>(chains[0].size());
  Vec means;
  double within = 0;
  for (const Vec& chain : chains) {
    means.push_back(std::accumulate(chain.begin(), chain.end(), 0.0) / n);
    within += sample_variance(chain) / static_cast<double>(chains.size());
  }
  const double between = n * sample_variance(means);
  return std::sqrt((between / within + n - 1) / n);
}

/// Geyer's initial monotone sequence over the combined autocorrelations (equations 10 to 13 of the paper).
double basic_ess(const ChainVecs& chains) {
  if (!usable(chains)) return kNaN;
  MeanAutocovariance acov(chains);
  const std::size_t n = chains[0].size();
  const double draws = static_cast<double>(n * chains.size());
  const double scale = static_cast<double>(n) / static_cast<double>(n - 1);
  const double mean_var = acov(0) * scale;
  double var_plus = acov(0);
  if (chains.size() > 1) var_plus += sample_variance(acov.means());
  const auto rho_at = [&](std::size_t lag) { return 1 - (mean_var - acov(lag)) / var_plus; };

  Vec rho = {1, rho_at(1)};
  double even = 1, odd = rho[1];
  std::size_t t = 0;
  while (t + 5 < n && even + odd > 0) {
    t += 2;
    even = rho_at(t);
    odd = rho_at(t + 1);
    const bool positive = even + odd >= 0;
    rho.push_back(positive ? even : 0);
    rho.push_back(positive ? odd : 0);
  }
  const std::size_t max_t = t;
  if (even > 0) rho[max_t] = even;  // improves the estimate for antithetic chains
  for (t = 2; t + 2 <= max_t; t += 2)
    if (rho[t] + rho[t + 1] > rho[t - 2] + rho[t - 1]) rho[t] = rho[t + 1] = (rho[t - 2] + rho[t - 1]) / 2;
  double tau = -1 + rho[max_t];
  for (std::size_t i = 0; i < max_t; ++i) tau += 2 * rho[i];
  return draws / std::max(tau, 1 / std::log10(draws));
}

double tail_of(const ChainVecs& chains, const OrderedDraws& ordered) {
  const double low = basic_ess(split(at_most(chains, ordered.quantile(0.05))));
  const double high = basic_ess(split(at_most(chains, ordered.quantile(0.95))));
  if (std::isnan(low)) return high;
  return std::isnan(high) ? low : std::min(low, high);
}

double rhat_of(const ChainVecs& scores, const ChainVecs& distance_scores) {
  const double bulk = basic_rhat(split(scores));
  const double tail = basic_rhat(split(distance_scores));
  return std::isnan(tail) ? bulk : std::max(bulk, tail);
}

}  // namespace

Vec autocorrelation(const Vec& draws) {
  MeanAutocovariance covariance({draws});
  const double variance = covariance(0);
  Vec out(draws.size(), kNaN);
  for (std::size_t lag = 0; lag < out.size() && variance > 0; ++lag) out[lag] = covariance(lag) / variance;
  return out;
}

double ess_mean(const ChainVecs& chains) {
  return usable(chains) ? basic_ess(split(chains)) : kNaN;
}
double ess_bulk(const ChainVecs& chains) {
  if (!usable(chains)) return kNaN;
  const OrderedDraws ordered = order_draws(chains);
  return basic_ess(split(rank_normalised(chains, ordered, NormalScores(ordered.values.size()))));
}
double ess_tail(const ChainVecs& chains) {
  return usable(chains) ? tail_of(chains, order_draws(chains)) : kNaN;
}
double rhat(const ChainVecs& chains) {
  return convergence(chains).rhat;
}

Convergence convergence(const ChainVecs& chains) {
  if (!usable(chains)) return {};
  const OrderedDraws ordered = order_draws(chains);
  return convergence(chains, ordered, order_distances(ordered), NormalScores(ordered.values.size()));
}

Convergence convergence(const ChainVecs& chains, const OrderedDraws& ordered, const OrderedDraws& distances, const NormalScores& scores) {
  if (!usable(chains)) return {};
  const ChainVecs bulk = rank_normalised(chains, ordered, scores);
  return {.ess_mean = basic_ess(split(chains)),
          .ess_bulk = basic_ess(split(bulk)),
          .ess_tail = tail_of(chains, ordered),
          .rhat = rhat_of(bulk, rank_normalised(chains, distances, scores))};
}

}  // namespace fermiac::inference
