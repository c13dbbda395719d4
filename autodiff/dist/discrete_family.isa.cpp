// Mass functions of counts. Outcomes and numbers of trials are data; they arrive as doubles.
#include "autodiff/dist/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

struct BernoulliLpmf : Density<2> {
  static constexpr DomainRule kRules[] = {{0, Rule::Probability, "n"}, {1, Rule::Probability, "Probability parameter"}};
  static constexpr unsigned kPre[] = {0b10, 0b10};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep) {
    if constexpr (I == 0) return log(x[1]);
    else return log1p(-x[1]);
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep) {
    const auto success = x[0] > 0.5;
    if constexpr (Partials) {
      d[0] = splat<T>(0.0);
      d[1] = g * select(success, 1.0 / x[1], 1.0 / (x[1] - 1.0));
    }
    return select(success, p[0], p[1]);
  }
};

/// -log(1 + exp(-s theta)) with s = ±1.
struct BernoulliLogitLpmf : CheapDensity<2> {
  static constexpr DomainRule kRules[] = {{0, Rule::Probability, "n"}, {1, Rule::NotNan, "Logit transformed probability parameter"}};
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep) {
    const T t = select(x[0] > 0.5, -x[1], x[1]);
    if constexpr (Partials) {
      T slope;
      const T lp = -log1p_exp(t, slope);
      d[0] = splat<T>(0.0);
      d[1] = g * select(x[0] > 0.5, slope, -slope);
      return lp;
    } else {
      return -log1p_exp(t);
    }
  }
};

template <class T>
FERMIAC_INLINE T log_choose(T n, T k) {
  return lanewise([](double a, double b) { return scalar::log_choose(a, b); }, n, k);
}

template <class T>
FERMIAC_INLINE T log_factorial(T n) {
  return lanewise([](double a) { return scalar::log_factorial(a); }, n);
}

struct BinomialLpmf : Density<3> {
  static constexpr DomainRule kRules[] = {
      {0, Rule::NonNegative, "Successes variable"},
      {.operand = 0, .rule = Rule::LessOrEqual, .label = "Successes variable", .other = 1, .other_label = "Population size parameter"},
      {1, Rule::NonNegative, "Population size parameter"},
      {2, Rule::Probability, "Probability parameter"}};
  static constexpr unsigned kPre[] = {0b100, 0b100};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep) {
    if constexpr (I == 0) return log(x[2]);
    else return log1p(-x[2]);
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T n = x[0];
    const T m = x[1] - x[0];
    T lp = lmultiply(n, p[0]) + lmultiply(m, p[1]);
    if (k.constants()) lp = lp + log_choose(x[1], n);
    if constexpr (Partials) {
      d[0] = d[1] = splat<T>(0.0);
      d[2] = g * (select(n == 0.0, splat<T>(0.0), n / x[2]) - select(m == 0.0, splat<T>(0.0), m / (1.0 - x[2])));
    }
    return lp;
  }
};

struct BinomialLogitLpmf : Density<3> {
  static constexpr DomainRule kRules[] = {
      {0, Rule::NonNegative, "Successes variable"},
      {.operand = 0, .rule = Rule::LessOrEqual, .label = "Successes variable", .other = 1, .other_label = "Population size parameter"},
      {1, Rule::NonNegative, "Population size parameter"},
      {2, Rule::Finite, "Probability parameter"}};
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep k) {
    const T n = x[0];
    const T m = x[1] - x[0];
    const T a = x[2];
    const T e = exp(-abs(a));
    const T q = 1.0 / (1.0 + e);
    const T l = log1p_given(e, q);
    const T zero = splat<T>(0.0);
    T lp = -n * (l + select(a < 0.0, -a, zero)) - m * (l + select(a > 0.0, a, zero));
    if (k.constants()) lp = lp + log_choose(x[1], n);
    if constexpr (Partials) {
      const T prob = select(a > 0.0, q, e * q);
      const T complement = select(a > 0.0, e * q, q);
      d[0] = d[1] = zero;
      d[2] = g * (n * complement - m * prob);
    }
    return lp;
  }
};

/// n log lambda - lambda - log n!; an infinite rate has mass nowhere.
struct PoissonLpmf : Density<2> {
  static constexpr DomainRule kRules[] = {{0, Rule::NonNegative, "Random variable"}, {1, Rule::NonNegative, "Rate parameter"}};
  static constexpr unsigned kPre[] = {0b10, 0b01};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 0) return log(x[1]);
    else return k.constants() ? log_factorial(x[0]) : T{};
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    T lp = lmultiply(x[0], p[0]) - x[1];
    if (k.constants()) lp = lp - p[1];
    if constexpr (Partials) {
      d[0] = splat<T>(0.0);
      d[1] = g * (select(x[0] == 0.0, splat<T>(0.0), x[0] / x[1]) - 1.0);
    }
    return inside<Partials, 2>((x[1] < kInf) & ((x[1] > 0.0) | (x[0] == 0.0)), lp, d);
  }
};

/// n alpha - exp(alpha) - log n!.
struct PoissonLogLpmf : CheapDensity<2> {
  static constexpr DomainRule kRules[] = {{0, Rule::NonNegative, "Random variable"}, {1, Rule::NotNan, "Log rate parameter"}};
  static constexpr unsigned kPre[] = {0b10, 0b01};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 0) return exp(x[1]);
    else return k.constants() ? log_factorial(x[0]) : T{};
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    T lp = lmultiply(x[0], x[1]) - p[0];
    if (k.constants()) lp = lp - p[1];
    if constexpr (Partials) {
      d[0] = splat<T>(0.0);
      d[1] = g * (x[0] - p[0]);
    }
    return inside<Partials, 2>((x[1] < kInf) & ((x[1] > -kInf) | (x[0] == 0.0)), lp, d);
  }
};

/// The pieces of the negative binomials that depend on phi alone: lgamma and digamma (each only where it is used), log.
template <int I, bool Partials, class T>
FERMIAC_INLINE T shape_part(T phi, Keep k, int operand) {
  const unsigned mask = 1u << operand;
  if constexpr (I == 0) return k.has(mask) ? lgamma(phi) : T{};
  else if constexpr (I == 1) return Partials && k.wants(operand) ? digamma(phi) : T{};
  else return log(phi);
}
template <class T>
FERMIAC_INLINE T log_rising_choose(T phi, T n, T lgamma_phi) {  // log of choose(n + phi - 1, n)
  return select(n == 0.0, splat<T>(0.0), lgamma_difference(phi, n, lgamma_phi) - log_factorial(n));
}

/// choose(n+phi-1, n) (mu/(mu+phi))^n (phi/(mu+phi))^phi.
struct NegBinomial2Lpmf : Density<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::NonNegative, "Failures variable"},
                                          {1, Rule::PositiveFinite, "Location parameter"},
                                          {2, Rule::PositiveFinite, "Precision parameter"}};
  static constexpr unsigned kPre[] = {0b100, 0b100, 0b010};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 2) return k.has(0b010) ? log(x[1]) : T{};
    else return shape_part<I, Partials>(x[2], k, 2);
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T n = x[0], mu = x[1], phi = x[2];
    const T l = log1p(mu / phi);
    T lp = -phi * l - n * log(mu + phi);
    if (k.has(0b100)) lp = lp + log_rising_choose(phi, n, p[0]);
    if (k.has(0b010)) lp = lp + lmultiply(n, p[2]);
    if constexpr (Partials) {
      const T q = 1.0 / (mu + phi);
      d[0] = splat<T>(0.0);
      d[1] = g * (n / mu - (n + phi) * q);
      if (k.wants(2)) d[2] = g * (digamma_difference(phi, n, p[1]) - l + (mu - n) * q);
    }
    return lp;
  }
};

/// The same with mu = exp(eta).
struct NegBinomial2LogLpmf : Density<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::NonNegative, "Failures variable"},
                                          {1, Rule::Finite, "Log location parameter"},
                                          {2, Rule::PositiveFinite, "Precision parameter"}};
  static constexpr unsigned kPre[] = {0b100, 0b100, 0b100};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) { return shape_part<I, Partials>(x[2], k, 2); }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T n = x[0], eta = x[1], phi = x[2], log_phi = p[2];
    T share;  // mu / (mu + phi)
    const T l = log1p_exp(eta - log_phi, share);
    T lp = -phi * l - n * (l + log_phi);
    if (k.has(0b100)) lp = lp + log_rising_choose(phi, n, p[0]);
    if (k.has(0b010)) lp = lp + n * eta;
    if constexpr (Partials) {
      d[0] = splat<T>(0.0);
      d[1] = g * (n - (n + phi) * share);
      if (k.wants(2)) d[2] = g * (digamma_difference(phi, n, p[1]) - l + share - n * (1.0 - share) / phi);
    }
    return lp;
  }
};

/// choose(n+alpha-1, n) (beta/(1+beta))^alpha (1/(1+beta))^n.
struct NegBinomialLpmf : Density<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::NonNegative, "Failures variable"},
                                          {1, Rule::PositiveFinite, "Shape parameter"},
                                          {2, Rule::PositiveFinite, "Inverse scale parameter"}};
  static constexpr unsigned kPre[] = {0b010, 0b010};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) { return shape_part<I, Partials>(x[1], k, 1); }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T n = x[0], alpha = x[1], beta = x[2];
    const T l = log1p(1.0 / beta);
    T lp = -alpha * l - n * log1p(beta);
    if (k.has(0b010)) lp = lp + log_rising_choose(alpha, n, p[0]);
    if constexpr (Partials) {
      d[0] = splat<T>(0.0);
      if (k.wants(1)) d[1] = g * (digamma_difference(alpha, n, p[1]) - l);
      d[2] = g * (alpha / beta - n) / (1.0 + beta);
    }
    return lp;
  }
};

}  // namespace

FERMIAC_EXPORT_FAMILY(discrete_family, make_map<BernoulliLpmf>("bernoulli_lpmf"),
                      make_map<BernoulliLogitLpmf>("bernoulli_logit_lpmf"), make_map<BinomialLpmf>("binomial_lpmf"),
                      make_map<BinomialLogitLpmf>("binomial_logit_lpmf"), make_map<PoissonLpmf>("poisson_lpmf"),
                      make_map<PoissonLogLpmf>("poisson_log_lpmf"), make_map<NegBinomial2Lpmf>("neg_binomial_2_lpmf"),
                      make_map<NegBinomial2LogLpmf>("neg_binomial_2_log_lpmf"),
                      make_map<NegBinomialLpmf>("neg_binomial_lpmf"))

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
