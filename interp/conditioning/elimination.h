// Sums over unknown ints by elimination: which tables are joined, in which order, and the sums themselves.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

namespace fermiac::interp {

/// Unknowns by number, ascending.
using Scope = std::vector<std::uint32_t>;

/// How many combinations the unknowns have; the greatest number there is where that is more.
std::uint64_t combinations(std::span<const std::uint32_t> counts, const Scope& scope);

/// Logs of weights by combination of the unknowns in `scope`, the first fastest. No number: weight 0.
template <class Number>
struct LogTable {
  Scope scope;
  std::vector<std::optional<Number>> entries;
};

/// A table that the elimination would need has too many entries.
struct TableTooLarge : std::runtime_error {
  TableTooLarge(Scope scope_, std::uint64_t size_) : std::runtime_error("a table is too large"), scope(std::move(scope_)), size(size_) {}
  Scope scope;
  std::uint64_t size;
};

/// The order in which unknowns are summed out: the one whose tables join the fewest unknowns that were not joined before comes first.
class EliminationOrder {
 public:
  /// One unknown: its tables are joined and summed over its values.
  struct Step {
    std::uint32_t unknown = 0;
    Scope others;                        // what the sum depends on; empty: it is the sum of a component
    std::vector<std::uint32_t> tables;   // joined: those given, then the sum of step k as number given + k
    std::uint32_t component = 0;
  };

  /// counts[i]: how many values unknown i has. Throws TableTooLarge. Cost about that of the tables.
  EliminationOrder(std::vector<std::uint32_t> counts, std::span<const Scope> scopes, std::uint64_t max_table);

  const std::vector<std::uint32_t>& counts() const { return counts_; }
  const std::vector<Step>& steps() const { return steps_; }
  /// Unknowns that tables connect, by component; components by their first unknown.
  const std::vector<Scope>& components() const { return components_; }
  std::uint32_t component_of(std::uint32_t unknown) const { return component_of_[unknown]; }
  std::size_t given() const { return given_; }

 private:
  void find_components(std::span<const Scope> scopes);

  std::vector<std::uint32_t> counts_;
  std::vector<Step> steps_;
  std::vector<Scope> components_;
  std::vector<std::uint32_t> component_of_;
  std::size_t given_ = 0;
};

/// Visits the combinations of `scope`, in the order of a table: the position in it, and in a table over `part` of the scope.
template <class Visit>
void each_combination(std::span<const std::uint32_t> counts, const Scope& scope, std::span<const Scope> parts, Visit visit) {
  std::vector<std::vector<std::size_t>> strides(parts.size(), std::vector<std::size_t>(scope.size(), 0));
  for (std::size_t p = 0; p < parts.size(); ++p) {
    std::size_t stride = 1, k = 0;
    for (const std::uint32_t unknown : parts[p]) {
      while (scope[k] != unknown) ++k;
      strides[p][k] = stride;
      stride *= counts[unknown];
    }
  }
  std::vector<std::uint32_t> at(scope.size(), 0);
  std::vector<std::size_t> where(parts.size(), 0);
  for (std::size_t i = 0;; ++i) {
    visit(i, where);
    std::size_t k = 0;
    for (; k < scope.size(); ++k) {
      const bool more = ++at[k] < counts[scope[k]];
      for (std::size_t p = 0; p < parts.size(); ++p) where[p] += more ? strides[p][k] : 0;
      if (more) break;
      for (std::size_t p = 0; p < parts.size(); ++p) where[p] -= strides[p][k] * (counts[scope[k]] - 1);
      at[k] = 0;
    }
    if (k == scope.size()) return;
  }
}

/// Of a step: its unknown and the others.
Scope joined_scope(const EliminationOrder::Step& step);

/// The tables of a step, those over the same unknowns added up: fewer sums than in the table that joins all.
template <class Number, class Sum>
std::vector<LogTable<Number>> sums_of_equal_scopes(const EliminationOrder::Step& step, const std::vector<LogTable<Number>>& tables, Sum sum) {
  std::vector<LogTable<Number>> out;
  for (const std::uint32_t t : step.tables) {
    const auto equal = std::find_if(out.begin(), out.end(), [&](const LogTable<Number>& other) { return other.scope == tables[t].scope; });
    if (equal == out.end()) {
      out.push_back(tables[t]);
      continue;
    }
    for (std::size_t i = 0; i < equal->entries.size(); ++i) {
      std::optional<Number>& entry = equal->entries[i];
      const std::optional<Number>& more = tables[t].entries[i];
      if (!entry || !more) {
        entry.reset();
        continue;
      }
      const Number both[] = {*entry, *more};
      entry = sum(std::span<const Number>(both));
    }
  }
  return out;
}

/// Sums every component out. `sum(numbers)` and `log_sum_exp(numbers)` take a span of at least one number; `joined`, if not null, gets the joined
/// table of each step. The log sum of each component; none where no combination has a weight.
template <class Number, class Sum, class LogSumExp>
std::vector<std::optional<Number>> eliminate(const EliminationOrder& order, std::vector<LogTable<Number>> tables, const Number& zero, Sum sum,
                                             LogSumExp log_sum_exp, std::vector<LogTable<Number>>* joined = nullptr) {
  std::vector<std::optional<Number>> out(order.components().size());
  for (const EliminationOrder::Step& step : order.steps()) {
    LogTable<Number> join{joined_scope(step), {}}, result{step.others, {}};
    const std::vector<LogTable<Number>> addend = sums_of_equal_scopes(step, tables, sum);
    std::vector<Scope> parts = {step.others};
    for (const LogTable<Number>& table : addend) parts.push_back(table.scope);
    join.entries.resize(combinations(order.counts(), join.scope));
    result.entries.resize(combinations(order.counts(), step.others));
    std::vector<std::vector<Number>> terms(result.entries.size());
    std::vector<Number> addends;
    each_combination(order.counts(), join.scope, parts, [&](std::size_t i, const std::vector<std::size_t>& where) {
      addends.clear();
      for (std::size_t k = 0; k < addend.size(); ++k) {
        const std::optional<Number>& entry = addend[k].entries[where[k + 1]];
        if (!entry) return;
        addends.push_back(*entry);
      }
      join.entries[i] = addends.empty() ? zero : addends.size() == 1 ? addends[0] : sum(std::span<const Number>(addends));
      terms[where[0]].push_back(*join.entries[i]);
    });
    for (std::size_t i = 0; i < terms.size(); ++i)
      if (!terms[i].empty()) result.entries[i] = terms[i].size() == 1 ? terms[i][0] : log_sum_exp(std::span<const Number>(terms[i]));
    if (step.others.empty()) out[step.component] = result.entries[0];
    tables.push_back(std::move(result));
    if (joined) joined->push_back(std::move(join));
  }
  return out;
}

/// Sums, probabilities and draws of numbers.
class Eliminated {
 public:
  Eliminated(const EliminationOrder& order, std::vector<LogTable<double>> tables);

  /// Of each component; minus infinity where nothing is possible.
  const std::vector<double>& log_sums() const { return log_sums_; }
  /// probability[i][k]: of value k of unknown i.
  std::vector<std::vector<double>> marginals() const;
  /// Values, counted from 0, of all unknowns. `uniform()` gives numbers in (0, 1), one for each unknown.
  template <class Uniform>
  std::vector<std::uint32_t> draw(Uniform uniform) const {
    std::vector<std::uint32_t> values(order_.counts().size(), 0);
    for (std::size_t s = order_.steps().size(); s-- > 0;) values[order_.steps()[s].unknown] = chosen(s, values, uniform());
    return values;
  }

 private:
  std::uint32_t chosen(std::size_t step, const std::vector<std::uint32_t>& values, double u) const;

  const EliminationOrder& order_;
  std::vector<LogTable<double>> joined_;
  std::vector<double> log_sums_;
};

}  // namespace fermiac::interp
