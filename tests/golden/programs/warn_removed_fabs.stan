// RUN: %s
// WHY: the absolute value of reals
transformed data {
  real a = fabs(-1.5);
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_fabs.stan', line 4, column 11 to column 15:
//|     'fabs' was removed from the language. Write 'abs' instead.
//|
