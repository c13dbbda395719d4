// Statements about distributions. One row per distribution: what its outcome and arguments may be.
#include <fmt/format.h>

#include "tests/fuzz/programs/writer.h"

namespace fermiac::fuzz {
namespace {

/// Outcome: r real, p positive, u unit, b 0 or 1, c count, t count of at most 8 trials (which follow). Arguments: r, p,
/// u.
struct Row {
  const char* name;
  char outcome;
  const char* arguments;
};

constexpr Row kRows[] = {
    {"normal", 'r', "rp"},
    {"normal", 'r', "rp"},
    {"student_t", 'r', "prp"},
    {"cauchy", 'r', "rp"},
    {"double_exponential", 'r', "rp"},
    {"logistic", 'r', "rp"},
    {"gumbel", 'r', "rp"},
    {"std_normal", 'r', ""},
    {"skew_normal", 'r', "rpr"},
    {"exp_mod_normal", 'r', "rpp"},
    {"lognormal", 'p', "rp"},
    {"gamma", 'p', "pp"},
    {"inv_gamma", 'p', "pp"},
    {"exponential", 'p', "p"},
    {"weibull", 'p', "pp"},
    {"chi_square", 'p', "p"},
    {"inv_chi_square", 'p', "p"},
    {"frechet", 'p', "pp"},
    {"rayleigh", 'p', "p"},
    {"scaled_inv_chi_square", 'p', "pp"},
    {"beta", 'u', "pp"},
    {"beta_proportion", 'u', "up"},
    {"von_mises", 'r', "rp"},
    {"bernoulli", 'b', "u"},
    {"bernoulli_logit", 'b', "r"},
    {"poisson", 'c', "p"},
    {"poisson_log", 'c', "r"},
    {"neg_binomial_2", 'c', "pp"},
    {"neg_binomial_2_log", 'c', "rp"},
    {"binomial", 't', "u"},
    {"binomial_logit", 't', "r"},
    {"neg_binomial", 'c', "pp"},
    {"beta_binomial", 't', "pp"},
};

Domain domain_of(char c) {
  return c == 'p' ? Domain::Positive : c == 'u' ? Domain::Unit : Domain::Any;
}

bool is_discrete(char c) {
  return c == 'b' || c == 'c' || c == 't';
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

}  // namespace

std::string Writer::density_statement(int depth) {
  if (choose.chance(15)) return written(*this, linear_model(*this, depth));
  if (choose.chance(12)) return written(*this, multivariate(*this, depth));
  const Row& row = kRows[choose.below(static_cast<int>(std::size(kRows)))];
  const int n = size().value;
  Parts d{row.name, "", "", is_discrete(row.outcome)};
  if (row.outcome == 't')
    d.outcome = integers(n, 0, 8), d.arguments = "8";
  else if (d.discrete)
    d.outcome = integers(n, 0, row.outcome == 'b' ? 1 : 8);
  else
    d.outcome = vectorised(domain_of(row.outcome), n, depth);
  for (const char* a = row.arguments; *a; ++a)
    d.arguments += (d.arguments.empty() ? "" : ", ") + vectorised(domain_of(*a), n, depth - 1);
  return written(*this, d);
}

std::string Writer::scalar_density(int depth) {
  const Row& row = kRows[choose.below(static_cast<int>(std::size(kRows)))];
  Parts d{row.name, "", "", is_discrete(row.outcome)};
  if (row.outcome == 't') d.arguments = "8";
  if (d.discrete)
    d.outcome = integer(0, row.outcome == 'b' ? 1 : 8, 2);
  else
    d.outcome = scalar(domain_of(row.outcome), depth);
  for (const char* a = row.arguments; *a; ++a)
    d.arguments += (d.arguments.empty() ? "" : ", ") + scalar(domain_of(*a), depth);
  if (d.outcome.starts_with('(') || choose.chance(90) || row.name != std::string("normal")) return written(*this, d);
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
