// Covariance and correlation matrices: what is known of them; their code is in autodiff/multivariate.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kInvWishartArguments[] = {{"W"}, {"nu"}, {"S"}};
inline constexpr Law kInvWishart{
    "inv_wishart", "p(W) = |S|^(nu/2) / (2^(nu K/2) Gamma_K(nu/2)) |W|^(-(nu + K + 1)/2) exp(-tr(S W^-1) / 2)",
    kInvWishartArguments};

inline constexpr LawArgument kInvWishartCholeskyArguments[] = {{"L_W"}, {"nu"}, {"L_S"}};
inline constexpr Law kInvWishartCholesky{"inv_wishart_cholesky",
                                         "p(L_W) = inv_wishart(L_W L_W' | nu, L_S L_S') 2^K prod L_W[k, k]^(K - k + 1)",
                                         kInvWishartCholeskyArguments};

inline constexpr LawArgument kLkjCorrArguments[] = {{"y"}, {"eta"}};
inline constexpr Law kLkjCorr{"lkj_corr", "p(y) proportional to |y|^(eta - 1)", kLkjCorrArguments};

inline constexpr LawArgument kLkjCorrCholeskyArguments[] = {{"L"}, {"eta"}};
inline constexpr Law kLkjCorrCholesky{
    "lkj_corr_cholesky", "p(L) proportional to prod L[k, k]^(K - k + 2 eta - 2), k = 2 … K", kLkjCorrCholeskyArguments};

inline constexpr LawArgument kLkjCovArguments[] = {{"W"}, {"mu"}, {"sigma"}, {"eta"}};
inline constexpr Law kLkjCov{
    "lkj_cov", "as lkj_corr for the correlations of W, times lognormal(mu, sigma) for its standard deviations",
    kLkjCovArguments};

inline constexpr LawArgument kWishartArguments[] = {{"W"}, {"nu"}, {"S"}};
inline constexpr Law kWishart{
    "wishart", "p(W) = |W|^((nu - K - 1)/2) exp(-tr(S^-1 W) / 2) / (2^(nu K/2) Gamma_K(nu/2) |S|^(nu/2))",
    kWishartArguments};

inline constexpr LawArgument kWishartCholeskyArguments[] = {{"L_W"}, {"nu"}, {"L_S"}};
inline constexpr Law kWishartCholesky{"wishart_cholesky",
                                      "p(L_W) = wishart(L_W L_W' | nu, L_S L_S') 2^K prod L_W[k, k]^(K - k + 1)",
                                      kWishartCholeskyArguments};

}  // namespace fermiac::ad::laws
