// RUN: %s
// WHY: the old ending of densities
parameters {
  real y;
}
model {
  target += normal_log(y, 0, 1);
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_log_density.stan', line 7, column 12 to column 22:
//|     'normal_log' was removed from the language. Write 'normal_lpdf' with a
//|     vertical bar after the first argument instead.
//|
