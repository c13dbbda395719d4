// RUN: %s
// WHY: a distribution function with a comma
model {
  target += normal_cdf(1, 0, 1);
}
//|exit 0
//|stderr
//| Warning in 'warn_removed_cdf_comma.stan', line 4, column 12 to column 22:
//|     Calling 'normal_cdf' with a comma after the first argument was removed
//|     from the language. Write a vertical bar instead.
//|
