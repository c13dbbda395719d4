// Processes in time: what is known of them; their code is in autodiff/multivariate.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kGaussianDlmObsArguments[] = {{"y"}, {"F"}, {"G"}, {"V"}, {"W"}, {"m0"}, {"C0"}};
inline constexpr Law kGaussianDlmObs{
    "gaussian_dlm_obs",
    "y[t] ~ multi_normal(F' x[t], V), x[t] ~ multi_normal(G x[t-1], W), x[0] ~ multi_normal(m0, C0)",
    kGaussianDlmObsArguments};

inline constexpr LawArgument kHmmLatentArguments[] = {{"log_omega"}, {"Gamma"}, {"rho"}};
inline constexpr Law kHmmLatent{"hmm_latent",
                                "p(z) proportional to prod exp(log_omega[z[t], t]) prod Gamma[z[t-1], z[t]] rho[z[1]]",
                                kHmmLatentArguments, true};

inline constexpr LawArgument kWienerArguments[] = {{"y"}, {"alpha"}, {"tau"}, {"beta"}, {"delta"}};
inline constexpr Law kWiener{
    "wiener",
    "p(y) = alpha / t^(3/2) exp(delta alpha (1 - beta) - delta^2 t / 2) sum over k of (2 k + 1 - beta) "
    "phi(alpha (2 k + 1 - beta) / sqrt(t)) with t = y - tau",
    kWienerArguments};

}  // namespace fermiac::ad::laws
