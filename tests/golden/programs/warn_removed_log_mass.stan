// RUN: %s
// WHY: the old ending of probability masses
data {
  int y;
}
model {
  target += poisson_log(y, 3);
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_log_mass.stan', line 7, column 12 to column 23:
//|     'poisson_log' was removed from the language. Write 'poisson_lpmf' with a
//|     vertical bar after the first argument instead.
//|
