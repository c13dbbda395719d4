// RUN: %s
// WHY: an unknown distribution
model {
  1 ~ normall(0, 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_distribution.stan', line 4, column 6 to column 13:
//|    -------------------------------------------------
//|      2:  // WHY: an unknown distribution
//|      3:  model {
//|      4:    1 ~ normall(0, 1);
//|                ^
//|      5:  }
//|    -------------------------------------------------
//|
//| There is no distribution 'normall': neither a function 'normall_lpdf' nor a function 'normall_lpmf' exists. Did you mean 'normal'?
