// Maps from scalar implementations, compiled once for all instruction sets: for functions too rare or too branchy for
// lanes. A functor is a struct with
//   static constexpr int kArity;                         // at most 4
//   static constexpr bool kDensity;                      // reduces containers; kProduct: by multiplication
//   static constexpr DomainRule kRules[];                // optional
//   template <class T> static T eval(const T* x, Keep k);   // T is double or Dual
// and for functions whose partials are cheap given the value y, instead of computing y again on the way back,
//   static void slopes(const double* x, double y, double* d);   // optional
#pragma once

#include "autodiff/kernels/dual.h"
#include "autodiff/kernels/map_op.h"

namespace fermiac::ad {

/// Every rule holds for these operands.
bool rules_hold(std::span<const DomainRule> rules, const double* x);

// The loops over elements; `op` needs arity, density, product, rules, value and value_and_partials only.
bool scalar_map(const MapOp& op, const MapArgs& m);
void scalar_map_reverse(const MapOp& op, const MapArgs& m);
void scalar_map_reverse(const MapOp& op, const MapArgs& m, void (*slopes)(const double*, double, double*));
bool scalar_reduce(const MapOp& op, const MapArgs& m, double* sum);
bool scalar_fused(const MapOp& op, const MapArgs& m, double* sum);

template <class F>
struct ScalarForms {
  static constexpr bool kProduct = requires { requires F::kProduct; };
  static constexpr bool kFlat = requires { requires F::kFlat; };
  static constexpr bool kHasRules = requires { F::kRules[0]; };
  static constexpr int kSlots = F::kArity <= 1 ? 1 : 4;

  static constexpr MapOp core() {
    MapOp op;
    op.arity = F::kArity;
    op.density = F::kDensity;
    op.product = kProduct;
    op.flat = kFlat;
    if constexpr (kHasRules) op.rules = F::kRules;
    op.value = value;
    op.value_and_partials = value_and_partials;
    return op;
  }
  static constexpr MapOp kCore = core();

  static double value(const double* x, Keep k) {
    if (F::kDensity && k.nothing()) return 0;
    return F::template eval<double>(x, k);
  }
  static double value_and_partials(const double* x, Keep k, double* d) {
    scalar::Dual<kSlots> a[F::kArity];
    for (int j = 0; j < F::kArity; ++j) {
      a[j].v = x[j];
      a[j].d[j] = k.wants(j) ? 1 : 0;
    }
    const scalar::Dual<kSlots> r = F::template eval<scalar::Dual<kSlots>>(a, k);
    for (int j = 0; j < F::kArity; ++j) d[j] = r.d[j];
    return F::kDensity && k.nothing() ? 0 : r.v;
  }
  static bool valid(const double* x) { return rules_hold(kCore.rules, x); }
  static bool map(const MapArgs& m) { return scalar_map(kCore, m); }
  static void map_reverse(const MapArgs& m) {
    if constexpr (requires { F::slopes(nullptr, 0.0, nullptr); }) scalar_map_reverse(kCore, m, F::slopes);
    else scalar_map_reverse(kCore, m);
  }
  static bool reduce(const MapArgs& m, double* sum) { return scalar_reduce(kCore, m, sum); }
  static bool fused(const MapArgs& m, double* sum) { return scalar_fused(kCore, m, sum); }
};

template <class F>
constexpr MapOp make_scalar_map(const char* name) {
  MapOp op = ScalarForms<F>::core();
  op.name = name;
  op.valid = ScalarForms<F>::valid;
  op.map = ScalarForms<F>::map;
  op.map_reverse = ScalarForms<F>::map_reverse;
  op.reduce = ScalarForms<F>::reduce;
  op.fused = ScalarForms<F>::fused;
  return op;
}

}  // namespace fermiac::ad
