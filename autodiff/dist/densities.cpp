// The densities and mass functions too rare for lanes, written once for doubles and duals.
#include <fmt/format.h>

#include "autodiff/errors.h"
#include "autodiff/kernels/families.h"
#include "autodiff/kernels/incomplete.h"
#include "autodiff/kernels/scalar_driver.h"

namespace fermiac::ad::scalar {
namespace {

template <int Arity>
struct Density {
  static constexpr int kArity = Arity;
  static constexpr bool kDensity = true;
};

// ---- counts

struct BetaNegBinomial : Density<4> {
  static constexpr DomainRule kRules[] = {{0, Rule::NonNegative, "Failures variable"},
                                          {1, Rule::PositiveFinite, "Number of successes parameter"},
                                          {2, Rule::PositiveFinite, "Prior success parameter"},
                                          {3, Rule::PositiveFinite, "Prior failure parameter"}};
  template <class T>
  static T eval(const T* x, Keep k) {
    const T n = val(x[0]);
    const T lp = lgamma_difference(x[1], n) + lgamma_difference(x[3], n) + lgamma_difference(x[2], x[1]) -
                 lgamma_difference(x[2] + x[3], n + x[1]);
    return k.constants() ? lp - scalar::lgamma(val(n) + 1) : lp;
  }
};

struct YuleSimon : Density<2> {
  static constexpr DomainRule kRules[] = {{.operand = 0, .rule = Rule::NotBelow, .label = "Outcome variable", .bound = 1},
                                          {1, Rule::PositiveFinite, "Shape parameter"}};
  template <class T>
  static T eval(const T* x, Keep) {
    const T n = val(x[0]);
    return log(x[1]) + lgamma(x[1] + 1.0) - lgamma_difference(n, x[1] + 1.0);
  }
};

struct DiscreteRange : Density<3> {
  static constexpr DomainRule kRules[] = {
      {.operand = 2, .rule = Rule::GreaterOrEqual, .label = "Upper bound parameter", .other = 1, .other_label = "Lower bound parameter"}};
  template <class T>
  static T eval(const T* x, Keep) {
    if (val(x[0]) < val(x[1]) || val(x[0]) > val(x[2])) return T(-kInf);
    return T(-std::log1p(val(x[2]) - val(x[1])));
  }
};

/// n of N draws are marked, from a marked and b others.
struct Hypergeometric : Density<4> {
  static constexpr DomainRule kRules[] = {{0, Rule::NonNegative, "Successes variable"},
                                          {1, Rule::NonNegative, "Draws parameter"},
                                          {2, Rule::NonNegative, "Successes in population parameter"},
                                          {3, Rule::NonNegative, "Failures in population parameter"}};
  template <class T>
  static T eval(const T* x, Keep) {
    const double n = val(x[0]), draws = val(x[1]), a = val(x[2]), b = val(x[3]);
    const auto require = [](bool holds, const char* label, double v, double low, double high) {
      if (!holds) throw DomainError(fmt::format("hypergeometric_lpmf: {} is {}, but must be in the interval [{}, {}]!", label, v, low, high));
    };
    require(draws <= a + b, "Draws parameter", draws, 0, a + b);
    require(n <= a && n <= draws && draws - n <= b, "Successes variable", n, std::fmax(0, draws - b), std::fmin(a, draws));
    return T(log_choose(a, n) + log_choose(b, draws - n) - log_choose(a + b, draws));
  }
};

}  // namespace

FERMIAC_EXPORT_FAMILY(densities,                       make_scalar_map<BetaNegBinomial>("beta_neg_binomial_lpmf"),
                      make_scalar_map<YuleSimon>("yule_simon_lpmf"),
                      make_scalar_map<DiscreteRange>("discrete_range_lpmf"),
                      make_scalar_map<Hypergeometric>("hypergeometric_lpmf"))

}  // namespace fermiac::ad::scalar
