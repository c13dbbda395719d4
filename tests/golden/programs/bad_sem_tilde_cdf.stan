// RUN: %s
// WHY: a distribution function after ~
parameters {
  real y;
}
model {
  y ~ normal_cdf(0, 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_tilde_cdf.stan', line 7, column 2 to column 23:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    y ~ normal_cdf(0, 1);
//|            ^
//|      8:  }
//|    -------------------------------------------------
//|
//| 'normal_cdf' is a cumulative distribution function and cannot follow '~'.
