// RUN: %s
// WHY: a discrete distribution called like a function
model {
  int a = poisson(3);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_distribution_called_discrete.stan', line 4, column 10 to column 20:
//|    -------------------------------------------------
//|      2:  // WHY: a discrete distribution called like a function
//|      3:  model {
//|      4:    int a = poisson(3);
//|                    ^
//|      5:  }
//|    -------------------------------------------------
//|
//| A function named 'poisson' does not exist. It is a distribution: write 'y ~ poisson(...)' as a statement, or 'poisson_lpmf(y | ...)' for the value of its logarithm.
