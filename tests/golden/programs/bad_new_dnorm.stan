// RUN: %s
// WHY: a density of another language
model {
  target += dnorm(1, 0, 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_dnorm.stan', line 4, column 12 to column 26:
//|    -------------------------------------------------
//|      2:  // WHY: a density of another language
//|      3:  model {
//|      4:    target += dnorm(1, 0, 1);
//|                      ^
//|      5:  }
//|    -------------------------------------------------
//|
//| A function named 'dnorm' does not exist. Use 'normal_lpdf'.
