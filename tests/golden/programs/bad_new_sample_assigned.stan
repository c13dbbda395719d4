// RUN: %s
// WHY: a distribution assigned like a value
parameters {
  real y;
}
model {
  real x = normal(0, 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_sample_assigned.stan', line 7, column 11 to column 23:
//|    -------------------------------------------------
//|      5:  }
//|      6:  model {
//|      7:    real x = normal(0, 1);
//|                     ^
//|      8:  }
//|    -------------------------------------------------
//|
//| A function named 'normal' does not exist. It is a distribution: write 'y ~ normal(...)' as a statement, or 'normal_lpdf(y | ...)' for the value of its logarithm.
