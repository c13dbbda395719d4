// Arithmetic and the elementary functions that almost every model uses.
#include "autodiff/kernels/driver.h"
#include "autodiff/kernels/families.h"
#include "autodiff/kernels/function_rows.h"
#include "autodiff/kernels/link_ends.h"
#include "autodiff/ops/functions.h"
#include "autodiff/ops/scalar.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// An op of the list.
template <class Op>
struct Listed : Function<Op::kArity> {
  static constexpr bool kCheap = true;
  template <class T>
  FERMIAC_INLINE T f(const T* p) {
    return Op::value(p);
  }
  template <class T>
  FERMIAC_INLINE void r(const T* p, T v, T g, T* d) {
    Op::partials(p, v, g, d);
  }
};

/// Of a single number it is the language's function, which rounds once whatever the instruction set.
template <>
struct Listed<ops::Fma> : Function<3> {
  static constexpr bool kCheap = true;
  template <class T>
  FERMIAC_INLINE T f(const T* p) {
    if constexpr (sizeof(T) == sizeof(double)) return __builtin_fma(p[0], p[1], p[2]);
    else return ops::Fma::value(p);
  }
  template <class T>
  FERMIAC_INLINE void r(const T* p, T v, T g, T* d) {
    ops::Fma::partials(p, v, g, d);
  }
};

FERMIAC_UNARY(InvSqrt, 1.0 / sqrt(x), -0.5 * v / x)
FERMIAC_UNARY(InvSquare, 1.0 / (x * x), -2.0 * v / x)
FERMIAC_UNARY(Abs, abs(x), select(x > 0.0, splat<T>(1.0), select(x < 0.0, splat<T>(-1.0), x* 0.0)))
FERMIAC_FREQUENT_FUNCTIONS(FERMIAC_FUNCTION)
FERMIAC_UNARY(Log1mFree, log1p(-x), -1.0 / (1.0 - x))
struct Log1p : Log1pFree {
  static constexpr DomainRule kRules[] = {{.operand = 0, .rule = Rule::NotBelow, .label = "x", .bound = -1}};
};
struct Log1m : Log1mFree {
  static constexpr DomainRule kRules[] = {{.operand = 0, .rule = Rule::NotAbove, .label = "x", .bound = 1}};
};

/// log |J| of the logit transform: log(u (1-u)) at u = inv_logit(x).
FERMIAC_UNARY(LogitJacobianFree, -abs(x) - 2.0 * log1p(exp(-abs(x))), 1.0 - 2.0 * inv_logit(x))
struct LogitJacobian : LogitJacobianFree {
  static constexpr bool kSummed = true;
};

/// log(exp(x) + exp(y)).
struct LogSumExp2 : Function<2> {
  static constexpr bool kSummed = true;
  template <class T>
  FERMIAC_INLINE T f(const T* p) {
    const T d = p[0] - p[1];
    const T high = select(d > 0.0, p[0], p[1]);
    const T soft = high + log1p(exp(-abs(d)));
    return select(d == d, soft, p[0] + p[1]);  // both infinite with the same sign: that infinity
  }
  template <class T>
  FERMIAC_INLINE void r(const T* p, T, T g, T* d) {
    const T q = inv_logit(p[0] - p[1]);
    d[0] = g * q;
    d[1] = g * (1.0 - q);
  }
};

/// Minus the log probability of the outcome x under the probability y.
FERMIAC_BINARY(BinaryLogLoss, select(x != 0.0, -log(y), -log1p(-y)), splat<T>(0.0), select(x != 0.0, -1.0 / y, 1.0 / (1.0 - y)))

/// compare(x, y) ? yes : no. All four are computed whatever comes out; only the one that is taken gets derivatives.
template <class F>
struct Select : Function<4> {
  template <class T>
  FERMIAC_INLINE T f(const T* p) {
    return select(F::holds(p[0], p[1]), p[2], p[3]);
  }
  template <class T>
  FERMIAC_INLINE void r(const T* p, T, T g, T* d) {
    const auto taken = F::holds(p[0], p[1]);
    d[0] = d[1] = T{};
    d[2] = select(taken, g, T{});
    d[3] = select(taken, T{}, g);
  }
};
/// log sum exp of K numbers: rows of small log_sum_exp calls become lanes of this.
template <int K>
struct LogSumExpK : Function<K> {
  template <class T>
  FERMIAC_INLINE T f(const T* p) {
    T high = p[0];
    for (int k = 1; k < K; ++k) high = select(p[k] > high, p[k], high);
    T sum = exp(p[0] - high);
    for (int k = 1; k < K; ++k) sum = sum + exp(p[k] - high);
    return select(abs(high) < __builtin_inf(), high + log(sum), high);
  }
  template <class T>
  FERMIAC_INLINE void r(const T* p, T v, T g, T* d) {
    for (int k = 0; k < K; ++k) d[k] = g * exp(p[k] - v);
  }
};

/// Of log odds, which must be finite.
template <int K>
struct CategoricalTotal : LogSumExpK<K> {
  static constexpr std::string_view kElementsOf = "categorical_logit_lpmf";
  static constexpr DomainRule kRules[] = {{0, Rule::Finite, "log odds parameter"},
                                          {1, Rule::Finite, "log odds parameter"},
                                          {K > 2 ? 2 : 0, Rule::Finite, "log odds parameter"},
                                          {K > 3 ? 3 : 0, Rule::Finite, "log odds parameter"}};
};

/// count * x, 0 where the count is 0: the event without observations may be impossible. NaN remains.
template <class T>
FERMIAC_INLINE T times(T count, T x) {
  return select((count == 0.0) & (x == x), splat<T>(0.0), count * x);
}

/// count * x where x is a logarithm that is NaN outside the range of its link, so that the point is evaluated without a tape: 0 if the count is 0.
template <class T>
FERMIAC_INLINE T times_log(T count, T x) {
  return select(count == 0.0, splat<T>(0.0), count * x);
}

/// a log theta + b log(1 - theta) with theta = inv_logit(p); operands a, b (data) and p. NaN if a
/// logarithm with a nonzero count is outside the range of its link.
struct LogitTerms : Function<3> {
  static constexpr bool kSummed = true;
  template <class T>
  FERMIAC_INLINE T f(const T* x) {
    const T soft = log1p(exp(-abs(x[2])));
    const T low = select(x[2] < kLinkVanishes, splat<T>(__builtin_nan("")), min(x[2], splat<T>(0.0)));
    const T high = select(x[2] > kLinkIsOne, splat<T>(__builtin_nan("")), max(x[2], splat<T>(0.0)));
    return times_log(x[0], low) - times_log(x[1], high) - (x[0] + x[1]) * soft;
  }
  template <class T>
  FERMIAC_INLINE void r(const T* x, T, T g, T* d) {
    const T soft = log1p(exp(-abs(x[2])));
    d[0] = g * (min(x[2], splat<T>(0.0)) - soft);
    d[1] = -g * (max(x[2], splat<T>(0.0)) + soft);
    d[2] = g * (x[0] - (x[0] + x[1]) * inv_logit(x[2]));
  }
};

/// a log lambda - b lambda with lambda = exp(p); operands a, b (data) and p. NaN if a is not 0 and
/// p is outside the range of the link.
struct LogTerms : Function<3> {
  static constexpr bool kSummed = true;
  template <class T>
  FERMIAC_INLINE T f(const T* x) {
    const T p = select((x[2] < kLinkVanishes) | (x[2] > kLinkOverflows), splat<T>(__builtin_nan("")), x[2]);
    return times_log(x[0], p) - times(x[1], exp(x[2]));
  }
  template <class T>
  FERMIAC_INLINE void r(const T* x, T, T g, T* d) {
    const T e = exp(x[2]);
    d[0] = g * x[2];
    d[1] = -g * e;
    d[2] = g * (x[0] - x[1] * e);
  }
};

/// theta * exp(a) + (1 - theta) * exp(b), on the log scale.
struct LogMix : Function<3> {
  static constexpr bool kSummed = true;
  template <class T>
  FERMIAC_INLINE void weights(const T* p, T& high, T& w1, T& w2) {
    const T difference = p[1] - p[2];
    const T d = select(difference == difference, difference, splat<T>(0.0));  // both infinite
    const T e = exp(-abs(d));
    const auto first = d > 0.0;
    high = select(first, p[1], p[2]);
    w1 = select(first, p[0], p[0] * e);
    w2 = select(first, (1.0 - p[0]) * e, 1.0 - p[0]);
  }
  template <class T>
  FERMIAC_INLINE T f(const T* p) {
    T high, w1, w2;
    weights(p, high, w1, w2);
    return high + log(w1 + w2);
  }
  template <class T>
  FERMIAC_INLINE void r(const T* p, T, T g, T* d) {
    T high, w1, w2;
    weights(p, high, w1, w2);
    const T q = g / (w1 + w2);
    const T e = exp(-abs(p[1] - p[2]));
    const auto first = p[1] > p[2];
    d[0] = q * select(first, 1.0 - e, e - 1.0);
    d[1] = q * w1;
    d[2] = q * w2;
  }
  static constexpr DomainRule kRules[] = {{0, Rule::Probability, "Mixing proportion"},
                                          {1, Rule::NotNan, "First log density"},
                                          {2, Rule::NotNan, "Second log density"}};
};

}  // namespace

#define FERMIAC_LISTED(Name, map, ...) make_map<Listed<ops::Name>>(map),
#define FERMIAC_SELECT(Name, ...) make_map<Select<ops::Is##Name>>(ops::Is##Name::kSelect),
FERMIAC_EXPORT_FAMILY(arithmetic,
                      FERMIAC_SCALAR_OPS(FERMIAC_LISTED)
                      make_map<InvSqrt>("inv_sqrt"), make_map<InvSquare>("inv_square"), make_map<Abs>("abs"),
                      make_map<InvLogit>("inv_logit"), make_map<Log1p>("log1p"), make_map<Log1m>("log1m"),
                      make_map<Expm1>("expm1"), make_map<Log1pExp>("log1p_exp"),
                      make_map<LogitJacobian>("logit_jacobian__"), make_map<LogSumExp2>("log_sum_exp"),
                      make_map<LogMix>("log_mix"), make_map<BinaryLogLoss>("binary_log_loss"),
                      FERMIAC_COMPARES(FERMIAC_SELECT) make_map<LogSumExpK<3>>("log_sum_exp_3__"),
                      make_map<LogSumExpK<4>>("log_sum_exp_4__"), make_map<LogitTerms>("logit_terms__"),
                      make_map<LogTerms>("log_terms__"), make_map<CategoricalTotal<2>>("categorical_logit_lpmf__2"),
                      make_map<CategoricalTotal<3>>("categorical_logit_lpmf__3"),
                      make_map<CategoricalTotal<4>>("categorical_logit_lpmf__4"))
#undef FERMIAC_LISTED
#undef FERMIAC_SELECT

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
