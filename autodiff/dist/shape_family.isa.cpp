// Densities with a shape: skewed, heavy-tailed, circular, overdispersed.
#include "autodiff/dist/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// log Phi(alpha z) - z²/2 - log(omega sqrt(2 pi) / 2), z = (y - xi) / omega.
struct SkewNormalLpdf : Density<4> {
  static constexpr DomainRule kRules[] = {{0, Rule::NotNan, "Random variable"},
                                          {1, Rule::Finite, "Location parameter"},
                                          {2, Rule::Positive, "Scale parameter"},
                                          {3, Rule::Finite, "Shape parameter"}};
  static constexpr unsigned kPre[] = {0b0100, 0b0100};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 0) return 1.0 / x[2];
    else return k.has(0b0100) ? log(x[2]) : T{};
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T z = (x[0] - x[1]) * p[0];
    T slope;
    T lp = log_Phi(x[3] * z, slope) + kLogTwo;
    if (k.has(0b0111)) lp = lp - 0.5 * z * z;
    if (k.has(0b0100)) lp = lp - p[1];
    if (k.constants()) lp = lp - kLogSqrtTwoPi;
    if constexpr (Partials) {
      const T dz = g * (x[3] * slope - z);
      d[0] = dz * p[0];
      d[1] = -d[0];
      d[2] = -(dz * z + g) * p[0];
      d[3] = g * slope * z;
    }
    return lp;
  }
};

/// log lambda + v (v/2 - z) + log Phi(z - v), z = (y - mu)/sigma, v = lambda sigma. Far left, where log Phi is a square
/// less a little, the squares are added up by hand: they leave -z²/2.
struct ExpModNormalLpdf : Density<4> {
  static constexpr DomainRule kRules[] = {{0, Rule::NotNan, "Random variable"},
                                          {1, Rule::Finite, "Location parameter"},
                                          {2, Rule::PositiveFinite, "Scale parameter"},
                                          {3, Rule::PositiveFinite, "Inv_scale parameter"}};
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep k) {
    const T inv_sigma = 1.0 / x[2];
    const T z = (x[0] - x[1]) * inv_sigma;
    const T v = x[3] * x[2];
    T slope;
    Mask<T> left;
    T lp = log_Phi_core(z - v, slope, left);
    lp = lp + select(left, -0.5 * z * z, v * (0.5 * v - z));
    if (k.has(0b1000)) lp = lp + log(x[3]);
    if (!k.constants()) lp = lp + kLogTwo;
    if constexpr (Partials) {
      const T dz = g * (slope - v);
      const T dv = g * (v - z - slope);
      d[0] = dz * inv_sigma;
      d[1] = -d[0];
      d[2] = dv * x[3] - dz * z * inv_sigma;
      d[3] = dv * x[2] + g / x[3];
    }
    return lp;
  }
};

/// log alpha - log lambda - (alpha + 1) log(1 + (y - mu) / lambda).
struct ParetoType2Lpdf : Density<4> {
  static constexpr DomainRule kRules[] = {
      {1, Rule::Finite, "Location parameter"},
      {2, Rule::PositiveFinite, "Scale parameter"},
      {3, Rule::PositiveFinite, "Shape parameter"},
      {.operand = 0, .rule = Rule::GreaterOrEqual, .label = "Random variable", .other = 1, .other_label = "Location parameter"}};
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep k) {
    const T u = (x[0] - x[1]) / x[2];
    const T l = log1p(u);
    T lp = -(x[3] + 1.0) * l;
    if (k.has(0b1000)) lp = lp + log(x[3]);
    if (k.has(0b0100)) lp = lp - log(x[2]);
    if constexpr (Partials) {
      const T w = g * (x[3] + 1.0) / (x[2] * (1.0 + u));
      d[0] = -w;
      d[1] = w;
      d[2] = w * u - g / x[2];
      d[3] = g * (1.0 / x[3] - l);
    }
    return lp;
  }
};

/// log beta - log y + t - 2 log(1 + exp t), t = beta (log y - log alpha).
struct LoglogisticLpdf : Density<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::PositiveFinite, "Random variable"},
                                          {1, Rule::PositiveFinite, "Scale parameter"},
                                          {2, Rule::PositiveFinite, "Shape parameter"}};
  static constexpr unsigned kPre[] = {0b001, 0b010};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep) { return log(x[I]); }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T r = p[0] - p[1];
    T share;
    T lp = -2.0 * log1p_exp(x[2] * r, share) + (x[2] - 1.0) * p[0];
    if (k.has(0b110)) lp = lp - x[2] * p[1] + log(x[2]);
    if constexpr (Partials) {
      const T t = g * (1.0 - 2.0 * share);
      d[0] = (t * x[2] - g) / x[0];
      d[1] = -t * x[2] / x[1];
      d[2] = t * r + g / x[2];
    }
    return lp;
  }
};

/// kappa cos(mu - y) - log I_0(kappa) - log(2 pi).
struct VonMisesLpdf : Density<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::Finite, "Random variable"},
                                          {1, Rule::Finite, "Location parameter"},
                                          {2, Rule::NonNegativeFinite, "Scale parameter"}};
  static constexpr unsigned kPre[] = {0b100, 0b100};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 0) return k.has(0b100) ? lanewise([](double t) { return scalar::log_bessel_i0(t); }, x[2]) : T{};
    else return Partials && k.wants(2) ? lanewise([](double t) { return scalar::bessel_ratio(t); }, x[2]) : T{};
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T angle = x[1] - x[0];
    const T c = cos(angle);
    T lp = x[2] * c;
    if (k.constants()) lp = lp - 2.0 * kLogSqrtTwoPi;
    if (k.has(0b100)) lp = lp - p[0];
    if constexpr (Partials) {
      d[0] = g * x[2] * sin(angle);
      d[1] = -d[0];
      d[2] = g * (c - p[1]);
    }
    return lp;
  }
};

/// Beta with shapes a = mu kappa and b = (1 - mu) kappa.
struct BetaProportionLpdf : Density<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::Probability, "Random variable"},
                                          {1, Rule::Bounded01Open, "Location parameter"},
                                          {2, Rule::PositiveFinite, "Precision parameter"}};
  static constexpr unsigned kPre[] = {0b110, 0b110, 0b110, 0b100};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    const T a = x[1] * x[2];
    const T b = x[2] - a;
    const bool wanted = Partials && (k.wants(1) || k.wants(2));
    if constexpr (I == 0) return k.has(0b110) ? normaliser(a, b, k) : T{};
    else if constexpr (I == 1) return wanted ? digamma(a) : T{};
    else if constexpr (I == 2) return wanted ? digamma(b) : T{};
    else return Partials && k.wants(2) ? digamma(x[2]) : T{};
  }
  template <class T>
  FERMIAC_INLINE T normaliser(T a, T b, Keep k) {
    if (k.has(0b100)) return -lanewise([](double s, double t) { return scalar::lbeta(s, t); }, a, b);
    return -lgamma(a) - lgamma(b);
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep) {
    const T a = x[1] * x[2];
    const T b = x[2] - a;
    const T log_y = log(x[0]);
    const T log_rest = log1p(-x[0]);
    if constexpr (Partials) {
      const T da = g * (log_y - p[1]);
      const T db = g * (log_rest - p[2]);
      d[0] = g * ((a - 1.0) / x[0] - (b - 1.0) / (1.0 - x[0]));
      d[1] = x[2] * (da - db);
      d[2] = x[1] * da + (1.0 - x[1]) * db + g * p[3];
    }
    return p[0] + (a - 1.0) * log_y + (b - 1.0) * log_rest;
  }
};

/// choose(N, n) B(n + alpha, N - n + beta) / B(alpha, beta), zero outside 0..N.
struct BetaBinomialLpmf : Density<4> {
  static constexpr DomainRule kRules[] = {{1, Rule::NonNegative, "Population size parameter"},
                                          {2, Rule::PositiveFinite, "First prior sample size parameter"},
                                          {3, Rule::PositiveFinite, "Second prior sample size parameter"}};
  static constexpr unsigned kPre[] = {0b0100, 0b1000, 0b1100, 0b0100, 0b1000, 0b1100};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    const T shape = I % 3 == 0 ? x[2] : I % 3 == 1 ? x[3] : x[2] + x[3];
    if constexpr (I < 3) return lgamma(shape);
    else if constexpr (Partials) return k.wants(2) || k.wants(3) ? digamma(shape) : T{};
    else return T{};
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const auto support = (x[0] >= 0.0) & (x[0] <= x[1]);
    const T n = select(support, x[0], splat<T>(0.0));
    const T m = x[1] - n;
    const T total = x[2] + x[3];
    T lp = lgamma_difference(x[2], n, p[0]) + lgamma_difference(x[3], m, p[1]) - lgamma_difference(total, x[1], p[2]);
    if (k.constants()) lp = lp + lanewise([](double a, double b) { return scalar::log_choose(a, b); }, x[1], n);
    if constexpr (Partials) {
      d[0] = d[1] = d[2] = d[3] = splat<T>(0.0);
      const T common = digamma_difference(total, x[1], p[5]);
      if (k.wants(2)) d[2] = g * (digamma_difference(x[2], n, p[3]) - common);
      if (k.wants(3)) d[3] = g * (digamma_difference(x[3], m, p[4]) - common);
    }
    return inside<Partials, 4>(support, lp, d);
  }
};

}  // namespace

FERMIAC_EXPORT_FAMILY(shape_family, make_map<SkewNormalLpdf>("skew_normal_lpdf"),
                      make_map<ExpModNormalLpdf>("exp_mod_normal_lpdf"),
                      make_map<ParetoType2Lpdf>("pareto_type_2_lpdf"), make_map<LoglogisticLpdf>("loglogistic_lpdf"),
                      make_map<VonMisesLpdf>("von_mises_lpdf"),
                      make_map<BetaProportionLpdf>("beta_proportion_lpdf"),
                      make_map<BetaBinomialLpmf>("beta_binomial_lpmf"))

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
