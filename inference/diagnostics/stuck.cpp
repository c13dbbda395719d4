// Chains that are nowhere near the others, by name and place.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "inference/diagnostics/summary.h"

namespace fermiac::inference {
namespace {

constexpr std::size_t kPlaces = 3;
constexpr double kFew = 0.01;  // of the draws of the best chain, which may have been anywhere

struct Range {
  explicit Range(const Vec& values) : low(kInf), high(-kInf) {
    for (const double x : values) {  // what is not a number is nowhere
      low = std::min(low, std::isnan(x) ? low : x);
      high = std::max(high, std::isnan(x) ? high : x);
    }
  }
  double low, high;
};

/// The value that so large a share of the others is below; what is not a number is nowhere.
double at_place(Vec values, double share) {
  std::erase_if(values, [](double x) { return std::isnan(x); });
  if (values.empty()) return -kInf;
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(static_cast<double>(values.size()) * share);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}
double median(Vec values) { return at_place(std::move(values), 0.5); }

/// The lowest but for few, and the highest.
double low_of_most(Vec values) { return at_place(std::move(values), kFew); }
double high_of_most(Vec values) {
  for (double& x : values) x = -x;
  return -low_of_most(std::move(values));
}

double mean_of(const Vec& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double spread_of(const Vec& values, double mean) {
  double sum = 0;
  for (const double x : values) sum += (x - mean) * (x - mean);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

/// How many standard deviations of the best chain the means are apart.
double distance(const StuckChain::Place& p) {
  return std::fabs(p.here - p.there) / p.spread;
}

std::vector<StuckChain::Place> far_places(const ChainSet& chains, std::size_t chain, std::size_t best) {
  std::vector<StuckChain::Place> out;
  for (std::size_t i = 0; i < chains.names.size(); ++i) {
    if (chains.names[i].ends_with("__")) continue;
    const ChainVecs columns = chains.column(i);
    const double there = mean_of(columns[best]);
    const StuckChain::Place place{chains.names[i], mean_of(columns[chain]), there, spread_of(columns[best], there)};
    if (place.spread > 0 && std::isfinite(distance(place))) out.push_back(place);
  }
  const std::size_t shown = std::min(kPlaces, out.size());
  std::partial_sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(shown), out.end(),
                    [](const auto& a, const auto& b) { return distance(a) > distance(b); });
  out.resize(shown);
  return out;
}

/// Samplers by block have an acceptance for each block that is not the first of nuts or walnuts.
bool are_of_blocks(const std::vector<std::string>& names) {
  return std::ranges::any_of(names, [](const std::string& name) { return name.starts_with("accept_") && name.ends_with("__") && name != "accept_stat__"; });
}

/// At every draw more than the best chain at nearly all. Where no block has energies, the log density alone judges.
bool had_more_energy(const ChainVecs& energies, std::size_t chain, std::size_t best) {
  return energies.empty() || Range(energies[chain]).low > high_of_most(energies[best]);
}

}  // namespace

std::vector<StuckChain> find_stuck(const ChainSet& chains) {
  const std::size_t lp = chains.find("lp__"), energy = chains.find("energy__");
  const bool known = lp != npos && (energy != npos || are_of_blocks(chains.names));
  if (!known || chains.rows.size() < 2 || chains.draws_per_chain() == 0) return {};
  const ChainVecs lps = chains.column(lp), energies = energy == npos ? ChainVecs() : chains.column(energy);
  std::size_t best = 0;
  for (std::size_t c = 1; c < lps.size(); ++c)
    if (median(lps[c]) > median(lps[best])) best = c;
  const double best_low = low_of_most(lps[best]), best_high = Range(lps[best]).high;
  std::vector<StuckChain> out;
  for (std::size_t c = 0; c < lps.size(); ++c) {
    const Range own(lps[c]);
    if (!(own.high < best_low) || !had_more_energy(energies, c, best)) continue;
    out.push_back({c, best, own.low, own.high, best_low, best_high, far_places(chains, c, best)});
  }
  return out;
}

}  // namespace fermiac::inference
