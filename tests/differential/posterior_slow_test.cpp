// Posterior means and standard deviations of draws, within four Monte Carlo standard errors, against what is known
// without sampling: closed forms of conjugate models, and for the examples integrals (data/posterior_integrals.json,
// made by posterior_integrals.cpp). And the log density of a model of examples/ against values that Stan computed.
#include <simdjson.h>

#include <cmath>
#include <map>

#include "inference/methods/sample.h"
#include "tests/differential/example_models.h"

namespace fermiac::interp {
namespace {

/// mean and its standard error, standard deviation and its standard error, by column name; no errors: known exactly.
struct Reference {
  double mean = 0, mean_se = 0, sd = 0, sd_se = 0;
};
using Columns = std::map<std::string, Reference>;

inference::SampleRun draws_of(const InterpModel& model, const std::string& name) {
  inference::SampleOptions options;
  options.seed = 22;
  options.adapt.delta = 0.9;
  options.refresh = 0;
  options.output_dir = testing::TempDir() + "fermiac_posterior_" + name;
  options.overwrite = true;
  options.summary = false;
  std::FILE* quiet = std::fopen("/dev/null", "w");
  inference::SampleRun run = inference::sample(model, options, {.out = quiet, .err = quiet});
  std::fclose(quiet);
  return run;
}

/// Standard error of the sample sd, from the effective size of the squared deviations (delta method).
double sd_error(const inference::ChainVecs& chains, double mean, double sd) {
  inference::ChainVecs squares = chains;
  double fourth = 0;
  std::size_t n = 0;
  for (auto& chain : squares)
    for (double& x : chain) {
      x = (x - mean) * (x - mean);
      fourth += (x - sd * sd) * (x - sd * sd);
      ++n;
    }
  const double ess = inference::ess_mean(squares);
  return std::sqrt(fourth / static_cast<double>(n) / ess) / (2 * sd);
}

void expect_moments(const InterpModel& model, const std::string& name, const Columns& expected) {
  const inference::SampleRun run = draws_of(model, name);
  ASSERT_TRUE(run.status);
  ASSERT_TRUE(run.has_draws);
  const auto summary = inference::summarise(run.chains);
  std::size_t compared = 0;
  for (std::size_t c = 0; c < summary.size(); ++c) {
    const auto& s = summary[c];
    const auto it = expected.find(s.name);
    if (it == expected.end()) continue;
    const Reference& e = it->second;
    EXPECT_LE(std::fabs(s.mean - e.mean), 4 * std::hypot(s.mcse, e.mean_se))
        << s.name << ": mean " << s.mean << ", expected " << e.mean;
    const double error = std::hypot(sd_error(run.chains.column(c), s.mean, s.sd), e.sd_se);
    EXPECT_LE(std::fabs(s.sd - e.sd), 4 * error) << s.name << ": sd " << s.sd << ", expected " << e.sd;
    ++compared;
  }
  EXPECT_EQ(compared, expected.size());
}

// ---- examples

std::map<std::string, Columns> load_integrals() {
  simdjson::dom::parser parser;
  const simdjson::dom::element file =
      parser.load(FERMIAC_SOURCE_DIR "/tests/differential/data/posterior_integrals.json");
  std::map<std::string, Columns> all;
  for (const auto [example, columns] : simdjson::dom::object(file)) {
    if (example == "about") continue;
    for (const auto [column, numbers] : simdjson::dom::object(columns)) {
      const simdjson::dom::array v = numbers;
      all[std::string(example)][std::string(column)] = {v.at(0), v.at(1), v.at(2), v.at(3)};
    }
  }
  return all;
}

const std::map<std::string, Columns>& integrals() {
  static const auto all = load_integrals();
  return all;
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& [name, columns] : integrals()) all.push_back(name);
  return all;
}

/// Divergences are what this one is there to show: its draws are biased.
constexpr std::string_view kFunnel = "eight_schools_centered";

TEST(Posterior, EveryExampleHasIntegrals) {
  std::vector<std::string> examples = example_names();
  std::erase(examples, kFunnel);
  EXPECT_EQ(names(), examples);
}

class ExamplePosteriors : public testing::TestWithParam<std::string> {};

TEST_P(ExamplePosteriors, MatchesIntegrals) {
  expect_moments(*load_example(GetParam()), GetParam(), integrals().at(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Posterior, ExamplePosteriors, testing::ValuesIn(names()));

// ---- conjugate models

struct Conjugate {
  const char* name;
  const char* program;
  Columns columns;
};

Reference exact(double mean, double variance) {
  return {.mean = mean, .sd = std::sqrt(variance)};
}
Reference beta_distributed(double a, double b) {
  return exact(a / (a + b), a * b / ((a + b) * (a + b) * (a + b + 1)));
}
Reference gamma_distributed(double shape, double rate) {
  return exact(shape / rate, shape / (rate * rate));
}

Conjugate beta_binomial() {
  return {"beta_binomial",
          "parameters { real<lower=0, upper=1> p; } model { p ~ beta(2, 3); 7 ~ binomial(20, p); }",
          {{"p", beta_distributed(2 + 7, 3 + 13)}}};
}

Conjugate gamma_poisson() {
  return {"gamma_poisson",
          "parameters { real<lower=0> rate; } model { rate ~ gamma(2, 0.5); {3, 5, 2, 7} ~ poisson(rate); }",
          {{"rate", gamma_distributed(2 + 17, 0.5 + 4)}}};
}

Conjugate dirichlet_multinomial() {
  const double a[] = {2 + 8, 1 + 3, 0.5 + 1}, total = 15.5;
  Columns columns;
  for (int k = 0; k < 3; ++k) columns["p." + std::to_string(k + 1)] = beta_distributed(a[k], total - a[k]);
  return {"dirichlet_multinomial",
          "parameters { simplex[3] p; } model { p ~ dirichlet([2, 1, 0.5]'); {8, 3, 1} ~ multinomial(p); }", columns};
}

/// Mean and variance unknown: the variance is inverse gamma, the mean normal given it.
Conjugate normal_inverse_gamma() {
  const double y[] = {1.2, -0.3, 2.5, 0.8, 1.9, 0.4}, n = 6, k0 = 0.5, m0 = 1, a0 = 3, b0 = 2;
  double sum = 0, squares = 0;
  for (const double v : y) sum += v, squares += v * v;
  const double k = k0 + n, m = (k0 * m0 + sum) / k, a = a0 + n / 2;
  const double b = b0 + (squares + k0 * m0 * m0 - k * m * m) / 2;
  return {"normal_inverse_gamma",
          R"(
    parameters { real mu; real<lower=0> v; }
    model {
      v ~ inv_gamma(3, 2);
      mu ~ normal(1, sqrt(v / 0.5));
      [1.2, -0.3, 2.5, 0.8, 1.9, 0.4]' ~ normal(mu, sqrt(v));
    })",
          {{"mu", exact(m, b / (k * (a - 1)))}, {"v", exact(b / (a - 1), b * b / ((a - 1) * (a - 1) * (a - 2)))}}};
}

/// Two unknown means with a correlated prior, one observation of each with covariance matrix [1 .5; .5 2].
Conjugate multivariate_normal() {
  // (S0 + S)^-1 with S0 = [4 1; 1 2]: the posterior mean is S0 (S0 + S)^-1 y, its covariance S0 - S0 (S0 + S)^-1 S0.
  const double p = 5, q = 1.5, r = 4, det = p * r - q * q, y[] = {2, -1};
  const double inverse[2][2] = {{r / det, -q / det}, {-q / det, p / det}}, prior[2][2] = {{4, 1}, {1, 2}};
  Columns columns;
  for (int i = 0; i < 2; ++i) {
    double mean = 0, variance = prior[i][i];
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 2; ++k) {
        mean += prior[i][j] * inverse[j][k] * y[k];
        variance -= prior[i][j] * inverse[j][k] * prior[k][i];
      }
    columns["mu." + std::to_string(i + 1)] = exact(mean, variance);
  }
  return {"multivariate_normal", R"(
    parameters { vector[2] mu; }
    model {
      mu ~ multi_normal([0, 0]', [[4, 1], [1, 2]]);
      [2, -1]' ~ multi_normal(mu, [[1, 0.5], [0.5, 2]]);
    })",
          columns};
}

/// A precision matrix with a Wishart prior and two observations: Wishart again, with degrees of freedom 7 + 2 and
/// inverse scale 2 I + sum of y y'.
Conjugate wishart_normal() {
  const double nu = 9, a = 2 + 1 + 0.25, b = -0.5 - 1, c = 2 + 0.25 + 4, det = a * c - b * b;  // y = (1, -.5), (.5, -2)
  const double scale[2][2] = {{c / det, -b / det}, {-b / det, a / det}};
  const auto element = [&](int i, int j) {
    return exact(nu * scale[i][j], nu * (scale[i][j] * scale[i][j] + scale[i][i] * scale[j][j]));
  };
  return {"wishart_normal",
          R"(
    parameters { cov_matrix[2] precision; }
    model {
      precision ~ wishart(7, [[0.5, 0], [0, 0.5]]);
      [1, -0.5]' ~ multi_normal_prec([0, 0]', precision);
      [0.5, -2]' ~ multi_normal_prec([0, 0]', precision);
    })",
          {{"precision.1.1", element(0, 0)}, {"precision.2.1", element(1, 0)}, {"precision.2.2", element(1, 1)}}};
}

/// No data: every correlation of three has the density of 2 x - 1 with x from beta(eta + 1/2, eta + 1/2).
Conjugate correlations() {
  const Reference each = exact(0, 1.0 / (2 * 1.5 + 2));
  return {"correlations",
          "parameters { corr_matrix[3] r; } model { r ~ lkj_corr(1.5); }",
          {{"r.2.1", each}, {"r.3.1", each}, {"r.3.2", each}}};
}

class ConjugateModel : public testing::TestWithParam<Conjugate> {};

TEST_P(ConjugateModel, MatchesClosedForm) {
  const Conjugate& c = GetParam();
  const auto compiled = compile_model({.text = c.program, .path = "conjugate.stan", .name = c.name});
  ASSERT_TRUE(*compiled);
  expect_moments(InterpModel(compiled, DataSource::parse("{}", "no data"), 1), c.name, c.columns);
}

INSTANTIATE_TEST_SUITE_P(Models, ConjugateModel,
                         testing::Values(beta_binomial(), gamma_poisson(), dirichlet_multinomial(),
                                         normal_inverse_gamma(), multivariate_normal(), wishart_normal(),
                                         correlations()),
                         [](const auto& model) { return std::string(model.param.name); });

// ---- a log density

/// The file has theta first, the example mu and log tau.
std::vector<double> reordered(const std::vector<double>& theirs) {
  std::vector<double> ours(theirs.end() - 2, theirs.end());
  ours.insert(ours.end(), theirs.begin(), theirs.end() - 2);
  return ours;
}

TEST(LogDensity, MatchesStan) {
  simdjson::dom::parser parser;
  const simdjson::dom::element file =
      parser.load(FERMIAC_SOURCE_DIR "/tests/differential/data/eight_schools_centered_density.json");
  const auto model = load_example(std::string(kFunnel));
  const auto workspace = model->workspace();
  for (const simdjson::dom::element point : file["points"].get_array()) {
    std::vector<double> theta, gradient;
    for (const simdjson::dom::element g : point["grad"].get_array()) {
      theta.push_back(0.3 * std::sin(1 + 0.7 * static_cast<double>(theta.size()) + 1.3 * double(point["k"])));
      gradient.push_back(double(g));
    }
    theta = reordered(theta), gradient = reordered(gradient);
    double lp = 0, scale = 0;
    std::vector<double> ours(theta.size());
    ASSERT_EQ(theta.size(), model->unconstrained_size());
    ASSERT_TRUE(workspace->log_density_gradient(theta, {.propto = false, .jacobian = true}, &lp, ours));
    EXPECT_NEAR(lp, double(point["lp"]), 1e-12 * std::fabs(lp));
    for (const double g : gradient) scale = std::max(scale, std::fabs(g));
    for (std::size_t i = 0; i < theta.size(); ++i) EXPECT_NEAR(ours[i], gradient[i], 1e-12 * scale) << "entry " << i;
  }
}

}  // namespace
}  // namespace fermiac::interp
