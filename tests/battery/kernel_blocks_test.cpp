// The dense routines at sizes around and beyond their block sizes, where the recorded cases do not reach.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "autodiff/linalg/dense.h"
#include "autodiff/linalg/triangles.h"
#include "support/platform/threads.h"

namespace fermiac::ad::dense {
namespace {

using Numbers = std::vector<double>;

Numbers filled(Index n, double seed) {
  Numbers r(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < r.size(); ++i)
    r[i] = std::sin(seed + 1.7 * static_cast<double>(i % 1009) + 0.01 * static_cast<double>(i));
  return r;
}
Numbers positive_definite(Index n) {
  Numbers a(static_cast<std::size_t>(n * n));
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i)
      a[static_cast<std::size_t>(i + j * n)] =
          std::exp(-0.1 * std::abs(static_cast<double>(i - j))) + (i == j ? 0.3 : 0.0);
  return a;
}
double at(const Numbers& a, Index i, Index j, Index ld) {
  return a[static_cast<std::size_t>(i + j * ld)];
}

const Index kSizes[] = {1, 2, 5, 8, 17, 47, 48, 49, 96, 130};

void expect_near(const Numbers& a, const Numbers& b, double tol, const char* what, Index n) {
  ASSERT_EQ(a.size(), b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  EXPECT_LE(worst, tol) << what << " at " << n;
}

TEST(DenseBlocks, ProductsOfEveryShapeAndTransposition) {
  for (const auto& [m, n, k] : {std::tuple<Index, Index, Index>{1, 1, 300},
                                {70, 1, 9},
                                {1, 70, 9},
                                {65, 66, 193},
                                {200, 5, 3},
                                {13, 130, 400},
                                {9, 9, 9}})
    for (int transposed = 0; transposed < 4; ++transposed) {
      const Numbers a = filled(m * k, 0.1), b = filled(k * n, 0.5);
      const View av = transposed & 1 ? t(view(a.data(), k, m)) : view(a.data(), m, k);
      const View bv = transposed & 2 ? t(view(b.data(), n, k)) : view(b.data(), k, n);
      Numbers got = filled(m * n, 2), want = got;
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < m; ++i)
          for (Index q = 0; q < k; ++q) want[static_cast<std::size_t>(i + j * m)] += -0.7 * av(i, q) * bv(q, j);
      add_product(-0.7, av, bv, got.data());
      expect_near(got, want, 1e-11, "product", m);
    }
}

TEST(DenseBlocks, CholeskyAndSolves) {
  for (const Index n : kSizes) {
    const Numbers a = positive_definite(n);
    Numbers l = a, back(a.size());
    ASSERT_TRUE(cholesky(l.data(), n));
    product(view(l.data(), n, n), t(view(l.data(), n, n)), back.data());
    expect_near(back, a, 1e-12, "factor", n);
    for (int k = 0; k < 8; ++k) {
      const bool transposed = k & 1;
      const View lv = transposed ? t(view(l.data(), n, n)) : view(l.data(), n, n);
      const Index m = std::array<Index, 4>{1, 2, 7, 45}[static_cast<std::size_t>(k / 2)];
      Numbers b = filled(n * m, 0.3), x(b.size());
      product(lv, view(b.data(), n, m), x.data());
      solve_lower(Side::Left, transposed, l.data(), n, x.data(), m);
      expect_near(x, b, 1e-11, "left solve", n);
      product(view(b.data(), m, n), lv, x.data());
      solve_lower(Side::Right, transposed, l.data(), n, x.data(), m);
      expect_near(x, b, 1e-11, "right solve", n);
    }
    Numbers inverse(a.size()), identity(a.size()), one(a.size());
    invert_from_cholesky(l.data(), n, inverse.data());
    product(view(a.data(), n, n), view(inverse.data(), n, n), one.data());
    for (Index i = 0; i < n; ++i) identity[static_cast<std::size_t>(i + i * n)] = 1;
    expect_near(one, identity, 1e-10, "inverse", n);
    invert_lower(l.data(), n, inverse.data());
    product(view(l.data(), n, n), view(inverse.data(), n, n), one.data());
    expect_near(one, identity, 1e-11, "inverse of the factor", n);
  }
}

TEST(DenseBlocks, LowerTrianglesOfProducts) {
  for (const Index n : kSizes)
    for (const Index k : {1, 3, 20, 200})
      for (int transposed = 0; transposed < 4; ++transposed) {
        const Numbers a = filled(n * k, 0.1), b = filled(k * n, 0.5);
        const View av = transposed & 1 ? t(view(a.data(), k, n)) : view(a.data(), n, k);
        const View bv = transposed & 2 ? t(view(b.data(), n, k)) : view(b.data(), k, n);
        Numbers got = filled(n * n, 2), want = got, all = got;
        add_product(0.7, av, bv, all.data());
        add_lower_product(0.7, av, bv, got.data(), n);
        for (Index j = 0; j < n; ++j)
          for (Index i = j; i < n; ++i) want[static_cast<std::size_t>(i + j * n)] = at(all, i, j, n);
        expect_near(got, want, 1e-12, "lower product", n);
      }
}

TEST(DenseBlocks, BothSidesOfTheDiagonal) {
  for (const Index n : kSizes) {
    Numbers a = filled(n * n, 0.8);
    symmetric_ops().mirror(n, a.data());
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) EXPECT_EQ(at(a, i, j, n), at(a, j, i, n));
    EXPECT_TRUE(symmetric_ops().symmetric(n, a.data(), 0));
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i<j; i += n> 49 ? 7 : 1) {  // the larger ones in part
        Numbers b = a;
        b[static_cast<std::size_t>(i + j * n)] += 1e-6;
        EXPECT_FALSE(symmetric_ops().symmetric(n, b.data(), 1e-8)) << i << ' ' << j;
        Index column = -1;
        EXPECT_EQ(first_asymmetric(b.data(), n, &column), i);
        EXPECT_EQ(column, j);
      }
  }
}

/// Factor, adjoint, inverse and solves of an order that falls into pieces.
Numbers large_results() {
  const Index n = 400;
  const Numbers a = positive_definite(n);
  Numbers l = a, adjoint = filled(n * n, 1.1), scratch(kReverseScratch), inverse(a.size()), x = filled(n * n, 0.3);
  EXPECT_TRUE(cholesky(l.data(), n));
  cholesky_reverse(l.data(), n, adjoint.data(), scratch.data());
  invert_from_cholesky(l.data(), n, inverse.data());
  solve_lower(Side::Left, false, l.data(), n, x.data(), n);
  solve_lower(Side::Right, true, l.data(), n, x.data(), n);
  Numbers all = l;
  for (const Numbers* part : {&adjoint, &inverse, &x}) all.insert(all.end(), part->begin(), part->end());
  return all;
}
TEST(DenseBlocks, ThreadsChangeNoBit) {
  Numbers results[3];
  for (unsigned threads = 1; threads <= 3; ++threads)
    ThreadGroup(threads).run([&] { results[threads - 1] = large_results(); });
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(DenseBlocks, CholeskyFailsOnIndefinite) {
  Numbers a = positive_definite(100);
  a[99 + 99 * 100] = -1;
  EXPECT_FALSE(cholesky(a.data(), 100));
}

/// Σ w L along a symmetric direction, by differences and by the adjoint.
TEST(DenseBlocks, CholeskyAdjoint) {
  for (const Index n : kSizes) {
    const Numbers a = positive_definite(n), w = filled(n * n, 1.1), d = filled(n * n, 0.2);
    const double h = 1e-6;
    const auto value = [&](double step) {
      Numbers l = a;
      for (Index j = 0; j < n; ++j)
        for (Index i = j; i < n; ++i) {
          l[static_cast<std::size_t>(i + j * n)] += step * at(d, i, j, n);
          if (i != j) l[static_cast<std::size_t>(j + i * n)] += step * at(d, i, j, n);
        }
      EXPECT_TRUE(cholesky(l.data(), n));
      double s = 0;
      for (Index j = 0; j < n; ++j)
        for (Index i = j; i < n; ++i) s += at(w, i, j, n) * at(l, i, j, n);
      return s;
    };
    Numbers l = a, adjoint = w, scratch(kReverseScratch);
    ASSERT_TRUE(cholesky(l.data(), n));
    cholesky_reverse(l.data(), n, adjoint.data(), scratch.data());
    double slope = 0, size = 0;
    for (Index j = 0; j < n; ++j)
      for (Index i = j; i < n; ++i) {
        slope += at(adjoint, i, j, n) * at(d, i, j, n);
        size += std::abs(at(adjoint, i, j, n) * at(d, i, j, n));
      }
    EXPECT_NEAR((value(h) - value(-h)) / (2 * h), slope, 1e-7 * size) << n;
  }
}

TEST(DenseBlocks, LuSolvesBothWays) {
  for (const Index n : kSizes) {
    Numbers a = filled(n * n, 0.9);
    for (Index i = 0; i < n; ++i)
      a[static_cast<std::size_t>((i + 1) % n + i * n)] += 3;  // far from singular, needs pivots
    Numbers space(static_cast<std::size_t>(Lu::space(n)));
    const Lu lu = Lu::factor(a.data(), n, space.data());
    ASSERT_FALSE(lu.singular());
    const Numbers b = filled(n * 3, 0.4);
    Numbers x(b.size());
    product(view(a.data(), n, n), view(b.data(), n, 3), x.data());
    lu.solve(x.data(), 3);
    expect_near(x, b, 1e-8, "LU", n);
    product(t(view(a.data(), n, n)), view(b.data(), n, 3), x.data());
    lu.solve_transposed(x.data(), 3);
    expect_near(x, b, 1e-8, "transposed LU", n);
    EXPECT_NEAR(std::log(std::abs(lu.determinant())), lu.log_abs_determinant(), 1e-9 * static_cast<double>(n));
    Numbers inverse(a.size()), turned(a.size()), unit(a.size());
    lu.invert(inverse.data());
    lu.invert_transposed(turned.data());
    product(view(a.data(), n, n), view(inverse.data(), n, n), unit.data());
    for (Index i = 0; i < n; ++i) unit[static_cast<std::size_t>(i * (n + 1))] -= 1;
    expect_near(unit, Numbers(unit.size()), 1e-9, "inverse", n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) ASSERT_NEAR(at(inverse, i, j, n), at(turned, j, i, n), 1e-10) << n;
  }
}

TEST(DenseBlocks, OfASingularMatrixTheDeterminantIsZero) {
  const Index n = 70;
  Numbers a = filled(n * n, 0.9);
  for (Index i = 0; i < n; ++i) a[static_cast<std::size_t>(i + 50 * n)] = 0;
  Numbers space(static_cast<std::size_t>(Lu::space(n)));
  const Lu lu = Lu::factor(a.data(), n, space.data());
  EXPECT_TRUE(lu.singular());
  EXPECT_EQ(lu.determinant(), 0);
}

/// Of whole and cut-off squares; every element is copied, none changed.
TEST(DenseBlocks, MatricesTurnedOver) {
  for (const Index n : {1, 2, 5, 8, 9, 31, 33, 70})
    for (const Index m : {1, 3, 8, 40, 77}) {
      const Numbers a = filled(n * m, 0.3);
      Numbers out(a.size());
      transpose(a.data(), n, m, out.data());
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < m; ++j) ASSERT_EQ(out[static_cast<std::size_t>(j + i * m)], a[static_cast<std::size_t>(i + j * n)]);
    }
  for (const Index n : kSizes) {
    const Numbers a = filled(n * n, 0.3);
    Numbers sum(a.size()), own = a;
    symmetric_ops().add_mirrored(n, 3, a.data(), sum.data());
    symmetrize(own.data(), n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) {
        const double both = a[static_cast<std::size_t>(i + j * n)] + a[static_cast<std::size_t>(j + i * n)];
        ASSERT_DOUBLE_EQ(at(sum, i, j, n), 3 * both);
        ASSERT_DOUBLE_EQ(at(own, i, j, n), 0.5 * both);
      }
  }
}

TEST(DenseBlocks, VectorLoopsAndTheirTails) {
  for (Index n = 0; n < 40; ++n) {
    const Numbers x = filled(n, 0.7), y = filled(n, 0.2);
    double dot_xy = 0, total = 0, high = -HUGE_VAL, exponentials = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      dot_xy += x[i] * y[i];
      total += x[i];
      high = std::max(high, x[i]);
      exponentials += std::exp(x[i] - 0.5);
    }
    EXPECT_NEAR(ops().dot(n, x.data(), y.data()), dot_xy, 1e-13);
    EXPECT_NEAR(ops().sum(n, x.data()), total, 1e-13);
    EXPECT_EQ(ops().max(n, x.data()), high);
    EXPECT_NEAR(ops().sum_exp(n, x.data(), 0.5), exponentials, 1e-12);
    Numbers z = y;
    ops().axpy_exp(n, 2, x.data(), 0.1, z.data());
    ops().shift(n, 0.25, z.data());
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(z[i], y[i] + 2 * std::exp(x[i] - 0.1) + 0.25, 1e-13);
  }
}

}  // namespace
}  // namespace fermiac::ad::dense
