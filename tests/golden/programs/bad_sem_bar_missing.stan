// RUN: %s
// WHY: a density with a comma
transformed data {
  real a = normal_lpdf(1, 0, 1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_bar_missing.stan', line 4, column 11 to column 31:
//|    -------------------------------------------------
//|      2:  // WHY: a density with a comma
//|      3:  transformed data {
//|      4:    real a = normal_lpdf(1, 0, 1);
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| Function 'normal_lpdf' is conditional: write a vertical bar instead of the comma after the first argument.
