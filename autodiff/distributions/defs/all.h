// Every distribution of the language: univariate ones that can be drawn, then all others; in alphabetical order.
#pragma once

#include "autodiff/distributions/defs/bernoulli.h"
#include "autodiff/distributions/defs/bernoulli_logit.h"
#include "autodiff/distributions/defs/beta.h"
#include "autodiff/distributions/defs/beta_binomial.h"
#include "autodiff/distributions/defs/beta_neg_binomial.h"
#include "autodiff/distributions/defs/beta_proportion.h"
#include "autodiff/distributions/defs/binomial.h"
#include "autodiff/distributions/defs/binomial_logit.h"
#include "autodiff/distributions/defs/categories.h"
#include "autodiff/distributions/defs/cauchy.h"
#include "autodiff/distributions/defs/chi_square.h"
#include "autodiff/distributions/defs/discrete_range.h"
#include "autodiff/distributions/defs/double_exponential.h"
#include "autodiff/distributions/defs/exp_mod_normal.h"
#include "autodiff/distributions/defs/exponential.h"
#include "autodiff/distributions/defs/frechet.h"
#include "autodiff/distributions/defs/gamma.h"
#include "autodiff/distributions/defs/gumbel.h"
#include "autodiff/distributions/defs/hypergeometric.h"
#include "autodiff/distributions/defs/inv_chi_square.h"
#include "autodiff/distributions/defs/inv_gamma.h"
#include "autodiff/distributions/defs/linear_models.h"
#include "autodiff/distributions/defs/logistic.h"
#include "autodiff/distributions/defs/loglogistic.h"
#include "autodiff/distributions/defs/lognormal.h"
#include "autodiff/distributions/defs/matrices.h"
#include "autodiff/distributions/defs/multi_normal.h"
#include "autodiff/distributions/defs/neg_binomial.h"
#include "autodiff/distributions/defs/neg_binomial_2.h"
#include "autodiff/distributions/defs/neg_binomial_2_log.h"
#include "autodiff/distributions/defs/normal.h"
#include "autodiff/distributions/defs/ordered.h"
#include "autodiff/distributions/defs/pareto.h"
#include "autodiff/distributions/defs/pareto_type_2.h"
#include "autodiff/distributions/defs/poisson.h"
#include "autodiff/distributions/defs/poisson_log.h"
#include "autodiff/distributions/defs/processes.h"
#include "autodiff/distributions/defs/rayleigh.h"
#include "autodiff/distributions/defs/scaled_inv_chi_square.h"
#include "autodiff/distributions/defs/skew_double_exponential.h"
#include "autodiff/distributions/defs/skew_normal.h"
#include "autodiff/distributions/defs/std_normal.h"
#include "autodiff/distributions/defs/student_t.h"
#include "autodiff/distributions/defs/uniform.h"
#include "autodiff/distributions/defs/von_mises.h"
#include "autodiff/distributions/defs/weibull.h"
#include "autodiff/distributions/defs/yule_simon.h"

// X(function, Constant): draws::function and laws::kConstant.
#define FERMIAC_LAWS_WITH_DRAWS(X)                           \
  X(bernoulli, Bernoulli)                                    \
  X(bernoulli_logit, BernoulliLogit)                         \
  X(beta, Beta)                                              \
  X(beta_binomial, BetaBinomial)                             \
  X(beta_neg_binomial, BetaNegBinomial)                      \
  X(beta_proportion, BetaProportion)                         \
  X(binomial, Binomial)                                      \
  X(cauchy, Cauchy)                                          \
  X(chi_square, ChiSquare)                                   \
  X(discrete_range, DiscreteRange)                           \
  X(double_exponential, DoubleExponential)                   \
  X(exp_mod_normal, ExpModNormal)                            \
  X(exponential, Exponential)                                \
  X(frechet, Frechet)                                        \
  X(gamma, Gamma)                                            \
  X(gumbel, Gumbel)                                          \
  X(hypergeometric, Hypergeometric)                          \
  X(inv_chi_square, InvChiSquare)                            \
  X(inv_gamma, InvGamma)                                     \
  X(logistic, Logistic)                                      \
  X(loglogistic, Loglogistic)                                \
  X(lognormal, Lognormal)                                    \
  X(neg_binomial, NegBinomial)                               \
  X(neg_binomial_2, NegBinomial2)                            \
  X(neg_binomial_2_log, NegBinomial2Log)                     \
  X(normal, Normal)                                          \
  X(pareto, Pareto)                                          \
  X(pareto_type_2, ParetoType2)                              \
  X(poisson, Poisson)                                        \
  X(poisson_log, PoissonLog)                                 \
  X(rayleigh, Rayleigh)                                      \
  X(scaled_inv_chi_square, ScaledInvChiSquare)               \
  X(skew_double_exponential, SkewDoubleExponential)          \
  X(skew_normal, SkewNormal)                                 \
  X(std_normal, StdNormal)                                   \
  X(student_t, StudentT)                                     \
  X(uniform, Uniform)                                        \
  X(von_mises, VonMises)                                     \
  X(weibull, Weibull)                                        \
  X(yule_simon, YuleSimon)

// X(Constant)
#define FERMIAC_OTHER_LAWS(X)                                \
  X(BinomialLogit)                                           \
  X(BernoulliLogitGlm)                                       \
  X(BinomialLogitGlm)                                        \
  X(Categorical)                                             \
  X(CategoricalLogit)                                        \
  X(CategoricalLogitGlm)                                     \
  X(Dirichlet)                                               \
  X(DirichletMultinomial)                                    \
  X(GaussianDlmObs)                                          \
  X(HmmLatent)                                               \
  X(InvWishart)                                              \
  X(InvWishartCholesky)                                      \
  X(LkjCorr)                                                 \
  X(LkjCorrCholesky)                                         \
  X(LkjCov)                                                  \
  X(MultiGp)                                                 \
  X(MultiGpCholesky)                                         \
  X(MultiNormal)                                             \
  X(MultiNormalCholesky)                                     \
  X(MultiNormalPrec)                                         \
  X(MultiStudentT)                                           \
  X(MultiStudentTCholesky)                                   \
  X(Multinomial)                                             \
  X(MultinomialLogit)                                        \
  X(NegBinomial2LogGlm)                                      \
  X(NormalIdGlm)                                             \
  X(OrderedLogistic)                                         \
  X(OrderedLogisticGlm)                                      \
  X(OrderedProbit)                                           \
  X(PoissonLogGlm)                                           \
  X(Wiener)                                                  \
  X(Wishart)                                                 \
  X(WishartCholesky)
