// RUN: %s
// WHY: the lpdf of a discrete distribution
model {
  target += poisson_lpdf(1 | 2);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_lpdf_of_discrete.stan', line 4, column 12 to column 31:
//|    -------------------------------------------------
//|      2:  // WHY: the lpdf of a discrete distribution
//|      3:  model {
//|      4:    target += poisson_lpdf(1 | 2);
//|                      ^
//|      5:  }
//|    -------------------------------------------------
//|
//| A function named 'poisson_lpdf' does not exist. 'poisson' is discrete: did you mean 'poisson_lpmf'?
