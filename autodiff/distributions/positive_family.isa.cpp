// Distributions on the half line.
#define FERMIAC_LAW_LANES
#include "autodiff/distributions/defs/chi_square.h"
#include "autodiff/distributions/defs/exponential.h"
#include "autodiff/distributions/defs/gamma.h"
#include "autodiff/distributions/defs/inv_chi_square.h"
#include "autodiff/distributions/defs/inv_gamma.h"
#include "autodiff/distributions/defs/loglogistic.h"
#include "autodiff/distributions/defs/pareto.h"
#include "autodiff/distributions/defs/pareto_type_2.h"
#include "autodiff/distributions/defs/scaled_inv_chi_square.h"
#include "autodiff/kernels/families.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

FERMIAC_EXPORT_FAMILY(positive_family,
                      make_map<ExponentialLpdf>("exponential_lpdf"), FERMIAC_TAILS(ExponentialTail, "exponential"),
                      make_map<GammaLpdf>("gamma_lpdf"),
                      make_map<InvGammaLpdf>("inv_gamma_lpdf"),
                      make_map<ChiSquareLpdf>("chi_square_lpdf"),
                      make_map<InvChiSquareLpdf>("inv_chi_square_lpdf"),
                      make_map<ScaledInvChiSquareLpdf>("scaled_inv_chi_square_lpdf"),
                      make_map<ParetoLpdf>("pareto_lpdf"), FERMIAC_ONE_TAIL(ParetoTails, "pareto"),
                      make_map<ParetoType2Lpdf>("pareto_type_2_lpdf"),
                      FERMIAC_ONE_TAIL(ParetoType2Tails, "pareto_type_2"),
                      make_map<LoglogisticLpdf>("loglogistic_lpdf"),
                      FERMIAC_CLOSED_TAILS(LoglogisticTails, "loglogistic"))

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
