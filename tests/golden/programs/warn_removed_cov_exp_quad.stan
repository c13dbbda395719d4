// RUN: %s
// WHY: a renamed kernel
transformed data {
  matrix[1, 1] a = cov_exp_quad({1.0}, 1, 1);
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_cov_exp_quad.stan', line 4, column 19 to column 31:
//|     'cov_exp_quad' was removed from the language. Write 'gp_exp_quad_cov'
//|     instead.
//|
