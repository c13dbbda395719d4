// Distribution functions with large, tiny and very different shapes, and far out: values and slopes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "autodiff/kernels/map_op.h"

namespace fermiac::ad {
namespace {

struct Known {
  const char* name;
  std::vector<double> x;
  double value;
  std::vector<double> partials;  // as many as are known
};

// By integrating the density (or adding the masses) with 40 to 90 digits, slopes by differences at that precision; values
// smaller than 1e-300 are 0 here. Those of von Mises' law to twelve digits, and its slope by the location is the density's, as
// the arc is short.
const Known kKnown[] = {
    {"gamma_lcdf", {1000000000000.0, 1000000000000.0, 1}, -0.69314691459846041, {7.9788434859626452e-7, -7.978843485963975e-7, 797884.34859626452}},
    {"gamma_lccdf", {1000000000000.0, 1000000000000.0, 1}, -0.69314744652150094, {-7.9788477300944609e-7, 7.9788477300957908e-7, -797884.77300944609}},
    {"gamma_lcdf", {100000000000000.0, 100000000000000.0, 1}, -0.69314715396379364, {7.9788453958220618e-8, -7.9788453958220751e-8, 7978845.3958220618}},
    {"gamma_lccdf", {100000000000000.0, 100000000000000.0, 1}, -0.69314720715609769, {-7.9788458202352433e-8, 7.9788458202352567e-8, -7978845.8202352433}},
    {"gamma_lcdf", {1e+20, 1e+20, 1}, -0.69314718053334916, {7.978845607816447e-11, -7.978845607816447e-11, 7978845607.816447}},
    {"gamma_lccdf", {1e+20, 1e+20, 1}, -0.69314718058654146, {-7.9788456082408601e-11, 7.9788456082408602e-11, -7978845608.2408601}},
    {"gamma_lcdf", {1002000.0, 1000000.0, 1}, -0.0230681310714884, {5.5287644892943854e-5, -5.534290494003678e-5, 55.398220182729742}},
    {"gamma_lccdf", {1002000.0, 1000000.0, 1}, -3.780815114473027, {-0.002369173519380895, 0.0023715415102856586, -2373.9118664196568}},
    {"gamma_lcdf", {997000.0, 1000000.0, 1}, -6.616501467306787, {0.003292170458420024, -0.0032872278049270621, 3282.2939470447639}},
    {"gamma_lccdf", {997000.0, 1000000.0, 1}, -0.001339000228132566, {-4.4111696143622632e-6, 4.4045469673341575e-6, -4.3979361055191764}},
    {"gamma_lcdf", {110000000.0, 100000000.0, 1}, 0, {0, 0, 0}},
    {"gamma_lccdf", {110000000.0, 100000000.0, 1}, -468989.84626242701, {-0.09090919090888091, 0.09531028480410487, -10000010.9999769}},
    {"gamma_lcdf", {250000.0, 200000.0, 1}, 0, {0, 0, 0}},
    {"gamma_lccdf", {250000.0, 200000.0, 1}, -5376.9255180465759, {-0.20001999640168683, 0.22316604731817179, -50004.999100421708}},
    {"gamma_lcdf", {9000000000.0, 10000000000.0, 1}, -53605166.707541926, {0.11111111211111109, -0.10536051660782628, 1000000008.9999998}},
    {"gamma_lccdf", {9000000000.0, 10000000000.0, 1}, 0, {0, 0, 0}},
    {"gamma_lcdf", {0.001, 1e-10, 1}, -6.3315393642182963e-10, {9.9900049983347488e-8, -6.3315393643004428, 9.990004998334749e-11}},
    {"gamma_lccdf", {0.001, 1e-10, 1}, -21.180307538165229, {-157.78161392518687, 9999999996.9639725, -0.15778161392518687}},
    {"gamma_lcdf", {1e-20, 0.001, 1}, -0.045475308261597545, {1.0000000000000001e+17, -45.476129928070613, 0.001}},
    {"gamma_lccdf", {1e-20, 0.001, 1}, -3.1132372646926631, {-2.1493744867994375e+18, 977.45233425771311, -0.021493744867994374}},
    {"beta_lcdf", {0.5, 1e+20, 1e+20}, -0.69314718055994531, {22567583341.910251, -5.6418958354775642e-11, 5.6418958354775642e-11}},
    {"beta_lccdf", {0.5, 1e+20, 1e+20}, -0.69314718055994531, {-22567583341.910251, 5.6418958354775642e-11, -5.6418958354775642e-11}},
    {"beta_lcdf", {0.25001, 100000000.0, 300000000.0}, -0.38872331148914932, {24430.047546619258, -4.5806644615592824e-5, 1.5269288692644127e-5}},
    {"beta_lccdf", {0.25001, 100000000.0, 300000000.0}, -1.1329609593221073, {-51421.248364305836, 9.6415483638297135e-5, -3.2139351538814141e-5}},
    {"beta_lcdf", {9.98e-07, 1000000.0, 1000000000000.0}, -3.7831918539768037, {2376390089.3140667, -0.0023740089531752943, 2.3716349398721384e-9}},
    {"beta_lccdf", {9.98e-07, 1000000.0, 1000000000000.0}, -0.023012734259060028, {-55321339.838775491, 5.5265908012945618e-5, -5.5210642003666689e-11}},
    {"beta_lcdf", {0.51, 10000000.0, 10000000.0}, 0, {0, 0, 0}},
    {"beta_lccdf", {0.51, 10000000.0, 10000000.0}, -4006.2128752643769, {-800420.10306682802, 0.019805101678064, -0.020205231686915288}},
    {"beta_lcdf", {2e-08, 3.5, 1000000000.0}, -1.2587909300212406e-6, {1109.4547990892546, -2.449716508620085e-6, 2.2189095732157761e-14}},
    {"beta_lccdf", {2e-08, 3.5, 1000000000.0}, -13.585359506435508, {-881364867.14665249, 1.9460856512038669, -1.7627297144625954e-8}},
    {"beta_lcdf", {2e-07, 0.3, 100000000.0}, -8.1884289572482432e-11, {0.0084623222675490724, -5.3589624377143759e-10, 1.6924642901869826e-17}},
    {"beta_lccdf", {2e-07, 0.3, 100000000.0}, -23.225713968022955, {-103344882.28919564, 6.5445550855653585, -2.0668974463282751e-7}},
    {"beta_lcdf", {3.1e-08, 250.0, 10000000000.0}, -0.00019385199212463295, {403840.11342478109, -4.4913032580648697e-5, 1.2519043166260951e-12}},
    {"beta_lccdf", {3.1e-08, 250.0, 10000000000.0}, -8.5485125417009052, {-2083037515.6762263, 0.23166478192291762, -6.457416118111518e-9}},
    {"beta_lcdf", {0.99999994, 1000000000.0, 40.0}, -5.9723721746193604, {375329448.8943355, -2.2519765807078272e-8, 0.45844643398198456}},
    {"beta_lccdf", {0.99999994, 1000000000.0, 40.0}, -0.0025514416540469223, {-958853.89962274543, 5.7531231099286785e-11, -0.0011711928075100897}},
    {"von_mises_lccdf", {3.1415926535897776, -1.1302460359777278, 66.3549494903815}, -125.261811057, {-6.38341862597e13, -60.0191888504}},
    {"von_mises_lccdf", {3.141592653589789, 9.120807363747659, 38.74449238239517}, -33.9930334914, {-2.42761603454e14, 11.5966575399}},
    {"von_mises_lccdf", {3.141592653589458, -1.7886944721151565, 2.7549897022394156}, -31.3549457098, {-2.98142733452e12, -2.68984516144}},
    {"von_mises_lcdf", {-3.141592653589762, 13.166864223723003, 154.2068505510865}, -310.934944974, {3.20423375463e13, 87.1345497508}},
    {"beta_neg_binomial_lccdf", {6, 1.66, 467, 0.357}, -35.277946847671354, {0, 1.909883643615, -0.014863426688604, 4.817589446943}},
    {"beta_neg_binomial_lcdf", {6, 1.66, 467, 0.357}, -4.775098682605462e-16, {0, -9.1198828705556e-16, 7.0974329199757e-18, -2.3004465021432e-15}},
    {"beta_neg_binomial_lcdf", {877, 359.56, 2446.3, 0.2188}, 0, {0, 0, 0, 0}},
    {"beta_neg_binomial_lcdf", {100000, 3.5, 2.5, 4}, -1.6481024340177132e-10, {0, -9.936650243372e-11, 1.5026004070023e-9, -8.8462031344284e-11}},
    {"beta_neg_binomial_lccdf", {100000, 3.5, 2.5, 4}, -22.526226343903075, {0, 0.60291460272465, -9.1171542245436, 0.53675080814815}},
    {"beta_binomial_lcdf", {1073741823, 2147483647, 20.5, 20.5}, -0.69314718055994531, {0, 0}},
    {"gumbel_lccdf", {-100.0, 0.0, 0.125}, 0.0, {0.0, 0.0, 0.0}},
    {"gumbel_lccdf", {-10.0, 0.5, 0.125}, 0.0, {0.0, 0.0, 0.0}},
    {"gumbel_lccdf", {92.5, 0.0, 0.125}, -740.0, {-8.0, 8.0, 5920.0}},
    {"gumbel_lccdf", {93.0, 0.25, 0.125}, -742.0, {-8.0, 8.0, 5936.0}},
    {"gumbel_lccdf", {1000.0, 1.0, 0.125}, -7992.0, {-8.0, 8.0, 63936.0}},
    {"gumbel_lcdf", {1000.0, 1.0, 0.125}, 0.0, {0.0, 0.0, 0.0}},
    {"weibull_lcdf", {1e-08, 50.0, 2.0}, -955.6913962256156, {5000000000.0, -19.11382792451231, -25.0}},
    {"weibull_lcdf", {1e-06, 50.0, 2.0}, -725.4328869262109, {50000000.0, -14.508657738524219, -25.0}},
    {"weibull_lcdf", {100000000.0, 50.0, 2.0}, 0.0, {0.0, 0.0, 0.0}},
    {"weibull_lccdf", {1e-08, 50.0, 2.0}, 0.0, {0.0, 0.0, 0.0}},
    {"frechet_lccdf", {100000000.0, 50.0, 2.0}, -886.376678169621, {-5e-07, -17.72753356339242, 25.0}},
    {"frechet_lccdf", {1000000.0, 50.0, 2.0}, -656.1181688702164, {-5e-05, -13.122363377404328, 25.0}},
    {"frechet_lccdf", {1e-08, 50.0, 2.0}, 0.0, {0.0, 0.0, 0.0}},
    {"frechet_lcdf", {100000000.0, 50.0, 2.0}, 0.0, {0.0, 0.0, 0.0}},
};

double value_at(const char* name, const std::vector<double>& x, std::vector<double>& partials) {
  double operands[kMaxMapArity] = {}, d[kMaxMapArity] = {};
  std::copy(x.begin(), x.end(), operands);
  const double v = map_op(find_map(name)).value_and_partials(operands, Keep::everything(), d);
  partials.assign(d, d + x.size());
  return v;
}
double relative_error(double got, double expected) {
  return std::fabs(got - expected) / std::max(std::fabs(expected), 1e-300);
}

TEST(Tails, KnownValues) {
  for (const Known& k : kKnown) {
    SCOPED_TRACE(fmt::format("{}({})", k.name, fmt::join(k.x, ", ")));
    std::vector<double> d;
    const double v = value_at(k.name, k.x, d);
    const bool von_mises = std::string_view(k.name).starts_with("von_mises");
    EXPECT_LT(std::min(relative_error(v, k.value), std::fabs(v - k.value)), von_mises ? 1e-9 : 2e-12) << v;
    for (std::size_t i = 0; i < k.partials.size(); ++i) {
      if (std::fabs(k.partials[i]) < 1e-300) continue;
      EXPECT_LT(relative_error(d[i], k.partials[i]), von_mises ? 1e-3 : 1e-9) << i << ": " << d[i];
    }
  }
}

/// Logs of probabilities: no NaN, none positive, both tails together 1, and slopes of the right signs.
TEST(Tails, GammaAtAnyShape) {
  const double shapes[] = {1e-300, 1e-100, 1e-16, 1e-5, 0.3, 1, 2.5, 50, 1e3, 1e5, 1e8, 1e12, 1e16, 1e20, 1e60, 1e160, 1e300};
  for (const double a : shapes) {
    std::vector<double> xs(std::begin(shapes), std::end(shapes));
    for (const double k : {-40.0, -5.0, -1.0, 0.0, 1.0, 5.0, 40.0}) xs.push_back(a * (1 + k / std::sqrt(std::max(a, 2000.0))));
    for (const double f : {0.5, 0.79, 0.81, 1.19, 1.21, 2.0}) xs.push_back(a * f);
    for (const double x : xs) {
      SCOPED_TRACE(fmt::format("gamma({}, 1) at {}", a, x));
      std::vector<double> lower_d, upper_d, d;
      const double lower = value_at("gamma_lcdf", {x, a, 1}, lower_d), upper = value_at("gamma_lccdf", {x, a, 1}, upper_d);
      EXPECT_LE(lower, 0);
      EXPECT_LE(upper, 0);
      EXPECT_NEAR(std::exp(lower) + std::exp(upper), 1, 1e-12);
      EXPECT_NEAR(value_at("gamma_q", {a, x}, d), std::exp(upper), 1e-12);
      EXPECT_GE(lower_d[0], 0);
      EXPECT_LE(lower_d[1], 0);
      EXPECT_LE(upper_d[0], 0);
      EXPECT_GE(upper_d[1], 0);
    }
  }
}

TEST(Tails, BetaAtAnyShapes) {
  const double shapes[] = {1e-300, 1e-100, 1e-16, 1e-5, 0.3, 1, 2.5, 50, 1e3, 1e5, 1e8, 1e12, 1e20, 1e60, 1e300};
  for (const double a : shapes)
    for (const double b : shapes) {
      const double mean = a / (a + b), spread = std::sqrt(mean * (b / (a + b)) / (a + b + 1));
      for (const double x : {1e-300, 1e-20, 1e-5, 0.1, 0.5, 0.9, 1 - 1e-5, mean - 5 * spread, mean, mean + spread, mean + 40 * spread, 1.2 * mean}) {
        if (!(x > 0 && x < 1)) continue;
        SCOPED_TRACE(fmt::format("beta({}, {}) at {}", a, b, x));
        std::vector<double> d;
        const double lower = value_at("beta_lcdf", {x, a, b}, d);
        for (const double v : d) EXPECT_FALSE(std::isnan(v));
        const double upper = value_at("beta_lccdf", {x, a, b}, d);
        for (const double v : d) EXPECT_FALSE(std::isnan(v));
        EXPECT_LE(lower, 0);
        EXPECT_LE(upper, 0);
        EXPECT_NEAR(std::exp(lower) + std::exp(upper), 1, 1e-12);
      }
    }
}

/// Masses beyond count one by one; here millions of them.
TEST(Tails, CompoundCountsDoNotDependOnHowMany) {
  const auto start = std::chrono::steady_clock::now();
  for (const double n : {1e3, 1e5, 1e7, 2147483647.0})
    for (const std::vector<double>& p : {std::vector<double>{3.5, 0.25, 4}, {1e7, 1e6, 3e6}, {1e-5, 0.01, 1e-5}, {1e10, 1e10, 1e10}}) {
      SCOPED_TRACE(fmt::format("{}: {}", n, fmt::join(p, ", ")));
      std::vector<double> d;
      const double lower = value_at("beta_neg_binomial_lcdf", {n, p[0], p[1], p[2]}, d);
      const double upper = value_at("beta_neg_binomial_lccdf", {n, p[0], p[1], p[2]}, d);
      EXPECT_NEAR(std::exp(lower) + std::exp(upper), 1, 1e-10);
      const double below = value_at("beta_binomial_lcdf", {std::floor(0.4 * n), n, p[1], p[2]}, d);
      const double above = value_at("beta_binomial_lcdf", {n - 1 - std::floor(0.4 * n), n, p[2], p[1]}, d);
      EXPECT_NEAR(std::exp(below) + std::exp(above), 1, 1e-10);
    }
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 5);
}

/// One more count adds its mass, whether the masses before it were added one by one or are an integral.
TEST(Tails, CompoundCountsGrowByTheirMass) {
  std::vector<double> d;
  for (const std::vector<double>& p : {std::vector<double>{3.5, 2.5, 4}, {0.5, 0.3, 0.2}, {1e4, 50, 700}, {1e4, 500, 7000}})
    for (const double n : {16382.0, 16383.0, 16384.0, 16385.0, 1e5}) {
      SCOPED_TRACE(fmt::format("{}: {}", n, fmt::join(p, ", ")));
      const auto at = [&](const char* name, double k) { return std::exp(value_at(name, {k, p[0], p[1], p[2]}, d)); };
      const bool lower = at("beta_neg_binomial_lcdf", n) < 0.5;
      const double tail = lower ? at("beta_neg_binomial_lcdf", n) : at("beta_neg_binomial_lccdf", n);
      const double before = lower ? at("beta_neg_binomial_lcdf", n - 1) : at("beta_neg_binomial_lccdf", n - 1);
      EXPECT_NEAR(std::fabs(tail - before), at("beta_neg_binomial_lpmf", n), 1e-10 * tail);  // of rounding in thousands of masses
    }
}

}  // namespace
}  // namespace fermiac::ad
