// RUN: %s
// WHY: lkj_cov is deprecated
parameters { cov_matrix[2] S; } model { S ~ lkj_cov([0, 0]', [1, 1]', 1); }
//|exit 0
//|stderr
//| Warning in 'diag_lkj_cov.stan', line 3, column 44 to column 51:
//|     Distribution 'lkj_cov' is deprecated and will be removed in version 3.0.
//|     Use 'lkj_corr' for the correlations and lognormal distributions for the
//|     scales instead.
//|
