#include "inference/math/psis.h"

#include <algorithm>
#include <numeric>

namespace fermiac::inference {
namespace {

constexpr std::size_t kMinTail = 5;

void normalise(Span log_weights) {
  const double top = *std::max_element(log_weights.begin(), log_weights.end());
  double sum = 0;
  for (const double x : log_weights) sum += std::exp(x - top);
  for (double& x : log_weights) x -= top + std::log(sum);
}

double pareto_quantile(const ParetoFit& fit, double p) {
  return std::fabs(fit.k) < 1e-14 ? -fit.sigma * std::log1p(-p)
                                  : fit.sigma * std::expm1(-fit.k * std::log1p(-p)) / fit.k;
}

double first_quartile(ConstSpan sorted) { return sorted[static_cast<std::size_t>(static_cast<double>(sorted.size()) / 4 + 0.5) - 1]; }

/// Draws that a chain stayed at have one ratio: some of the tail may be at the cutoff.
bool has_shape(ConstSpan excess) { return first_quartile(excess) > 0 && excess.back() > excess.front(); }

}  // namespace

ParetoFit fit_generalised_pareto(ConstSpan sorted) {
  const double n = static_cast<double>(sorted.size());
  const auto grid = static_cast<std::size_t>(30 + std::sqrt(n));
  const double quartile = first_quartile(sorted);
  const auto mean_log1p = [&](double theta) {
    double sum = 0;
    for (const double x : sorted) sum += std::log1p(-theta * x);
    return sum / n;
  };
  Vec theta(grid), profile(grid);
  for (std::size_t j = 0; j < grid; ++j) {
    const double fraction = static_cast<double>(grid) / (static_cast<double>(j) + 0.5);
    theta[j] = 1 / sorted.back() + (1 - std::sqrt(fraction)) / (3 * quartile);
    const double k = mean_log1p(theta[j]);
    profile[j] = n * (std::log(-theta[j] / k) - k - 1);
  }
  const double top = *std::max_element(profile.begin(), profile.end());
  double weight_sum = 0, mean = 0;
  for (std::size_t j = 0; j < grid; ++j) {
    const double w = std::exp(profile[j] - top);
    weight_sum += w;
    mean += w * theta[j];
  }
  mean /= weight_sum;
  const double k = mean_log1p(mean);
  const double sigma = -k / mean;
  return {(k * n + 5) / (n + 10), sigma};  // shrunk towards 0.5 with the weight of ten observations
}

bool are_alike(ConstSpan log_ratios) {
  constexpr double kUnseen = 1e-4;
  const auto [least, most] = std::ranges::minmax(log_ratios);
  return most - least < kUnseen;
}

double psis_log_weights(Span log_ratios, double r_eff) {
  for (double& x : log_ratios)
    if (std::isnan(x)) x = -kInf;
  if (log_ratios.empty()) return kNaN;
  const double top = *std::max_element(log_ratios.begin(), log_ratios.end());
  if (!std::isfinite(top)) return kInf;
  const std::size_t n = log_ratios.size();
  const double draws = static_cast<double>(n);
  const auto tail = static_cast<std::size_t>(std::ceil(std::min(0.2 * draws, 3 * std::sqrt(draws / r_eff))));
  double k = kInf;
  if (tail >= kMinTail && tail < n) {
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return log_ratios[a] < log_ratios[b]; });
    const double cutoff = std::exp(log_ratios[order[n - tail - 1]] - top);
    Vec excess(tail);
    for (std::size_t i = 0; i < tail; ++i) excess[i] = std::exp(log_ratios[order[n - tail + i]] - top) - cutoff;
    if (has_shape(excess)) {
      const ParetoFit fit = fit_generalised_pareto(excess);
      k = fit.k;
      if (std::isfinite(k))
        for (std::size_t i = 0; i < tail; ++i) {
          const double p = (static_cast<double>(i) + 0.5) / static_cast<double>(tail);
          log_ratios[order[n - tail + i]] = std::min(std::log(cutoff + pareto_quantile(fit, p)), 0.0) + top;
        }
    }
  }
  normalise(log_ratios);
  return k;
}

}  // namespace fermiac::inference
