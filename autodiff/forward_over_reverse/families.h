// Put ahead of a family of maps (kernels/families.h) it makes a table of TangentMaps of the family's functors.
#pragma once

#include "autodiff/distributions/detail/cdf_forms.h"
#include "autodiff/forward_over_reverse/tangent.h"
#include "autodiff/forward_over_reverse/tangent_maps.h"
#include "autodiff/kernels/families.h"
#include "autodiff/kernels/function_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

template <class F>
void moving_adjoints(const MovingMap& at, double* d) {
  Tangent x[F::kArity], slopes[F::kArity]{}, p[kPreSlots<F>]{};
  for (int j = 0; j < F::kArity; ++j) x[j] = {at.x[j], at.dx[j]};
  fill_pre<F, true, true>(x, p, at.keep, 0);
  partials<F, Tangent>(x, p, {at.value, at.dvalue}, {at.g, at.dg}, slopes, at.keep);
  for (int j = 0; j < F::kArity; ++j) d[j] = slopes[j].t;
}

template <class F>
constexpr TangentMap make_tangent_map(const char* name) {
  return {name, moving_adjoints<F>};
}

template <class F>
constexpr TangentMap make_tangent_cdf(const char* name) {
  return make_tangent_map<Cdf<F>>(name);
}

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad

#define make_map make_tangent_map
#define make_cdf make_tangent_cdf
#undef FERMIAC_EXPORT_FAMILY
#define FERMIAC_EXPORT_FAMILY(family, ...)                                  \
  extern const TangentMap family##_tangents[];                              \
  extern const std::size_t family##_tangents_size;                          \
  constinit const TangentMap family##_tangents[] = {__VA_ARGS__};           \
  constinit const std::size_t family##_tangents_size = sizeof(family##_tangents) / sizeof(family##_tangents[0]);
