// RUN: %s
// WHY: another renamed function
transformed data {
  real a = binomial_coefficient_log(3, 2);
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_binomial_log.stan', line 4, column 11 to column 35:
//|     'binomial_coefficient_log' was removed from the language. Write 'lchoose'
//|     instead.
//|
