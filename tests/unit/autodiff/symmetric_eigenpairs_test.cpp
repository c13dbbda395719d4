// Eigenpairs of symmetric matrices: A V = V diag λ, V' V = 1, λ in ascending order, whatever the size and the scale.
#include "autodiff/linalg/symmetric_eigenpairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace fermiac::ad {
namespace {

using dense::Index;

struct Pairs {
  Pairs(Index size, const std::function<double(Index, Index)>& element) : n(size), a(room(n * n)), vectors(room(n * n)), values(room(n)) {
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) a[at(i, j)] = element(std::max(i, j), std::min(i, j));
    ends = symmetric_eigenpairs(a.data(), n, vectors.data(), values.data());
  }
  static std::vector<double> room(Index size) { return std::vector<double>(static_cast<std::size_t>(size)); }
  std::size_t at(Index i, Index j) const { return static_cast<std::size_t>(i + j * n); }
  double value(Index j) const { return values[static_cast<std::size_t>(j)]; }
  double largest() const {
    double most = 0;
    for (const double x : a) most = std::max(most, std::fabs(x));
    return most;
  }
  /// The largest element of A V - V diag λ, relative to A.
  double residual() const {
    double most = 0;
    const double whole = largest();
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) {
        double sum = 0;
        for (Index k = 0; k < n; ++k) sum += a[at(i, k)] / whole * vectors[at(k, j)];
        most = std::max(most, std::fabs(sum - value(j) / whole * vectors[at(i, j)]));
      }
    return most;
  }
  /// The same of V' V - 1.
  double skew() const {
    double most = 0;
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) {
        double sum = 0;
        for (Index k = 0; k < n; ++k) sum += vectors[at(k, i)] * vectors[at(k, j)];
        most = std::max(most, std::fabs(sum - (i == j)));
      }
    return most;
  }

  Index n;
  std::vector<double> a, vectors, values;
  bool ends = false;
};

double noise(Index i, Index j) { return std::sin(12.9898 * static_cast<double>(i + 1) + 78.233 * static_cast<double>(j + 1)); }

void expect_pairs(const Pairs& p) {
  SCOPED_TRACE("n = " + std::to_string(p.n));
  EXPECT_TRUE(p.ends);
  EXPECT_TRUE(std::ranges::is_sorted(p.values));
  const double allowed = 1e-15 * static_cast<double>(10 + 2 * p.n);
  EXPECT_LE(p.residual(), allowed);
  EXPECT_LE(p.skew(), allowed);
}

TEST(SymmetricEigenpairs, OfAllSmallSizes) {
  for (Index n = 1; n < 42; ++n) expect_pairs(Pairs(n, noise));
  expect_pairs(Pairs(128, noise));
}

TEST(SymmetricEigenpairs, OfNearlyDependentColumns) {
  for (const Index n : {3, 17, 40})
    expect_pairs(Pairs(n, [](Index i, Index j) { return std::exp(-0.01 * static_cast<double>((i - j) * (i - j))); }));
}

TEST(SymmetricEigenpairs, OfAnyScale) {
  for (const double scale : {1e-300, 1e-160, 1e160, 1e300})
    expect_pairs(Pairs(9, [&](Index i, Index j) { return scale * noise(i, j); }));
  expect_pairs(Pairs(9, [](Index i, Index j) { return noise(i, j) * std::pow(10.0, static_cast<double>(-4 * (i + j))); }));
}

TEST(SymmetricEigenpairs, OfDiagonalsRepeatedValuesAndNothing) {
  expect_pairs(Pairs(10, [](Index i, Index j) { return i == j ? static_cast<double>(5 - i) : 0; }));
  expect_pairs(Pairs(12, [](Index i, Index j) { return i == j ? 3.0 : 1.0; }));
  const Pairs zero(4, [](Index, Index) { return 0.0; });
  EXPECT_TRUE(zero.ends);
  EXPECT_EQ(zero.values, std::vector<double>(4));
  EXPECT_EQ(zero.skew(), 0);
  EXPECT_TRUE(Pairs(0, noise).ends);
}

TEST(SymmetricEigenpairs, OfWhatIsNotFiniteThereAreNone) {
  for (const double x : {std::numeric_limits<double>::infinity(), std::nan("")})
    EXPECT_FALSE(Pairs(5, [&](Index i, Index j) { return i == 3 && j == 1 ? x : noise(i, j); }).ends);
}

}  // namespace
}  // namespace fermiac::ad
