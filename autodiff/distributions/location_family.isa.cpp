// Distributions by location and scale that are not normal.
#define FERMIAC_LAW_LANES
#include "autodiff/distributions/defs/cauchy.h"
#include "autodiff/distributions/defs/double_exponential.h"
#include "autodiff/distributions/defs/logistic.h"
#include "autodiff/distributions/defs/skew_double_exponential.h"
#include "autodiff/kernels/families.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

FERMIAC_EXPORT_FAMILY(location_family,
                      make_map<CauchyLpdf>("cauchy_lpdf"), FERMIAC_ONE_TAIL(CauchyTails, "cauchy"),
                      make_map<LogisticLpdf>("logistic_lpdf"), FERMIAC_TAILS(LogisticTail, "logistic"),
                      make_map<DoubleExponentialLpdf>("double_exponential_lpdf"),
                      FERMIAC_ONE_TAIL(DoubleExponentialTails, "double_exponential"),
                      make_map<SkewDoubleExponentialLpdf>("skew_double_exponential_lpdf"),
                      FERMIAC_CLOSED_TAILS(SkewDoubleExponentialTails, "skew_double_exponential"))

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
