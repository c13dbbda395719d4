// RUN: %s
// WHY: nor have they discrete slots
parameters {
  tuple(real, int) n;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_int_parameter_tuple.stan', line 4, column 2 to column 21:
//|    -------------------------------------------------
//|      2:  // WHY: nor have they discrete slots
//|      3:  parameters {
//|      4:    tuple(real, int) n;
//|            ^
//|      5:  }
//|    -------------------------------------------------
//|
//| (Model) parameters cannot be int, nor have int parts: derivatives are taken with respect to them. Sum a discrete unknown out of the density (log_sum_exp, log_mix).
