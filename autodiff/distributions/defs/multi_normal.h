// Multivariate normal distributions and their relatives: what is known of them; their code is in autodiff/multivariate.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kMultiGpArguments[] = {{"y"}, {"Sigma"}, {"w"}};
inline constexpr Law kMultiGp{"multi_gp", "p(y) = prod multi_normal(y[k] | 0, Sigma / w[k]) over the rows of y",
                              kMultiGpArguments};

inline constexpr LawArgument kMultiGpCholeskyArguments[] = {{"y"}, {"L"}, {"w"}};
inline constexpr Law kMultiGpCholesky{"multi_gp_cholesky", "as multi_gp with Sigma = L L'", kMultiGpCholeskyArguments};

inline constexpr LawArgument kMultiNormalArguments[] = {{"y"}, {"mu"}, {"Sigma"}};
inline constexpr Law kMultiNormal{
    "multi_normal", "p(y) = exp(-(y - mu)' Sigma^-1 (y - mu) / 2) / sqrt((2 pi)^K |Sigma|)", kMultiNormalArguments};

inline constexpr LawArgument kMultiNormalCholeskyArguments[] = {{"y"}, {"mu"}, {"L"}};
inline constexpr Law kMultiNormalCholesky{"multi_normal_cholesky", "as multi_normal with Sigma = L L'",
                                          kMultiNormalCholeskyArguments};

inline constexpr LawArgument kMultiNormalPrecArguments[] = {{"y"}, {"mu"}, {"Omega"}};
inline constexpr Law kMultiNormalPrec{"multi_normal_prec", "as multi_normal with Sigma = Omega^-1",
                                      kMultiNormalPrecArguments};

inline constexpr LawArgument kMultiStudentTArguments[] = {{"y"}, {"nu"}, {"mu"}, {"Sigma"}};
inline constexpr Law kMultiStudentT{
    "multi_student_t", "p(y) proportional to (1 + (y - mu)' Sigma^-1 (y - mu) / nu)^(-(nu + K) / 2) / sqrt(|Sigma|)",
    kMultiStudentTArguments};

inline constexpr LawArgument kMultiStudentTCholeskyArguments[] = {{"y"}, {"nu"}, {"mu"}, {"L"}};
inline constexpr Law kMultiStudentTCholesky{"multi_student_t_cholesky", "as multi_student_t with Sigma = L L'",
                                            kMultiStudentTCholeskyArguments};

}  // namespace fermiac::ad::laws
