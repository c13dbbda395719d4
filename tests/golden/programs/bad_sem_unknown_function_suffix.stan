// RUN: %s
// WHY: a distribution that lacks the ending
transformed data {
  real a = normal_lcfd(2 | 0, 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_unknown_function_suffix.stan', line 4, column 11 to column 32:
//|    -------------------------------------------------
//|      2:  // WHY: a distribution that lacks the ending
//|      3:  transformed data {
//|      4:    real a = normal_lcfd(2 | 0, 1);
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| A function named 'normal_lcfd' does not exist. Did you mean 'normal_lccdf'?
