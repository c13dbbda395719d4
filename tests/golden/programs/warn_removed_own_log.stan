// RUN: %s
// WHY: an own density with the old ending
functions {
  real f_log(real y, real a) {
    return a;
  }
}
parameters {
  real y;
}
model {
  y ~ f(1);
  target += f_log(y, 2);
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_own_log.stan', line 4, column 7 to column 12:
//|     'f_log' was removed from the language. Write 'f_lpdf', so that '~' finds
//|     it instead.
//|
