// Distributions on an interval and on the circle.
#define FERMIAC_LAW_LANES
#include "autodiff/distributions/defs/beta.h"
#include "autodiff/distributions/defs/beta_proportion.h"
#include "autodiff/distributions/defs/uniform.h"
#include "autodiff/distributions/defs/von_mises.h"
#include "autodiff/kernels/families.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

FERMIAC_EXPORT_FAMILY(interval_family,
                      make_map<UniformLpdf>("uniform_lpdf"), FERMIAC_CLOSED_TAILS(UniformTails, "uniform"),
                      make_map<BetaLpdf>("beta_lpdf"),
                      make_map<BetaProportionLpdf>("beta_proportion_lpdf"),
                      make_map<VonMisesLpdf>("von_mises_lpdf"))

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
