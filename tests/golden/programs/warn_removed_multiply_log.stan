// RUN: %s
// WHY: a renamed function
transformed data {
  real a = multiply_log(1, 2);
}
//|exit 1
//|stderr
//| Warning in 'warn_removed_multiply_log.stan', line 4, column 11 to column 23:
//|     'multiply_log' was removed from the language. Write 'lmultiply' instead.
//|
//| stanc: the program is fine; C++ output comes with a later version, nothing was written.
