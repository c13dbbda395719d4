// Every map and density that has a formula (autodiff/symbolic) on a device against the loops of the processor. The device's compiler
// takes its time for so many, therefore slow.
#include "tests/unit/autodiff/device_maps.h"

namespace fermiac::ad {
namespace {

class FormulasOnDevice : public OnDevice, public ::testing::WithParamInterface<int> {};
constexpr int kBatches = 4;

TEST_P(FormulasOnDevice, AgreeWithTheLoops) {
  int number = 0;
  expect_maps_agree(use_, [&](std::string_view) { return number++ % kBatches == GetParam(); });
}
INSTANTIATE_TEST_SUITE_P(Batches, FormulasOnDevice, ::testing::Range(0, kBatches));

/// Those that are maps; generalised linear models are the device_test's.
constexpr std::string_view kDensities[] = {
    "bernoulli_lpmf", "bernoulli_logit_lpmf", "beta_lpdf", "beta_proportion_lpdf", "binomial_lpmf", "binomial_logit_lpmf", "cauchy_lpdf",
    "chi_square_lpdf", "double_exponential_lpdf", "exp_mod_normal_lpdf", "exponential_lpdf", "frechet_lpdf", "gamma_lpdf", "gumbel_lpdf",
    "inv_chi_square_lpdf", "inv_gamma_lpdf", "logistic_lpdf", "lognormal_lpdf", "neg_binomial_lpmf", "neg_binomial_2_lpmf",
    "neg_binomial_2_log_lpmf", "normal_lpdf", "pareto_lpdf", "pareto_type_2_lpdf", "poisson_lpmf", "poisson_log_lpmf", "rayleigh_lpdf",
    "scaled_inv_chi_square_lpdf", "skew_normal_lpdf", "std_normal_lpdf", "student_t_lpdf", "uniform_lpdf", "weibull_lpdf"};

TEST(Formulas, AreThereForEveryDensityThatStansDevicesHave) {
  for (const std::string_view name : kDensities) EXPECT_NE(symbols::find_formula(name), nullptr) << name;
}

/// The text of a map's value and partials of numbers by themselves.
std::string text_of(const symbols::MapFormula& f) {
  symbols::Statements s;
  symbols::Symbol x[kMaxMapArity], shared[symbols::kMaxShared], d[kMaxMapArity];
  for (int j = 0; j < f.arity; ++j) x[j] = s.named("x" + std::to_string(j));
  for (int i = 0; i < f.shared; ++i) shared[i] = f.share(i, x, Keep::everything());
  const symbols::Symbol value = f.fused(x, shared, 1, d, Keep::everything());
  return s.write({value, d[0], f.holds(x), s.required()});
}

TEST(Formulas, AreWrittenDownOfAllButOne) {
  std::string without;
  for (const symbols::MapFormula* f : symbols::all_formulas()) {
    try {
      EXPECT_FALSE(text_of(*f).empty() && f->name != "minus" && !map_op(find_map(f->name)).flat) << f->name;
    } catch (const symbols::NoFormula&) {
      without += f->name;
    }
  }
  EXPECT_EQ(without, "von_mises_lpdf");
}

}  // namespace
}  // namespace fermiac::ad
