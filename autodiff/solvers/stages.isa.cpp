#include "autodiff/solvers/stages.h"

#include "autodiff/kernels/simd.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

FERMIAC_INLINE V absolute(V x) { return select(x < 0, -x, x); }

template <int kCount>
void combine_stages(const StageWeights& weights, std::size_t n, const double* z, const double* k, double* to) {
  for (std::size_t i = 0; i < n; i += kLanes) {
    V sum = load(z + i);
    for (int s = 0; s < kCount; ++s) sum += weights.w[s] * load(k + static_cast<std::size_t>(s) * n + i);
    store(to + i, sum);
  }
}

void combine(const StageWeights& weights, std::size_t n, const double* z, const double* k, double* to) {
  using Form = void (*)(const StageWeights&, std::size_t, const double*, const double*, double*);
  static constexpr Form kForms[] = {combine_stages<0>, combine_stages<1>, combine_stages<2>, combine_stages<3>,
                                    combine_stages<4>, combine_stages<5>, combine_stages<6>, combine_stages<7>};
  kForms[weights.count](weights, n, z, k, to);
}

double error(const StageWeights& weights, std::size_t n, const double* z, const double* k, double abs_tol,
             double rel_tol, double h) {
  V worst = {}, not_a_number = {};
  for (std::size_t i = 0; i < n; i += kLanes) {
    V e = {};
    for (int s = 0; s < weights.count; ++s) e += weights.w[s] * load(k + static_cast<std::size_t>(s) * n + i);
    const V scaled = absolute(e) / (abs_tol + rel_tol * (absolute(load(z + i)) + h * absolute(load(k + i))));
    worst = select(scaled > worst, scaled, worst);
    not_a_number += scaled * 0;
  }
  return largest_lane(worst) + sum_lanes(not_a_number);
}

}  // namespace

extern const StageLoops kStageLoops;
const StageLoops kStageLoops{combine, error};

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
