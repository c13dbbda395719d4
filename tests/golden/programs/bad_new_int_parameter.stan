// RUN: %s
// WHY: a count as a parameter
parameters {
  int<lower=0> n;
}
model {
  n ~ poisson(3);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_int_parameter.stan', line 4, column 2 to column 17:
//|    -------------------------------------------------
//|      2:  // WHY: a count as a parameter
//|      3:  parameters {
//|      4:    int<lower=0> n;
//|            ^
//|      5:  }
//|      6:  model {
//|    -------------------------------------------------
//|
//| (Model) parameters cannot be int, nor have int parts: derivatives are taken with respect to them. Sum a discrete unknown out of the density (log_sum_exp, log_mix).
