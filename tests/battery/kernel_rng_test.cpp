// Means, covariances and probabilities of draws against exact values, at six standard errors.
#include <gtest/gtest.h>

#include "autodiff/linalg/dense.h"
#include "autodiff/multivariate/rng.h"
#include "tests/battery/kernel_values.h"
#include "tests/conformance/oracle_values.h"
#include "tests/shared/unzipped.h"

namespace fermiac::battery {
namespace {

constexpr int kDraws = 40000;

/// A list of lists is a matrix, a list a vector, {"cholesky_of": M} the lower factor of M.
Value read_argument(element e, bool integer) {
  Value r;
  element m;
  const bool factor = e.is_object() && e["cholesky_of"].get(m) == simdjson::SUCCESS;
  if (factor) e = m;
  if (!e.is_array()) {
    r.v = {number(e)};
    r.is_int = integer;
    return r;
  }
  flatten(e, r.v);
  const auto n = static_cast<std::uint32_t>(e.get_array().value().size());
  const bool matrix = n > 0 && e.at(0).is_array();
  r.shape = matrix ? ad::Shape::matrix(n, static_cast<std::uint32_t>(r.v.size() / n)) : ad::Shape::vector(n);
  if (matrix) {
    const std::vector<double> rows = r.v;
    for (std::uint32_t i = 0; i < r.shape.rows; ++i)
      for (std::uint32_t j = 0; j < r.shape.cols; ++j) r.v[i + j * r.shape.rows] = rows[i * r.shape.cols + j];
  }
  if (factor) ad::dense::cholesky(r.v.data(), n);
  return r;
}

struct Moments {
  std::vector<double> mean;
  std::vector<double> covariance, fourth;  // n x n; fourth: of the products, for standard errors
};

Moments draw_moments(const ad::MultiRng& r, const std::vector<Value>& args) {
  const Bound b(args);
  const std::size_t n = r.plan(b.args).size();
  Rng rng(4711);
  std::vector<std::vector<double>> draws(kDraws, std::vector<double>(n));
  Moments m{std::vector<double>(n), std::vector<double>(n * n), std::vector<double>(n * n)};
  for (auto& d : draws) {
    r.draw(rng, b.args, d.data());
    for (std::size_t i = 0; i < n; ++i) m.mean[i] += d[i] / kDraws;
  }
  for (const auto& d : draws)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const double p = (d[i] - m.mean[i]) * (d[j] - m.mean[j]);
        m.covariance[i * n + j] += p / kDraws;
        m.fourth[i * n + j] += p * p / kDraws;
      }
  return m;
}

bool is_int_argument(const std::string& fn, std::size_t j) {
  return (j == 1 && fn.find("multinomial") != std::string::npos) || (j == 0 && fn.find("lkj") != std::string::npos);
}

TEST(KernelRng, MomentsAgree) {
  const simdjson::padded_string text{unzipped(std::string(FERMIAC_SOURCE_DIR) + "/tests/battery/data/rng.jsonl.gz")};
  simdjson::dom::parser parser;
  int run = 0;
  simdjson::dom::document_stream lines = parser.parse_many(text, 1 << 20);
  for (element e : lines) {
    const std::string id{std::string_view(e["id"])}, fn{std::string_view(e["fn"])};
    std::vector<Value> args;
    for (element a : e["args"].get_array()) args.push_back(read_argument(a, is_int_argument(fn, args.size())));
    const ad::MultiRng* r = ad::find_multi_rng(fn);
    ASSERT_NE(r, nullptr) << fn;
    if (selfcheck::oracle::known_difference(id) != nullptr) continue;  // wrong there; oracle_functions_test has it right
    const Moments m = draw_moments(*r, args);
    const std::size_t n = m.mean.size();
    element x;
    // The reference's own sample error counts where no exact value is known.
    const auto compare_to = [&](const char* exact, const char* sample, const std::vector<double>& got, auto standard_error) {
      const bool known = e[exact].get(x) == simdjson::SUCCESS;
      if (!known && e[sample].get(x) != simdjson::SUCCESS) return;
      std::vector<double> want;
      flatten(x, want);
      if (want.size() != got.size()) return;
      ++run;
      for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_NEAR(got[i], want[i], 6 * standard_error(i) * (known ? 1.0 : 1.5) + 1e-9) << id << " " << exact << " " << i;
    };
    compare_to("exact_mean", "sample_mean", m.mean, [&](std::size_t i) { return std::sqrt(m.covariance[i * n + i] / kDraws); });
    compare_to("exact_cov", "sample_cov", m.covariance, [&](std::size_t i) {
      return std::sqrt(std::max(0.0, m.fourth[i] - m.covariance[i] * m.covariance[i]) / kDraws);
    });
  }
  EXPECT_GT(run, 30);
}

TEST(KernelRng, SameSeedSameDraws) {
  const double alpha[] = {0.5, 2, 3};
  ad::KernelArg a;
  a.shape = ad::Shape::vector(3);
  a.v = alpha;
  double x[2][3];
  for (auto& draw : x) {
    Rng rng(1, 2);
    ad::find_multi_rng("dirichlet_rng")->draw(rng, std::span<const ad::KernelArg>(&a, 1), draw);
  }
  for (int i = 0; i < 3; ++i) EXPECT_EQ(x[0][i], x[1][i]);
}

TEST(KernelRng, FactorOfInverseWishart) {
  // E(L L') = S / (nu - n - 1).
  const double nu = 12, factor[] = {1, 0.5, 0, 2};
  ad::KernelArg in[2];
  in[0].v = &nu;
  in[1].shape = ad::Shape::matrix(2, 2);
  in[1].v = factor;
  Rng rng(5);
  double sum[3] = {};
  for (int k = 0; k < kDraws; ++k) {
    double l[4];
    ad::find_multi_rng("inv_wishart_cholesky_rng")->draw(rng, std::span<const ad::KernelArg>(in, 2), l);
    EXPECT_EQ(l[2], 0);
    sum[0] += l[0] * l[0] / kDraws;
    sum[1] += l[0] * l[1] / kDraws;
    sum[2] += (l[1] * l[1] + l[3] * l[3]) / kDraws;
  }
  EXPECT_NEAR(sum[0], 1 / 9.0, 0.002);
  EXPECT_NEAR(sum[1], 0.5 / 9, 0.003);
  EXPECT_NEAR(sum[2], 4.25 / 9, 0.01);
}

ad::KernelArg argument(const ad::Shape& shape, const double* v) {
  ad::KernelArg a;
  a.shape = shape;
  a.v = v;
  return a;
}

/// Mean over many draws of what `use` makes of one.
template <class Use>
double mean_of(const char* name, std::span<const ad::KernelArg> in, std::size_t size, Use use) {
  Rng rng(29);
  std::vector<double> draw(size);
  double sum = 0;
  for (int k = 0; k < kDraws; ++k) {
    ad::find_multi_rng(name)->draw(rng, in, draw.data());
    sum += static_cast<double>(use(draw)) / kDraws;
  }
  return sum;
}

TEST(KernelRng, CategoriesHaveTheirProbabilities) {
  const double theta[] = {0.1, 0.25, 0.65};
  const ad::KernelArg in[] = {argument(ad::Shape::vector(3), theta)};
  for (int k = 1; k <= 3; ++k) {
    const double share = mean_of("categorical_rng", in, 1, [&](const auto& x) { return x[0] == k; });
    EXPECT_NEAR(share, theta[k - 1], 6 * std::sqrt(theta[k - 1] * (1 - theta[k - 1]) / kDraws)) << k;
  }
}

TEST(KernelRng, DirichletMultinomialHasItsMoments) {
  // n p and n p (1 - p) (n + a) / (1 + a), where a is the sum of alpha and p = alpha / a.
  const double alpha[] = {0.7, 1.8, 2.5};
  const std::int32_t n = 12;
  ad::KernelArg count;
  count.i = &n;
  const ad::KernelArg in[] = {argument(ad::Shape::vector(3), alpha), count};
  for (std::size_t k = 0; k < 3; ++k) {
    const double p = alpha[k] / 5, mean = n * p, variance = n * p * (1 - p) * (n + 5) / 6;
    EXPECT_NEAR(mean_of("dirichlet_multinomial_rng", in, 3, [&](const auto& x) { return x[k]; }), mean,
                6 * std::sqrt(variance / kDraws));
    EXPECT_NEAR(mean_of("dirichlet_multinomial_rng", in, 3, [&](const auto& x) { return std::pow(x[k] - mean, 2); }), variance,
                0.05 * variance);
  }
}

TEST(KernelRng, FactorOfWishart) {
  // E(L L') = nu S, with variances nu (s_ij² + s_ii s_jj).
  const double nu = 6, factor[] = {1, 0.5, 0, 2};
  const double s[] = {1, 0.5, 4.25};
  const ad::KernelArg in[] = {argument({}, &nu), argument(ad::Shape::matrix(2, 2), factor)};
  const auto element = [&](auto use) { return mean_of("wishart_cholesky_rng", in, 4, use); };
  EXPECT_NEAR(element([](const auto& l) { return l[0] * l[0]; }), nu * s[0], 6 * std::sqrt(nu * 2 * s[0] * s[0] / kDraws));
  EXPECT_NEAR(element([](const auto& l) { return l[0] * l[1]; }), nu * s[1],
              6 * std::sqrt(nu * (s[1] * s[1] + s[0] * s[2]) / kDraws));
  EXPECT_NEAR(element([](const auto& l) { return l[1] * l[1] + l[3] * l[3]; }), nu * s[2],
              6 * std::sqrt(nu * 2 * s[2] * s[2] / kDraws));
}

TEST(KernelRng, FactorOfLkj) {
  // Correlations have mean 0 and variance 1 / (2 eta + K - 1): (r + 1) / 2 follows beta(b, b) with b = eta - 1 + K / 2.
  const double eta = 1.5;
  const std::int32_t k = 3;
  ad::KernelArg order;
  order.i = &k;
  const ad::KernelArg in[] = {order, argument({}, &eta)};
  const auto r32 = [](const auto& l) { return l[2] * l[1] + l[5] * l[4]; };
  const double variance = 1 / (2 * eta + k - 1);
  EXPECT_NEAR(mean_of("lkj_corr_cholesky_rng", in, 9, r32), 0, 6 * std::sqrt(variance / kDraws));
  EXPECT_NEAR(mean_of("lkj_corr_cholesky_rng", in, 9, [&](const auto& l) { return std::pow(r32(l), 2); }), variance, 0.04 * variance);
  EXPECT_NEAR(mean_of("lkj_corr_cholesky_rng", in, 9, [&](const auto& l) { return l[1] * l[1]; }), variance, 0.04 * variance);
}

TEST(KernelRng, HiddenStatesFollowTheChain) {
  // Two states that never mix, and emissions that decide: the states are known.
  const double log_omega[] = {0, -1e3, 0, -1e3}, gamma[] = {1, 0, 0, 1}, rho[] = {0.5, 0.5};
  ad::KernelArg in[3];
  in[0].shape = ad::Shape::matrix(2, 2);
  in[0].v = log_omega;
  in[1].shape = ad::Shape::matrix(2, 2);
  in[1].v = gamma;
  in[2].shape = ad::Shape::vector(2);
  in[2].v = rho;
  Rng rng(3);
  double states[2];
  ad::find_multi_rng("hmm_latent_rng")->draw(rng, std::span<const ad::KernelArg>(in, 3), states);
  EXPECT_EQ(states[0], 1);
  EXPECT_EQ(states[1], 1);
}

}  // namespace
}  // namespace fermiac::battery
