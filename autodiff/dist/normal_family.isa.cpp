// Location-scale densities on the line and on the half line: a functor per density, its domain as data.
#include "autodiff/dist/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// log N(y | mu, sigma) = -z²/2 - log sigma - log sqrt(2 pi), z = (y - mu) / sigma.
struct NormalLpdf : CheapDensity<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::NotNan, "Random variable"},
                                          {1, Rule::Finite, "Location parameter"},
                                          {2, Rule::Positive, "Scale parameter"}};
  static constexpr unsigned kPre[] = {0b100, 0b100};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 0) return 1.0 / x[2];
    else return k.has(0b100) ? log(x[2]) : T{};
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T inv_sigma = p[0];
    const T z = (x[0] - x[1]) * inv_sigma;
    T lp = -0.5 * z * z;
    if (k.constants()) lp = lp - kLogSqrtTwoPi;
    if (k.has(0b100)) lp = lp - p[1];
    if constexpr (Partials) {
      const T slope = g * z * inv_sigma;
      d[0] = -slope;
      d[1] = slope;
      d[2] = slope * z - g * inv_sigma;
    }
    return lp;
  }
};

struct StdNormalLpdf : CheapDensity<1> {
  static constexpr DomainRule kRules[] = {{0, Rule::NotNan, "Random variable"}};
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep k) {
    const T lp = -0.5 * x[0] * x[0];
    if constexpr (Partials) d[0] = -g * x[0];
    return k.constants() ? lp - kLogSqrtTwoPi : lp;
  }
};

/// Normal in log y; zero at y = 0.
struct LognormalLpdf : Density<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::NonNegative, "Random variable"},
                                          {1, Rule::Finite, "Location parameter"},
                                          {2, Rule::PositiveFinite, "Scale parameter"}};
  static constexpr unsigned kPre[] = {0b100, 0b100, 0b001};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 0) return 1.0 / x[2];
    else if constexpr (I == 1) return k.has(0b100) ? log(x[2]) : T{};
    else return log(x[0]);
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T z = (p[2] - x[1]) * p[0];
    T lp = -0.5 * z * z - kLogSqrtTwoPi;  // kept always: the language's reference does
    if (k.has(0b100)) lp = lp - p[1];
    if (k.has(0b001)) lp = lp - p[2];
    if constexpr (Partials) {
      const T slope = g * z * p[0];
      d[0] = -(slope + g) / x[0];
      d[1] = slope;
      d[2] = slope * z - g * p[0];
    }
    return inside<Partials, 3>(x[0] > 0.0, lp, d);
  }
};

/// -log(1 + z²) - log sigma - log pi.
struct CauchyLpdf : CheapDensity<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::NotNan, "Random variable"},
                                          {1, Rule::Finite, "Location parameter"},
                                          {2, Rule::PositiveFinite, "Scale parameter"}};
  static constexpr unsigned kPre[] = {0b100, 0b100};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 0) return 1.0 / x[2];
    else return k.has(0b100) ? log(x[2]) : T{};
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T z = (x[0] - x[1]) * p[0];
    const T q = Partials ? 1.0 / (1.0 + z * z) : T{};
    T lp = Partials ? -log1p_given(z * z, q) : -log1p(z * z);
    if (k.constants()) lp = lp - kLogPi;
    if (k.has(0b100)) lp = lp - p[1];
    if constexpr (Partials) {
      const T slope = 2.0 * g * z * q * p[0];
      d[0] = -slope;
      d[1] = slope;
      d[2] = slope * z - g * p[0];
    }
    return lp;
  }
};

/// lgamma((nu+1)/2) - lgamma(nu/2) - log(nu pi)/2 - log sigma - (nu+1)/2 log(1 + z²/nu).
struct StudentTLpdf : Density<4> {
  static constexpr DomainRule kRules[] = {{0, Rule::NotNan, "Random variable"},
                                          {1, Rule::PositiveFinite, "Degrees of freedom parameter"},
                                          {2, Rule::Finite, "Location parameter"},
                                          {3, Rule::PositiveFinite, "Scale parameter"}};
  static constexpr unsigned kPre[] = {0b1000, 0b1000, 0b0010, 0b0010, 0b0010};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    const T half = 0.5 * x[1];
    if constexpr (I == 0) return 1.0 / x[3];
    else if constexpr (I == 1) return k.has(0b1000) ? log(x[3]) : T{};
    else if constexpr (I == 2) return 1.0 / x[1];
    else if constexpr (I == 3)
      return k.has(0b0010) ? lanewise([](double h) { return scalar::lgamma_difference(h, 0.5); }, half) - 0.5 * log(x[1]) : T{};
    else if constexpr (Partials) return k.wants(1) ? 0.5 * (digamma(half + 0.5) - digamma(half)) - 0.5 / x[1] : T{};
    else return T{};
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T z = (x[0] - x[2]) * p[0];
    const T q = z * z * p[2];
    const T share = Partials ? 1.0 / (1.0 + q) : T{};
    const T l = Partials ? log1p_given(q, share) : log1p(q);
    T lp = (-0.5 * x[1] - 0.5) * l;
    if (k.constants()) lp = lp - 0.5 * kLogPi;
    if (k.has(0b1000)) lp = lp - p[1];
    if (k.has(0b0010)) lp = lp + p[3];
    if constexpr (Partials) {
      const T w = (x[1] + 1.0) * p[2] * share;
      const T slope = g * w * z * p[0];
      d[0] = -slope;
      d[1] = g * (p[4] - 0.5 * l + 0.5 * w * z * z * p[2]);
      d[2] = slope;
      d[3] = slope * z - g * p[0];
    }
    return lp;
  }
};

/// -|z| - 2 log(1 + exp(-|z|)) - log sigma.
struct LogisticLpdf : Density<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::Finite, "Random variable"},
                                          {1, Rule::Finite, "Location parameter"},
                                          {2, Rule::PositiveFinite, "Scale parameter"}};
  static constexpr unsigned kPre[] = {0b100, 0b100};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 0) return 1.0 / x[2];
    else return k.has(0b100) ? log(x[2]) : T{};
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T z = (x[0] - x[1]) * p[0];
    const T e = exp(-abs(z));
    const T q = 1.0 / (1.0 + e);
    T lp = -abs(z) - 2.0 * log1p_given(e, q);
    if (k.has(0b100)) lp = lp - p[1];
    if constexpr (Partials) {
      const T t = (1.0 - e) * q;
      const T slope = g * select(z > 0.0, t, -t) * p[0];
      d[0] = -slope;
      d[1] = slope;
      d[2] = slope * z - g * p[0];
    }
    return lp;
  }
};

/// -|z| - log(2 sigma).
/// log 2 + log tau (1 - tau) - log sigma - 2 (tau - [y < mu]) (y - mu) / sigma.
struct SkewDoubleExponentialLpdf : Density<4> {
  static constexpr DomainRule kRules[] = {{0, Rule::NotNan, "Random variable"},
                                          {1, Rule::Finite, "Location parameter"},
                                          {2, Rule::PositiveFinite, "Scale parameter"},
                                          {3, Rule::Probability, "Skewness parameter"}};
  static constexpr unsigned kPre[] = {0b0100, 0b0100, 0b1000};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 0) return 2.0 / x[2];
    else if constexpr (I == 1) return k.has(0b0100) ? log(x[2]) : T{};
    else return k.has(0b1000) ? log(x[3]) + log1p(-x[3]) : T{};
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T distance = x[0] - x[1];
    const T side = select(distance < 0.0, x[3] - 1.0, select(distance > 0.0, x[3], splat<T>(0.0)));
    const T slope = p[0] * side;
    T lp = -slope * distance;
    if (k.constants()) lp = lp + kLogTwo;
    if (k.has(0b0100)) lp = lp - p[1];
    if (k.has(0b1000)) lp = lp + p[2];
    if constexpr (Partials) {
      d[0] = -g * slope;
      d[1] = g * slope;
      d[2] = g * 0.5 * p[0] * (slope * distance - 1.0);
      d[3] = g * (1.0 / x[3] - 1.0 / (1.0 - x[3]) - p[0] * distance);
    }
    return lp;
  }
};

struct DoubleExponentialLpdf : CheapDensity<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::Finite, "Random variable"},
                                          {1, Rule::Finite, "Location parameter"},
                                          {2, Rule::PositiveFinite, "Scale parameter"}};
  static constexpr unsigned kPre[] = {0b100, 0b100};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 0) return 1.0 / x[2];
    else return k.has(0b100) ? log(x[2]) : T{};
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T z = (x[0] - x[1]) * p[0];
    T lp = -abs(z);
    if (k.constants()) lp = lp - kLogTwo;
    if (k.has(0b100)) lp = lp - p[1];
    if constexpr (Partials) {
      const T slope = g * select(z > 0.0, p[0], select(z < 0.0, -p[0], splat<T>(0.0)));
      d[0] = -slope;
      d[1] = slope;
      d[2] = slope * z - g * p[0];
    }
    return lp;
  }
};

/// -log(beta) - z - exp(-z).
struct GumbelLpdf : Density<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::NotNan, "Random variable"},
                                          {1, Rule::Finite, "Location parameter"},
                                          {2, Rule::Positive, "Scale parameter"}};
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep k) {
    const T inv_beta = 1.0 / x[2];
    const T z = (x[0] - x[1]) * inv_beta;
    const T e = exp(-z);
    T lp = -z - e;
    if (k.has(0b100)) lp = lp - log(x[2]);
    if constexpr (Partials) {
      const T slope = g * (1.0 - e) * inv_beta;
      d[0] = -slope;
      d[1] = slope;
      d[2] = slope * z - g * inv_beta;
    }
    return lp;
  }
};

}  // namespace

FERMIAC_EXPORT_FAMILY(normal_family, make_map<NormalLpdf>("normal_lpdf"), make_map<StdNormalLpdf>("std_normal_lpdf"),
                      make_map<LognormalLpdf>("lognormal_lpdf"), make_map<CauchyLpdf>("cauchy_lpdf"),
                      make_map<StudentTLpdf>("student_t_lpdf"), make_map<LogisticLpdf>("logistic_lpdf"),
                      make_map<DoubleExponentialLpdf>("double_exponential_lpdf"),
                      make_map<SkewDoubleExponentialLpdf>("skew_double_exponential_lpdf"), make_map<GumbelLpdf>("gumbel_lpdf"))

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
