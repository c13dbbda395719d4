// RUN: %s
// WHY: a distribution called like a function
model {
  real a = normal(0, 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_distribution_called.stan', line 4, column 11 to column 23:
//|    -------------------------------------------------
//|      2:  // WHY: a distribution called like a function
//|      3:  model {
//|      4:    real a = normal(0, 1);
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| A function named 'normal' does not exist. It is a distribution: write 'y ~ normal(...)' as a statement, or 'normal_lpdf(y | ...)' for the value of its logarithm.
