// Every distribution of the language: univariate ones that can be drawn, then all others; in alphabetical order.
#pragma once

#include "autodiff/dist/laws/bernoulli.h"
#include "autodiff/dist/laws/bernoulli_logit.h"
#include "autodiff/dist/laws/beta.h"
#include "autodiff/dist/laws/beta_binomial.h"
#include "autodiff/dist/laws/beta_neg_binomial.h"
#include "autodiff/dist/laws/beta_proportion.h"
#include "autodiff/dist/laws/binomial.h"
#include "autodiff/dist/laws/binomial_logit.h"
#include "autodiff/dist/laws/categories.h"
#include "autodiff/dist/laws/cauchy.h"
#include "autodiff/dist/laws/chi_square.h"
#include "autodiff/dist/laws/discrete_range.h"
#include "autodiff/dist/laws/double_exponential.h"
#include "autodiff/dist/laws/exp_mod_normal.h"
#include "autodiff/dist/laws/exponential.h"
#include "autodiff/dist/laws/frechet.h"
#include "autodiff/dist/laws/gamma.h"
#include "autodiff/dist/laws/gumbel.h"
#include "autodiff/dist/laws/hypergeometric.h"
#include "autodiff/dist/laws/inv_chi_square.h"
#include "autodiff/dist/laws/inv_gamma.h"
#include "autodiff/dist/laws/linear_models.h"
#include "autodiff/dist/laws/logistic.h"
#include "autodiff/dist/laws/loglogistic.h"
#include "autodiff/dist/laws/lognormal.h"
#include "autodiff/dist/laws/matrices.h"
#include "autodiff/dist/laws/multi_normal.h"
#include "autodiff/dist/laws/neg_binomial.h"
#include "autodiff/dist/laws/neg_binomial_2.h"
#include "autodiff/dist/laws/neg_binomial_2_log.h"
#include "autodiff/dist/laws/normal.h"
#include "autodiff/dist/laws/ordered.h"
#include "autodiff/dist/laws/pareto.h"
#include "autodiff/dist/laws/pareto_type_2.h"
#include "autodiff/dist/laws/poisson.h"
#include "autodiff/dist/laws/poisson_log.h"
#include "autodiff/dist/laws/processes.h"
#include "autodiff/dist/laws/rayleigh.h"
#include "autodiff/dist/laws/scaled_inv_chi_square.h"
#include "autodiff/dist/laws/skew_double_exponential.h"
#include "autodiff/dist/laws/skew_normal.h"
#include "autodiff/dist/laws/std_normal.h"
#include "autodiff/dist/laws/student_t.h"
#include "autodiff/dist/laws/uniform.h"
#include "autodiff/dist/laws/von_mises.h"
#include "autodiff/dist/laws/weibull.h"
#include "autodiff/dist/laws/yule_simon.h"

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
