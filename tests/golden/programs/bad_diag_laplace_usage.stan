// RUN: %s
// WHY: laplace_marginal without its covariance
functions { real l(vector t, real y) { return normal_lpdf(y | t, 1); } }
model { target += laplace_marginal(l); }
//|exit 1
//|stderr
//| Semantic error in 'bad_diag_laplace_usage.stan', line 4, column 18 to column 37:
//|    -------------------------------------------------
//|      2:  // WHY: laplace_marginal without its covariance
//|      3:  functions { real l(vector t, real y) { return normal_lpdf(y | t, 1); } }
//|      4:  model { target += laplace_marginal(l); }
//|                            ^
//|    -------------------------------------------------
//|
//| Function 'laplace_marginal' is called as laplace_marginal(likelihood, (its arguments), hessian_block_size, covariance, (its arguments)).
