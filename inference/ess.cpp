#include "inference/ess.h"

#include <algorithm>
#include <bit>
#include <complex>
#include <numeric>

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
    for (const Vec& chain : centred_) sum += dot(ConstSpan(chain).subspan(lag), ConstSpan(chain).first(n_ - lag));
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

Vec pooled(const ChainVecs& chains) {
  Vec all;
  for (const Vec& chain : chains) all.insert(all.end(), chain.begin(), chain.end());
  return all;
}

/// Values replaced by the normal scores of their ranks, ties sharing the mean rank.
ChainVecs rank_normalised(const ChainVecs& chains) {
  const Vec all = pooled(chains);
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return all[a] < all[b]; });
  const double count = static_cast<double>(all.size());
  Vec score(all.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t j = i;
    while (j < order.size() && all[order[j]] == all[order[i]]) ++j;
    const double rank = 0.5 * static_cast<double>(i + 1 + j);
    const double z = normal_quantile((rank - 0.375) / (count + 0.25));
    for (; i < j; ++i) score[order[i]] = z;
  }
  ChainVecs out(chains.size());
  std::size_t at = 0;
  for (std::size_t c = 0; c < chains.size(); ++c) {
    const auto begin = score.begin() + static_cast<std::ptrdiff_t>(at);
    out[c].assign(begin, begin + static_cast<std::ptrdiff_t>(chains[c].size()));
    at += chains[c].size();
  }
  return out;
}

ChainVecs folded(const ChainVecs& chains, double median) {
  ChainVecs out = chains;
  for (Vec& chain : out)
    for (double& x : chain) x = std::fabs(x - median);
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

double tail_of(const ChainVecs& chains, ConstSpan sorted) {
  const double low = basic_ess(split(at_most(chains, quantile_sorted(sorted, 0.05))));
  const double high = basic_ess(split(at_most(chains, quantile_sorted(sorted, 0.95))));
  if (std::isnan(low)) return high;
  return std::isnan(high) ? low : std::min(low, high);
}

Vec sorted_pool(const ChainVecs& chains) {
  Vec all = pooled(chains);
  std::sort(all.begin(), all.end());
  return all;
}

double rhat_of(const ChainVecs& chains, const ChainVecs& scores, double median) {
  const double bulk = basic_rhat(split(scores));
  const double tail = basic_rhat(split(rank_normalised(folded(chains, median))));
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

double quantile_sorted(ConstSpan sorted, double probability) {
  if (sorted.empty()) return kNaN;
  const double at = probability * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  if (sorted[low] == sorted[high]) return sorted[low];
  return sorted[low] + (at - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

double ess_mean(const ChainVecs& chains) {
  return usable(chains) ? basic_ess(split(chains)) : kNaN;
}
double ess_bulk(const ChainVecs& chains) {
  return usable(chains) ? basic_ess(split(rank_normalised(chains))) : kNaN;
}
double ess_tail(const ChainVecs& chains) {
  return usable(chains) ? tail_of(chains, sorted_pool(chains)) : kNaN;
}
double rhat(const ChainVecs& chains) {
  if (!usable(chains)) return kNaN;
  return rhat_of(chains, rank_normalised(chains), quantile_sorted(sorted_pool(chains), 0.5));
}

Convergence convergence(const ChainVecs& chains) {
  if (!usable(chains)) return {};
  const Vec sorted = sorted_pool(chains);
  const ChainVecs scores = rank_normalised(chains);
  return {.ess_mean = basic_ess(split(chains)),
          .ess_bulk = basic_ess(split(scores)),
          .ess_tail = tail_of(chains, sorted),
          .rhat = rhat_of(chains, scores, quantile_sorted(sorted, 0.5))};
}

double normal_quantile(double p) {
  if (!(p > 0 && p < 1)) return p == 0 ? -kInf : p == 1 ? kInf : kNaN;
  const auto ratio = [](double r, const double(&num)[8], const double(&den)[8]) {
    double a = num[7], b = den[7];
    for (int i = 6; i >= 0; --i) {
      a = a * r + num[i];
      b = b * r + den[i];
    }
    return a / b;
  };
  static constexpr double kCentreNum[8] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                           1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                           3.3430575583588128105e+4, 2.5090809287301226727e+3};
  static constexpr double kCentreDen[8] = {1.0,
                                           4.2313330701600911252e+1,
                                           6.8718700749205790830e+2,
                                           5.3941960214247511077e+3,
                                           2.1213794301586595867e+4,
                                           3.9307895800092710610e+4,
                                           2.8729085735721942674e+4,
                                           5.2264952788528545610e+3};
  static constexpr double kMiddleNum[8] = {
      1.42343711074968357734e0, 4.63033784615654529590e0,  5.76949722146069140550e0,  3.64784832476320460504e0,
      1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static constexpr double kMiddleDen[8] = {1.0,
                                           2.05319162663775882187e0,
                                           1.67638483018380384940e0,
                                           6.89767334985100004550e-1,
                                           1.48103976427480074590e-1,
                                           1.51986665636164571966e-2,
                                           5.47593808499534494600e-4,
                                           1.05075007164441684324e-9};
  static constexpr double kTailNum[8] = {
      6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,  2.96560571828504891230e-1,
      2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static constexpr double kTailDen[8] = {1.0,
                                         5.99832206555887937690e-1,
                                         1.36929880922735805310e-1,
                                         1.48753612908506148525e-2,
                                         7.86869131145613259100e-4,
                                         1.84631831751005468180e-5,
                                         1.42151175831644588870e-7,
                                         2.04426310338993978564e-15};
  const double q = p - 0.5;
  if (std::fabs(q) <= 0.425) return q * ratio(0.180625 - q * q, kCentreNum, kCentreDen);
  const double r = std::sqrt(-std::log(q < 0 ? p : 1 - p));
  const double z = r <= 5 ? ratio(r - 1.6, kMiddleNum, kMiddleDen) : ratio(r - 5, kTailNum, kTailDen);
  return q < 0 ? -z : z;
}

}  // namespace fermiac::inference
