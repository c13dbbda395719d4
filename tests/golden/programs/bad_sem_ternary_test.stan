// RUN: %s
// WHY: the condition of a ternary is a real
transformed data {
  real a = 0.5 ? 1 : 2;
}
//|exit 1
//|stderr
//| Semantic error in 'bad_sem_ternary_test.stan', line 4, column 11 to column 22:
//|    -------------------------------------------------
//|      2:  // WHY: the condition of a ternary is a real
//|      3:  transformed data {
//|      4:    real a = 0.5 ? 1 : 2;
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| The condition of '? :' must be an int, found type real.
