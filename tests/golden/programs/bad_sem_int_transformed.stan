// RUN: %s
// WHY: transformed parameters are continuous
transformed parameters {
  array[2] int n;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_int_transformed.stan', line 4, column 2 to column 17:
//|    -------------------------------------------------
//|      2:  // WHY: transformed parameters are continuous
//|      3:  transformed parameters {
//|      4:    array[2] int n;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| (Transformed) parameters cannot be int, nor have int parts: derivatives are taken with respect to them. Sum a discrete unknown out of the density (log_sum_exp, log_mix).
