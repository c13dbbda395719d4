#include "interp/conditioning/elimination.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "support/base/check.h"

namespace fermiac::interp {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double log_sum(std::span<const double> numbers) {
  const double most = *std::ranges::max_element(numbers);
  if (!std::isfinite(most)) return most;
  double out = 0;
  for (const double x : numbers) out += std::exp(x - most);
  return most + std::log(out);
}

/// Which unknowns share a table, while unknowns leave.
class Neighbours {
 public:
  Neighbours(std::size_t unknowns, std::span<const Scope> scopes) : near_(unknowns) {
    for (const Scope& scope : scopes)
      for (const std::uint32_t a : scope)
        for (const std::uint32_t b : scope)
          if (a != b) near_[a].insert(b);
    for (std::uint32_t i = 0; i < unknowns; ++i) queue_.insert({fill_.emplace_back(fill_of(i)), i});
  }
  /// The unknown that joins the fewest others anew, and those that it meets.
  std::pair<std::uint32_t, Scope> next() {
    const std::uint32_t chosen = queue_.begin()->second;
    const Scope others(near_[chosen].begin(), near_[chosen].end());
    queue_.erase(queue_.begin());
    std::set<std::uint32_t> changed(others.begin(), others.end());
    for (const std::uint32_t a : others) {
      near_[a].erase(chosen);
      for (const std::uint32_t b : others)
        if (a != b) near_[a].insert(b);
    }
    for (const std::uint32_t a : others) changed.insert(near_[a].begin(), near_[a].end());
    for (const std::uint32_t a : changed) {
      queue_.erase({fill_[a], a});
      queue_.insert({fill_[a] = fill_of(a), a});
    }
    return {chosen, others};
  }
  bool empty() const { return queue_.empty(); }

 private:
  std::size_t fill_of(std::uint32_t i) const {
    std::size_t out = 0;
    for (const std::uint32_t a : near_[i])
      for (const std::uint32_t b : near_[i]) out += a < b && !near_[a].contains(b);
    return out;
  }
  std::vector<std::set<std::uint32_t>> near_;
  std::vector<std::size_t> fill_;
  std::set<std::pair<std::size_t, std::uint32_t>> queue_;
};

void refuse_large(std::span<const std::uint32_t> counts, const Scope& scope, std::uint64_t most) {
  const std::uint64_t size = combinations(counts, scope);
  if (size > most) throw TableTooLarge(scope, size);
}

}  // namespace

std::uint64_t combinations(std::span<const std::uint32_t> counts, const Scope& scope) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t out = 1;
  for (const std::uint32_t unknown : scope) {
    const std::uint64_t n = counts[unknown];
    if (n != 0 && out > kMost / n) return kMost;
    out *= n;
  }
  return out;
}

Scope joined_scope(const EliminationOrder::Step& step) {
  Scope out = step.others;
  out.insert(std::ranges::upper_bound(out, step.unknown), step.unknown);
  return out;
}

EliminationOrder::EliminationOrder(std::vector<std::uint32_t> counts, std::span<const Scope> scopes, std::uint64_t max_table)
    : counts_(std::move(counts)), given_(scopes.size()) {
  for (const Scope& scope : scopes) refuse_large(counts_, scope, max_table);
  find_components(scopes);
  std::vector<std::set<std::uint32_t>> tables(counts_.size());  // that are still there, by unknown
  std::vector<Scope> of_table(scopes.begin(), scopes.end());
  for (std::uint32_t t = 0; t < of_table.size(); ++t)
    for (const std::uint32_t unknown : of_table[t]) tables[unknown].insert(t);
  for (Neighbours neighbours(counts_.size(), scopes); !neighbours.empty();) {
    auto [unknown, others] = neighbours.next();
    Step step{unknown, std::move(others), {tables[unknown].begin(), tables[unknown].end()}, component_of_[unknown]};
    refuse_large(counts_, joined_scope(step), max_table);
    for (const std::uint32_t t : step.tables)
      for (const std::uint32_t other : of_table[t]) tables[other].erase(t);
    const auto result = static_cast<std::uint32_t>(of_table.size());
    for (const std::uint32_t other : step.others) tables[other].insert(result);
    of_table.push_back(step.others);
    steps_.push_back(std::move(step));
  }
}

void EliminationOrder::find_components(std::span<const Scope> scopes) {
  std::vector<std::uint32_t> parent(counts_.size());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto find = [&](std::uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const Scope& scope : scopes)
    for (std::size_t k = 1; k < scope.size(); ++k) {
      const std::uint32_t a = find(scope[k - 1]), b = find(scope[k]);
      parent[std::max(a, b)] = std::min(a, b);
    }
  component_of_.resize(counts_.size());
  for (std::uint32_t i = 0; i < counts_.size(); ++i) {
    const std::uint32_t first = find(i);
    if (first == i) component_of_[i] = static_cast<std::uint32_t>(components_.size()), components_.emplace_back();
    component_of_[i] = component_of_[first];
    components_[component_of_[i]].push_back(i);
  }
}

Eliminated::Eliminated(const EliminationOrder& order, std::vector<LogTable<double>> tables) : order_(order) {
  const auto sum = [](std::span<const double> numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0.0); };
  for (const auto& log : eliminate<double>(order, std::move(tables), 0.0, sum, log_sum, &joined_)) log_sums_.push_back(log.value_or(-kInfinity));
}

std::uint32_t Eliminated::chosen(std::size_t step, const std::vector<std::uint32_t>& values, double u) const {
  const std::uint32_t unknown = order_.steps()[step].unknown;
  std::size_t at = 0, stride = 1, own = 0;
  for (const std::uint32_t other : joined_[step].scope) {
    if (other == unknown) own = stride;
    else at += stride * values[other];
    stride *= order_.counts()[other];
  }
  std::vector<double> log(order_.counts()[unknown]);
  for (std::size_t k = 0; k < log.size(); ++k) log[k] = joined_[step].entries[at + k * own].value_or(-kInfinity);
  const double all = log_sum(log);
  std::uint32_t last = 0;
  for (std::uint32_t k = 0; k < log.size(); ++k) {
    if (log[k] == -kInfinity) continue;
    last = k;
    if ((u -= std::exp(log[k] - all)) <= 0) break;
  }
  return last;
}

/// The probability of a combination of a step's table is that of the combination of the others, which later steps know, times
/// the share that it has in their sum.
std::vector<std::vector<double>> Eliminated::marginals() const {
  const auto& counts = order_.counts();
  std::vector<std::vector<double>> out, of_table(order_.given() + order_.steps().size());
  for (const std::uint32_t n : counts) out.emplace_back(n, 0.0);
  for (std::size_t s = order_.steps().size(); s-- > 0;) {
    const EliminationOrder::Step& step = order_.steps()[s];
    std::vector<double>& above = of_table[order_.given() + s];
    if (step.others.empty()) above = {1.0};
    std::vector<Scope> parts = {step.others, {step.unknown}};
    std::vector<std::uint32_t> later;  // sums of steps before this one
    for (const std::uint32_t t : step.tables)
      if (t >= order_.given()) later.push_back(t), parts.push_back(order_.steps()[t - order_.given()].others);
    for (std::size_t k = 0; k < later.size(); ++k) of_table[later[k]].assign(combinations(counts, parts[k + 2]), 0.0);
    std::vector<std::vector<double>> logs(above.size());
    const auto each = [&](auto visit) { each_combination(counts, joined_[s].scope, parts, visit); };
    each([&](std::size_t i, const std::vector<std::size_t>& where) { logs[where[0]].push_back(joined_[s].entries[i].value_or(-kInfinity)); });
    std::vector<double> sums;
    for (const auto& log : logs) sums.push_back(log_sum(log));
    each([&](std::size_t i, const std::vector<std::size_t>& where) {
      const double log = joined_[s].entries[i].value_or(-kInfinity);
      if (log == -kInfinity || above[where[0]] == 0) return;
      const double p = above[where[0]] * std::exp(log - sums[where[0]]);
      out[step.unknown][where[1]] += p;
      for (std::size_t k = 0; k < later.size(); ++k) of_table[later[k]][where[k + 2]] += p;
    });
  }
  return out;
}

}  // namespace fermiac::interp
