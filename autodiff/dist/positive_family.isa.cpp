// Densities on the half line and on intervals.
#include "autodiff/dist/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// log beta - beta y.
struct ExponentialLpdf : CheapDensity<2> {
  static constexpr DomainRule kRules[] = {{0, Rule::NonNegative, "Random variable"},
                                          {1, Rule::PositiveFinite, "Inverse scale parameter"}};
  static constexpr unsigned kPre[] = {0b10};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) { return k.has(0b10) ? log(x[1]) : T{}; }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    T lp = -x[1] * x[0];
    if (k.has(0b10)) lp = lp + p[0];
    if constexpr (Partials) {
      d[0] = -g * x[1];
      d[1] = g * (1.0 / x[1] - x[0]);
    }
    return lp;
  }
};

/// alpha log beta - lgamma(alpha) + (alpha - 1) log y - beta y.
struct GammaLpdf : Density<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::PositiveFinite, "Random variable"},
                                          {1, Rule::PositiveFinite, "Shape parameter"},
                                          {2, Rule::PositiveFinite, "Inverse scale parameter"}};
  static constexpr unsigned kPre[] = {0b010, 0b010, 0b100, 0b001};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 0) return k.has(0b010) ? lgamma(x[1]) : T{};
    else if constexpr (I == 1) return Partials && k.wants(1) ? digamma(x[1]) : T{};
    else if constexpr (I == 2) return k.has(0b110) ? log(x[2]) : T{};
    else return k.has(0b011) ? log(x[0]) : T{};
  }
  static constexpr double kLarge = 1000;
  /// With Stirling's series put in for lgamma, terms of size alpha log alpha cancel on paper instead of in the sum.
  template <class T>
  FERMIAC_INLINE T large_shape(const T* x, T log_y) {
    const T alpha = x[1];
    const T u = (x[2] * x[0] - alpha) / alpha;
    T l = log1p(u);
    if (any(u < -0.5)) l = select(u < -0.5, log(x[2] * x[0] / alpha), l);  // u is -1 but for its last digits
    return alpha * (l - u) + 0.5 * log(alpha) - log_y - 0.91893853320467274178 - stirling_correction(alpha);
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    T lp{};
    if (k.has(0b010)) lp = lp - p[0];
    if (k.has(0b110)) lp = lp + x[1] * p[2];
    if (k.has(0b011)) lp = lp + (x[1] - 1.0) * p[3];
    if (k.has(0b101)) lp = lp - x[2] * x[0];
    if (k.has(0b010) && k.has(0b101) && any(x[1] > kLarge)) lp = select(x[1] > kLarge, large_shape(x, p[3]), lp);
    if constexpr (Partials) {
      d[0] = g * ((x[1] - 1.0) / x[0] - x[2]);
      d[1] = g * (p[2] - p[1] + p[3]);
      d[2] = g * (x[1] / x[2] - x[0]);
    }
    return lp;
  }
};

/// alpha log beta - lgamma(alpha) - (alpha + 1) log y - beta / y, zero for y <= 0.
struct InvGammaLpdf : Density<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::NotNan, "Random variable"},
                                          {1, Rule::PositiveFinite, "Shape parameter"},
                                          {2, Rule::PositiveFinite, "Scale parameter"}};
  static constexpr unsigned kPre[] = {0b010, 0b010, 0b100, 0b001};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 0) return k.has(0b010) ? lgamma(x[1]) : T{};
    else if constexpr (I == 1) return Partials && k.wants(1) ? digamma(x[1]) : T{};
    else if constexpr (I == 2) return k.has(0b110) ? log(x[2]) : T{};
    else return k.has(0b011) ? log(x[0]) : T{};
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T inv_y = 1.0 / x[0];
    T lp{};
    if (k.has(0b010)) lp = lp - p[0];
    if (k.has(0b110)) lp = lp + x[1] * p[2];
    if (k.has(0b011)) lp = lp - (x[1] + 1.0) * p[3];
    if (k.has(0b101)) lp = lp - x[2] * inv_y;
    if constexpr (Partials) {
      d[0] = g * (x[2] * inv_y - x[1] - 1.0) * inv_y;
      d[1] = g * (p[2] - p[1] - p[3]);
      d[2] = g * (x[1] / x[2] - inv_y);
    }
    return inside<Partials, 3>(x[0] > 0.0, lp, d);
  }
};

/// log alpha + (alpha - 1) log y - alpha log sigma - (y/sigma)^alpha, zero for y < 0.
struct WeibullLpdf : Density<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::Finite, "Random variable"},
                                          {1, Rule::PositiveFinite, "Shape parameter"},
                                          {2, Rule::PositiveFinite, "Scale parameter"}};
  static constexpr unsigned kPre[] = {0b001, 0b010, 0b100};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep) { return log(x[I]); }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T ratio = p[0] - p[2];
    const T w = exp(x[1] * ratio);
    T lp = -w;
    if (k.has(0b010)) lp = lp + p[1];
    if (k.has(0b011)) lp = lp + select(x[1] == 1.0, splat<T>(0.0), (x[1] - 1.0) * p[0]);
    if (k.has(0b110)) lp = lp - x[1] * p[2];
    if constexpr (Partials) {
      d[0] = g * (x[1] - 1.0 - x[1] * w) / x[0];
      d[1] = g * (1.0 / x[1] + (1.0 - w) * ratio);
      d[2] = g * x[1] / x[2] * (w - 1.0);
    }
    return inside<Partials, 3>(x[0] >= 0.0, lp, d);
  }
};

/// (alpha - 1) log y + (beta - 1) log(1 - y) - log B(alpha, beta).
struct BetaLpdf : Density<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::Probability, "Random variable"},
                                          {1, Rule::PositiveFinite, "First shape parameter"},
                                          {2, Rule::PositiveFinite, "Second shape parameter"}};
  static constexpr unsigned kPre[] = {0b110, 0b110, 0b110, 0b001, 0b001};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 0) return k.has(0b110) ? normaliser(x, k) : T{};
    else if constexpr (I == 1) return Partials && k.wants(1) ? digamma(x[1] + x[2]) - digamma(x[1]) : T{};
    else if constexpr (I == 2) return Partials && k.wants(2) ? digamma(x[1] + x[2]) - digamma(x[2]) : T{};
    else if constexpr (I == 3) return k.has(0b011) ? log(x[0]) : T{};
    else return k.has(0b101) ? log1p(-x[0]) : T{};
  }
  template <class T>
  FERMIAC_INLINE T normaliser(const T* x, Keep k) {
    if (k.has(0b010) && k.has(0b100)) return -lanewise([](double a, double b) { return scalar::lbeta(a, b); }, x[1], x[2]);
    return lgamma(x[1] + x[2]) - lgamma(k.has(0b010) ? x[1] : x[2]);
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    T lp = p[0];
    if (k.has(0b011)) lp = lp + (x[1] - 1.0) * p[3];
    if (k.has(0b101)) lp = lp + (x[2] - 1.0) * p[4];
    if constexpr (Partials) {
      d[0] = g * ((x[1] - 1.0) / x[0] - (x[2] - 1.0) / (1.0 - x[0]));
      d[1] = g * (p[1] + p[3]);
      d[2] = g * (p[2] + p[4]);
    }
    return lp;
  }
};

/// -log(b - a) on [a, b].
struct UniformLpdf : CheapDensity<3> {
  static constexpr DomainRule kRules[] = {
      {0, Rule::NotNan, "Random variable"},
      {1, Rule::Finite, "Lower bound parameter"},
      {2, Rule::Finite, "Upper bound parameter"},
      {.operand = 2, .rule = Rule::Greater, .label = "Upper bound parameter", .other = 1, .other_label = "Lower bound parameter"}};
  static constexpr unsigned kPre[] = {0b110};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) { return k.has(0b110) ? log(x[2] - x[1]) : T{}; }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep) {
    if constexpr (Partials) {
      const T q = g / (x[2] - x[1]);
      d[0] = splat<T>(0.0);
      d[1] = q;
      d[2] = -q;
    }
    return inside<Partials, 3>((x[0] >= x[1]) & (x[0] <= x[2]), -p[0], d);
  }
};

/// Inverse-gamma and gamma laws indexed by degrees of freedom: with h = nu/2,
/// -h log 2 - lgamma(h) + (h - 1) log y - y/2.
struct ChiSquareLpdf : Density<2> {
  static constexpr DomainRule kRules[] = {{0, Rule::NonNegative, "Random variable"},
                                          {1, Rule::PositiveFinite, "Degrees of freedom parameter"}};
  static constexpr unsigned kPre[] = {0b10, 0b10};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 0) return k.has(0b10) ? lgamma(0.5 * x[1]) + 0.5 * kLogTwo * x[1] : T{};
    else return Partials && k.wants(1) ? digamma(0.5 * x[1]) : T{};
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T log_y = log(x[0]);
    T lp = (0.5 * x[1] - 1.0) * log_y;
    if (k.has(0b10)) lp = lp - p[0];
    if (k.has(0b01)) lp = lp - 0.5 * x[0];
    if constexpr (Partials) {
      d[0] = g * ((0.5 * x[1] - 1.0) / x[0] - 0.5);
      d[1] = 0.5 * g * (log_y - p[1] - kLogTwo);
    }
    return lp;
  }
};

/// -h log 2 - lgamma(h) - (h + 1) log y - 1/(2y), zero for y <= 0.
struct InvChiSquareLpdf : Density<2> {
  static constexpr DomainRule kRules[] = {{0, Rule::NotNan, "Random variable"},
                                          {1, Rule::PositiveFinite, "Degrees of freedom parameter"}};
  static constexpr unsigned kPre[] = {0b10, 0b10};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 0) return k.has(0b10) ? lgamma(0.5 * x[1]) + 0.5 * kLogTwo * x[1] : T{};
    else return Partials && k.wants(1) ? digamma(0.5 * x[1]) : T{};
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T log_y = log(x[0]);
    const T inv_y = 1.0 / x[0];
    T lp = -(0.5 * x[1] + 1.0) * log_y;
    if (k.has(0b10)) lp = lp - p[0];
    if (k.has(0b01)) lp = lp - 0.5 * inv_y;
    if constexpr (Partials) {
      d[0] = g * (0.5 * inv_y - 0.5 * x[1] - 1.0) * inv_y;
      d[1] = -0.5 * g * (log_y + p[1] + kLogTwo);
    }
    return inside<Partials, 2>(x[0] > 0.0, lp, d);
  }
};

/// h log h - lgamma(h) + nu log s - (h + 1) log y - h s²/y, zero for y <= 0.
struct ScaledInvChiSquareLpdf : Density<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::NotNan, "Random variable"},
                                          {1, Rule::PositiveFinite, "Degrees of freedom parameter"},
                                          {2, Rule::PositiveFinite, "Scale parameter"}};
  static constexpr unsigned kPre[] = {0b010, 0b010, 0b100};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    const T h = 0.5 * x[1];
    if constexpr (I == 0) return k.has(0b010) ? h * log(h) - lgamma(h) : T{};
    else if constexpr (I == 1) return Partials && k.wants(1) ? log(h) + 1.0 - digamma(h) : T{};
    else return log(x[2]);
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T h = 0.5 * x[1];
    const T log_y = log(x[0]);
    const T inv_y = 1.0 / x[0];
    const T s2 = x[2] * x[2];
    T lp = p[0];
    if (k.has(0b110)) lp = lp + x[1] * p[2];
    if (k.has(0b011)) lp = lp - (h + 1.0) * log_y;
    lp = lp - h * s2 * inv_y;
    if constexpr (Partials) {
      d[0] = g * (h * s2 * inv_y - h - 1.0) * inv_y;
      d[1] = g * (0.5 * p[1] + p[2] - 0.5 * log_y - 0.5 * s2 * inv_y);
      d[2] = g * (x[1] / x[2] - x[1] * x[2] * inv_y);
    }
    return inside<Partials, 3>(x[0] > 0.0, lp, d);
  }
};

/// log y - 2 log sigma - y²/(2 sigma²).
struct RayleighLpdf : Density<2> {
  static constexpr DomainRule kRules[] = {{0, Rule::Positive, "Random variable"}, {1, Rule::Positive, "Scale parameter"}};
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep k) {
    const T q = 1.0 / x[1];
    const T z = x[0] * q;
    T lp = -0.5 * z * z;
    if (k.has(0b10)) lp = lp - 2.0 * log(x[1]);
    if (k.has(0b01)) lp = lp + log(x[0]);
    if constexpr (Partials) {
      d[0] = g * (1.0 / x[0] - z * q);
      d[1] = g * q * (z * z - 2.0);
    }
    return lp;
  }
};

/// log alpha - alpha log(y/sigma) - log y - (y/sigma)^(-alpha).
struct FrechetLpdf : Density<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::Positive, "Random variable"},
                                          {1, Rule::PositiveFinite, "Shape parameter"},
                                          {2, Rule::PositiveFinite, "Scale parameter"}};
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep k) {
    const T log_y = log(x[0]);
    const T log_sigma = log(x[2]);
    const T ratio = log_y - log_sigma;
    const T w = exp(-x[1] * ratio);
    T lp = -w;
    if (k.has(0b010)) lp = lp + log(x[1]);
    if (k.has(0b011)) lp = lp - (x[1] + 1.0) * log_y;
    if (k.has(0b110)) lp = lp + x[1] * log_sigma;
    if constexpr (Partials) {
      d[0] = g * (x[1] * w - x[1] - 1.0) / x[0];
      d[1] = g * (1.0 / x[1] + (w - 1.0) * ratio);
      d[2] = g * x[1] / x[2] * (1.0 - w);
    }
    return lp;
  }
};

/// log alpha + alpha log y_min - (alpha + 1) log y, zero below y_min.
struct ParetoLpdf : Density<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::NotNan, "Random variable"},
                                          {1, Rule::PositiveFinite, "Scale parameter"},
                                          {2, Rule::PositiveFinite, "Shape parameter"}};
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep k) {
    const T log_y = log(x[0]);
    const T log_min = log(x[1]);
    T lp{};
    if (k.has(0b100)) lp = lp + log(x[2]);
    if (k.has(0b110)) lp = lp + x[2] * log_min;
    if (k.has(0b101)) lp = lp - (x[2] + 1.0) * log_y;
    if constexpr (Partials) {
      d[0] = -g * (x[2] + 1.0) / x[0];
      d[1] = g * x[2] / x[1];
      d[2] = g * (1.0 / x[2] + log_min - log_y);
    }
    return inside<Partials, 3>(x[0] >= x[1], lp, d);
  }
};

}  // namespace

FERMIAC_EXPORT_FAMILY(positive_family, make_map<ExponentialLpdf>("exponential_lpdf"), make_map<GammaLpdf>("gamma_lpdf"),
                      make_map<InvGammaLpdf>("inv_gamma_lpdf"), make_map<WeibullLpdf>("weibull_lpdf"),
                      make_map<BetaLpdf>("beta_lpdf"), make_map<UniformLpdf>("uniform_lpdf"),
                      make_map<ChiSquareLpdf>("chi_square_lpdf"), make_map<InvChiSquareLpdf>("inv_chi_square_lpdf"),
                      make_map<ScaledInvChiSquareLpdf>("scaled_inv_chi_square_lpdf"),
                      make_map<RayleighLpdf>("rayleigh_lpdf"), make_map<FrechetLpdf>("frechet_lpdf"),
                      make_map<ParetoLpdf>("pareto_lpdf"))

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
