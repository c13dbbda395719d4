// Distributions of extremes and lifetimes.
#define FERMIAC_LAW_LANES
#include "autodiff/distributions/defs/frechet.h"
#include "autodiff/distributions/defs/gumbel.h"
#include "autodiff/distributions/defs/rayleigh.h"
#include "autodiff/distributions/defs/weibull.h"
#include "autodiff/kernels/families.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

FERMIAC_EXPORT_FAMILY(extreme_family,
                      make_map<GumbelLpdf>("gumbel_lpdf"), FERMIAC_CLOSED_TAILS(GumbelTails, "gumbel"),
                      make_map<FrechetLpdf>("frechet_lpdf"), FERMIAC_CLOSED_TAILS(FrechetTails, "frechet"),
                      make_map<WeibullLpdf>("weibull_lpdf"), FERMIAC_TAILS(WeibullTail, "weibull"),
                      make_map<RayleighLpdf>("rayleigh_lpdf"), FERMIAC_ONE_TAIL(RayleighTails, "rayleigh"))

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
