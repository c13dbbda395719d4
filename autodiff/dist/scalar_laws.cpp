// Densities too rare for lanes and distribution functions too branchy, for doubles and duals.
#define FERMIAC_LAW_SCALARS
#include "autodiff/dist/laws/beta.h"
#include "autodiff/dist/laws/beta_binomial.h"
#include "autodiff/dist/laws/beta_neg_binomial.h"
#include "autodiff/dist/laws/beta_proportion.h"
#include "autodiff/dist/laws/binomial.h"
#include "autodiff/dist/laws/chi_square.h"
#include "autodiff/dist/laws/discrete_range.h"
#include "autodiff/dist/laws/gamma.h"
#include "autodiff/dist/laws/hypergeometric.h"
#include "autodiff/dist/laws/inv_chi_square.h"
#include "autodiff/dist/laws/inv_gamma.h"
#include "autodiff/dist/laws/neg_binomial.h"
#include "autodiff/dist/laws/neg_binomial_2.h"
#include "autodiff/dist/laws/poisson.h"
#include "autodiff/dist/laws/scaled_inv_chi_square.h"
#include "autodiff/dist/laws/skew_normal.h"
#include "autodiff/dist/laws/student_t.h"
#include "autodiff/dist/laws/von_mises.h"
#include "autodiff/dist/laws/yule_simon.h"
#include "autodiff/kernels/families.h"

namespace fermiac::ad::scalar {

#define FERMIAC_CDFS(D, name)                                                                               \
  make_scalar_map<CdfMap<D, Form::Cdf>>(name "_cdf"), make_scalar_map<CdfMap<D, Form::Lcdf>>(name "_lcdf"), \
      make_scalar_map<CdfMap<D, Form::Lccdf>>(name "_lccdf")

FERMIAC_EXPORT_FAMILY(scalar_laws,
                      make_scalar_map<BetaNegBinomialLpmf>("beta_neg_binomial_lpmf"),
                      make_scalar_map<YuleSimonLpmf>("yule_simon_lpmf"),
                      make_scalar_map<DiscreteRangeLpmf>("discrete_range_lpmf"),
                      make_scalar_map<HypergeometricLpmf>("hypergeometric_lpmf"),
                      FERMIAC_CDFS(StudentTTails, "student_t"),
                      FERMIAC_CDFS(GammaTails, "gamma"),
                      FERMIAC_CDFS(ChiSquareTails, "chi_square"),
                      FERMIAC_CDFS(InvGammaTails, "inv_gamma"),
                      FERMIAC_CDFS(InvChiSquareTails, "inv_chi_square"),
                      FERMIAC_CDFS(ScaledInvChiSquareTails, "scaled_inv_chi_square"),
                      FERMIAC_CDFS(BetaTails, "beta"),
                      FERMIAC_CDFS(BetaProportionTails, "beta_proportion"),
                      FERMIAC_CDFS(SkewNormalTails, "skew_normal"),
                      FERMIAC_CDFS(VonMisesTails, "von_mises"),
                      FERMIAC_CDFS(BinomialTails, "binomial"),
                      FERMIAC_CDFS(PoissonTails, "poisson"),
                      FERMIAC_CDFS(NegBinomialTails, "neg_binomial"),
                      FERMIAC_CDFS(NegBinomial2Tails, "neg_binomial_2"),
                      FERMIAC_CDFS(BetaBinomialTails, "beta_binomial"),
                      FERMIAC_CDFS(BetaNegBinomialTails, "beta_neg_binomial"),
                      FERMIAC_CDFS(DiscreteRangeTails, "discrete_range"))

}  // namespace fermiac::ad::scalar
