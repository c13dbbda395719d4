// Densities of ordered outcomes as formulas of one element (multivariate/ordered.cpp has those of the host). Operands: where the outcome lies,
// its location, the cut points below and above it. An outcome at an end has one of the two; the other may be any number.
#include <limits>
#include <numbers>

#include "autodiff/tape/opencl/chains.h"

namespace fermiac::ad::device {
namespace {

using symbols::MapFormula;
using symbols::Symbol;
using symbols::Truth;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A function's value and derivative.
struct Sloped {
  Symbol value, slope;
};
/// log(F(a) - F(b)) and its derivatives by a, by b, and by both together.
struct Difference {
  Symbol value, by_a, by_b, by_both;
};
/// An outcome's distances: `below` from the cut point below it to its location, `above` from there to the one above it.
struct Distances {
  Truth lowest, highest;
  Symbol below, above, width;
};
struct Terms {
  Sloped end;          // log F of the one distance that an outcome at an end has
  Difference between;  // a = below, b = -above
};

/// log(1 - exp(x)), x < 0.
Symbol log1m_exp(const Symbol& x) { return select(x > -std::numbers::ln2, log(-expm1(x)), log1p(-exp(x))); }

struct Logistic {
  static Sloped log_cdf(const Symbol& x) {
    const Symbol e = exp(-abs(x));
    return {select(x < 0.0, x, Symbol(0)) - log1p(e), select(x < 0.0, Symbol(1), e) / (1.0 + e)};
  }
  /// F(a) - F(b) = F(a) F(-b) (1 - exp(b - a)).
  static Terms terms(const Distances& d) {
    const Sloped left = log_cdf(d.below), right = log_cdf(d.above);
    const Symbol r = 1.0 / expm1(d.width);
    return {{select(d.lowest, right.value, left.value), select(d.lowest, right.slope, left.slope)},
            {log1m_exp(-d.width) + left.value + right.value, left.slope + r, -(right.slope + r), left.slope - right.slope}};
  }
};

struct Normal {
  static Symbol log_density(const Symbol& x) { return -0.5 * x * x - 0.91893853320467274178; }
  static Sloped log_cdf(const Symbol& x) {
    Sloped out;
    Truth left;
    const Symbol core = log_Phi_core(x, out.slope, left);
    out.value = select(left, core - 0.5 * x * x, core);
    return out;
  }
  /// In the tail where F(a) and F(b) do not cancel; the distance that counts there is that of an end as well.
  static Terms terms(const Distances& d) {
    const Truth flip = d.above < 0.0;
    const Sloped high = log_cdf(select(d.lowest | (flip & ~d.highest), d.above, d.below)), low = log_cdf(select(flip, -d.below, -d.above));
    const Symbol mass = select(is_narrow(d), narrow_mass(d), high.value + log1m_exp(low.value - high.value));
    const Symbol by_a = exp(log_density(d.below) - mass), by_b = -exp(log_density(d.above) - mass);
    return {high, {mass, by_a, by_b, by_a + by_b}};
  }

 private:
  static Symbol middle(const Distances& d) { return 0.5 * (d.below - d.above); }
  static Truth is_narrow(const Distances& d) {
    const Symbol m = middle(d);
    return (d.width < 1e-3) & (m * m * d.width * d.width < 1e-4);
  }
  /// The Taylor series of the density around the middle.
  static Symbol narrow_mass(const Distances& d) {
    const Symbol m = middle(d), m2 = m * m, w2 = d.width * d.width;
    return log_density(m) + log(d.width) + log1p((m2 - 1.0) * w2 / 24.0 + ((m2 - 6.0) * m2 + 3.0) * w2 * w2 / 1920.0);
  }
};

Truth is_at(const Symbol& outcome, OrderedPlace place) { return outcome == static_cast<double>(place); }

/// What else there is to cut points the host looks at.
Truth holds(const Symbol* x) { return (abs(x[1]) < kInfinity) & (~is_at(x[0], OrderedPlace::Between) | (x[2] < x[3])); }

template <class F>
Symbol fused(const Symbol* x, const Symbol*, const Symbol& g, Symbol* d, Keep) {
  const Distances at{is_at(x[0], OrderedPlace::Lowest), is_at(x[0], OrderedPlace::Highest), x[1] - x[2], x[3] - x[1], x[3] - x[2]};
  const auto [end, between] = F::terms(at);
  d[1] = g * select(at.lowest, -end.slope, select(at.highest, end.slope, between.by_both));
  d[2] = g * select(at.lowest, Symbol(0), select(at.highest, -end.slope, -between.by_a));
  d[3] = g * select(at.highest, Symbol(0), select(at.lowest, end.slope, -between.by_b));
  return select(at.lowest | at.highest, end.value, between.value);
}
template <class F>
Symbol value(const Symbol* x, const Symbol* shared, Keep keep) {
  Symbol unused[4];
  return fused<F>(x, shared, Symbol(1), unused, keep);
}
template <class F>
void partials(const Symbol* x, const Symbol* shared, const Symbol&, const Symbol& g, Symbol* d, Keep keep) {
  fused<F>(x, shared, g, d, keep);
}

template <class F>
constexpr MapFormula formula(std::string_view name) {
  MapFormula m;
  m.name = name;
  m.arity = 4;
  m.density = true;
  m.value = value<F>;
  m.fused = fused<F>;
  m.partials = partials<F>;
  m.holds = holds;
  return m;
}

}  // namespace

constinit const MapFormula kOrderedLogistic = formula<Logistic>("ordered_logistic_lpmf"), kOrderedProbit = formula<Normal>("ordered_probit_lpmf");

}  // namespace fermiac::ad::device
