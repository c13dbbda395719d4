// Sums over ints by elimination against sums over all combinations.
#include "interp/conditioning/elimination.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/base/rng.h"

namespace fermiac::interp {
namespace {

/// Tables over random parts of a few unknowns; some combinations are impossible.
struct Problem {
  std::vector<std::uint32_t> counts;
  std::vector<Scope> scopes;
  std::vector<LogTable<double>> tables;
};

Problem random_problem(Rng& rng) {
  Problem out;
  const auto below = [&](int n) { return static_cast<std::uint32_t>(rng.uniform() * n); };
  const std::uint32_t unknowns = 1 + below(6);
  for (std::uint32_t i = 0; i < unknowns; ++i) out.counts.push_back(1 + below(3));
  const std::uint32_t tables = below(9);
  for (std::uint32_t t = 0; t < tables; ++t) {
    std::set<std::uint32_t> scope;
    for (std::uint32_t k = 0; k < 1 + below(3); ++k) scope.insert(below(static_cast<int>(unknowns)));
    out.scopes.emplace_back(scope.begin(), scope.end());
    LogTable<double> table{out.scopes.back(), {}};
    for (std::uint64_t i = 0; i < combinations(out.counts, table.scope); ++i)
      table.entries.push_back(rng.uniform() < 0.1 ? std::nullopt : std::optional<double>(4 * rng.uniform() - 2));
    out.tables.push_back(std::move(table));
  }
  return out;
}

/// Calls visit(values, weight) for every combination of all unknowns.
template <class Visit>
void each_weight(const Problem& p, Visit visit) {
  Scope all;
  std::vector<Scope> parts;
  for (std::uint32_t i = 0; i < p.counts.size(); ++i) all.push_back(i), parts.push_back({i});
  parts.insert(parts.end(), p.scopes.begin(), p.scopes.end());
  each_combination(p.counts, all, parts, [&](std::size_t, const std::vector<std::size_t>& where) {
    double log = 0;
    for (std::size_t t = 0; t < p.tables.size(); ++t)
      log += p.tables[t].entries[where[p.counts.size() + t]].value_or(-std::numeric_limits<double>::infinity());
    visit(where, std::exp(log));
  });
}

TEST(Elimination, SumsAndMarginalsAreThoseOfAllCombinations) {
  Rng rng(20);
  for (int round = 0; round < 500; ++round) {
    const Problem p = random_problem(rng);
    const EliminationOrder order(p.counts, p.scopes, 1000);
    const Eliminated eliminated(order, p.tables);
    double sum = 0;
    std::vector<std::vector<double>> expected;
    for (const std::uint32_t n : p.counts) expected.emplace_back(n, 0.0);
    each_weight(p, [&](const std::vector<std::size_t>& values, double weight) {
      sum += weight;
      for (std::size_t i = 0; i < p.counts.size(); ++i) expected[i][values[i]] += weight;
    });
    double log = 0;
    for (const double component : eliminated.log_sums()) log += component;
    if (sum == 0) {
      EXPECT_EQ(log, -std::numeric_limits<double>::infinity());
      continue;
    }
    EXPECT_NEAR(log, std::log(sum), 1e-12 * std::max(1.0, std::abs(log)));
    const auto marginals = eliminated.marginals();
    for (std::size_t i = 0; i < p.counts.size(); ++i)
      for (std::size_t k = 0; k < p.counts[i]; ++k) EXPECT_NEAR(marginals[i][k], expected[i][k] / sum, 1e-12);
  }
}

TEST(Elimination, DrawsHaveTheProbabilityOfTheirCombination) {
  Rng rng(21);
  constexpr int kDraws = 20000;
  const Problem p{{2, 3, 2}, {{0, 1}, {1, 2}}, {{{0, 1}, {0.0, 1.0, std::nullopt, 0.5, -1.0, 0.2}}, {{1, 2}, {0.0, 0.4, -0.3, 1.1, 0.0, -2.0}}}};
  const EliminationOrder order(p.counts, p.scopes, 1000);
  const Eliminated eliminated(order, p.tables);
  std::vector<double> count(12, 0);
  for (int i = 0; i < kDraws; ++i) {
    const auto z = eliminated.draw([&] { return rng.uniform(); });
    count[z[0] + 2 * z[1] + 6 * z[2]] += 1;
  }
  double sum = 0;
  each_weight(p, [&](const auto&, double weight) { sum += weight; });
  each_weight(p, [&](const std::vector<std::size_t>& z, double weight) {
    const double probability = weight / sum, error = std::sqrt(probability * (1 - probability) / kDraws);
    EXPECT_NEAR(count[z[0] + 2 * z[1] + 6 * z[2]] / kDraws, probability, 5 * error);
  });
}

TEST(Elimination, ChainsCostTheirPairsAndTablesHaveALimit) {
  std::vector<Scope> chain;
  for (std::uint32_t t = 1; t < 60; ++t) chain.push_back({t - 1, t});
  const EliminationOrder order(std::vector<std::uint32_t>(60, 3), chain, 9);
  EXPECT_EQ(order.components().size(), 1u);
  EXPECT_EQ(order.steps().size(), 60u);
  std::vector<Scope> star;
  for (std::uint32_t a = 0; a < 8; ++a)
    for (std::uint32_t b = 0; b < a; ++b) star.push_back({b, a});
  try {
    const EliminationOrder refused(std::vector<std::uint32_t>(8, 4), star, 1000);
    FAIL() << "all of them meet";
  } catch (const TableTooLarge& e) {
    EXPECT_EQ(e.size, 65536u);
    EXPECT_EQ(e.scope.size(), 8u);
  }
  Scope forty;
  for (std::uint32_t i = 0; i < 40; ++i) forty.push_back(i);
  EXPECT_EQ(combinations(std::vector<std::uint32_t>(40, 2), forty), 1099511627776u);
}

}  // namespace
}  // namespace fermiac::interp
