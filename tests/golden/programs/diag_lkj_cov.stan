// RUN: %s
// WHY: lkj_cov is deprecated
parameters { cov_matrix[2] S; } model { S ~ lkj_cov([0, 0]', [1, 1]', 1); }
//|exit 1
//|stderr
//| Warning in 'diag_lkj_cov.stan', line 3, column 44 to column 51:
//|     Distribution 'lkj_cov' is deprecated and will be removed in version 3.0.
//|     Use 'lkj_corr' for the correlations and lognormal distributions for the
//|     scales instead.
//|
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
