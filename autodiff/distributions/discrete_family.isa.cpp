// Counts. Outcomes and numbers of trials are data; they arrive as doubles.
#define FERMIAC_LAW_LANES
#include "autodiff/distributions/defs/bernoulli.h"
#include "autodiff/distributions/defs/bernoulli_logit.h"
#include "autodiff/distributions/defs/beta_binomial.h"
#include "autodiff/distributions/defs/binomial.h"
#include "autodiff/distributions/defs/binomial_logit.h"
#include "autodiff/distributions/defs/neg_binomial.h"
#include "autodiff/distributions/defs/neg_binomial_2.h"
#include "autodiff/distributions/defs/neg_binomial_2_log.h"
#include "autodiff/distributions/defs/poisson.h"
#include "autodiff/distributions/defs/poisson_log.h"
#include "autodiff/distributions/defs/yule_simon.h"
#include "autodiff/kernels/families.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

FERMIAC_EXPORT_FAMILY(discrete_family,
                      make_map<BernoulliLpmf>("bernoulli_lpmf"), FERMIAC_CLOSED_TAILS(BernoulliTails, "bernoulli"),
                      make_map<BernoulliLogitLpmf>("bernoulli_logit_lpmf"),
                      make_map<BinomialLpmf>("binomial_lpmf"),
                      make_map<BinomialLogitLpmf>("binomial_logit_lpmf"),
                      make_map<BetaBinomialLpmf>("beta_binomial_lpmf"),
                      make_map<PoissonLpmf>("poisson_lpmf"),
                      make_map<PoissonLogLpmf>("poisson_log_lpmf"),
                      make_map<NegBinomialLpmf>("neg_binomial_lpmf"),
                      make_map<NegBinomial2Lpmf>("neg_binomial_2_lpmf"),
                      make_map<NegBinomial2LogLpmf>("neg_binomial_2_log_lpmf"),
                      FERMIAC_ONE_TAIL(YuleSimonTails, "yule_simon"))

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
