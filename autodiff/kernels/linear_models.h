// Generalized linear models whose rows are densities of a linear predictor, eta = alpha + X beta.
#pragma once

#include <cstdint>
#include <string_view>

namespace fermiac::ad {

/// Operands of the call: y, maybe the number of trials, X, alpha, beta, maybe a scale; of the density: y, trials, eta, scale.
struct LinearModel {
  std::string_view call, density;
  std::uint32_t matrix;  // position of X among the operands
  bool scale;
};
inline constexpr LinearModel kLinearModels[] = {
    {"bernoulli_logit_glm_lpmf", "bernoulli_logit_lpmf", 1, false},
    {"poisson_log_glm_lpmf", "poisson_log_lpmf", 1, false},
    {"binomial_logit_glm_lpmf", "binomial_logit_lpmf", 2, false},
    {"neg_binomial_2_log_glm_lpmf", "neg_binomial_2_log_lpmf", 1, true},
    {"normal_id_glm_lpdf", "normal_lpdf", 1, true},
};

}  // namespace fermiac::ad
