// RUN: %s
// WHY: the lpmf of a continuous distribution
model {
  target += normal_lpmf(1 | 2, 3);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_lpmf_of_continuous.stan', line 4, column 12 to column 33:
//|    -------------------------------------------------
//|      2:  // WHY: the lpmf of a continuous distribution
//|      3:  model {
//|      4:    target += normal_lpmf(1 | 2, 3);
//|                      ^
//|      5:  }
//|    -------------------------------------------------
//|
//| A function named 'normal_lpmf' does not exist. 'normal' is continuous: did you mean 'normal_lpdf'?
