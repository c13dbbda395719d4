// RUN: %s
// WHY: random numbers of another language
generated quantities {
  real a = rnorm(0, 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_rnorm.stan', line 4, column 11 to column 22:
//|    -------------------------------------------------
//|      2:  // WHY: random numbers of another language
//|      3:  generated quantities {
//|      4:    real a = rnorm(0, 1);
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| A function named 'rnorm' does not exist. Use 'normal_rng'.
