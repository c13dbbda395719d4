// RUN: %s
// WHY: a function of another language
transformed data {
  real a = power(2, 3);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_power_function.stan', line 4, column 11 to column 22:
//|    -------------------------------------------------
//|      2:  // WHY: a function of another language
//|      3:  transformed data {
//|      4:    real a = power(2, 3);
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| A function named 'power' does not exist. Use 'pow' or the operator ^.
