// Generalised linear models: what is known of them; their code is in autodiff/multivariate.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kBernoulliLogitGlmArguments[] = {{"y"}, {"x"}, {"alpha"}, {"beta"}};
inline constexpr Law kBernoulliLogitGlm{"bernoulli_logit_glm", "as bernoulli_logit with alpha + x * beta for alpha",
                                        kBernoulliLogitGlmArguments, true};

inline constexpr LawArgument kBinomialLogitGlmArguments[] = {{"n"}, {"N"}, {"x"}, {"alpha"}, {"beta"}};
inline constexpr Law kBinomialLogitGlm{"binomial_logit_glm", "as binomial_logit with alpha + x * beta for alpha",
                                       kBinomialLogitGlmArguments, true};

inline constexpr LawArgument kCategoricalLogitGlmArguments[] = {{"y"}, {"x"}, {"alpha"}, {"beta"}};
inline constexpr Law kCategoricalLogitGlm{"categorical_logit_glm",
                                          "as categorical_logit with alpha + (x[i] * beta)' for beta, per observation",
                                          kCategoricalLogitGlmArguments, true};

inline constexpr LawArgument kNegBinomial2LogGlmArguments[] = {{"y"}, {"x"}, {"alpha"}, {"beta"}, {"phi"}};
inline constexpr Law kNegBinomial2LogGlm{"neg_binomial_2_log_glm", "as neg_binomial_2_log with eta = alpha + x * beta",
                                         kNegBinomial2LogGlmArguments, true};

inline constexpr LawArgument kNormalIdGlmArguments[] = {{"y"}, {"x"}, {"alpha"}, {"beta"}, {"sigma"}};
inline constexpr Law kNormalIdGlm{"normal_id_glm", "as normal with mu = alpha + x * beta", kNormalIdGlmArguments};

inline constexpr LawArgument kOrderedLogisticGlmArguments[] = {{"y"}, {"x"}, {"beta"}, {"c"}};
inline constexpr Law kOrderedLogisticGlm{"ordered_logistic_glm", "as ordered_logistic with eta = x * beta",
                                         kOrderedLogisticGlmArguments, true};

inline constexpr LawArgument kPoissonLogGlmArguments[] = {{"y"}, {"x"}, {"alpha"}, {"beta"}};
inline constexpr Law kPoissonLogGlm{"poisson_log_glm", "as poisson_log with alpha + x * beta for alpha",
                                    kPoissonLogGlmArguments, true};

}  // namespace fermiac::ad::laws
