#include "inference/diagnostics/summary.h"

#include <algorithm>
#include <utility>

#include "inference/diagnostics/ordered_draws.h"
#include "support/platform/threads.h"

namespace fermiac::inference {
namespace {

struct SpreadStats {
  double mean, sd;
};

/// Of the draws of all chains, so many.
SpreadStats moments(const ChainVecs& chains, std::size_t draws) {
  const double n = static_cast<double>(draws), first = chains[0][0];
  bool constant = true;
  double sum = 0, squares = 0;
  for (const Vec& chain : chains)
    for (const double x : chain) {
      constant = constant && x == first;
      sum += x;
    }
  if (constant) return {first, 0};
  const double mean = sum / n;
  for (const Vec& chain : chains)
    for (const double x : chain) squares += (x - mean) * (x - mean);
  return {mean, std::sqrt(squares / (n - 1))};
}

bool stuck_apart(const ChainVecs& chains) {
  bool apart = false;
  for (const Vec& chain : chains) {
    if (chain.size() < 4 || !all_finite(chain)) return false;
    if (std::any_of(chain.begin(), chain.end(), [&](double x) { return x != chain[0]; })) return false;
    apart = apart || chain[0] != chains[0][0];
  }
  return apart;
}

/// From the median absolute distance to the standard deviation of a normal distribution.
constexpr double kMadScale = 1.482602218505602;

ColumnSummary summarise_column(const std::string& name, const ChainVecs& chains, const std::vector<double>& percentiles,
                               const NormalScores& scores) {
  ColumnSummary s{name, kNaN, kNaN, kNaN, kNaN, Vec(percentiles.size(), kNaN), kNaN, kNaN, kNaN, stuck_apart(chains)};
  if (scores.draws() == 0) return s;
  for (const Vec& chain : chains)
    if (std::any_of(chain.begin(), chain.end(), [](double x) { return std::isnan(x); })) return s;
  const OrderedDraws ordered = order_draws(chains), distances = order_distances(ordered);
  const SpreadStats m = moments(chains, scores.draws());
  const Convergence c = convergence(chains, ordered, distances, scores);
  s.mean = m.mean;
  s.sd = m.sd;
  s.mcse = m.sd / std::sqrt(c.ess_mean);
  for (std::size_t i = 0; i < percentiles.size(); ++i) s.quantiles[i] = ordered.quantile(percentiles[i] / 100);
  s.ess_bulk = c.ess_bulk;
  s.ess_tail = c.ess_tail;
  s.rhat = c.rhat;
  s.mad = kMadScale * distances.median();
  return s;
}

/// So many columns beside each other, which is quicker than one by one.
std::vector<ChainVecs> neighbours(const ChainSet& chains, std::size_t first, std::size_t count) {
  const std::size_t n = chains.draws_per_chain();
  std::vector<ChainVecs> out(count, ChainVecs(chains.rows.size(), Vec(n)));
  for (std::size_t c = 0; c < chains.rows.size(); ++c)
    for (std::size_t i = 0; i < n; ++i) {
      const double* const row = &chains.rows[c][i * chains.names.size() + first];
      for (std::size_t k = 0; k < count; ++k) out[k][c][i] = row[k];
    }
  return out;
}

}  // namespace

std::size_t ChainSet::draws_per_chain() const {
  std::size_t shortest = npos;
  for (const std::vector<double>& chain : rows) shortest = std::min(shortest, chain.size());
  return rows.empty() || names.empty() ? 0 : shortest / names.size();
}

ChainVecs ChainSet::column(std::size_t index) const {
  return std::move(neighbours(*this, index, 1).front());
}

std::size_t ChainSet::find(std::string_view name) const {
  const auto at = std::find(names.begin(), names.end(), name);
  return at == names.end() ? npos : static_cast<std::size_t>(at - names.begin());
}

std::vector<ColumnSummary> summarise(const ChainSet& chains, unsigned threads, const std::vector<double>& percentiles) {
  constexpr std::size_t kTogether = 8;  // columns: what a row has of them lies on one or two lines of the cache
  const std::size_t columns = chains.names.size();
  const NormalScores scores(chains.rows.size() * chains.draws_per_chain());
  std::vector<ColumnSummary> out(columns);
  run_parallel(threads, (columns + kTogether - 1) / kTogether, [&](std::size_t block) {
    const std::size_t first = block * kTogether, count = std::min(kTogether, columns - first);
    const std::vector<ChainVecs> values = neighbours(chains, first, count);
    for (std::size_t k = 0; k < count; ++k)
      out[first + k] = summarise_column(chains.names[first + k], values[k], percentiles, scores);
  });
  return out;
}

}  // namespace fermiac::inference
