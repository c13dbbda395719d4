// RUN: %s
// WHY: the old ending of distribution functions
model {
  target += normal_cdf_log(1, 0, 1);
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_cdf_log.stan', line 4, column 12 to column 26:
//|     'normal_cdf_log' was removed from the language. Write 'normal_lcdf' with
//|     a vertical bar after the first argument instead.
//|
