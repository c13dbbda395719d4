// RUN: %s
// WHY: a function that does not exist
transformed data {
  real a = frobnicate(1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_unknown_function.stan', line 4, column 11 to column 24:
//|    -------------------------------------------------
//|      2:  // WHY: a function that does not exist
//|      3:  transformed data {
//|      4:    real a = frobnicate(1);
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| A function named 'frobnicate' does not exist.
