// The distribution functions that censored and truncated models use most, on lanes. closed_tails.isa.cpp has those with a
// closed form, cdfs.cpp all others.
#include "autodiff/dist/cdf_forms.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// log(1 - exp(-w)), w >= 0, and its derivative.
template <class T>
FERMIAC_INLINE T log_complement(T w, T& slope) {
  slope = 1.0 / expm1(w);
  return select(w < kLogTwo, log(-expm1(-w)), log1p(-exp(-w)));
}

struct NormalTail {
  template <class T>
  FERMIAC_INLINE T lower(T z, T& slope) { return log_Phi(z, slope); }
};
struct LogisticTail {
  template <class T>
  FERMIAC_INLINE T lower(T z, T& slope) { return -log1p_exp(-z, slope); }
};

/// A symmetric law in z = (y - mu) / sigma, or (log y - mu) / sigma.
template <class Tail, Side S, bool Log, Rule Scale>
struct LocationScale : Density<3> {
  static constexpr DomainRule kRules[] = {{0, Log ? Rule::NonNegative : Rule::NotNan, "Random variable"},
                                          {1, Rule::Finite, "Location parameter"},
                                          {2, Scale, "Scale parameter"}};
  static constexpr unsigned kPre[] = {0b100, 0b001};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep) {
    if constexpr (I == 0) return 1.0 / x[2];
    else if constexpr (Log) return log(x[0]);
    else return x[0];
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep) {
    const T z = (p[1] - x[1]) * p[0];
    T slope;
    const T lp = Tail::lower(S == Side::Lower ? z : -z, slope);
    if constexpr (Partials) {
      const auto finite = abs(z) < kInf;
      const T zero = splat<T>(0.0);
      const T w = select(finite, (S == Side::Lower ? g : -g) * slope * p[0], zero);
      d[0] = select(finite, Log ? w / x[0] : w, zero);
      d[1] = -w;
      d[2] = select(finite, -w * z, zero);
    }
    return lp;
  }
};

template <Side S>
struct StdNormalTail : Density<1> {
  static constexpr DomainRule kRules[] = {{0, Rule::NotNan, "Random variable"}};
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep) {
    T slope;
    const T lp = log_Phi(S == Side::Lower ? x[0] : -x[0], slope);
    if constexpr (Partials) d[0] = S == Side::Lower ? g * slope : -g * slope;
    return lp;
  }
};

template <Side S>
struct ExponentialTail : Density<2> {
  static constexpr DomainRule kRules[] = {{0, Rule::NonNegative, "Random variable"},
                                          {1, Rule::PositiveFinite, "Inverse scale parameter"}};
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep) {
    const T w = x[1] * x[0];
    T slope = splat<T>(-1.0);
    T lp = -w;
    if constexpr (S == Side::Lower) lp = log_complement(w, slope);
    if constexpr (Partials) {
      d[0] = g * slope * x[1];
      d[1] = select((slope == 0.0) | (x[0] == 0.0), splat<T>(0.0), g * slope * x[0]);
    }
    return lp;
  }
};

/// The upper tail is exp(-w), w = (y / sigma)^alpha.
template <Side S>
struct WeibullTail : Density<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::NonNegative, "Random variable"},
                                          {1, Rule::PositiveFinite, "Shape parameter"},
                                          {2, Rule::PositiveFinite, "Scale parameter"}};
  static constexpr unsigned kPre[] = {0b001, 0b100};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep) { return log(x[I == 0 ? 0 : 2]); }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep) {
    const T ratio = p[0] - p[1];
    const T w = exp(x[1] * ratio);
    T slope = splat<T>(-1.0);
    T lp = -w;
    if constexpr (S == Side::Lower) lp = log_complement(w, slope);
    if constexpr (Partials) {
      const auto regular = (w > 0.0) & (w < kInf);
      const T zero = splat<T>(0.0);
      const T t = select(regular, g * slope * w, zero);
      d[0] = select(regular, t * x[1] / x[0], zero);
      d[1] = select(regular, t * ratio, zero);
      d[2] = -t * x[1] / x[2];
    }
    return lp;
  }
};

template <Side S>
using Normal = LocationScale<NormalTail, S, false, Rule::Positive>;
template <Side S>
using Lognormal = LocationScale<NormalTail, S, true, Rule::PositiveFinite>;
template <Side S>
using Logistic = LocationScale<LogisticTail, S, false, Rule::PositiveFinite>;

}  // namespace

#define FERMIAC_TAILS(D, name)                                                               \
  make_cdf<D<Side::Lower>>(name "_cdf"), make_map<D<Side::Lower>>(name "_lcdf"), \
      make_map<D<Side::Upper>>(name "_lccdf")

FERMIAC_EXPORT_FAMILY(tails_family, FERMIAC_TAILS(Normal, "normal"), FERMIAC_TAILS(StdNormalTail, "std_normal"),
                      FERMIAC_TAILS(Lognormal, "lognormal"), FERMIAC_TAILS(Logistic, "logistic"),
                      FERMIAC_TAILS(ExponentialTail, "exponential"), FERMIAC_TAILS(WeibullTail, "weibull"))

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
