// RUN: %s
// WHY: functions have small letters
transformed data {
  real a = Exp(1);
}
//|exit 1
//|stderr
//| Semantic error in 'bad_new_capital_function.stan', line 4, column 11 to column 17:
//|    -------------------------------------------------
//|      2:  // WHY: functions have small letters
//|      3:  transformed data {
//|      4:    real a = Exp(1);
//|                     ^
//|      5:  }
//|    -------------------------------------------------
//|
//| A function named 'Exp' does not exist. Did you mean 'exp'?
