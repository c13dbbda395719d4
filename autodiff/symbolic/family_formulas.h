// Comes first, by the command line, when the files of families of maps (*_family.isa.cpp and the like) are compiled for their
// formulas: their tables are then of MapFormulas. Whatever they call of Symbols is found by argument.
#pragma once

#include "autodiff/distributions/detail/cdf_forms.h"
#include "autodiff/kernels/driver.h"
#include "autodiff/kernels/families.h"
#include "autodiff/symbolic/map_formula.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

/// What laws call lane by lane.
namespace scalar {
using namespace fermiac::ad::scalar;
using fermiac::ad::scalar::bessel_ratio;
using fermiac::ad::scalar::lbeta;
using fermiac::ad::scalar::lgamma_difference;
using fermiac::ad::scalar::log_bessel_i0;
using fermiac::ad::scalar::log_choose;
using fermiac::ad::scalar::log_factorial;
using symbols::Symbol;

inline Symbol log_factorial(const Symbol& n) { return symbols::lgamma(n + 1.0); }
/// From the smaller of k and n - k, so that nothing large cancels.
inline Symbol log_choose(const Symbol& n, const Symbol& k) {
  const Symbol less = select(k < n - k, k, n - k), rest = n - less + 1.0;
  return symbols::lgamma_difference(rest, less, symbols::lgamma(rest)) - symbols::lgamma(less + 1.0);
}
inline Symbol lbeta(const Symbol& a, const Symbol& b) {
  const Symbol less = select(a < b, a, b), more = select(a < b, b, a);
  return symbols::lgamma(less) - symbols::lgamma_difference(more, less, symbols::lgamma(more));
}
inline Symbol lgamma_difference(const Symbol& z, double n) { return symbols::lgamma_difference(z, n, symbols::lgamma(z)); }
inline Symbol log_bessel_i0(const Symbol&) { throw symbols::NoFormula("Bessel functions"); }
inline Symbol bessel_ratio(const Symbol&) { throw symbols::NoFormula("Bessel functions"); }
}  // namespace scalar

namespace formulas {

using symbols::MapFormula;
using symbols::Symbol;
using symbols::Truth;

template <class F, class T, int I = 0>
T shared_quantity(int i, const T* x, Keep k) {
  if constexpr (I < pre_count<F>()) return i == I ? F::template pre<I, true>(x, k) : shared_quantity<F, T, I + 1>(i, x, k);
  else return T{};
}

template <class F>
struct Written {
  static Symbol value(const Symbol* x, const Symbol* p, Keep k) { return apply<F, Symbol>(x, p, k); }
  static Symbol fused(const Symbol* x, const Symbol* p, const Symbol& g, Symbol* d, Keep k) { return apply_fused<F, Symbol>(x, p, g, d, k); }
  static void partials_of(const Symbol* x, const Symbol* p, const Symbol& v, const Symbol& g, Symbol* d, Keep k) {
    partials<F, Symbol>(x, p, v, g, d, k);
  }
  static Truth holds(const Symbol* x) {
    if constexpr (HasRules<F>) return rules_hold<F>(x);
    else return (void)x, Truth(true);
  }
};

template <class F>
constexpr MapFormula make_formula(const char* name) {
  MapFormula m;
  m.name = name;
  m.arity = F::kArity;
  m.density = F::kDensity;
  m.shared = pre_count<F>();
  if constexpr (HasPre<F>)
    for (int i = 0; i < m.shared; ++i) m.shared_of[i] = F::kPre[i];
  m.value = Written<F>::value;
  m.fused = Written<F>::fused;
  m.partials = Written<F>::partials_of;
  m.holds = Written<F>::holds;
  m.share_numbers = shared_quantity<F, double>;
  m.share = shared_quantity<F, Symbol>;
  return m;
}

/// Of containers they are products, which are no sums of terms: those have none.
template <class F>
constexpr MapFormula make_cdf_formula(const char*) {
  return {};
}

}  // namespace formulas
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad

#undef FERMIAC_EXPORT_FAMILY
#define FERMIAC_EXPORT_FAMILY(family, ...)                      \
  using namespace formulas;                                     \
  extern const MapFormula family[];                             \
  extern const std::size_t family##_size;                       \
  constinit const MapFormula family[] = {__VA_ARGS__};          \
  constinit const std::size_t family##_size = sizeof(family) / sizeof(family[0]);
#define make_map make_formula
#define make_cdf make_cdf_formula
