// The element-wise constraining transforms and the logarithms of their slopes.
#include "autodiff/kernels/driver.h"
#include "autodiff/kernels/families.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

template <int Arity>
struct Bounded {
  static constexpr int kArity = Arity;
  static constexpr bool kDensity = false;
};

inline constexpr double kInf = __builtin_inf();

/// g exp(y); nothing where g is 0, though exp overflows.
template <class T>
FERMIAC_INLINE T slope_times(T g, T e) { return select(g == 0.0, splat<T>(0.0), g * e); }

struct LowerConstrain : Bounded<2> {
  static constexpr DomainRule kRules[] = {{1, Rule::NotNan, "Lower bound"}};
  template <class T>
  FERMIAC_INLINE T f(const T* p) { return select(p[1] > -kInf, p[1] + exp(p[0]), p[0]); }
  template <class T>
  FERMIAC_INLINE void r(const T* p, T, T g, T* d) {
    const auto bounded = p[1] > -kInf;
    d[0] = slope_times(g, select(bounded, exp(p[0]), splat<T>(1.0)));
    d[1] = select(bounded, g, splat<T>(0.0));
  }
};
struct LowerJacobian : Bounded<2> {
  template <class T>
  FERMIAC_INLINE T f(const T* p) { return select(p[1] > -kInf, p[0], splat<T>(0.0)); }
  template <class T>
  FERMIAC_INLINE void r(const T* p, T, T g, T* d) {
    d[0] = select(p[1] > -kInf, g, splat<T>(0.0));
    d[1] = splat<T>(0.0);
  }
};
struct LowerUnconstrain : Bounded<2> {
  static constexpr DomainRule kRules[] = {{0, Rule::GreaterOrEqual, "Bounded variable", 1, "the lower bound"}};
  template <class T>
  FERMIAC_INLINE T f(const T* p) { return select(p[1] > -kInf, log(p[0] - p[1]), p[0]); }
  template <class T>
  FERMIAC_INLINE void r(const T* p, T, T g, T* d) {
    const auto bounded = p[1] > -kInf;
    d[0] = g * select(bounded, 1.0 / (p[0] - p[1]), splat<T>(1.0));
    d[1] = select(bounded, -d[0], splat<T>(0.0));
  }
};

struct UpperConstrain : Bounded<2> {
  static constexpr DomainRule kRules[] = {{1, Rule::NotNan, "Upper bound"}};
  template <class T>
  FERMIAC_INLINE T f(const T* p) { return select(p[1] < kInf, p[1] - exp(p[0]), p[0]); }
  template <class T>
  FERMIAC_INLINE void r(const T* p, T, T g, T* d) {
    const auto bounded = p[1] < kInf;
    d[0] = slope_times(g, select(bounded, -exp(p[0]), splat<T>(1.0)));
    d[1] = select(bounded, g, splat<T>(0.0));
  }
};
struct UpperJacobian : Bounded<2> {
  template <class T>
  FERMIAC_INLINE T f(const T* p) { return select(p[1] < kInf, p[0], splat<T>(0.0)); }
  template <class T>
  FERMIAC_INLINE void r(const T* p, T, T g, T* d) {
    d[0] = select(p[1] < kInf, g, splat<T>(0.0));
    d[1] = splat<T>(0.0);
  }
};
struct UpperUnconstrain : Bounded<2> {
  static constexpr DomainRule kRules[] = {{0, Rule::LessOrEqual, "Bounded variable", 1, "the upper bound"}};
  template <class T>
  FERMIAC_INLINE T f(const T* p) { return select(p[1] < kInf, log(p[1] - p[0]), p[0]); }
  template <class T>
  FERMIAC_INLINE void r(const T* p, T, T g, T* d) {
    const auto bounded = p[1] < kInf;
    d[0] = g * select(bounded, -1.0 / (p[1] - p[0]), splat<T>(1.0));
    d[1] = select(bounded, -d[0], splat<T>(0.0));
  }
};

/// exp(x); a single number that nobody wants is not computed.
template <class M, class T>
FERMIAC_INLINE T exp_where(M, T x) { return exp(x); }
FERMIAC_INLINE double exp_where(bool wanted, double x) { return wanted ? exp(x) : 0.0; }

/// inv_logit(x) and inv_logit(-x), with one exponential.
template <class T>
struct BothSides {
  T q, rest;
};
template <class T>
FERMIAC_INLINE BothSides<T> both_sides(T x) {
  const T e = exp(-abs(x)), near = 1.0 / (1.0 + e), far = e * near;
  return {select(x > 0.0, near, far), select(x < 0.0, near, far)};
}

/// Both bounds finite: a + (b - a) inv_logit(y), from the nearer bound; otherwise what the one-sided maps give.
struct LowerUpperConstrain : Bounded<3> {
  static constexpr DomainRule kRules[] = {{1, Rule::Less, "Lower bound", 2, "the upper bound"}};
  template <class T>
  FERMIAC_INLINE T f(const T* p) {
    const auto low = p[1] > -kInf, high = p[2] < kInf;
    const T e = exp_where(negate(low & high), p[0]);
    const T q = inv_logit(-abs(p[0])), width = p[2] - p[1];
    const T both = select(p[0] < 0.0, p[1] + width * q, p[2] - width * q);
    const T one = select(low, p[1] + e, select(high, p[2] - e, p[0]));
    return select(low & high, both, one);
  }
  template <class T>
  FERMIAC_INLINE void r(const T* p, T, T g, T* d) {
    const auto low = p[1] > -kInf, high = p[2] < kInf;
    const T e = exp_where(negate(low & high), p[0]), zero = splat<T>(0.0), one = splat<T>(1.0);
    const BothSides<T> s = both_sides(p[0]);
    const T both = (p[2] - p[1]) * s.q * s.rest;
    d[0] = slope_times(g, select(low & high, both, select(low, e, select(high, -e, one))));
    d[1] = g * select(low & high, s.rest, select(low, one, zero));
    d[2] = g * select(low & high, s.q, select(high, one, zero));
  }
};
struct LowerUpperJacobian : Bounded<3> {
  static constexpr bool kSummed = true;
  template <class T>
  FERMIAC_INLINE T f(const T* p) {
    const auto low = p[1] > -kInf, high = p[2] < kInf;
    const T y = abs(p[0]);
    const T both = log(p[2] - p[1]) - y - 2.0 * log1p(exp(-y));
    return select(low & high, both, select(low | high, p[0], splat<T>(0.0)));
  }
  template <class T>
  FERMIAC_INLINE void r(const T* p, T, T g, T* d) {
    const auto low = p[1] > -kInf, high = p[2] < kInf;
    const T zero = splat<T>(0.0), inv_width = g / (p[2] - p[1]);
    d[0] = g * select(low & high, 1.0 - 2.0 * inv_logit(p[0]), select(low | high, splat<T>(1.0), zero));
    d[1] = select(low & high, -inv_width, zero);
    d[2] = select(low & high, inv_width, zero);
  }
};
struct LowerUpperUnconstrain : Bounded<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::GreaterOrEqual, "Bounded variable", 1, "the lower bound"},
                                          {0, Rule::LessOrEqual, "Bounded variable", 2, "the upper bound"},
                                          {1, Rule::Less, "Lower bound", 2, "the upper bound"}};
  template <class T>
  FERMIAC_INLINE T f(const T* p) {
    const auto low = p[1] > -kInf, high = p[2] < kInf;
    const T both = log((p[0] - p[1]) / (p[2] - p[0]));
    const T one = select(low, log(p[0] - p[1]), select(high, log(p[2] - p[0]), p[0]));
    return select(low & high, both, one);
  }
  template <class T>
  FERMIAC_INLINE void r(const T* p, T, T g, T* d) {
    const auto low = p[1] > -kInf, high = p[2] < kInf;
    const T zero = splat<T>(0.0);
    const T from_low = select(low, g / (p[0] - p[1]), zero), from_high = select(high, g / (p[2] - p[0]), zero);
    d[0] = select(low & high, from_low + from_high, select(low, from_low, select(high, -from_high, g)));
    d[1] = -from_low;
    d[2] = select(low & high, -from_high, from_high);
  }
};

struct OffsetMultiplierConstrain : Bounded<3> {
  static constexpr DomainRule kRules[] = {{1, Rule::Finite, "offset"}, {2, Rule::PositiveFinite, "multiplier"}};
  template <class T>
  FERMIAC_INLINE T f(const T* p) { return p[1] + p[2] * p[0]; }
  template <class T>
  FERMIAC_INLINE void r(const T* p, T, T g, T* d) {
    d[0] = g * p[2];
    d[1] = g;
    d[2] = g * p[0];
  }
};
struct OffsetMultiplierJacobian : Bounded<3> {
  template <class T>
  FERMIAC_INLINE T f(const T* p) { return log(p[2]); }
  template <class T>
  FERMIAC_INLINE void r(const T* p, T, T g, T* d) {
    d[0] = d[1] = splat<T>(0.0);
    d[2] = g / p[2];
  }
};
struct OffsetMultiplierUnconstrain : Bounded<3> {
  static constexpr DomainRule kRules[] = {{1, Rule::Finite, "offset"}, {2, Rule::PositiveFinite, "multiplier"}};
  template <class T>
  FERMIAC_INLINE T f(const T* p) { return (p[0] - p[1]) / p[2]; }
  template <class T>
  FERMIAC_INLINE void r(const T* p, T v, T g, T* d) {
    d[0] = g / p[2];
    d[1] = -d[0];
    d[2] = -d[0] * v;
  }
};

}  // namespace

FERMIAC_EXPORT_FAMILY(bounds, make_map<LowerConstrain>("lower_bound_constrain"),
                      make_map<LowerJacobian>("lower_bound_log_jacobian__"),
                      make_map<LowerUnconstrain>("lower_bound_unconstrain"),
                      make_map<UpperConstrain>("upper_bound_constrain"),
                      make_map<UpperJacobian>("upper_bound_log_jacobian__"),
                      make_map<UpperUnconstrain>("upper_bound_unconstrain"),
                      make_map<LowerUpperConstrain>("lower_upper_bound_constrain"),
                      make_map<LowerUpperJacobian>("lower_upper_bound_log_jacobian__"),
                      make_map<LowerUpperUnconstrain>("lower_upper_bound_unconstrain"),
                      make_map<OffsetMultiplierConstrain>("offset_multiplier_constrain"),
                      make_map<OffsetMultiplierJacobian>("offset_multiplier_log_jacobian__"),
                      make_map<OffsetMultiplierUnconstrain>("offset_multiplier_unconstrain"))

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
