#include "inference/mcmc/settling.h"

#include <cmath>
#include <numeric>
#include <span>
#include <utility>

namespace fermiac::inference {
namespace {

double mean(ConstSpan x) { return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size()); }

double sd(ConstSpan x) {
  const double m = mean(x);
  double sum = 0;
  for (const double value : x) sum += (value - m) * (value - m);
  return std::sqrt(sum / static_cast<double>(x.size()));
}

/// Dual averaging swings at the beginning of a block.
double late_mean(const Vec& x) { return mean(ConstSpan(x).subspan(x.size() / 2)); }

Vec log_scales(const Metric& metric) {
  Vec out(metric.inverse().begin(), metric.inverse().end());
  for (double& x : out) x = 0.5 * std::log(x);
  return out;
}

double root_mean_square_change(const Vec& before, const Vec& now) {
  double sum = 0;
  for (std::size_t i = 0; i < now.size(); ++i) sum += (now[i] - before[i]) * (now[i] - before[i]);
  return std::sqrt(sum / static_cast<double>(now.size()));
}

}  // namespace

void Settling::add(const Transition& t) {
  now_.lp.push_back(t.lp);
  now_.log_stepsize.push_back(std::log(t.stepsize));
  now_.leapfrogs += t.n_leapfrog;
}

bool Settling::alike(const Block& before, const Block& now) {
  if (before.lp.size() < kLeast || now.lp.size() < kLeast) return false;
  const double steps = now.leapfrogs / static_cast<double>(now.lp.size()), steps_before = before.leapfrogs / static_cast<double>(before.lp.size());
  return std::fabs(late_mean(now.log_stepsize) - late_mean(before.log_stepsize)) <= kMostChange &&
         steps <= kMostLeapfrogs * steps_before && steps_before <= kMostLeapfrogs * steps &&
         std::fabs(mean(now.lp) - mean(before.lp)) <= sd(now.lp);
}

bool Settling::at_update(const Metric& metric) {
  Vec scales = log_scales(metric);
  const bool settled = !scales_.empty() && alike(before_, now_) && root_mean_square_change(scales_, scales) <= kMostChange;
  before_ = std::exchange(now_, {});
  scales_ = std::move(scales);
  return settled;
}

}  // namespace fermiac::inference
