// Statements about distributions. Their laws say what outcome and arguments may be.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "autodiff/distributions/detail/law.h"
#include "tests/fuzz/programs/writer.h"

namespace fermiac::fuzz {
namespace {

constexpr int kTrials = 8, kMostCount = 8;

/// Their outcome has to fit the other arguments, or starts at 1.
constexpr std::string_view kLeftOut[] = {"discrete_range", "hypergeometric", "pareto",
                                         "pareto_type_2",  "uniform",        "yule_simon"};

/// Univariate distributions, which have labels for messages; one of them is more frequent than the others.
const std::vector<const ad::Law*>& laws() {
  static const std::vector<const ad::Law*> kUsed = [] {
    std::vector<const ad::Law*> used = {ad::find_law("normal")};
    for (const ad::Law* law : ad::all_laws())
      if (law->arguments.front().label && std::ranges::count(kLeftOut, law->name) == 0) used.push_back(law);
    return used;
  }();
  return kUsed;
}

/// What numbers an argument takes, by those that it is tested with.
Domain domain_of(const ad::LawArgument& a) {
  std::istringstream in{std::string(a.range)};
  std::string kind;
  double low = -1, high = 1;
  in >> kind >> low >> high;
  return low < 0 ? Domain::Any : high > 1 ? Domain::Positive : Domain::Unit;
}

bool has_trials(const ad::Law& law) {
  return law.arguments.size() > 1 && law.arguments[1].range.starts_with("i ");
}
int most(const ad::Law& law) {
  return law.arguments.front().range == "i 0 1" ? 1 : kMostCount;
}

struct Parts {
  std::string name, outcome, arguments;
  bool discrete = false;
};

std::string as_tilde(const Parts& d) {
  return fmt::format("{} ~ {}({});", d.outcome, d.name, d.arguments);
}

std::string as_term(const Parts& d, const char* suffix, bool lonely) {
  return fmt::format("target += {}_{}({}{});", d.name, suffix, d.outcome, lonely ? "" : " | " + d.arguments);
}

std::string written(Writer& w, const Parts& d) {
  if (w.choose.chance(60)) return as_tilde(d);
  const bool dropped = !w.place.function && w.choose.chance(30);
  return as_term(d, d.discrete ? (dropped ? "lupmf" : "lpmf") : (dropped ? "lupdf" : "lpdf"), d.arguments.empty());
}

// Linear predictors whose bounded size keeps exp() in range.
std::string predictor(Writer& w, const std::string& beta, int n, int k, int depth) {
  const std::string product = fmt::format("{} * {}", w.matrix(n, k, 0), beta);
  if (w.choose.chance(30)) return product;
  const std::string a = w.choose.chance(50) ? w.bounded(depth) : w.vector(n, depth);
  return w.choose.chance(50) ? a + " + " + product : product + " + " + a;
}

Parts linear_model(Writer& w, int depth) {
  const int n = w.size().value, k = w.size().value;
  const std::string beta = w.choose.chance(60) ? w.vector(k, 0) : "(0.1 * tanh(" + w.vector(k, 1) + "))";
  const std::string x = predictor(w, beta, n, k, depth);
  switch (w.choose.below(6)) {
    case 0:
      return {"normal", w.vector(n, depth), x + ", " + w.positive(1)};
    case 1:
      return {"bernoulli_logit", w.integers(n, 0, 1), x, true};
    case 2:
      return {"bernoulli", w.integers(n, 0, 1), "inv_logit(" + x + ")", true};
    case 3:
      return {"poisson_log", w.integers(n, 0, 8), x, true};
    case 4:
      return {"neg_binomial_2_log", w.integers(n, 0, 8), x + ", " + w.positive(1), true};
    default:
      break;
  }
  if (w.choose.chance(50))
    return {"normal_id_glm", w.vector(n, depth),
            fmt::format("{}, {}, {}, {}", w.matrix(n, k, 0), w.bounded(1), beta, w.positive(1))};
  return {"bernoulli_logit_glm", w.integers(n, 0, 1),
          fmt::format("{}, {}, {}", w.matrix(n, k, 0), w.vector(n, 1), beta), true};
}

Parts multivariate(Writer& w, int depth) {
  const int n = w.size(2).value;
  switch (w.choose.below(6)) {
    case 0:
      return {"multi_normal", w.vector(n, depth),
              fmt::format("{}, diag_matrix(exp(tanh({})))", w.vector(n, 1), w.vector(n, 1))};
    case 1:
      return {"multi_normal_cholesky", w.vector(n, depth),
              fmt::format("{}, diag_matrix(exp(tanh({})))", w.vector(n, 1), w.vector(n, 1))};
    case 2: {
      const std::string p = w.reach(Kind::Vector, {n}, Domain::Simplex);
      return {"categorical", w.integer(1, n), p.empty() ? "softmax(" + w.vector(n, depth) + ")" : p, true};
    }
    case 3:
      return {"categorical_logit", w.integers(3, 1, n), w.vector(n, depth), true};
    case 4:
      return {"ordered_logistic", w.integer(1, 3), fmt::format("{}, [-0.5, {}]'", w.real(depth), w.positive(1)), true};
    default: {
      const std::string p = w.reach(Kind::Vector, {n}, Domain::Simplex);
      return {"dirichlet", p.empty() ? "softmax(" + w.vector(n, 1) + ")" : p,
              fmt::format("exp(tanh({}))", w.vector(n, depth))};
    }
  }
}

/// What follows the outcome, made by `write`.
template <class Write>
std::string arguments_of(const ad::Law& law, Write write) {
  std::string text = has_trials(law) ? std::to_string(kTrials) : "";
  for (std::size_t j = has_trials(law) ? 2 : 1; j < law.arguments.size(); ++j)
    text += (text.empty() ? "" : ", ") + write(domain_of(law.arguments[j]));
  return text;
}

}  // namespace

std::string Writer::density_statement(int depth) {
  if (choose.chance(15)) return written(*this, linear_model(*this, depth));
  if (choose.chance(12)) return written(*this, multivariate(*this, depth));
  const ad::Law& law = *laws()[static_cast<std::size_t>(choose.below(static_cast<int>(laws().size())))];
  const int n = size().value;
  Parts d{std::string(law.name), "", "", law.counts};
  d.outcome = law.counts ? integers(n, 0, most(law)) : vectorised(domain_of(law.arguments.front()), n, depth);
  d.arguments = arguments_of(law, [&](Domain domain) { return vectorised(domain, n, depth - 1); });
  return written(*this, d);
}

std::string Writer::scalar_density(int depth) {
  const ad::Law& law = *laws()[static_cast<std::size_t>(choose.below(static_cast<int>(laws().size())))];
  Parts d{std::string(law.name), "", "", law.counts};
  d.outcome = law.counts ? integer(0, most(law), 2) : scalar(domain_of(law.arguments.front()), depth);
  d.arguments = arguments_of(law, [&](Domain domain) { return scalar(domain, depth); });
  if (d.outcome.starts_with('(') || choose.chance(90) || law.name != "normal") return written(*this, d);
  return fmt::format("{} ~ normal({}) T[-9, {}];", bounded(depth), d.arguments, choose.one({"9", ""}));
}

std::string Writer::random_draw(int depth) {
  switch (choose.below(5)) {
    case 0:
      return fmt::format("normal_rng({}, {})", real(depth), positive(depth));
    case 1:
      return fmt::format("gamma_rng({}, {})", positive(depth), positive(depth));
    case 2:
      return fmt::format("bernoulli_rng({})", unit(depth));
    case 3:
      return fmt::format("poisson_log_rng({})", bounded(depth));
    default:
      return fmt::format("sum(normal_rng({}, {}))", vector(size().value, depth), positive(depth));
  }
}

}  // namespace fermiac::fuzz
