// RUN: --strict %s
// WHY: with --strict it is an unknown function
model {
  print(cov_exp_quad({1.0}, 1, 1));
}
//|exit 1
//|stderr
//| Semantic error in 'bad_removed_strict_cov.stan', line 4, column 8 to column 33:
//|    -------------------------------------------------
//|      2:  // WHY: with --strict it is an unknown function
//|      3:  model {
//|      4:    print(cov_exp_quad({1.0}, 1, 1));
//|                  ^
//|      5:  }
//|    -------------------------------------------------
//|
//| A function named 'cov_exp_quad' does not exist. It was removed from the language; use gp_exp_quad_cov.
