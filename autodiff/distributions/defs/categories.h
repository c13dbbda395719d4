// Categories and their counts: what is known of them; their code is in autodiff/multivariate.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kCategoricalArguments[] = {{"y"}, {"theta"}};
inline constexpr Law kCategorical{"categorical", "p(y) = theta[y], y = 1 … K", kCategoricalArguments, true};

inline constexpr LawArgument kCategoricalLogitArguments[] = {{"y"}, {"beta"}};
inline constexpr Law kCategoricalLogit{"categorical_logit", "p(y) = softmax(beta)[y], y = 1 … K",
                                       kCategoricalLogitArguments, true};

inline constexpr LawArgument kDirichletArguments[] = {{"theta"}, {"alpha"}};
inline constexpr Law kDirichlet{"dirichlet",
                                "p(theta) = Gamma(sum(alpha)) / prod Gamma(alpha[k]) prod theta[k]^(alpha[k] - 1)",
                                kDirichletArguments};

inline constexpr LawArgument kDirichletMultinomialArguments[] = {{"n"}, {"alpha"}};
inline constexpr Law kDirichletMultinomial{
    "dirichlet_multinomial",
    "p(n) = N! Gamma(A) / Gamma(N + A) prod Gamma(n[k] + alpha[k]) / (n[k]! Gamma(alpha[k])) with N = "
    "sum(n), A = sum(alpha)",
    kDirichletMultinomialArguments, true};

inline constexpr LawArgument kMultinomialArguments[] = {{"y"}, {"theta"}};
inline constexpr Law kMultinomial{"multinomial", "p(y) = N! / prod y[k]! prod theta[k]^y[k] with N = sum(y)",
                                  kMultinomialArguments, true};

inline constexpr LawArgument kMultinomialLogitArguments[] = {{"y"}, {"gamma"}};
inline constexpr Law kMultinomialLogit{"multinomial_logit", "as multinomial with theta = softmax(gamma)",
                                       kMultinomialLogitArguments, true};

}  // namespace fermiac::ad::laws
