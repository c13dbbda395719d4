// Distribution functions with a closed form, on lanes. A law gives the log of one tail with its partials; the other follows.
#include "autodiff/dist/cdf_forms.h"
#include "autodiff/kernels/atan_lanes.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

#define FERMIAC_Y(rule) {0, Rule::rule, "Random variable"}
#define FERMIAC_P(j, rule, label) {j, Rule::rule, label}

/// An outcome with all mass above it (below the support), or with all mass below it.
template <class T>
struct Outside {
  Mask<T> below, above;
};

template <int Arity>
struct Law {
  static constexpr int kArity = Arity;
  template <class T>
  FERMIAC_INLINE Outside<T> outside(const T* x) { return {x[0] == -kInf, x[0] == kInf}; }
};
template <int Arity>
struct PositiveLaw : Law<Arity> {
  template <class T>
  FERMIAC_INLINE Outside<T> outside(const T* x) { return {x[0] <= 0.0, x[0] == kInf}; }
};

/// A law with `log_tail(x, d, upper)`: the log of the tail that `upper` says, and its partials. The slope of the other tail
/// is -1 / expm1(-u) times as large.
template <class L>
struct OneTail : L {
  template <Side S, class T>
  FERMIAC_INLINE T log_side(const T* x, T* d) {
    Mask<T> upper;
    const T u = L::log_tail(x, d, upper);
    const auto direct = S == Side::Upper ? upper : negate(upper);
    if (!any(negate(direct))) return u;
    const T slope = -1.0 / expm1(-u);
    for (int j = 0; j < L::kArity; ++j) d[j] = select(direct | (d[j] == 0.0), d[j], slope * d[j]);
    return select(direct, u, log1m_exp(u));
  }
};

/// The functor: L::log_side inside the support.
template <class L, Side S>
struct ClosedTail : Density<L::kArity> {
  static constexpr auto& kRules = L::kRules;
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep) {
    T slopes[L::kArity]{};
    const Outside<T> out = L::outside(x);
    const T v = L::template log_side<S>(x, slopes);
    if constexpr (Partials)
      for (int j = 0; j < L::kArity; ++j) d[j] = select(out.below | out.above, splat<T>(0.0), g * slopes[j]);
    const T none = splat<T>(-kInf), all = splat<T>(0.0);
    return select(out.below, S == Side::Lower ? none : all, select(out.above, S == Side::Lower ? all : none, v));
  }
};

template <class T>
FERMIAC_INLINE Mask<T> everywhere(T x) { return (x == x) | (x != x); }
/// Partials of a function of z = (y - mu) / sigma by y, mu and sigma.
template <class T>
FERMIAC_INLINE void location_scale(T slope, T z, T inv_sigma, T* d) {
  d[0] = slope * inv_sigma;
  d[1] = -d[0];
  d[2] = -d[0] * z;
}

struct GumbelLaw : Law<3> {
  static constexpr DomainRule kRules[] = {FERMIAC_Y(NotNan), FERMIAC_P(1, Finite, "Location parameter"),
                                          FERMIAC_P(2, Positive, "Scale parameter")};
  template <class T>
  FERMIAC_INLINE T log_tail(const T* x, T* d, Mask<T>& upper) {
    const T inv = 1.0 / x[2], z = (x[0] - x[1]) * inv, e = exp(-z);
    upper = negate(everywhere(z));
    location_scale(e, z, inv, d);
    return -e;
  }
};

struct DoubleExponentialLaw : Law<3> {
  static constexpr DomainRule kRules[] = {FERMIAC_Y(NotNan), FERMIAC_P(1, Finite, "Location parameter"),
                                          FERMIAC_P(2, PositiveFinite, "Scale parameter")};
  template <class T>
  FERMIAC_INLINE T log_tail(const T* x, T* d, Mask<T>& upper) {
    const T inv = 1.0 / x[2], z = (x[0] - x[1]) * inv;
    upper = z >= 0.0;
    location_scale(select(upper, splat<T>(-1.0), splat<T>(1.0)), z, inv, d);
    return -abs(z) - kLogTwo;
  }
};

struct CauchyLaw : Law<3> {
  static constexpr DomainRule kRules[] = {FERMIAC_Y(NotNan), FERMIAC_P(1, Finite, "Location parameter"),
                                          FERMIAC_P(2, PositiveFinite, "Scale parameter")};
  template <class T>
  FERMIAC_INLINE T log_tail(const T* x, T* d, Mask<T>& upper) {
    const T inv = 1.0 / x[2], z = (x[0] - x[1]) * inv, w = abs(z);
    const auto far = w > 1.0;
    const T angle = select(far, atan(1.0 / w), 1.57079632679489661923 - atan(w));
    upper = z > 0.0;
    const T slope = 1.0 / ((1.0 + w * w) * angle);
    location_scale(select(upper, -slope, slope), z, inv, d);
    return log(angle) - kLogPi;
  }
};

struct FrechetLaw : PositiveLaw<3> {
  static constexpr DomainRule kRules[] = {FERMIAC_Y(Positive), FERMIAC_P(1, PositiveFinite, "Shape parameter"),
                                          FERMIAC_P(2, PositiveFinite, "Scale parameter")};
  template <class T>
  FERMIAC_INLINE T log_tail(const T* x, T* d, Mask<T>& upper) {
    const T t = log(x[0]) - log(x[2]), e = exp(-x[1] * t);
    upper = negate(everywhere(t));
    d[0] = e * x[1] / x[0];
    d[1] = select(e == 0.0, e, e * t);
    d[2] = -e * x[1] / x[2];
    return -e;
  }
};

struct RayleighLaw : PositiveLaw<2> {
  static constexpr DomainRule kRules[] = {FERMIAC_Y(NonNegative), FERMIAC_P(1, Positive, "Scale parameter")};
  template <class T>
  FERMIAC_INLINE T log_tail(const T* x, T* d, Mask<T>& upper) {
    const T inv = 1.0 / x[1], r = x[0] * inv;
    upper = everywhere(r);
    d[0] = -r * inv;
    d[1] = r * r * inv;
    return -0.5 * r * r;
  }
};

struct ParetoLaw : Law<3> {
  static constexpr DomainRule kRules[] = {FERMIAC_Y(NonNegative), FERMIAC_P(1, PositiveFinite, "Scale parameter"),
                                          FERMIAC_P(2, PositiveFinite, "Shape parameter")};
  template <class T>
  FERMIAC_INLINE Outside<T> outside(const T* x) { return {x[0] < x[1], x[0] == kInf}; }
  template <class T>
  FERMIAC_INLINE T log_tail(const T* x, T* d, Mask<T>& upper) {
    const T l = log(x[1] / x[0]);
    upper = everywhere(l);
    d[0] = -x[2] / x[0];
    d[1] = x[2] / x[1];
    d[2] = l;
    return x[2] * l;
  }
};

struct ParetoType2Law : Law<4> {
  static constexpr DomainRule kRules[] = {
      FERMIAC_Y(NonNegative), FERMIAC_P(1, NotNan, "Location parameter"), FERMIAC_P(2, PositiveFinite, "Scale parameter"),
      FERMIAC_P(3, PositiveFinite, "Shape parameter"),
      {.operand = 0, .rule = Rule::GreaterOrEqual, .label = "Random variable", .other = 1, .other_label = "Location parameter"}};
  template <class T>
  FERMIAC_INLINE T log_tail(const T* x, T* d, Mask<T>& upper) {
    const T inv = 1.0 / x[2], w = (x[0] - x[1]) * inv, l = log1p(w);
    upper = everywhere(l);
    d[0] = -x[3] / (1.0 + w) * inv;
    d[1] = -d[0];
    d[2] = -d[0] * w;
    d[3] = -l;
    return -x[3] * l;
  }
};

struct SkewDoubleExponentialLaw : Law<4> {
  static constexpr DomainRule kRules[] = {FERMIAC_Y(NotNan), FERMIAC_P(1, Finite, "Location parameter"),
                                          FERMIAC_P(2, PositiveFinite, "Scale parameter"),
                                          FERMIAC_P(3, Probability, "Skewness parameter")};
  /// The slope of a log tail at infinity is its limit.
  template <class T>
  FERMIAC_INLINE Outside<T> outside(const T* x) { return {x[0] != x[0], x[0] != x[0]}; }
  /// The tail on the side of z is share exp(-rate |z|), with share and rate tau or 1 - tau; the other is 1 minus that.
  template <Side S, class T>
  FERMIAC_INLINE T log_side(const T* x, T* d) {
    const T inv = 1.0 / x[2], z = 2.0 * (x[0] - x[1]) * inv, tau = x[3], w = abs(z);
    const auto right = z >= 0.0;
    const T rate = select(right, tau, 1.0 - tau), share = 1.0 - rate, sign = select(right, splat<T>(-1.0), splat<T>(1.0));
    const auto direct = S == Side::Upper ? right : negate(right);
    const T e = exp(-rate * w), tail = share * e, rest = rate * e - expm1(-rate * w);  // tail + rest = 1
    const T by_z = select(direct, sign * rate, -sign * rate * tail / rest);
    location_scale(2.0 * by_z, 0.5 * z, inv, d);
    d[2] = select(by_z == 0.0, splat<T>(0.0), d[2]);
    d[3] = select(direct, sign / share - z, -sign * (e + lmultiply(tail, w)) / rest);
    return select(direct, log(share) - rate * w, select(tail < 0.5, log1p(-tail), log(rest)));
  }
};

struct BernoulliLaw : Law<2> {
  static constexpr DomainRule kRules[] = {FERMIAC_P(1, Probability, "Probability parameter")};
  template <class T>
  FERMIAC_INLINE Outside<T> outside(const T* x) { return {x[0] < 0.0, x[0] >= 1.0}; }
  template <Side S, class T>
  FERMIAC_INLINE T log_side(const T* x, T* d) {
    d[1] = S == Side::Upper ? 1.0 / x[1] : -1.0 / (1.0 - x[1]);
    return S == Side::Upper ? log(x[1]) : log1p(-x[1]);
  }
};

struct UniformLaw : Law<3> {
  static constexpr DomainRule kRules[] = {
      FERMIAC_Y(NotNan), FERMIAC_P(1, Finite, "Lower bound parameter"), FERMIAC_P(2, Finite, "Upper bound parameter"),
      {.operand = 2, .rule = Rule::Greater, .label = "Upper bound parameter", .other = 1, .other_label = "Lower bound parameter"}};
  template <class T>
  FERMIAC_INLINE Outside<T> outside(const T* x) { return {x[0] < x[1], x[0] > x[2]}; }
  template <Side S, class T>
  FERMIAC_INLINE T log_side(const T* x, T* d) {
    const T width = x[2] - x[1], part = S == Side::Upper ? x[2] - x[0] : x[0] - x[1];
    const T by_width = 1.0 / width, by_part = 1.0 / part;
    d[0] = S == Side::Upper ? -by_part : by_part;
    d[1] = S == Side::Upper ? by_width : by_width - by_part;
    d[2] = S == Side::Upper ? by_part - by_width : -by_width;
    return log(part) - log(width);
  }
};

struct LoglogisticLaw : PositiveLaw<3> {
  static constexpr DomainRule kRules[] = {FERMIAC_Y(NonNegative), FERMIAC_P(1, PositiveFinite, "Scale parameter"),
                                          FERMIAC_P(2, PositiveFinite, "Shape parameter")};
  template <Side S, class T>
  FERMIAC_INLINE T log_side(const T* x, T* d) {
    const T l = log(x[0]) - log(x[1]), t = x[2] * l;
    T slope;
    const T v = -log1p_exp(S == Side::Upper ? t : -t, slope);
    if constexpr (S == Side::Upper) slope = -slope;
    d[0] = slope * x[2] / x[0];
    d[1] = -slope * x[2] / x[1];
    d[2] = slope * l;
    return v;
  }
};

/// Normal plus exponential: with z = (y - mu) / sigma, v = lambda sigma, u = z - v and E = exp(v²/2 - v z) Phi(u), the tails are
/// Phi(z) - E and Phi(-z) + E. Their slopes by z and v are ±v E and ±(u + phi(u) / Phi(u)) E.
struct ExpModNormalLaw : Law<4> {
  static constexpr DomainRule kRules[] = {FERMIAC_Y(NotNan), FERMIAC_P(1, Finite, "Location parameter"),
                                          FERMIAC_P(2, PositiveFinite, "Scale parameter"),
                                          FERMIAC_P(3, PositiveFinite, "Inv_scale parameter")};
  template <Side S, class T>
  FERMIAC_INLINE T log_side(const T* x, T* d) {
    const T inv = 1.0 / x[2], z = (x[0] - x[1]) * inv, v = x[3] * x[2], u = z - v, zero = splat<T>(0.0);
    T slope_z, slope_u;
    Mask<T> left_z, left_u;
    const T core_z = log_Phi_core(z, slope_z, left_z), core_u = log_Phi_core(u, slope_u, left_u);
    const T half_square = 0.5 * z * z, below = core_z - select(left_z, half_square, zero);
    const T shift = v * (0.5 * v - z);
    const T log_e = core_u + select(left_u, -half_square, shift);
    const T gap = select(left_z, core_u - core_z, log_e - below);  // log of E / Phi(z); z² cancels on the left
    T value = below + log1m_exp(min(gap, zero));
    T share = 1.0 / expm1(-min(gap, zero));  // E over the tail
    if (S == Side::Upper || any(value > -0.2)) {
      T unused;
      const T above = log_Phi(-z, unused), most = max(above, log_e);
      const T sum = most + log1p(exp(min(above, log_e) - most));
      const T odds = inv_logit(log_e - above);
      if constexpr (S == Side::Upper) {
        const auto here = sum < -0.2;
        share = select(here, odds, exp(log_e - log1m_exp(min(value, zero))));
        value = select(here, sum, log1m_exp(min(value, zero)));
      } else {
        const auto there = (value > -0.2) & (sum < -0.2);
        value = select(there, log1m_exp(min(sum, zero)), value);
        share = select(there, exp(log_e - value), share);
      }
    }
    const T weight = S == Side::Upper ? -share : share;
    const T w = 1.0 / abs(u), w2 = w * w;  // far out u + slope_u is w - 2 w³ + 10 w⁵ - ...
    const T by_v = weight * select(u < -200.0, w * (1.0 - w2 * (2.0 - w2 * (10.0 - 74.0 * w2))), u + slope_u);
    location_scale(weight * v, z, inv, d);
    d[2] += by_v * x[3];
    d[3] = by_v * x[2];
    return value;
  }
};

/// The upper tail is Gamma(alpha + 1) Gamma(n + 1) / Gamma(n + 1 + alpha).
struct YuleSimonLaw : Law<2> {
  static constexpr DomainRule kRules[] = {FERMIAC_P(1, PositiveFinite, "Shape parameter")};
  template <class T>
  FERMIAC_INLINE Outside<T> outside(const T* x) { return {x[0] < 1.0, x[0] == kInf}; }
  template <class T>
  FERMIAC_INLINE T log_tail(const T* x, T* d, Mask<T>& upper) {
    const T n = max(x[0] + 1.0, splat<T>(1.0)), a = x[1] + 1.0;
    upper = everywhere(n);
    d[1] = digamma(a) - digamma(n + x[1]);
    return lgamma(a) - lgamma_difference(n, x[1], lgamma(n));
  }
};

}  // namespace

#define FERMIAC_BOTH(L, name)                                                                     \
  make_cdf<ClosedTail<L, Side::Lower>>(name "_cdf"), make_map<ClosedTail<L, Side::Lower>>(name "_lcdf"), \
      make_map<ClosedTail<L, Side::Upper>>(name "_lccdf")
#define FERMIAC_ONE(L, name) FERMIAC_BOTH(OneTail<L>, name)

FERMIAC_EXPORT_FAMILY(closed_tails, FERMIAC_ONE(GumbelLaw, "gumbel"),
                      FERMIAC_ONE(DoubleExponentialLaw, "double_exponential"), FERMIAC_ONE(CauchyLaw, "cauchy"),
                      FERMIAC_ONE(FrechetLaw, "frechet"), FERMIAC_ONE(RayleighLaw, "rayleigh"),
                      FERMIAC_ONE(ParetoLaw, "pareto"), FERMIAC_ONE(ParetoType2Law, "pareto_type_2"),
                      FERMIAC_BOTH(SkewDoubleExponentialLaw, "skew_double_exponential"),
                      FERMIAC_BOTH(BernoulliLaw, "bernoulli"), FERMIAC_BOTH(UniformLaw, "uniform"),
                      FERMIAC_BOTH(LoglogisticLaw, "loglogistic"), FERMIAC_BOTH(ExpModNormalLaw, "exp_mod_normal"),
                      FERMIAC_ONE(YuleSimonLaw, "yule_simon"))

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
