// RUN: %s
// WHY: a misspelt function
transformed data {
  real a = sqtr(2.0);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_unknown_function_near.stan', line 4, column 11 to column 20:
//|    -------------------------------------------------
//|      2:  // WHY: a misspelt function
//|      3:  transformed data {
//|      4:    real a = sqtr(2.0);
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| A function named 'sqtr' does not exist. Did you mean 'qr'?
