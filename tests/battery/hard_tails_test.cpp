// Values and partials of densities and distribution functions at points where common implementations lose them: the references come
// from the continued fraction of the incomplete beta function (DLMF 8.17.22) and differences with 80 digits.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "autodiff/kernels/map_op.h"

namespace fermiac::ad {
namespace {

struct Reference {
  const char* map;
  std::vector<double> x;
  std::size_t ints;  // leading operands that are ints
  double value;
  std::vector<double> partials;  // by the others
};

const std::vector<Reference>& references() {
  static const std::vector<Reference> kReferences = {
    {"exp_mod_normal_lpdf", {1.0, 0.0, 1.0, 40.0}, 0, -1.3942771102636081, {-0.97439258006989154, 0.97439258006989154, -0.049904217134446713, -0.00060741993010845641}},
    {"logistic_lpdf", {711.0, 710.0, 1.0}, 0, -1.6265233750364457, {-0.46211715726000976, 0.46211715726000976, -0.53788284273999024}},
    {"neg_binomial_lccdf", {0, 1.0, 1e+18}, 1, -41.446531673892822, {1.0, -1.0e-18}},
    {"neg_binomial_lccdf", {0, 2.5, 1000000.0}, 1, -12.899221576089025, {0.39999950000045833, -9.999982500021875e-7}},
    {"neg_binomial_lccdf", {1000, 3.0, 0.01}, 1, -5.8647234247458769, {1.4811478972401409, -812.70041186980075}},
    {"neg_binomial_lcdf", {5000, 2000.0, 0.5}, 1, -4.9733804284835864e-18, {-7.7791574653472435e-19, 3.3641087643087041e-15}},
    {"neg_binomial_lcdf", {100000, 1000.0, 0.01}, 1, -0.68464729485052193, {-0.024895645616598594, 2489.153769568107}},
    {"beta_lcdf", {0.3, 2.5, 3.0}, 0, -1.4219731300578639, {6.5708812260536402, -0.76055007124803053, 0.45711977406430835}},
    {"beta_lcdf", {0.999, 2.0, 4.0}, 0, -4.9960000000124978e-12, {1.9980000000099873e-8, -6.4075350005084337e-12, 3.3512145373962298e-11}},
    {"beta_lccdf", {0.9999999, 0.5, 3.0}, 0, -49.517437726759706, {-30000000.390790706, 3.0666665916666635, -16.271056676146233}},
    {"beta_lcdf", {0.999999, 1.5, 2.0}, 0, -1.8749993751094743e-12, {3.7499981251143961e-6, -1.9999980834519808e-12, 2.5565875806950846e-11}},
    {"beta_lcdf", {0.48, 5000.0, 5200.0}, 0, -3.9283554770265286, {490.70637372110439, -0.024756039845618463, 0.023322974483188306}},
    {"beta_lccdf", {0.6, 200.0, 100.0}, 0, -0.0083503020069522183, {-0.79888441321883271, 0.0010119870717204848, -0.0017527961067653321}},
    {"student_t_lcdf", {-3.0, 4.0, 0.0, 1.0}, 0, -3.9134748570618905, {0.9861055446980164, -0.31913416062014173, -0.9861055446980164, 2.9583166340940492}},
    {"student_t_lcdf", {-0.001, 3000.0, 0.0, 1.0}, 0, -0.69394531692623386, {0.79845469563307613, -2.2179318050496937e-11, -0.79845469563307613, 0.00079845469563307615}},
    {"student_t_lcdf", {2.0, 200000.0, 0.5, 2.0}, 0, -0.25699483722183019, {0.19469069927080429, 2.851915288699093e-12, -0.19469069927080429, -0.14601802445310322}},
    {"binomial_lcdf", {30000, 100000, 0.3}, 2, -0.69003202586207437, {-548.87842250554761}},
    {"binomial_lccdf", {3, 10, 0.999999}, 2, -1.1999968502443469e-40, {8.3999748014744804e-34}},
    {"binomial_lcdf", {9, 10, 0.999999}, 2, -11.512929964939598, {-999995.49997499434}},
  };
  return kReferences;
}

TEST(HardTails, ValuesAndPartials) {
  for (const Reference& r : references()) {
    double d[kMaxMapArity]{};
    const double v = map_op(find_map(r.map)).value_and_partials(r.x.data(), Keep::everything(), d);
    const std::string where = fmt::format("{}({})", r.map, fmt::join(r.x, ", "));
    EXPECT_NEAR(v, r.value, 1e-10 * std::fabs(r.value)) << where;
    for (std::size_t j = 0; j < r.partials.size(); ++j)
      EXPECT_NEAR(d[r.ints + j], r.partials[j], 1e-8 * std::fabs(r.partials[j])) << where << " by operand " << r.ints + j;
  }
}

}  // namespace
}  // namespace fermiac::ad
