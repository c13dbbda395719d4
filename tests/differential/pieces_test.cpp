// Operations large enough to run in pieces (autodiff/kernels/pieces.h): the same density by different kernels agrees,
// and one thread or four give the same bits.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "autodiff/kernels/pieces.h"
#include "interp/model/workspace.h"
#include "support/platform/threads.h"
#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

const std::string kData =
    R"(transformed data { int N = 40000; int K = 8; matrix[N, K] X; array[N] int y; array[N] int c; vector[N] v;
    for (n in 1:N) { y[n] = n * 7 % 3 == 0; c[n] = n % 4; v[n] = sin(n); for (k in 1:K) X[n, k] = sin(n * k) / k; } }
  parameters { real a; vector[K] b; real<lower=0> s; } model { )";

struct Answer {
  double lp = 0;
  std::vector<double> gradient;
};

Answer evaluate(const interp::InterpModel& model, unsigned threads) {
  Answer out;
  std::vector<double> theta(model.unconstrained_size());
  for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = 0.3 * std::sin(1 + 0.7 * static_cast<double>(i));
  out.gradient.resize(theta.size());
  const auto workspace = model.workspace();
  run_parallel(threads, 1, [&](std::size_t) {
    EXPECT_TRUE(workspace->log_density_gradient(theta, {.propto = false, .jacobian = true}, &out.lp, out.gradient));
  });
  return out;
}

void expect_close(const Answer& x, const Answer& y) {
  EXPECT_NEAR(x.lp, y.lp, 1e-11 * std::abs(y.lp));
  for (std::size_t i = 0; i < x.gradient.size(); ++i)
    EXPECT_NEAR(x.gradient[i], y.gradient[i], 1e-10 * (1 + std::abs(y.lp))) << i;
}

/// The same density in several forms, each on one thread and on four.
void expect_same(const std::string& data, const std::vector<std::string>& forms) {
  std::vector<Answer> answers;
  for (const std::string& form : forms) {
    SCOPED_TRACE(form);
    const auto model = load(data + form + " }");
    ASSERT_TRUE(model);
    answers.push_back(evaluate(*model, 1));
    const Answer threaded = evaluate(*model, 4);
    EXPECT_EQ(answers.back().lp, threaded.lp);
    EXPECT_EQ(answers.back().gradient, threaded.gradient);
    expect_close(answers.back(), answers.front());
  }
}

TEST(Pieces, KernelsAgreeAndThreadsChangeNothing) {
  const std::vector<std::vector<std::string>> same = {
      {"y ~ bernoulli_logit_glm(X, a, b);", "y ~ bernoulli_logit(a + X * b);",
       "for (n in 1:N) y[n] ~ bernoulli_logit(a + X[n] * b);"},
      {"c ~ poisson_log_glm(X, a, b);", "c ~ poisson_log(a + X * b);"},
      {"v ~ student_t(4, a + X * b, s);", "{ vector[N] m = X * b; v ~ student_t(4, a + m, rep_vector(s, N)); }"},
      {"target += sum(v .* exp(a + 0.1 * (X * b)));", "target += dot_product(v, exp(a + 0.1 * (X * b)));"},
  };
  for (const auto& forms : same) expect_same(kData, forms);
}

/// Products and the factorisations that are made of them, taller, wider and narrow ones, against the vector products.
TEST(Pieces, LargeMatrices) {
  const std::string data = R"(transformed data { int N = 300; matrix[N, N] X; matrix[N, 11] Z; vector[N] w;
    for (i in 1:N) { w[i] = cos(i); for (j in 1:N) X[i, j] = sin(i * j) + (i == j) * N; for (j in 1:11) Z[i, j] = cos(i + 2 * j); } }
  parameters { real a; vector[N] v; } model { )";
  const std::vector<std::vector<std::string>> same = {
      {"target += w' * ((X * a) * diag_pre_multiply(v, X)) * w;", "target += (w' * X) * a * (v .* (X * w));"},
      {"target += w' * (diag_pre_multiply(v, X) * (X * a)) * w;", "target += (w' .* v') * X * (a * (X * w));"},
      {"target += sum(X' * diag_pre_multiply(v, Z));", "target += sum(Z' * (v .* (X * rep_vector(1, N))));"},
      {"matrix[N, N] L = cholesky_decompose(add_diag(X * X' / N, exp(v))); target += a * log_determinant(tcrossprod(L)) + w' * mdivide_left_tri_low(L, w);",
       "matrix[N, N] S = add_diag(X * X' / N, exp(v)); target += a * log_determinant(S) + w' * mdivide_left_tri_low(cholesky_decompose(S), w);"},
  };
  for (const auto& forms : same) expect_same(data, forms);
}

/// Covariances whose columns go in pieces: the points as parameters, one set of them or two.
TEST(Pieces, Covariances) {
  const std::string data = R"(transformed data { int N = 300; array[N] real x; vector[N] w; array[N] vector[2] p;
    for (i in 1:N) { x[i] = 0.1 * i + 0.01 * sin(i); w[i] = cos(i); p[i] = [x[i], cos(i)]'; } }
  parameters { real a; real<lower=0> r; real<lower=0> s; } model { array[N] vector[2] q; for (i in 1:N) q[i] = a * p[i];
    )";
  const std::vector<std::vector<std::string>> same = {
      {"target += w' * gp_exp_quad_cov(x, s, r) * w;", "target += w' * gp_exp_quad_cov(x, x, s, r) * w;"},
      {"target += w' * gp_matern32_cov(q, s, {r, s}) * w;", "target += w' * gp_matern32_cov(q, q, s, {r, s}) * w;"},
      {"target += w' * gp_periodic_cov(q, s, r, 2 + s) * w;", "target += w' * gp_periodic_cov(q, q, s, r, 2 + s) * w;"},
      {"target += w' * gp_dot_prod_cov(q, s) * w;", "target += square(s * sum(w)) + dot_self(a * (w[1] * p[1] + [dot_product(w[2:N], to_vector(p[2:N, 1])), dot_product(w[2:N], to_vector(p[2:N, 2]))]'));"},
  };
  for (const auto& forms : same) expect_same(data, forms);
}

/// Factors with pivots that are far from the diagonal, against the same with the rows in order.
TEST(Pieces, PivotedFactors) {
  const std::string data = R"(transformed data { int N = 230; matrix[N, N] X; matrix[N, 70] Z; vector[N] w; array[N] int at; array[N] int back;
    for (i in 1:N) { at[i] = i * 7 % N + 1; back[at[i]] = i; w[i] = cos(i); for (j in 1:70) Z[i, j] = cos(i + 2 * j); }
    for (i in 1:N) for (j in 1:N) X[i, j] = sin(i * j) + (j == at[i]) * 2 * N; }
  parameters { real a; vector[N] v; } model { matrix[N, N] M = diag_pre_multiply(exp(0.3 * v), X) + a; matrix[N, N] D = M[back];
    )";
  const std::vector<std::vector<std::string>> same = {
      {"target += log_determinant(M);", "target += log_determinant(D);"},
      {"target += square(determinant(M / (2 * N)));", "target += square(determinant(D / (2 * N)));"},
      {"target += w' * inverse(M) * v;", "target += w[at]' * (inverse(M[, at]) * v);", "target += w' * mdivide_left(M, v);",
       "target += mdivide_right(w', M) * v;", "target += w' * mdivide_left(D, v[back]);"},
      {"target += sum(mdivide_left(M, Z)[1:9]);", "target += sum((inverse(M) * Z)[1:9]);", "target += sum(mdivide_right(Z', M')[, 1:9]);"},
  };
  for (const auto& forms : same) expect_same(data, forms);
}

/// More than the sixteen columns up to which singular values come from rotations alone.
TEST(Pieces, SingularValues) {
  const std::string data = R"(transformed data { int N = 45; matrix[N, 30] X;
    for (i in 1:N) for (j in 1:30) X[i, j] = sin(i * j) + (i == j) * j; }
  parameters { real a; vector[N] v; } model { matrix[N, 30] M = diag_pre_multiply(exp(v), X) + a;
    )";
  const std::vector<std::vector<std::string>> same = {
      {"target += sum(square(singular_values(M)));", "target += sum(square(singular_values(M')));", "target += sum(square(M));"},
      {"target += 2 * sum(log(singular_values(M)));", "target += log_determinant(crossprod(M));"},
      {"target += sum(svd_U(M) * diag_pre_multiply(singular_values(M), svd_V(M)'));", "target += sum(M);"},
  };
  for (const auto& forms : same) expect_same(data, forms);
}

/// Products with a triangle, wider and narrower than they are tall.
TEST(Pieces, TrianglesTimesTheirTransposes) {
  const std::string data = R"(transformed data { int N = 170; matrix[N, N] X; vector[N] w;
    for (i in 1:N) { w[i] = cos(i); for (j in 1:N) X[i, j] = sin(i * j) + (i == j); } }
  parameters { real a; vector[N] v; } model { matrix[N, N] M = diag_pre_multiply(v, X); matrix[N, N] L;
    for (i in 1:N) for (j in 1:N) L[i, j] = i >= j ? M[i, j] : 0;
    )";
  const std::vector<std::vector<std::string>> same = {
      {"target += w' * multiply_lower_tri_self_transpose(M) * w;", "target += dot_self(L' * w);", "target += w' * tcrossprod(L) * w;"},
      {"target += w' * multiply_lower_tri_self_transpose(M[, 1:70]) * w;", "target += dot_self(L[, 1:70]' * w);"},
      {"target += w[1:70]' * multiply_lower_tri_self_transpose(M[1:70]) * w[1:70];", "target += dot_self(L[1:70]' * w[1:70]);"},
  };
  for (const auto& forms : same) expect_same(data, forms);
}

/// Neighbours of one vector: pieces would write to each other's adjoints.
TEST(Pieces, OverlappingViews) {
  const auto model =
      load(R"(transformed data { int N = 50000; } parameters { vector[N] x; } model { target += -0.5 * dot_self(x);
    x[2:N] ~ normal(x[1:(N - 1)], 1); })");
  ASSERT_TRUE(model);
  const Answer one = evaluate(*model, 1), four = evaluate(*model, 4);
  EXPECT_EQ(one.gradient, four.gradient);
  std::vector<double> x(50000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.3 * std::sin(1 + 0.7 * static_cast<double>(i));
  for (std::size_t i = 0; i < x.size(); ++i) {
    double expected = -x[i];
    if (i > 0) expected -= x[i] - x[i - 1];
    if (i + 1 < x.size()) expected += x[i + 1] - x[i];
    ASSERT_NEAR(one.gradient[i], expected, 1e-12) << i;
  }
}

TEST(Pieces, CoverEverythingOnce) {
  for (const std::uint32_t n : {1u, 63u, 64u, 16384u, 16385u, 1000000u, 5000001u}) {
    const ad::Pieces pieces(n, 16384, 128);
    EXPECT_LE(pieces.count, 128u);
    std::uint32_t sum = 0;
    for (std::uint32_t k = 0; k < pieces.count; ++k) {
      EXPECT_EQ(pieces.begin(k), sum);
      EXPECT_EQ(pieces.begin(k) % 64, 0u);
      sum += pieces.length(k, n);
    }
    EXPECT_EQ(sum, n);
  }
}

}  // namespace
}  // namespace fermiac::testing
