// RUN: %s
// WHY: the old ending after ~
parameters {
  real y;
}
model {
  y ~ normal_log(0, 1);
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_tilde_log.stan', line 7, column 6 to column 16:
//|     'normal_log' was removed from the language. Write 'normal' after '~'
//|     instead.
//|
