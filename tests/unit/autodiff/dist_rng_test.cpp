// Draws against exact moments, quantiles and masses, and against this library's own distribution functions.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "autodiff/distributions/detail/rng.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

using simdjson::dom::element;

constexpr int kDraws = 50'000;
constexpr double kSigmas = 5;  // of a test statistic: chance of one false alarm in 1e6

std::string read_gzip(const std::string& path) {
  std::string text;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(("gzip -dc '" + path + "'").c_str(), "r"), pclose);
  char buffer[1 << 16];
  while (const std::size_t n = fread(buffer, 1, sizeof buffer, pipe.get())) text.append(buffer, n);
  return text;
}

std::vector<double> sample(const RngOp& op, const std::vector<double>& x, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> draws(kDraws);
  for (double& d : draws) d = draw(op, rng, x.data());
  std::ranges::sort(draws);
  return draws;
}

void check_moments(element e, const std::vector<double>& draws) {
  double mean = 0, m2 = 0;
  for (const double d : draws) mean += d / kDraws;
  for (const double d : draws) m2 += (d - mean) * (d - mean) / (kDraws - 1);
  double exact = 0, variance = 0, se = 0;
  const bool has_mean = !e["exact_mean"].get(exact) && !e["exact_var"].get(variance);
  if (has_mean) {
    EXPECT_NEAR(mean, exact, kSigmas * std::sqrt(variance / kDraws) + 1e-12);
  }
  std::int64_t draws_there = 0;  // that the recorded standard error of the variance belongs to
  const bool has_variance = has_mean && !e["var_se"].get(se) && !e["draws"].get(draws_there);
  if (has_variance) {
    EXPECT_NEAR(m2, variance, kSigmas * se * std::sqrt(static_cast<double>(draws_there) / kDraws) + 1e-12);
  }
}

void check_quantiles(element e, const std::vector<double>& draws) {
  simdjson::dom::object quantiles;
  if (e["exact_quantiles"].get(quantiles)) return;
  for (const auto [key, value] : quantiles) {
    const double p = std::stod(std::string(key));
    const auto below = std::ranges::upper_bound(draws, value.get_double().value()) - draws.begin();
    EXPECT_NEAR(static_cast<double>(below) / kDraws, p, kSigmas * std::sqrt(p * (1 - p) / kDraws)) << "quantile " << p;
  }
}

void check_mass(double value, double p, const std::vector<double>& draws) {
  const auto [first, last] = std::equal_range(draws.begin(), draws.end(), value);
  const double sd = std::sqrt(p * (1 - p) / kDraws);
  EXPECT_NEAR(static_cast<double>(last - first) / kDraws, p, kSigmas * sd + 2.0 / kDraws) << "mass at " << value;
}

TEST(Rng, ExactMomentsQuantilesAndMasses) {
  const std::string text = read_gzip(FERMIAC_SOURCE_DIR "/tests/battery/data/rng_univariate.jsonl.gz");
  simdjson::dom::parser parser;
  const simdjson::padded_string padded(text);
  int cases = 0;
  for (const element e : parser.parse_many(padded)) {
    const std::string name(e["fn"].get_string().value());
    SCOPED_TRACE(std::string(e["id"].get_string().value()));
    const RngOp* op = find_rng(name);
    ASSERT_NE(op, nullptr);
    std::vector<double> x;
    for (const element a : e["args"].get_array()) x.push_back(a.get_double().value());
    ASSERT_EQ(x.size(), static_cast<std::size_t>(op->arity));
    const std::vector<double> draws = sample(*op, x, 20 + static_cast<std::uint64_t>(cases));
    check_moments(e, draws);
    check_quantiles(e, draws);
    simdjson::dom::object pmf;
    if (!e["exact_pmf"].get(pmf))
      for (const auto [key, p] : pmf) check_mass(std::stod(std::string(key)), p.get_double().value(), draws);
    ++cases;
  }
  EXPECT_GT(cases, 25);
}

/// Arguments for each generator; several where an algorithm has branches.
const std::multimap<std::string, std::vector<double>>& arguments() {
  static const std::multimap<std::string, std::vector<double>> kArguments = {
      {"std_normal", {}}, {"normal", {1, 2}}, {"lognormal", {0.2, 0.5}}, {"cauchy", {0.3, 2}}, {"student_t", {3.5, 1, 2}},
      {"student_t", {0.8, 0, 1}}, {"logistic", {1, 0.4}}, {"loglogistic", {2, 3}}, {"double_exponential", {1, 2}},
      {"gumbel", {0.5, 1.5}}, {"exponential", {2}}, {"gamma", {3.2, 2}}, {"gamma", {0.3, 2}}, {"inv_gamma", {2.5, 1}},
      {"chi_square", {5}}, {"inv_chi_square", {4}}, {"scaled_inv_chi_square", {4, 1.5}}, {"weibull", {1.5, 2}},
      {"frechet", {3, 2}}, {"rayleigh", {2}}, {"pareto", {1.5, 3}}, {"pareto_type_2", {0.5, 2, 3}}, {"beta", {2, 3}},
      {"beta", {0.2, 0.4}}, {"beta_proportion", {0.3, 5}}, {"uniform", {-1, 3}}, {"skew_normal", {0.2, 1.5, 4}},
      {"exp_mod_normal", {0, 1, 0.7}}, {"skew_double_exponential", {0.5, 1.2, 0.3}}, {"von_mises", {0, 2}},
      {"von_mises", {0, 30}}, {"bernoulli", {0.3}}, {"binomial", {20, 0.2}}, {"binomial", {100, 0.7}},
      {"binomial", {1000, 0.4}}, {"beta_binomial", {15, 2, 3}}, {"beta_neg_binomial", {3, 6, 2}}, {"poisson", {3}},
      {"poisson", {40}}, {"neg_binomial", {2.5, 0.5}}, {"neg_binomial_2", {6, 2}}, {"discrete_range", {-2, 5}},
      {"yule_simon", {2.5}}};
  return kArguments;
}

/// Kolmogorov's statistic of F(draws), times sqrt(n): 2.7 is exceeded once in a million.
double kolmogorov(const MapOp& cdf, const std::vector<double>& x, std::vector<double> draws) {
  double worst = 0;
  for (int i = 0; i < kDraws; i += 50) {
    double args[kMaxMapArity] = {draws[static_cast<std::size_t>(i)]};
    std::ranges::copy(x, args + 1);
    worst = std::max(worst, std::fabs(cdf.value(args, Keep::everything()) - (i + 0.5) / kDraws));
  }
  return worst * std::sqrt(kDraws);
}

TEST(Rng, FollowsItsDistributionFunction) {
  for (const auto& [name, x] : arguments()) {
    SCOPED_TRACE(fmt::format("{}({})", name, fmt::join(x, ", ")));
    const RngOp* op = find_rng(name + "_rng");
    ASSERT_NE(op, nullptr);
    std::vector<double> draws = sample(*op, x, 7);
    if (name == "von_mises") {  // draws are around mu mod 2 pi, the distribution function is on [-pi, pi]
      for (double& d : draws) d = std::remainder(d, 2 * M_PI);
      std::ranges::sort(draws);
    }
    if (!op->integer_result) {
      const MapCode cdf = find_map(name + "_cdf");
      ASSERT_NE(cdf, kNoMap);
      EXPECT_LT(kolmogorov(map_op(cdf), x, draws), 2.7);
      continue;
    }
    const MapOp& lpmf = map_op(find_map(name + "_lpmf"));
    for (double n = draws.front(); n <= draws.back() && n < draws.front() + 60; ++n) {
      double args[kMaxMapArity] = {n};
      std::ranges::copy(x, args + 1);
      check_mass(n, std::exp(lpmf.value(args, Keep::everything())), draws);
    }
  }
}

TEST(Rng, HypergeometricCoversItsSupport) {
  const RngOp* op = find_rng("hypergeometric_rng");
  const std::vector<double> draws = sample(*op, {5, 4, 3}, 3);  // 5 drawn from 4 marked and 3 others
  const MapOp& lpmf = map_op(find_map("hypergeometric_lpmf"));
  for (double n = 2; n <= 4; ++n) {
    const double args[] = {n, 5, 4, 3};
    check_mass(n, std::exp(lpmf.value(args, Keep::everything())), draws);
  }
}

TEST(Rng, EveryGeneratorNamesABadArgument) {
  Rng rng(1);
  for (const RngOp& op : all_rngs()) {
    if (op.arity == 0 || op.name == "discrete_range_rng") continue;
    const double bad[kMaxMapArity] = {std::nan(""), std::nan(""), std::nan(""), std::nan("")};
    try {
      draw(op, rng, bad);
      ADD_FAILURE() << op.name << " accepts nan";
    } catch (const DomainError& error) {
      EXPECT_TRUE(std::string_view(error.what()).starts_with(op.name)) << error.what();
    }
  }
  const double x[] = {0.5, -1};
  try {
    draw(*find_rng("normal_rng"), rng, x);
    ADD_FAILURE();
  } catch (const DomainError& error) {
    EXPECT_STREQ(error.what(), "normal_rng: Scale parameter is -1, but must be positive finite!");
  }
}

TEST(Rng, OverflowOfAnIntIsAnError) {
  Rng rng(1);
  const double rate[] = {2e9};
  EXPECT_THROW(draw(*find_rng("poisson_rng"), rng, rate), DomainError);
  const double log_rate[] = {21.0};
  EXPECT_THROW(draw(*find_rng("poisson_log_rng"), rng, log_rate), DomainError);
  const double mean[] = {1e12, 5.0};
  EXPECT_THROW(draw(*find_rng("neg_binomial_2_rng"), rng, mean), DomainError);
}

TEST(Rng, VectorsOfDrawsNameTheElement) {
  Rng rng(1);
  std::vector<double> scale = {1, 2, -3, 4}, out(8);
  const double mu = 0;
  MapArgs args;
  args.x[0] = &mu;
  args.x[1] = scale.data();
  args.vector_mask = 0b10;
  args.n = 4;
  args.out = out.data();
  try {
    draw_all(*find_rng("normal_rng"), rng, args);
    ADD_FAILURE();
  } catch (const DomainError& error) {
    EXPECT_STREQ(error.what(), "normal_rng: Scale parameter[3] is -3, but must be positive finite!");
  }
  scale[2] = 3;
  draw_all(*find_rng("normal_rng"), rng, args);
  EXPECT_NE(out[0], out[1]);
}

}  // namespace
}  // namespace fermiac::ad
