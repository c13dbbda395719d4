// RUN: %s
// WHY: parameters are continuous
parameters {
  int n;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_int_parameter.stan', line 4, column 2 to column 8:
//|    -------------------------------------------------
//|      2:  // WHY: parameters are continuous
//|      3:  parameters {
//|      4:    int n;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| (Model) parameters cannot be int, nor have int parts: derivatives are taken with respect to them. Sum a discrete unknown out of the density (log_sum_exp, log_mix).
