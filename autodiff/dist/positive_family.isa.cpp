// Distributions on the half line.
#define FERMIAC_LAW_LANES
#include "autodiff/dist/laws/chi_square.h"
#include "autodiff/dist/laws/exponential.h"
#include "autodiff/dist/laws/gamma.h"
#include "autodiff/dist/laws/inv_chi_square.h"
#include "autodiff/dist/laws/inv_gamma.h"
#include "autodiff/dist/laws/loglogistic.h"
#include "autodiff/dist/laws/pareto.h"
#include "autodiff/dist/laws/pareto_type_2.h"
#include "autodiff/dist/laws/scaled_inv_chi_square.h"
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
