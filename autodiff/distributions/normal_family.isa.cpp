// The normal distribution and what is made of it.
#define FERMIAC_LAW_LANES
#include "autodiff/distributions/defs/exp_mod_normal.h"
#include "autodiff/distributions/defs/lognormal.h"
#include "autodiff/distributions/defs/normal.h"
#include "autodiff/distributions/defs/skew_normal.h"
#include "autodiff/distributions/defs/std_normal.h"
#include "autodiff/distributions/defs/student_t.h"
#include "autodiff/kernels/families.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

FERMIAC_EXPORT_FAMILY(normal_family,
                      make_map<NormalLpdf>("normal_lpdf"), FERMIAC_TAILS(NormalTail, "normal"),
                      make_map<StdNormalLpdf>("std_normal_lpdf"), FERMIAC_TAILS(StdNormalTail, "std_normal"),
                      make_map<LognormalLpdf>("lognormal_lpdf"), FERMIAC_TAILS(LognormalTail, "lognormal"),
                      make_map<StudentTLpdf>("student_t_lpdf"),
                      make_map<SkewNormalLpdf>("skew_normal_lpdf"),
                      make_map<ExpModNormalLpdf>("exp_mod_normal_lpdf"),
                      FERMIAC_CLOSED_TAILS(ExpModNormalTails, "exp_mod_normal"))

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
