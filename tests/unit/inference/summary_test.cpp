// Effective sample sizes, R-hat, the table and the checks, against values that follow from theory.
#include "inference/diagnostics/summary.h"
#include "inference/math/quantiles.h"
#include "support/base/number_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "inference/model/column_names.h"
#include "support/base/rng.h"

namespace fermiac::inference {
namespace {

double phi(double z) {
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

TEST(NormalQuantile, InvertsTheDistributionFunction) {
  for (const double p : {1e-300, 1e-20, 1e-8, 0.001, 0.02425, 0.07, 0.075, 0.3, 0.5, 0.6, 0.925, 0.93, 0.999}) {
    const double z = normal_quantile(p);
    EXPECT_NEAR(phi(z) / p, 1, 1e-12 * (1 + z * z)) << p;
  }
  EXPECT_EQ(normal_quantile(0.5), 0);
  EXPECT_DOUBLE_EQ(normal_quantile(0.975), 1.959963984540054);
  EXPECT_EQ(normal_quantile(0), -kInf);
}

TEST(Quantile, InterpolatesOrderStatistics) {
  const Vec x = {1, 2, 4, 8};
  EXPECT_DOUBLE_EQ(quantile_sorted(x, 0), 1);
  EXPECT_DOUBLE_EQ(quantile_sorted(x, 0.5), 3);
  EXPECT_DOUBLE_EQ(quantile_sorted(x, 0.75), 5);
  EXPECT_DOUBLE_EQ(quantile_sorted(x, 1), 8);
}

/// A stationary AR(1) process with standard normal margins.
ChainVecs ar1(double rho, std::size_t chains, std::size_t draws, std::uint64_t seed) {
  ChainVecs out(chains, Vec(draws));
  for (std::size_t c = 0; c < chains; ++c) {
    Rng rng(seed, c);
    double x = rng.normal();
    for (double& value : out[c]) value = x = rho * x + std::sqrt(1 - rho * rho) * rng.normal();
  }
  return out;
}

TEST(Ess, IndependentDrawsCountFully) {
  const ChainVecs x = ar1(0, 4, 5000, 3);
  EXPECT_NEAR(ess_mean(x) / 20000, 1, 0.06);
  EXPECT_NEAR(ess_bulk(x) / 20000, 1, 0.06);
  EXPECT_NEAR(ess_tail(x) / 20000, 1, 0.12);
  EXPECT_NEAR(rhat(x), 1, 0.002);
}

TEST(Ess, AutoregressionHasTheTheoreticalValue) {
  // The integrated autocorrelation time of AR(1) is (1 + rho) / (1 - rho).
  for (const double rho : {0.3, 0.7, 0.9, -0.5}) {
    const ChainVecs x = ar1(rho, 4, 20000, 5);
    const double expected = 80000 * (1 - rho) / (1 + rho);
    EXPECT_NEAR(ess_mean(x) / expected, 1, 0.1) << rho;
    EXPECT_NEAR(ess_bulk(x) / expected, 1, 0.1) << rho;
  }
}

TEST(Ess, LongMemoryUsesTheFourierTransform) {
  // Needs far more lags than are summed directly; the transform must continue the same sequence.
  const ChainVecs x = ar1(0.99, 2, 60000, 7);
  EXPECT_NEAR(ess_mean(x) / (120000 * 0.01 / 1.99), 1, 0.2);
}

TEST(Ess, RankNormalisationIsInvariantUnderMonotoneMaps) {
  const ChainVecs x = ar1(0.5, 4, 500, 9);
  ChainVecs y = x;
  for (Vec& chain : y)
    for (double& v : chain) v = std::exp(3 * v);
  EXPECT_DOUBLE_EQ(ess_bulk(x), ess_bulk(y));
  EXPECT_NE(ess_mean(x), ess_mean(y));
}

TEST(Ess, HandWorkedExample) {
  // One chain of 8 draws, split into {1, -1, 2, 0} and {3, 1, 2, 4}: means 0.5 and 2.5. With halves of four draws the
  // sum stops after the first pair: lag-0 autocovariances 1.25 each; lag 1: (-0.75 - 2.25 - 0.75) / 4 = -0.9375 and
  // (-0.75 + 0.75 - 0.75) / 4 = -0.1875, mean -0.5625. mean_var = 5/3, var_plus = 1.25 + 2 = 3.25,
  // rho_1 = 1 - (5/3 + 0.5625) / 3.25. No pair is added since 4 - 5 < 0: tau = -1 + rho_0 = 0, so it is bounded below
  // by 1 / log10(8).
  EXPECT_NEAR(ess_mean({{1, -1, 2, 0, 3, 1, 2, 4}}), 8 * std::log10(8.0), 1e-12);
}

TEST(Rhat, HandWorkedExample) {
  // Ranks of two chains of four, split in halves of two: z-scores of ranks 1..8 with Blom's offsets.
  const ChainVecs x = {{1, 2, 5, 6}, {3, 4, 7, 8}};
  double z[9];
  for (int r = 1; r <= 8; ++r) z[r] = normal_quantile((r - 0.375) / 8.25);
  const double halves[4][2] = {{z[1], z[2]}, {z[5], z[6]}, {z[3], z[4]}, {z[7], z[8]}};
  double within = 0, means[4], grand = 0, between = 0;
  for (int h = 0; h < 4; ++h) {
    means[h] = (halves[h][0] + halves[h][1]) / 2;
    within += std::pow(halves[h][0] - halves[h][1], 2) / 2 / 4;
    grand += means[h] / 4;
  }
  for (const double m : means) between += 2 * (m - grand) * (m - grand) / 3;
  EXPECT_NEAR(rhat(x), std::sqrt((between / within + 1) / 2), 1e-12);
}

TEST(Rhat, SeesShiftedAndScaledChains) {
  ChainVecs shifted = ar1(0, 4, 1000, 1), scaled = shifted;
  for (double& v : shifted[0]) v += 1;
  for (double& v : scaled[0]) v *= 4;
  EXPECT_GT(rhat(shifted), 1.05);
  EXPECT_GT(rhat(scaled), 1.05);  // only the folded draws show this
}

TEST(Rhat, UndefinedForConstantsAndNaN) {
  EXPECT_TRUE(std::isnan(rhat({Vec(10, 2.0), Vec(10, 2.0)})));
  EXPECT_TRUE(std::isnan(ess_bulk({Vec(10, 2.0), Vec(10, 3.0)})));
  ChainVecs x = ar1(0, 2, 10, 1);
  x[0][3] = kNaN;
  EXPECT_TRUE(std::isnan(rhat(x)));
  EXPECT_TRUE(std::isnan(ess_tail(x)));
}

// --- table and checks
// -------------------------------------------------------------------------------------------------

ChainSet example() {
  ChainSet set;
  set.model_name = "example_model";
  set.names = {"lp__", "divergent__", "treedepth__", "energy__", "mu", "x.1", "x.1.2"};
  set.num_samples = 500;
  set.num_warmup = 300;
  set.method = "hmc with nuts";
  set.elapsed = {{0.007, 0.006}, {0.005, 0.003}};
  for (std::uint64_t c = 0; c < 2; ++c) {
    Rng rng(21, c);
    Vec rows;
    for (int i = 0; i < 500; ++i)
      for (const double x : {-10 + rng.normal(), i < 5 ? 1.0 : 0.0, i < 20 ? 10.0 : 3.0, 12 + rng.normal(),
                             100 + rng.normal(), 0.01 * rng.normal(), double(c)})
        rows.push_back(x);
    set.rows.push_back(rows);
  }
  return set;
}

TEST(Summary, MomentsAndQuantiles) {
  ChainSet set;
  set.names = {"x"};
  set.rows = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
  const ColumnSummary c = summarise(set)[0];
  EXPECT_DOUBLE_EQ(c.mean, 5.5);
  EXPECT_DOUBLE_EQ(c.sd, std::sqrt(55.0 / 6));
  EXPECT_DOUBLE_EQ(c.quantiles[0], 1.45);
  EXPECT_DOUBLE_EQ(c.quantiles[1], 5.5);
  EXPECT_DOUBLE_EQ(c.quantiles[2], 9.55);
  EXPECT_NEAR(c.mad, 2.5 * 1.482602218505602, 1e-12);
}

TEST(Summary, TableLayout) {
  const ChainSet set = example();
  const std::string text = summary_text(set, summarise(set));
  EXPECT_TRUE(
      text.starts_with("Inference for Stan model: example_model\n"
                       "2 chains: each with iter=500; warmup=300; thin=1; 500 iterations saved.\n\n"
                       "Warmup took (0.0070, 0.0050) seconds, 0.012 seconds total\n"
                       "Sampling took (0.0060, 0.0030) seconds, 0.0090 seconds total\n\n"))
      << text;
  EXPECT_NE(text.find("\nx[1,2]"), std::string::npos);
  EXPECT_NE(text.find("\nSamples were drawn using hmc with nuts.\n"), std::string::npos);
  // All rows of the table end in the same column.
  std::size_t width = 0, rows = 0;
  for (std::size_t at = text.find("  Mean"); at < text.find("\nSamples");) {
    const std::size_t end = text.find('\n', at);
    const std::size_t begin = text.rfind('\n', at) + 1;
    if (end > begin) {
      if (width == 0) width = end - begin;
      EXPECT_EQ(end - begin, width) << text.substr(begin, end - begin);
      ++rows;
    }
    at = end + 1;
  }
  EXPECT_EQ(rows, 8u);
}

TEST(Summary, HeadingOfGeneratedQuantitiesCountsTheirDraws) {
  ChainSet set;
  set.model_name = "m_model";
  set.names = {"x"};
  set.rows = {{1, 2, 3}, {1, 2, 3}};
  EXPECT_EQ(summary_heading(set), "Inference for Stan model: m_model\n2 chains: 3 draws each.\n\n");
}

TEST(Summary, PrettyNames) {
  EXPECT_EQ(pretty_name("mu"), "mu");
  EXPECT_EQ(pretty_name("theta.3"), "theta[3]");
  EXPECT_EQ(pretty_name("a.1.2"), "a[1,2]");
  EXPECT_EQ(pretty_name("t:1"), "t.1");
  EXPECT_EQ(pretty_name("t.2:1.3"), "t[2].1[3]");
}

TEST(Problems, OneEntryPerVariableWithItsWorstElement) {
  Problems p;
  p.high_rhat = {{"theta.3", 1.034}, {"tau", 1.02}, {"theta.1", 1.012}, {"theta.2", 1.011}, {"t:1.2", 1.011}, {"t:2", 1.0105}};
  EXPECT_NE(problems_in_words(p).find("R-hat: above 1.01 for 3 elements of theta (worst theta[3], 1.034), tau (1.020), "
                                      "2 elements of t (worst t.1[2], 1.011)."),
            std::string::npos)
      << problems_in_words(p);
}

TEST(Problems, ParametersBeforeWhatIsComputedFromThem) {
  ChainSet set;
  set.names = {"a", "b", "t", "g"};
  set.blocks = {{"t", VariableBlock::Transformed}, {"g", VariableBlock::Generated}};
  const ChainVecs base = ar1(0, 2, 1000, 6);
  for (std::size_t c = 0; c < 2; ++c) {
    Vec rows;
    for (const double x : base[c]) rows.insert(rows.end(), {x + 0.3 * double(c), x + 0.5 * double(c), x + 2 * double(c), x + 3 * double(c)});
    set.rows.push_back(rows);
  }
  const std::string words = problems_in_words(find_problems(set, summarise(set)));
  const std::size_t a = words.find("a ("), b = words.find("b ("), t = words.find("t ("), g = words.find("g (");
  EXPECT_LT(b, a) << words;  // within a block the worst comes first
  EXPECT_LT(a, t) << words;
  EXPECT_LT(t, g) << words;
}

/// Independent draws: as many are above 1.01 as the formula expects.
TEST(Problems, PureDrawsAreSetApart) {
  ChainSet set;
  constexpr std::size_t kColumns = 2000, kDraws = 150;
  set.names = {"divergent__", "mu"};
  for (std::size_t i = 1; i <= kColumns; ++i) set.names.push_back("y." + std::to_string(i));
  set.blocks = {{"y", VariableBlock::Simulated}};
  for (std::uint64_t c = 0; c < 4; ++c) {
    Rng rng(8, c);
    Vec rows;
    for (std::size_t i = 0; i < kDraws; ++i) {
      rows.push_back(0);
      for (std::size_t k = 0; k <= kColumns; ++k) rows.push_back(k == 0 ? double(i) / kDraws : rng.normal());
    }
    set.rows.push_back(rows);
  }
  Problems p = find_problems(set, summarise(set));
  EXPECT_EQ(p.drawn.count, kColumns);
  const double expected = p.drawn.expected_high_rhat, found = static_cast<double>(p.drawn.high_rhat.size());
  EXPECT_GT(expected, 20);
  EXPECT_NEAR(found, expected, 4 * std::sqrt(expected));
  EXPECT_TRUE(p.drawn.rhat_by_chance());
  for (const Finding& f : p.high_rhat) EXPECT_EQ(f.name, "mu");
  const std::string words = problems_in_words(p);
  EXPECT_NE(words.find("Simulated quantities (2000 columns): R-hat above 1.01 for "), std::string::npos) << words;
  EXPECT_NE(words.find("By chance alone, about " + format_number(std::round(expected), 6) + " are expected.\n"), std::string::npos) << words;
  EXPECT_NE(words.find("With so few draws, some are below by chance."), std::string::npos) << words;
  p.low_ess.clear();
  p.high_rhat.clear();
  EXPECT_FALSE(p.any());
  EXPECT_EQ(verdict(p).find("No sampling problems found.\nSimulated quantities (2000 columns): R-hat above 1.01 for "), 0u) << verdict(p);
  EXPECT_TRUE(check_text(p).ends_with("Processing complete.\n"));
}

TEST(Problems, PureDrawsOfParametersThatDisagreeAreAProblem) {
  Problems p;
  p.drawn = {.count = 3, .expected_high_rhat = 1e-9, .high_rhat = {{"y.2", 1.2}}};
  EXPECT_TRUE(p.any());
  EXPECT_NE(problems_in_words(p).find("Simulated quantities (3 columns): R-hat above 1.01 for y[2] (1.200). By chance alone, none is expected: these depend "
                                      "on parameters on which the chains do not agree yet.\n"),
            std::string::npos)
      << problems_in_words(p);
}

TEST(Problems, TheReportOfDiagnoseHasOneEntryPerVariable) {
  Problems p;
  p.high_rhat = {{"tau", 1.02}, {"theta.3", 1.034}, {"theta.1", 1.012}};
  p.low_ess = {{"theta.2", 3}, {"theta.3", 4}};
  p.drawn.high_rhat = {{"y.7", 1.05}};
  const std::string text = check_text(p);
  EXPECT_NE(text.find("greater than 1.01:\n  tau, 2 elements of theta (worst theta[3], 1.034), y[7]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  2 elements of theta (worst theta[2], 3)\n"), std::string::npos) << text;
}

TEST(Problems, ManyVariablesAreCounted) {
  Problems p;
  for (int i = 0; i < 12; ++i)
    for (int k = 1; k <= 100; ++k) p.high_rhat.push_back({"v" + std::to_string(i) + "." + std::to_string(k), 1.2});
  EXPECT_NE(problems_in_words(p).find("100 elements of v7 (worst v7[1], 1.200) and 4 more variables."), std::string::npos)
      << problems_in_words(p);
}

TEST(Check, FindsEachProblem) {
  const ChainSet set = example();
  const Problems p = find_problems(set, summarise(set));
  EXPECT_EQ(p.divergent, 10u);
  EXPECT_EQ(p.at_max_treedepth, 40u);
  EXPECT_TRUE(p.low_ebfmi.empty());
  ASSERT_EQ(p.high_rhat.size(), 1u);
  EXPECT_EQ(p.high_rhat[0].name, "x.1.2");  // stuck at different values
  EXPECT_TRUE(std::isnan(p.high_rhat[0].value));
  EXPECT_NE(problems_in_words(p).find("R-hat: above 1.01 for x[1,2] (stuck)."), std::string::npos);
  const std::string text = check_text(p);
  EXPECT_NE(text.find("10 of 1000 (1%) transitions ended with a divergence."), std::string::npos) << text;
  EXPECT_NE(text.find("40 of 1000 (4%) transitions hit the maximum treedepth limit of 10, or 2^10 leapfrog steps."),
            std::string::npos);
  EXPECT_NE(text.find("  x[1,2]\n"), std::string::npos);
  EXPECT_TRUE(text.ends_with("Processing complete.\n"));
}

TEST(Check, NamesAChainThatIsNowhereNearTheOthers) {
  ChainSet chains;
  chains.names = {"lp__", "energy__", "x", "y"};
  Rng rng(3, 1);
  for (int c = 0; c < 4; ++c) {
    Vec rows;
    for (int i = 0; i < 200; ++i) {
      const double away = c == 2 ? 500 : 0, x = rng.normal(), y = rng.normal();
      rows.insert(rows.end(), {-0.5 * x * x - away, 0.5 * x * x + away + 1, x + away, y});
    }
    chains.rows.push_back(std::move(rows));
  }
  const std::vector<StuckChain> stuck = find_stuck(chains);
  ASSERT_EQ(stuck.size(), 1U);
  EXPECT_EQ(stuck[0].chain, 2U);
  EXPECT_NE(stuck[0].best, 2U);
  ASSERT_EQ(stuck[0].places.size(), 2U);
  EXPECT_EQ(stuck[0].places[0].quantity, "x");
  EXPECT_NEAR(stuck[0].places[0].here, 500, 0.5);
  const std::string words = problems_in_words(find_problems(chains, summarise(chains)));
  EXPECT_EQ(words.find("Chain 3 is stuck: its log density is between -50"), 0U) << words;
  EXPECT_NE(words.find("It sits at x = "), std::string::npos) << words;
}

/// A mode of a lower density, where one draw in a thousand of the other chains is as low.
TEST(Check, OneStrayDrawOfTheBestChainDoesNotHideAStuckOne) {
  const auto chains = [](int stray) {
    ChainSet set;
    set.names = {"lp__", "energy__", "x"};
    for (int c = 0; c < 2; ++c) {
      Vec rows;
      for (int i = 0; i < 1000; ++i) {
        const double lp = c == 1 ? -7.2 - i % 4 : i < stray ? -7.5 : -1.0 - i % 5;
        rows.insert(rows.end(), {lp, 0.1 - lp, c * 40.0 + i % 7});
      }
      set.rows.push_back(std::move(rows));
    }
    return set;
  };
  for (const int stray : {0, 1, 10}) ASSERT_EQ(find_stuck(chains(stray)).size(), 1u) << stray;
  EXPECT_EQ(find_stuck(chains(1))[0].best_lowest, -5);
  EXPECT_TRUE(find_stuck(chains(11)).empty());
}

TEST(Check, ChainsWithoutNumbersAreNotStuckAndHarmNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const int numbers : {0, 1, 300}) {
    ChainSet chains;
    chains.names = {"lp__", "energy__", "x"};
    for (int c = 0; c < 3; ++c) {
      Vec rows;
      for (int i = 0; i < 1000; ++i) rows.insert(rows.end(), {i < numbers ? -1.0 - c : nan, i < numbers ? 2.0 : nan, nan});
      chains.rows.push_back(std::move(rows));
    }
    EXPECT_TRUE(find_stuck(chains).empty()) << numbers;
  }
}

TEST(Check, ChainsThatOverlapAreNotStuck) {
  ChainSet chains;
  chains.names = {"lp__", "energy__", "x"};
  for (int c = 0; c < 2; ++c) chains.rows.push_back({-1.0 - c, 2.0 + c, 1, -2.5, 3, 1});
  EXPECT_TRUE(find_stuck(chains).empty());
  chains.rows[1] = {-11, 2, 1, -12, 3, 1};
  chains.names = {"lp__", "x", "y"};  // no energies, no judgement
  EXPECT_TRUE(find_stuck(chains).empty());
  chains.names = {"lp__", "accept_x__", "x"};  // samplers by block without energies
  EXPECT_EQ(find_stuck(chains).size(), 1u);
}

TEST(Check, NamesTheWorstFirstWithTheirValues) {
  ChainSet set;
  set.names = {"a", "b"};
  const ChainVecs base = ar1(0, 2, 1000, 6);
  for (std::size_t c = 0; c < 2; ++c) {
    Vec rows;
    for (const double x : base[c]) rows.insert(rows.end(), {x + 0.3 * double(c), x + double(c)});
    set.rows.push_back(rows);
  }
  const Problems p = find_problems(set, summarise(set));
  ASSERT_EQ(p.high_rhat.size(), 2u);
  EXPECT_EQ(p.high_rhat[0].name, "b");
  EXPECT_GT(p.high_rhat[0].value, p.high_rhat[1].value);
  char worst[32];
  std::snprintf(worst, sizeof worst, "b (%.3f), a (", p.high_rhat[0].value);
  EXPECT_NE(problems_in_words(p).find(worst), std::string::npos) << problems_in_words(p);
}

TEST(Check, ValuesNextToALimitDoNotReadAsTheLimit) {
  Problems p;
  p.high_rhat = {{"a", 1.01004}, {"b", 1.0102}, {"c", 1.034}};
  p.low_ebfmi = {0.2999, 0.296, 0.244};
  const std::string words = problems_in_words(p);
  EXPECT_NE(words.find("a (1.01004), b (1.0102), c (1.034)."), std::string::npos) << words;
  EXPECT_NE(words.find("E-BFMI is 0.2999, 0.296, 0.24, below"), std::string::npos) << words;
}

TEST(Check, LowEnergyFraction) {
  ChainSet set;
  set.names = {"energy__", "divergent__"};
  const ChainVecs energy = ar1(0.95, 2, 20000, 4);
  for (const Vec& chain : energy) {
    Vec rows;
    for (const double e : chain) rows.insert(rows.end(), {e, 0.0});
    set.rows.push_back(rows);
  }
  // For AR(1) the expected E-BFMI is 2 (1 - rho) = 0.1.
  const Problems p = find_problems(set, summarise(set));
  ASSERT_EQ(p.low_ebfmi.size(), 2u);
  EXPECT_NEAR(p.low_ebfmi[0], 0.1, 0.04);
  EXPECT_NE(check_text(p).find("below the nominal threshold of 0.30"), std::string::npos);
}

TEST(Check, CleanRunSaysSo) {
  ChainSet set;
  set.names = {"divergent__", "treedepth__", "energy__", "mu"};
  for (std::uint64_t c = 0; c < 4; ++c) {
    Rng rng(8, c);
    Vec rows;
    for (int i = 0; i < 1000; ++i) rows.insert(rows.end(), {0.0, 3.0, rng.normal(), rng.normal()});
    set.rows.push_back(rows);
  }
  const Problems p = find_problems(set, summarise(set));
  EXPECT_FALSE(p.any());
  EXPECT_EQ(problems_in_words(p), "");
  EXPECT_EQ(check_text(p),
            "Checking sampler transitions treedepth.\nTreedepth satisfactory for all transitions.\n\n"
            "Checking sampler transitions for divergences.\nNo divergent transitions found.\n\n"
            "Checking E-BFMI - sampler transitions HMC potential energy.\nE-BFMI satisfactory.\n\n"
            "Rank-normalized split effective sample size satisfactory for all parameters.\n\n"
            "Rank-normalized split R-hat values satisfactory for all parameters.\n\n"
            "Processing complete, no problems detected.\n");
}

}  // namespace
}  // namespace fermiac::inference
