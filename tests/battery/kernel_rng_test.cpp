// Means, covariances and probabilities of draws against exact values, at six standard errors.
#include <gtest/gtest.h>

#include "autodiff/linalg/dense.h"
#include "autodiff/multi/rng.h"
#include "interp/io/oracle_values.h"
#include "tests/battery/kernel_battery.inl"

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

Moments draw_moments(const ad::MultiRng& r, const Case& c) {
  Bound b(c);
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
    Case c;
    c.id = std::string(std::string_view(e["id"]));
    c.fn = std::string(std::string_view(e["fn"]));
    for (element a : e["args"].get_array()) c.args.push_back(read_argument(a, is_int_argument(c.fn, c.args.size())));
    const ad::MultiRng* r = ad::find_multi_rng(c.fn);
    ASSERT_NE(r, nullptr) << c.fn;
    if (interp::oracle::known_difference(c.id) != nullptr) continue;  // wrong there; oracle_functions_test has it right
    const Moments m = draw_moments(*r, c);
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
        EXPECT_NEAR(got[i], want[i], 6 * standard_error(i) * (known ? 1.0 : 1.5) + 1e-9) << c.id << " " << exact << " " << i;
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
