// Densities too rare for lanes and distribution functions too branchy, for doubles and duals.
#define FERMIAC_LAW_SCALARS
#include "autodiff/distributions/defs/beta.h"
#include "autodiff/distributions/defs/beta_binomial.h"
#include "autodiff/distributions/defs/beta_neg_binomial.h"
#include "autodiff/distributions/defs/beta_proportion.h"
#include "autodiff/distributions/defs/binomial.h"
#include "autodiff/distributions/defs/chi_square.h"
#include "autodiff/distributions/defs/discrete_range.h"
#include "autodiff/distributions/defs/gamma.h"
#include "autodiff/distributions/defs/hypergeometric.h"
#include "autodiff/distributions/defs/inv_chi_square.h"
#include "autodiff/distributions/defs/inv_gamma.h"
#include "autodiff/distributions/defs/neg_binomial.h"
#include "autodiff/distributions/defs/neg_binomial_2.h"
#include "autodiff/distributions/defs/poisson.h"
#include "autodiff/distributions/defs/scaled_inv_chi_square.h"
#include "autodiff/distributions/defs/skew_normal.h"
#include "autodiff/distributions/defs/student_t.h"
#include "autodiff/distributions/defs/von_mises.h"
#include "autodiff/distributions/defs/yule_simon.h"
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
