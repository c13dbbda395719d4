// The remaining elementary functions. Those with vector forms come first; the others call the C library lane by lane.
#include "autodiff/kernels/atan_lanes.h"
#include "autodiff/kernels/families.h"
#include "autodiff/kernels/function_rows.h"
#include "autodiff/kernels/link_ends.h"
#include "autodiff/ops/functions.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// Long enough that one loop for all operand patterns costs nothing.
template <int Arity>
struct Function {
  static constexpr int kArity = Arity;
  static constexpr bool kDensity = false;
};

inline constexpr double kSqrtHalf = 0.70710678118654752440;
inline constexpr double kInvSqrtTwoPi = 0.39894228040143267794;
inline constexpr double kTwoOverSqrtPi = 1.12837916709551257390;
inline constexpr double kLogTwo = 0.69314718055994530942;
inline constexpr double kLogTen = 2.30258509299404568402;

template <class T>
FERMIAC_INLINE T log1m_exp(T x) {
  return select(x > -kLogTwo, log(-expm1(x)), log1p(-exp(x)));
}
template <class T>
FERMIAC_INLINE T std_normal_density(T x) {
  return kInvSqrtTwoPi * exp(-0.5 * x * x);
}
template <class T>
FERMIAC_INLINE T Phi(T x) {
  return select(x < -37.5, splat<T>(0.0), 0.5 * erfc(-kSqrtHalf * x));
}
template <class T>
FERMIAC_INLINE T log_diff_exp(T x, T y) {
  const T v = select(y == -__builtin_inf(), x, x + log1m_exp(y - x));
  return select((x == y) & (x < __builtin_inf()), splat<T>(-__builtin_inf()), v);
}

/// x / (x² + y²), and 0 where both are 0; the larger operand is divided out, so that squares neither overflow nor vanish.
template <class T>
FERMIAC_INLINE T over_squared_norm(T x, T y) {
  const T m = select(abs(x) > abs(y), abs(x), abs(y)), a = x / m, b = y / m;
  return select((m == 0.0) | (m == __builtin_inf()), splat<T>(0.0), a / (m * (a * a + b * b)));
}

// Functions of the C library, lane by lane.
#define FERMIAC_LANEWISE(name)                                \
  template <class T>                                          \
  FERMIAC_INLINE T name##_(T x) {                             \
    return lanewise([](auto t) { using std::name; return name(t); }, x); \
  }
#define FERMIAC_LANEWISE_OF_TWO(name)                         \
  template <class T>                                          \
  FERMIAC_INLINE T name##_(T x, T y) {                        \
    return lanewise([](auto a, auto b) { using std::name; return name(a, b); }, x, y); \
  }
FERMIAC_LANEWISE(exp2)
FERMIAC_LANEWISE(log2)
FERMIAC_LANEWISE(log10)
FERMIAC_LANEWISE(cbrt)
FERMIAC_LANEWISE(tan)
FERMIAC_LANEWISE(asin)
FERMIAC_LANEWISE(acos)
FERMIAC_LANEWISE(sinh)
FERMIAC_LANEWISE(cosh)
FERMIAC_LANEWISE(asinh)
FERMIAC_LANEWISE(atanh)
FERMIAC_LANEWISE(floor)
FERMIAC_LANEWISE(ceil)
FERMIAC_LANEWISE(round)
FERMIAC_LANEWISE(trunc)
FERMIAC_LANEWISE_OF_TWO(fmod)
FERMIAC_LANEWISE_OF_TWO(hypot)
FERMIAC_LANEWISE_OF_TWO(atan2)

FERMIAC_INLINE double trigamma(double x) { return scalar::trigamma(x); }
/// Recurrence up to 12, then the asymptotic series, as for digamma.
FERMIAC_INLINE V trigamma(V x) {
  V z = x, shift{};
  for (int k = 0; k < 12 && any(z < 12.0); ++k) {
    const VI small = z < 12.0;
    shift = select(small, shift + 1.0 / (z * z), shift);
    z = select(small, z + 1.0, z);
  }
  const V u = 1.0 / z, w = u * u;
  V r = shift + u + 0.5 * w +
        u * w * (1.0 / 6 + w * (-1.0 / 30 + w * (1.0 / 42 + w * (-1.0 / 30 + w * (5.0 / 66 + w * (-691.0 / 2730 + w * (7.0 / 6)))))));
  if (any(~((x > 1e-100) & (x < 1e300)))) {
    for (int i = 0; i < kLanes; ++i)
      if (!(x[i] > 1e-100 && x[i] < 1e300)) r[i] = scalar::trigamma(x[i]);
  }
  return r;
}

/// log(x + sqrt(x² - 1)) = log1p(t + sqrt(t (t + 2))), t = x - 1.
FERMIAC_INLINE double acosh_(double x) { return std::acosh(x); }
FERMIAC_INLINE V acosh_(V x) {
  const VI large = x > 1e100;
  const V t = select(large, splat<V>(0.0), x - 1.0);
  return select(large, log(x) + kLogTwo, log1p(t + sqrt(t * (t + 2.0))));
}

FERMIAC_UNARY(Exp2, exp2_(x), v* kLogTwo)
FERMIAC_UNARY(Log2, log2_(x), 1.0 / (x * kLogTwo))
FERMIAC_UNARY(Log10, log10_(x), 1.0 / (x * kLogTen))
FERMIAC_UNARY(Cbrt, cbrt_(x), zero_at(x, 1.0 / (3.0 * v * v)))
FERMIAC_ELEMENTARY_FUNCTIONS(FERMIAC_FUNCTION)
FERMIAC_UNARY(LogInvLogit, -log1p_exp(-x), inv_logit(-x))
FERMIAC_UNARY(Log1mInvLogit, -log1p_exp(x), -inv_logit(x))
FERMIAC_UNARY(Logit, log(x / (1.0 - x)), 1.0 / (x * (1.0 - x)))
FERMIAC_UNARY(InvCloglog, -expm1(-exp(x)), exp(x - exp(x)))
FERMIAC_UNARY(Tanh, tanh(x), 4.0 * exp(-2.0 * abs(x)) / square(1.0 + exp(-2.0 * abs(x))))
FERMIAC_UNARY(Sinh, sinh_(x), cosh_(x))
FERMIAC_UNARY(Cosh, cosh_(x), sinh_(x))
FERMIAC_UNARY(Tan, tan_(x), 1.0 + v * v)
FERMIAC_UNARY(Asin, asin_(x), zero_at(1.0 - abs(x), 1.0 / sqrt((1.0 - x) * (1.0 + x))))
FERMIAC_UNARY(Acos, acos_(x), zero_at(1.0 - abs(x), -1.0 / sqrt((1.0 - x) * (1.0 + x))))
FERMIAC_UNARY(Asinh, asinh_(x), 1.0 / sqrt(x * x + 1.0))
FERMIAC_UNARY(AcoshFree, acosh_(x), zero_at(x - 1.0, 1.0 / sqrt((x - 1.0) * (x + 1.0))))
FERMIAC_UNARY(AtanhFree, atanh_(x), 1.0 / ((1.0 - x) * (1.0 + x)))
FERMIAC_UNARY(Erf, erf(x), kTwoOverSqrtPi* exp(-x * x))
FERMIAC_UNARY(Erfc, erfc(x), -kTwoOverSqrtPi * exp(-x * x))
FERMIAC_UNARY(PhiApprox, inv_logit(x * (1.5976 + 0.07056 * x * x)), select(abs(x) > 1e100, splat<T>(0.0), v * (1.0 - v) * (1.5976 + 0.21168 * x * x)))
struct Acosh : AcoshFree {
  static constexpr DomainRule kRules[] = {{.operand = 0, .rule = Rule::NotBelow, .label = "x", .bound = 1}};
};
struct Atanh : AtanhFree {
  static constexpr DomainRule kRules[] = {{.operand = 0, .rule = Rule::NotBelow, .label = "x", .bound = -1},
                                          {.operand = 0, .rule = Rule::NotAbove, .label = "x", .bound = 1}};
};
/// log(exp(x)), log(inv_logit(x)) and log(1 - inv_logit(x)) where the inner function has not reached an end of its range.
FERMIAC_UNARY(LogOfExpFree, x, 1.0)
struct LogOfExp : LogOfExpFree {
  static constexpr DomainRule kRules[] = {{.operand = 0, .rule = Rule::NotBelow, .label = "x", .bound = kLinkVanishes},
                                          {.operand = 0, .rule = Rule::NotAbove, .label = "x", .bound = kLinkOverflows}};
};
struct LogOfInvLogit : LogInvLogit {
  static constexpr DomainRule kRules[] = {{.operand = 0, .rule = Rule::NotBelow, .label = "x", .bound = kLinkVanishes}};
};
struct Log1mOfInvLogit : Log1mInvLogit {
  static constexpr DomainRule kRules[] = {{.operand = 0, .rule = Rule::NotAbove, .label = "x", .bound = kLinkIsOne}};
};
struct CheckedPhi : PhiFree {
  static constexpr DomainRule kRules[] = {{0, Rule::NotNan, "x"}};
};

FERMIAC_UNARY(FloorBase, floor_(x), 0.0)
FERMIAC_UNARY(CeilBase, ceil_(x), 0.0)
FERMIAC_UNARY(RoundBase, round_(x), 0.0)
FERMIAC_UNARY(TruncBase, trunc_(x), 0.0)
FERMIAC_UNARY(StepBase, select(x < 0.0, splat<T>(0.0), splat<T>(1.0)), 0.0)
FERMIAC_UNARY(IntStepBase, select(x > 0.0, splat<T>(1.0), splat<T>(0.0)), 0.0)
template <class F>
struct FlatMap : F {
  static constexpr bool kFlat = true;
};

/// The slope of x^y by x where x or y is 0. That of the square is not a constant, for the sake of second derivatives.
template <class T>
FERMIAC_INLINE T pow_slope_at_zero(T x, T y) {
  const auto at_zero = x == 0.0;
  return select(at_zero & (y == 1.0), splat<T>(1.0), select(at_zero & (y == 2.0), 2.0 * x, splat<T>(0.0)));
}
FERMIAC_BINARY(Pow, pow(x, y), select((x == 0.0) | (y == 0.0), pow_slope_at_zero(x, y), y * v / x),
               select(x == 0.0, splat<T>(0.0), v* log(x)))
FERMIAC_BINARY(Fmax, select((x >= y) | (y != y), x, y), select((x > y) | (y != y), splat<T>(1.0), splat<T>(0.0)),
               select((x > y) | (y != y), splat<T>(0.0), splat<T>(1.0)))
FERMIAC_BINARY(Fmin, select((x <= y) | (y != y), x, y), select((x < y) | (y != y), splat<T>(1.0), splat<T>(0.0)),
               select((x < y) | (y != y), splat<T>(0.0), splat<T>(1.0)))
FERMIAC_BINARY(Fdim, select(x <= y, splat<T>(0.0), x - y), select(x > y, splat<T>(1.0), splat<T>(0.0)),
               select(x > y, splat<T>(-1.0), splat<T>(0.0)))
FERMIAC_BINARY(Fmod, fmod_(x, y), 1.0, -trunc_(x / y))
FERMIAC_BINARY(Hypot, hypot_(x, y), zero_at(v, x / v), zero_at(v, y / v))
FERMIAC_BINARY(Atan2, atan2_(x, y), over_squared_norm(y, x), -over_squared_norm(x, y))
FERMIAC_BINARY(Lmultiply, select((x == 0.0) & (y == 0.0), splat<T>(0.0), x * log(y)),
               select((x == 0.0) & (y == 0.0), splat<T>(0.0), log(y)), select((x == 0.0) & (y == 0.0), splat<T>(0.0), x / y))
FERMIAC_BINARY(LogDiffExp, log_diff_exp(x, y), -1.0 / expm1(y - x), -1.0 / expm1(x - y))
FERMIAC_BINARY(LogInvLogitDiff, log1m_exp(y - x) - log1p_exp(-x) - log1p_exp(y),
               -1.0 / expm1(y - x) - inv_logit(x), -1.0 / expm1(x - y) - inv_logit(y))

}  // namespace

FERMIAC_EXPORT_FAMILY(elementary,
                      make_map<Exp2>("exp2"), make_map<Log2>("log2"), make_map<Log10>("log10"), make_map<Cbrt>("cbrt"),
                      make_map<Log1mExp>("log1m_exp"), make_map<LogInvLogit>("log_inv_logit"),
                      make_map<Log1mInvLogit>("log1m_inv_logit"), make_map<LogOfExp>("log_of_exp__"),
                      make_map<LogOfInvLogit>("log_of_inv_logit__"), make_map<Log1mOfInvLogit>("log1m_of_inv_logit__"),
                      make_map<Logit>("logit"),
                      make_map<InvCloglog>("inv_cloglog"), make_map<Tanh>("tanh"), make_map<Sinh>("sinh"),
                      make_map<Cosh>("cosh"), make_map<Sin>("sin"), make_map<Cos>("cos"), make_map<Tan>("tan"),
                      make_map<Asin>("asin"), make_map<Acos>("acos"), make_map<Atan>("atan"), make_map<Asinh>("asinh"),
                      make_map<Acosh>("acosh"), make_map<Atanh>("atanh"), make_map<Erf>("erf"), make_map<Erfc>("erfc"),
                      make_map<CheckedPhi>("Phi"), make_map<PhiApprox>("Phi_approx"), make_map<Lgamma>("lgamma"),
                      make_map<Digamma>("digamma"), make_map<FlatMap<FloorBase>>("floor"),
                      make_map<FlatMap<CeilBase>>("ceil"), make_map<FlatMap<RoundBase>>("round"),
                      make_map<FlatMap<TruncBase>>("trunc"), make_map<FlatMap<StepBase>>("step"),
                      make_map<FlatMap<IntStepBase>>("int_step"), make_map<Pow>("pow"), make_map<Fmax>("fmax"),
                      make_map<Fmin>("fmin"), make_map<Fdim>("fdim"), make_map<Fmod>("fmod"), make_map<Hypot>("hypot"),
                      make_map<Atan2>("atan2"), make_map<Lmultiply>("lmultiply"),
                      make_map<LogDiffExp>("log_diff_exp"), make_map<LogInvLogitDiff>("log_inv_logit_diff"))

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
