// Ordered categories: what is known of them; their code is in autodiff/multivariate.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kOrderedLogisticArguments[] = {{"k"}, {"eta"}, {"c"}};
inline constexpr Law kOrderedLogistic{"ordered_logistic",
                                      "p(k) = inv_logit(eta - c[k-1]) - inv_logit(eta - c[k]), c[0] = -inf, c[K] = inf",
                                      kOrderedLogisticArguments, true};

inline constexpr LawArgument kOrderedProbitArguments[] = {{"k"}, {"eta"}, {"c"}};
inline constexpr Law kOrderedProbit{"ordered_probit",
                                    "p(k) = Phi(eta - c[k-1]) - Phi(eta - c[k]), c[0] = -inf, c[K] = inf",
                                    kOrderedProbitArguments, true};

}  // namespace fermiac::ad::laws
