// RUN: %s
// WHY: a renamed function
transformed data {
  real a = multiply_log(1, 2);
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_multiply_log.stan', line 4, column 11 to column 23:
//|     'multiply_log' was removed from the language. Write 'lmultiply' instead.
//|
