// RUN: %s
// WHY: a choice of another language
transformed data {
  real a = ifelse(1, 2, 3);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_ifelse.stan', line 4, column 11 to column 26:
//|    -------------------------------------------------
//|      2:  // WHY: a choice of another language
//|      3:  transformed data {
//|      4:    real a = ifelse(1, 2, 3);
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| A function named 'ifelse' does not exist. Use the operator ? :.
