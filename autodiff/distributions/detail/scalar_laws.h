// What laws share that are written once for doubles and duals. A law gives the logs of both tails; cdf, lcdf and lccdf
// follow.
#pragma once

#include <cmath>

#include "autodiff/distributions/detail/law.h"
#include "autodiff/kernels/incomplete.h"
#include "autodiff/kernels/scalar_driver.h"

namespace fermiac::ad::scalar {
namespace {

template <const Law& L>
struct ScalarDensityOf {
  static constexpr int kArity = static_cast<int>(L.arguments.size());
  static constexpr bool kDensity = true;
  static constexpr auto& kRules = kDensityRules<L>;
};
template <const Law& L>
struct TailsOf {
  static constexpr int kArity = static_cast<int>(L.arguments.size());
  static constexpr auto& kRules = kTailRules<L>;
};

enum class Form { Cdf, Lcdf, Lccdf };

template <class D, Form F>
struct CdfMap : D {
  static constexpr bool kDensity = true;
  static constexpr bool kProduct = F == Form::Cdf;
  template <class T>
  static T eval(const T* x, Keep) {
    const LogTails<T> tails = tails_for<T>(x);
    if constexpr (F == Form::Lcdf) return tails.lower();
    else if constexpr (F == Form::Lccdf) return tails.upper();
    else return tails.probability();
  }

  /// Laws whose tails are separate computations are asked for one of them.
  template <class T>
  static LogTails<T> tails_for(const T* x) {
    if constexpr (requires { D::template tails<T>(x, true); }) return D::template tails<T>(x, F == Form::Lccdf);
    else return D::template tails<T>(x);
  }
};

template <class T>
LogTails<T> below() { return {T(-kInf), T(0)}; }  // all mass is above
template <class T>
LogTails<T> above() { return {T(0), T(-kInf)}; }
/// An infinite outcome, or one on the wrong side of zero.
template <class T>
bool infinite(const T& y, LogTails<T>& t) {
  if (!std::isinf(val(y))) return false;
  t = val(y) > 0 ? above<T>() : below<T>();
  return true;
}

}  // namespace
}  // namespace fermiac::ad::scalar
